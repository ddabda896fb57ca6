/**
 * The prompt of the text agents and its parser. The dialogue, `> action` with the world's words
 * under it and `think:` before a thought, follows ReAct (Yao et al. 2023, arXiv 2210.03629, App.
 * C); the wording is ours.
 */

import type { Sampling } from "../llm/chat-model.ts";
import type { Prompt } from "../llm/prompt.ts";
import { jsonObjectIn } from "../text/json.ts";
import { mend } from "../text/reading-rules.ts";
import { completeLines, reader, type ReplyParser } from "../text/reply-text.ts";

/** Titles of the sections, which the stand-in finds them by. */
export const TEXT_AGENT_SECTIONS: Readonly<Record<TextAgentSection, string>> = {
  examples: "Examples of other tasks",
  goal: "Task",
  actions: "What can be done",
  history: "What has happened so far",
};

/** Keys of the sections. */
export type TextAgentSection = "examples" | "goal" | "actions" | "history";

/** How a family of prompts differs. */
export interface TextPromptOptions {
  /** The role that asks, e.g. `react/act`. */
  readonly role: string;
  /** Whether thoughts are asked for. */
  readonly thoughts: boolean;
  /** How candidates are drawn. @default {0} */
  readonly temperature?: number;
  /** Further rules, a sentence or more each. */
  readonly advice?: readonly string[];
}

/** A prompt and whether it asks for thoughts: its examples are shown with or without them. */
export interface TextPrompt extends Prompt<TextAgentSection> {
  /** Whether thoughts are asked for. */
  readonly thoughts: boolean;
}

/**
 * The sampling of a dialogue. A reply ends where the world's turn would begin, by our signs or
 * ReAct's; not at a line break, since some models write thoughts first.
 */
export function dialogueSampling(temperature = 0): Sampling {
  return { temperature, maxTokens: 200, stop: ["\n>", "\nObs"] };
}

/**
 * The prompt for the next action, with or without thoughts.
 *
 * @example
 * ```ts
 * import { textPrompt } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.match(textPrompt({ role: "react/act", thoughts: true }).instructions, /think first/);
 * ```
 */
export function textPrompt(
  { role, thoughts, temperature = 0, advice = [] }: TextPromptOptions,
): TextPrompt {
  const rules = [
    "Use only forms of action that the world knows, as they are listed or stand in the examples, with the names of things as the world writes them.",
    "What changed nothing before will change nothing again: do something else then.",
    "The world shows only what you go to, open or ask for.",
    ...(thoughts ? [THINK] : []),
    ...advice,
  ];
  return {
    role,
    thoughts,
    instructions:
      `You work on a task in a world that is described in words. You are shown the task and what has happened so far: after each ">" an action, below it what the world showed. Write what comes after the next ">".

${rules.map((rule) => `- ${rule}`).join("\n")}

${
        thoughts
          ? "Answer with the thought, the action, or both, each in one line of its own."
          : "Answer with one action in one line, and nothing else."
      }`,
    sections: TEXT_AGENT_SECTIONS,
    sampling: dialogueSampling(temperature),
  };
}

const THINK =
  `Where it helps, think first: in a line that begins with "think:" say what is to be done next and why, where things may be, what has been found out or what went wrong. The world does not hear it.`;

export const HEARD = "OK.";

/** The answer of a model: a thought, an action, or both. */
export interface Move {
  /** Absent where there is none. */
  readonly thought?: string;
  /** Absent where there is none. */
  readonly action?: string;
  /**
   * Number of lines after the action, which are ignored: the world answers one action at a time.
   */
  readonly ignored: number;
}

/**
 * Reads thoughts, each perhaps followed by "OK.", and the action: the first line that is marked as
 * one (`Action 2:`, `verb[…]`, `>` below sentences), else the first that is no thought. Marks, code
 * fences, and text after the bracket that ends `verb[…]` are dropped. An answer with neither is
 * malformed.
 *
 * @example
 * ```ts
 * import { parseMove } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const read = parseMove("think: the key is north\n> go north");
 * assert.deepEqual(read.kind === "ok" && [read.value.thought, read.value.action], ["the key is north", "go north"]);
 * ```
 */
