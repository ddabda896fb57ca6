/**
 * WESE's prompts and their parsers (Huang et al. 2024, arXiv 2404.07456, §3). The dialogues with
 * the world are those of `text-agent.prompts.ts`. The paper prints no prompt: the wording is ours.
 */

import type { Prompt } from "../llm/prompt.ts";
import { parseTriplets } from "../graph/read-triplets.ts";
import { normaliseEntity, type Triplet } from "../graph/triplet.ts";
import {
  dialogueSampling,
  TEXT_AGENT_SECTIONS,
  type TextPrompt,
  textPrompt,
} from "./text-agent.prompts.ts";
import { namesIn } from "../text/read-lists.ts";
import { completeEntries, leaveOut, reader, type ReplyParser } from "../text/reply-text.ts";

/**
 * The prompts of WESE or, with the strong model in every role, SESE: they differ only in the names
 * of their roles.
 */
export interface WesePrompts {
  /** Chooses an action that explores. */
  readonly explore: TextPrompt;
  /** Writes down triplets of what was seen. */
  readonly extract: Prompt<"goal" | "action" | "observation">;
  /** Names the entities of the task. */
  readonly entities: Prompt<"goal" | "entities">;
  /** Chooses an action, without thoughts. */
  readonly act: TextPrompt;
  /** Chooses an action, with thoughts. */
  readonly react: TextPrompt;
}

/** Title of what exploration found out, in the prompt of the exploitation. */
export const KNOWLEDGE_TITLE = "What exploring has found out";

/** The answer that ends an exploration. */
export const ENOUGH = "enough";

/**
 * The prompts of one family of roles.
 *
 * @example
 * ```ts
 * import { wesePrompts } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(wesePrompts("sese").explore.role, "sese/explore");
 * ```
 */
export function wesePrompts(family: "wese" | "sese"): WesePrompts {
  return {
    explore: {
      role: `${family}/explore`,
      thoughts: false,
      instructions:
        `You explore a world that is described in words, for another agent that will do a task there later, from the start and without your help. Do not do the task: find out where things are and what is known about those that the task needs. You are shown the task, what you can do, and what has happened so far: after each ">" an action, below it what the world showed. Write what comes after the next ">".

- Go, open, look and search where you have not been; do nothing twice.
- First find what the task names, then what lies around it.
- When you have seen all that the task needs, answer "${ENOUGH}".

Answer with one action in one line, or with "${ENOUGH}", and nothing else.`,
      sections: TEXT_AGENT_SECTIONS,
      sampling: dialogueSampling(),
    },
    extract: {
      role: `${family}/extract`,
      instructions:
        `You are given what a world showed after an action of an agent that explores it. Write down what it tells as triplets "subject, relation, object": where things are, which state they are in, how places lie to each other, and in texts who or what stands in which relation to whom.

- Name things as the text does, with their numbers; subjects and objects are short names, never sentences.
- Write the same relation always in the same few words.
- Write nothing that the text does not tell. Leave out commas inside a part.

Answer with the triplets alone, one a line, with two commas in each: subject, relation, object
If there is none, answer [].`,
      sections: { goal: "Task", action: "Action", observation: "Observation" },
      sampling: { temperature: 0, maxTokens: 1000 },
    },
    entities: {
      role: `${family}/task-entities`,
      instructions:
        `You are given a task and the names of all things in a graph of what is known of the world. Choose the things that the task involves: those that it names, those of the kinds that it names, what it is done with, and where it ends. Leave out all others.

Answer with the chosen names alone, one a line, the most important first, letter by letter as they are given. If none fits, answer [].`,
      sections: { goal: "Task", entities: "Names in the graph" },
      sampling: { temperature: 0, maxTokens: 200 },
    },
    act: textPrompt({ role: `${family}/act`, thoughts: false, advice: ADVICE }),
    react: textPrompt({ role: `${family}/act`, thoughts: true, advice: ADVICE }),
  };
}

const ADVICE = [
  `The world was explored before, and then put back as it was at the start. What was found out is shown last, as triplets "subject, relation, object"; some of it may be wrong, and what the world shows now goes before it.`,
];

/**
 * Reads triplets; `[]` means none. A re-ask never offers the empty answer, which a small model
 * takes every time.
 *
 * @example
 * ```ts
 * import { parseExtracted } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const read = parseExtracted("egg 1, is in, fridge 1; fridge 1, is, open");
 * assert.equal(read.kind === "ok" && read.value.length, 2);
 * ```
 */
export const parseExtracted: ReplyParser<readonly Triplet[]> = reader((text) => {
  if (isNone(text)) return { kind: "ok", value: [] };
  const triplets = parseTriplets(text);
  if (triplets.length > 0) return { kind: "ok", value: triplets };
  return {
    kind: "malformed",
    problem: "there are no names in it with two commas between the three parts of each fact",
  };
}, { completed: completeEntries });

/**
 * Makes a parser of known names, one a line or separated by semicolons. A name without its number
 * stands for all that have one; others are dropped and counted. With no known name it is malformed.
 *
 * @example
 * ```ts
 * import { parseEntities } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const read = parseEntities(["egg 1", "pan 1", "pan 2"])("- pan\n- spoon 2");
 * assert.deepEqual(read.kind === "ok" && read.value, ["pan 1", "pan 2"]);
 * ```
 */
export function parseEntities(known: readonly string[]): ReplyParser<readonly string[]> {
  const names = new Set(known);
  return reader((text) => {
    if (isNone(text)) return { kind: "ok", value: [] };
    const written = namesIn(text).map(normaliseEntity).map((name) =>
      names.has(name) ? [name] : known.filter((one) => one.replace(/ \d+$/, "") === name)
    );
    leaveOut(written.filter(({ length }) => length === 0).length);
    const chosen = [...new Set(written.flat())];
    if (chosen.length > 0) return { kind: "ok", value: chosen };
    return {
      kind: "malformed",
      problem: written.length > 0
        ? "the names in it are not in the list"
        : "there is no name in it",
    };
  }, { completed: completeEntries });
}

function isNone(text: string): boolean {
  return /^\s*(?:\[\s*\]|none)\.?\s*$/i.test(text);
}
