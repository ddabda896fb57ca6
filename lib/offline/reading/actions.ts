/**
 * The possible actions of a prompt, taken apart: verb, thing, and the other thing after a preposition.
 *
 * @module
 */

import { OPPOSITE } from "./lexicon.ts";
import { named } from "./noun-phrases.ts";

/** One possible action. Names are bare; `text` is how it must be answered. */
export interface Action {
  readonly text: string;
  readonly verb: string;
  readonly thing: string;
  readonly other: string;
  /** The compass word of a move. */
  readonly direction?: string;
  /** The room of a "go to". */
  readonly destination?: string;
}

/** Reads a list of actions, one a line. */
export function readActions(section: string): Action[] {
  return section
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(readAction);
}

function readAction(text: string): Action {
  const words = text.toLowerCase();
  const destination = words.match(/^go to (?:the )?(.+)$/)?.[1];
  if (destination !== undefined) return { text, verb: "go", thing: "", other: "", destination };
  const move = words.match(/^(?:go )?(\w+)$/)?.[1];
  if (move !== undefined && move in OPPOSITE) return { text, verb: "go", thing: "", other: "", direction: move };
  const [, verb = words, thing = "", other = ""] = words.match(/^(\w+)(?: (.+?))?(?: (?:from|with|onto|on|into|in|to|off) (.+))?$/) ?? [];
  return { text, verb, thing: bare(thing), other: bare(other) };
}

function bare(phrase: string): string {
  return phrase === "" ? "" : named(phrase).name;
}
