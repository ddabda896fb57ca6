/**
 * The baseline that remembers by a summary of at most three paragraphs, rewritten on every step
 * (AriGraph, arXiv 2407.04363, §4 and App. E).
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { MemoryMaker } from "./memory.ts";
import { askAt, memoryMaker, readArtefact } from "./memory-kit.ts";
import { formatObservation, ObservationWindow, type PromptOrder, slideOf } from "./observation.ts";
import { parseSummary, summaryPaperPrompt, summaryPrompt } from "./summary.prompts.ts";

/** Constants of the paper (App. E). */
export const SUMMARY_PAPER = { nPrev: 5 } as const;

/** Options of the memory. */
export interface SummaryOptions {
  /**
   * Observations before the present one that the summary is written from, 0 … 10,000.
   * @default {5}
   */
  readonly nPrev?: number;
  /**
   * The layout of the prompt: the `paper`'s, or `cacheable` by servers that keep what they computed
   * for a prefix (D60).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
  /**
   * Observations by which their window moves at once, 1 … 10,000: it shows `nPrev` to nPrev + slide
   * − 1 of them (D61).
   * @default 1; in the order that a server can cache `nPrev`, at least 1
   */
  readonly slide?: number;
}

const ID = "summary";
const summaryOptions = z.strictObject({
  nPrev: z.int().min(0).max(10_000).default(SUMMARY_PAPER.nPrev),
  order: z.enum(["cacheable", "paper"]).default("paper"),
  slide: z.int().min(1).max(10_000).exactOptional(),
}) satisfies OptionsOf<SummaryOptions>;

/**
 * Makes memories that hold one summary. Event: `malformed-reply` (no summary, or one of more
 * than 8,000 characters; the previous one stays).
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createSummary, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "summary/rewrite": ["The hall has an exit to the east."] });
 * const memory = createSummary()({ model });
 * const seen = { step: 1, goal: "Win.", observation: "You are in a hall. You can go east." };
 * await memory.observe(seen);
 * const { sections } = await memory.recall({ ...seen, plan: "" });
 * assert.deepEqual(sections, { "Summary of what has happened": "The hall has an exit to the east." });
 * ```
 */
export const createSummary: MemoryMaker<SummaryOptions> = memoryMaker({
  id: ID,
  description: "a summary of at most three paragraphs, rewritten at every step",
  version: "3",
  options: summaryOptions,
  prompts: [summaryPrompt, summaryPaperPrompt],
  open: (context, { nPrev, order, slide = slideOf(order, nPrev) }) => {
    const prompt = order === "paper" ? summaryPaperPrompt : summaryPrompt;
    let history = new ObservationWindow({ nPrev, slide });
    let summary = "";
    return {
      id: ID,
      observe: async (perception) => {
        const observation = formatObservation(perception);
        const values = { goal: perception.goal, history: history.texts, observation, summary };
        summary = await askAt(context, perception.step)(prompt, values, { parse: parseSummary }) ??
          summary;
        history.add(observation);
      },
      recall: () =>
        Promise.resolve({
          sections: { "Summary of what has happened": summary },
          recalled: { summary: summary.split("\n") },
        }),
      save: () => ({ kind: ID, body: { summary } }),
      load: (artefact) => {
        summary = readArtefact(artefact, ID, z.strictObject({ summary: z.string() })).summary;
        history = new ObservationWindow({ nPrev, slide });
      },
    };
  },
});
