/**
 * Reads the actions that a prompt offers: verb, thing, and the other thing after a preposition.
 *
 * @module
 */

import { OPPOSITE } from "./lexicon.ts";
import { linesOf, named } from "./noun-phrases.ts";

/** An offered action. Names have no article; `text` is the action as it is answered. */
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
  return linesOf(section).map(readAction);
}

function readAction(text: string): Action {
  const words = text.toLowerCase();
  const destination = words.match(/^go to (?:the )?(.+)$/)?.[1];
  if (destination !== undefined) return { text, verb: "go", thing: "", other: "", destination };
  const move = words.match(/^(?:go )?(\w+)$/)?.[1];
  if (move !== undefined && move in OPPOSITE) return { text, verb: "go", thing: "", other: "", direction: move };
  const [, verb = words, thing = "", other = ""] = words.match(/^(\w+)(?: (.+?))?(?: (?:from|with|onto|on|into|in|to|off) (.+))?$/) ?? [];
  return { text, verb, thing: named(thing).name, other: named(other).name };
}
