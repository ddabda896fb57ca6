/**
 * The baseline of a plain notebook: a text file with one line a step, searched for words as with
 * `grep`. It asks no model and compares no vectors. Choices: D360 to D362 in
 * `docs/explanation/deviations/memories.md`.
 */

import { z } from "zod";
import { topK } from "../retrieval/top-k.ts";
import type { OptionsOf } from "../text/registry.ts";
import { wordsOf } from "../text/tokens.ts";
import type { MemoryMaker } from "./memory.ts";
import { memoryMaker, readArtefact } from "./memory-kit.ts";
import { ObservationLog } from "./observation.ts";

/** Options of the memory. */
export interface PlainNotesOptions {
  /** Lines recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /**
   * Last observations, 0 … 10,000, which the method shows anyway and which are not searched.
   * @default {5}
   */
  readonly nPrev?: number;
}

const ID = "plain-notes";
const plainNotesOptions = z.strictObject({
  k: z.int().min(0).max(1000).default(5),
  nPrev: z.int().min(0).max(10_000).default(5),
}) satisfies OptionsOf<PlainNotesOptions>;

const BREAK = " ⏎ ";

/**
 * Makes notebooks. A line is an observation with step number, inventory and action. A recall
 * searches for the words of goal, observation and plan that are in at most half of the lines, and
 * gives the k lines with most of them; ties go to the later.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createPlainNotes } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const memory = createPlainNotes({ nPrev: 0 })({});
 * await memory.observe({ step: 1, goal: "Win.", observation: "A red chest stands in the hall." });
 * await memory.observe({ step: 2, goal: "Win.", observation: "There is a stove in the kitchen." });
 * const { sections } = await memory.recall({ step: 3, goal: "Win.", observation: "Fog.", plan: "Open the red chest." });
 * assert.deepEqual(sections, { "Relevant past observations": "Game step #1\nA red chest stands in the hall." });
 * assert.deepEqual(memory.save().body, "Game step #1 ⏎ A red chest stands in the hall.\nGame step #2 ⏎ There is a stove in the kitchen.");
 * ```
 */
export const createPlainNotes: MemoryMaker<PlainNotesOptions> = memoryMaker({
  id: ID,
  description: "a text file of dated lines, searched for the words of goal, observation and plan",
  options: plainNotesOptions,
  open: (_, { k, nPrev }) => {
    const log = new ObservationLog();
    return {
      id: ID,
      observe: (perception) => Promise.resolve(log.add(perception)),
      recall: ({ step, goal, observation, plan, surplus = 0 }) => {
        const words = log.before(step).map((line) => new Set(wordsOf(line)));
        const searched = [...new Set(wordsOf(`${goal} ${observation} ${plan}`))]
          .filter((word) => 2 * words.filter((line) => line.has(word)).length <= words.length);
        const lines = log.before(step - nPrev - surplus);
        const scores = lines.map((_, at) => searched.filter((word) => words[at]?.has(word)).length);
        const episodes = topK(scores, k, {
          among: (at) => (scores[at] as number) > 0,
          ties: "last",
        }).map((at) => lines[at] as string);
        return Promise.resolve({
          sections: { "Relevant past observations": episodes.join("\n\n") },
          recalled: { episodes },
        });
      },
      save: () => ({
        kind: ID,
        body: log.before(Infinity).map((text) => text.replaceAll("\n", BREAK)).join("\n"),
      }),
      load: (artefact) => {
        const file = readArtefact(artefact, ID, z.string());
        log.load(file === "" ? [] : file.split("\n").map((line) => line.replaceAll(BREAK, "\n")));
      },
    };
  },
});