export const parseMove: ReplyParser<Move> = reader((text) => {
  const { thought: first, action: next } = jsonObjectIn(text) ?? {};
  const said = typeof next === "string"
    ? `${typeof first === "string" ? `think: ${first}\n` : ""}${next}`
    : text;
  const written = said.replaceAll(ON_ONE_LINE, "$1\n").split("\n").filter((line) => bare(line));
  const lines = written.map(bare);
  let at = placeOfAction(lines, written);
  const thoughts = lines.slice(0, at < 0 ? lines.length : at).filter((line) => line !== HEARD)
    .map((line) => line.match(THOUGHT)?.[1] ?? line);
  for (; at >= 0 && at < lines.length; at++) {
    const entry = (lines[at] ?? "").replace(ACTION, "").replace(/^"([^"]*)"$|^([^[]*)\]$/, "$1$2");
    const action = mend("action", entry.replaceAll(/^(?:[-•]|#+|\(?\d+[.)]) |\*+/g, ""));
    if (mend("name", action) !== "") {
      return { kind: "ok", value: { ...joined(thoughts), action, ignored: lines.length - at - 1 } };
    }
  }
  if (thoughts.some((thought) => thought !== "")) {
    return { kind: "ok", value: { ...joined(thoughts), ignored: 0 } };
  }
  return { kind: "malformed", problem: "there is no action in it" };
}, { completed: told });

const ACTION =
  /^#*\s*\[?(?:(?:the|my|next) ){0,2}act(?:ion)?(?: is| to take)?\]?[\s\d*]*(?::[\s*`>]*|(?<=\]\s*)|\W*$)/i;
const THOUGHT =
  /^#*\s*\[?(?:think(?:ing)?|thoughts?|reasoning)\]?[\s\d*]*(?::[\s*]*|(?<=\]\s*)|$)(.*)$/i;
const ON_ONE_LINE =
  /^(\W*th(?:ink|ought)\b.*?[.!?])\s+(?=\W{0,2}action[ \d]{0,4}:|> \w[^.?!\n]*$)/gim;
/** How a line begins that is prose, and no action. */
const PROSE = /^(?:i|we|an?|the|my|it|to|so|in|let|now|next|since|based on)\b|^\w+:|:$/i;
/** What the world says in a turn that the model imagines. */
const OBSERVED = /^(?:obs(?:ervation)?\b|OK\.$)/i;

const MARKED = /^\W*(?:>|act(?:ion)?\b|think\b|thoughts?\b|\w+\[[^{}<>]*\])/i;
/** A sentence, a heading or a form of the prompt. */
const NO_MOVE = new RegExp(String.raw`^#|[.!?]$|[{<]|^$|${PROSE.source}`, "i");

/** The complete lines of a reply that was cut, without a thought that lacks its mark. */
function told(text: string): string {
  const lines = completeLines(text).split("\n");
  const first = lines.findIndex((line) => MARKED.test(line) || !NO_MOVE.test(bare(line)));
  return first < 0 ? "" : lines.slice(first).join("\n");
}

/** The line with the action, or −1; `written` has the lines with their signs. */
function placeOfAction(lines: readonly string[], written: readonly string[]): number {
  // a model that continues the dialogue repeats what stands below a thought
  const isThought = (line: string, at: number): boolean =>
    THOUGHT.test(line) || (at > 0 && line === HEARD);
  const plain = lines.findIndex((line, at) => !isThought(line, at));
  const isProse = PROSE.test(lines[plain] ?? "");
  const labelled = lines.findIndex((line) => ACTION.test(line) || /^\w+\[[^{}<>]*\]/.test(line));
  const isTurn = lines.slice(plain + 1, labelled).some((line) =>
    OBSERVED.test(line) || (THOUGHT.test(line) && !isProse)
  );
  if (labelled >= 0 && !isTurn) return labelled;
  const signed = written.findIndex((line, at) =>
    /^\s*>/.test(line) && !isThought(lines[at] ?? "", at)
  );
  const isBelow = (plain > 0 || isProse) &&
    lines.slice(plain, signed).every((line) => isThought(line, 1) || /[.!?:]$/.test(line));
  return signed > plain && isBelow ? signed : plain;
}

function bare(line: string): string {
  return line.replace(/^\s*```.*$/, "").replace(/^[\s>*`]+|(?:\s|`\.?)+$/g, "")
    .replace(/^(think|thought)\[(.*)\]$/i, "$1: $2");
}

function joined(thoughts: readonly string[]): { readonly thought?: string } {
  const thought = thoughts.filter((line) => line !== "").join(" ");
  return thought === "" ? {} : { thought };
}
