/**
 * The baseline "Simulacra": a memory stream searched by recency, importance and relevance, with
 * reflections (AriGraph, arXiv 2407.04363, §4, after Park et al. 2023, arXiv 2304.03442, §4.1 and
 * §4.2).
 *
 * | paper | here |
 * |---|---|
 * | memory stream | `#stream`: observations and insights, oldest first |
 * | recency, importance, relevance | `streamScores` in `memory-stream-search.ts` |
 * | reflection | `#reflect` |
 * | salient questions, insights, cited evidence | `questionsPrompt`, `insightsPrompt`, `StreamEntry.evidence` |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import { z } from "zod";
import { streamScores } from "../retrieval/memory-stream-search.ts";
import { topK } from "../retrieval/top-k.ts";
import type { OptionsOf } from "../text/registry.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "./memory.ts";
import { type Ask, askAt, memoryMaker, StoredMemory } from "./memory-kit.ts";
import { formatCue, formatObservation, withPlan } from "./observation.ts";
import {
  importancePrompt,
  insightsPrompt,
  parseImportance,
  parseInsights,
  parseQuestions,
  questionsPrompt,
} from "./simulacra.prompts.ts";

/** Constants of the two papers. */
export const SIMULACRA_PAPER = {
  /** δ for each step (AriGraph's code; Park et al. 0.995 for each hour of the game). */
  decay: 0.99,
  k: 5,
  /** Summed importance of observations that triggers a reflection (Park et al. §4.2). */
  threshold: 150,
  /** Latest memories that the questions are asked about (Park et al. §4.2). */
  recent: 100,
  /** Questions for each reflection (Park et al. §4.2). */
  questions: 3,
  /** Memories retrieved for a question (Park et al., code). */
  found: 30,
  /** Insights for each question (Park et al. §4.2). */
  insights: 5,
} as const;

/** Options of the memory. */
export interface SimulacraOptions {
  /** Memories recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /**
   * Last observations, 0 … 10,000, that are not recalled, such as those that the method shows
   * anyway.
   * @default {0}
   */
  readonly nPrev?: number;
  /** Decay of recency for each step, in (0, 1]. @default {0.99} */
  readonly decay?: number;
  /**
   * Whether a memory ages from the step it was `made` (AriGraph's code), or from the step it was
   * last `recalled` (Park et al.).
   * @default {"made"}
   */
  readonly ageFrom?: "made" | "recalled";
  /** Whether there are reflections; `false` is AriGraph's code. @default {true} */
  readonly reflections?: boolean;
  /** Summed importance of observations that triggers a reflection, ≥ 1. @default {150} */
  readonly threshold?: number;
}

const ID = "simulacra";
const simulacraOptions = z.strictObject({
  k: z.int().min(0).max(1000).default(SIMULACRA_PAPER.k),
  nPrev: z.int().min(0).max(10_000).default(0),
  decay: z.number().gt(0).max(1).default(SIMULACRA_PAPER.decay),
  ageFrom: z.enum(["made", "recalled"]).default("made"),
  reflections: z.boolean().default(true),
  threshold: z.number().min(1).max(1_000_000).default(SIMULACRA_PAPER.threshold),
}) satisfies OptionsOf<SimulacraOptions>;

/**
 * Makes memory streams. Event: `malformed-reply` (a memory without a readable importance counts 5;
 * a reflection without readable questions or insights adds nothing).
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createSimulacra, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "simulacra/importance": ["9", "1", "1"] });
 * const memory = createSimulacra({ k: 1 })({ model });
 * for (const [i, observation] of ["A golden locker!", "A wall.", "Another wall."].entries()) {
 *   await memory.observe({ step: i + 1, goal: "Win.", observation });
 * }
 * const { sections } = await memory.recall({ step: 3, goal: "Win.", observation: "Fog.", plan: "Open the golden locker." });
 * assert.deepEqual(sections, { "Relevant past observations": "Game step #1\nA golden locker!" }); // important and relevant, though the oldest
 * ```
 */
export const createSimulacra: MemoryMaker<SimulacraOptions> = memoryMaker({
  id: ID,
  description:
    "a memory stream searched by recency, importance and relevance, with reflections (Park et al. 2023)",
  options: simulacraOptions,
  version: "2",
  prompts: [importancePrompt, questionsPrompt, insightsPrompt],
  open: (context, settings) =>
    new SimulacraMemory({ id: ID, schema: bodySchema }, context, settings),
});

/** The importance of a memory whose rating stayed unreadable: the middle of the scale. */
const UNRATED = 5;

const streamEntrySchema = z.strictObject({
  kind: z.enum(["observation", "insight"]),
  /** Step that the memory was made on, counted through all episodes of the chain. */
  time: z.number(),
  /** Step that it was last recalled on; `time` if it never was. */
  recalled: z.number(),
  text: z.string(),
  plan: z.string().exactOptional(),
  importance: z.number(),
  /** Indices in the stream of the memories that an insight rests on; empty for an observation. */
  evidence: z.array(z.int().min(0)),
});
type StreamEntry = z.output<typeof streamEntrySchema>;
const bodySchema = z.strictObject({
  stream: z.array(streamEntrySchema),
  sinceReflection: z.number(),
});

const NO_RECALL = { time: 0, plan: "", entries: [] };

class SimulacraMemory
  extends StoredMemory<z.output<typeof simulacraOptions>, z.output<typeof bodySchema>> {
  #stream: StreamEntry[] = [];
  #sinceReflection = 0;
  /**
   * The last recall. Its entries count as recalled from the next observation on, so that recalling
   * changes nothing.
   */
  #lastRecall: {
    readonly time: number;
    readonly plan: string;
    readonly entries: readonly StreamEntry[];
  } = NO_RECALL;

  async observe(perception: Perception): Promise<void> {
    const { step, goal } = perception;
    const ask = askAt(this.context, step);
    const time = this.offset + step;
    this.#keepRecall();
    const text = formatObservation(perception);
    this.#sinceReflection += await this.#add({ kind: "observation", text, evidence: [], time }, {
      ask,
      goal,
    });
    if (!this.options.reflections || this.#sinceReflection < this.options.threshold) return;
    this.#sinceReflection = 0;
    await this.#reflect(time, { ask, goal });
  }

  async recall(cue: Cue): Promise<Recollection> {
    const now = this.offset + cue.step;
    const { nPrev } = this.options;
    const isShown = ({ kind, time }: StreamEntry): boolean =>
      nPrev > 0 && kind === "observation" && time > this.offset &&
      time >= now - nPrev - (cue.surplus ?? 0);
    const found = await this.#search(formatCue(cue), {
      now,
      k: this.options.k,
      among: (entry) => (entry.kind === "insight" || entry.time < now) && !isShown(entry),
    });
    const entries = found.map((index) => this.#stream[index] as StreamEntry);
    this.#lastRecall = { time: now, plan: cue.plan, entries };
    const observations = entries.filter(({ kind }) => kind === "observation").map(({ text }) =>
      text
    );
    const insights = entries.filter(({ kind }) => kind === "insight").map(({ text }) => text);
    return {
      sections: {
        "Relevant past observations": observations.join("\n\n"),
        ...(insights.length > 0 ? { "Insights from reflection": insights.join("\n") } : {}),
      },
      recalled: { episodes: observations, insights },
    };
  }

  protected get body(): z.output<typeof bodySchema> {
    return { stream: this.#stream, sinceReflection: this.#sinceReflection };
  }

  protected set body({ stream, sinceReflection }: z.output<typeof bodySchema>) {
    this.#stream = stream;
    this.#sinceReflection = sinceReflection;
    this.#lastRecall = NO_RECALL;
    this.offset = Math.max(0, ...this.#stream.map(({ time }) => time));
  }

  /** Enters the last recall into the stream: what it recalled, and the plan of its step. */
  #keepRecall(): void {
    const { time, plan, entries } = this.#lastRecall;
    for (const entry of entries) entry.recalled = time;
    const latest = this.#stream.findLast((entry) => entry.kind === "observation");
    if (latest?.time === time && plan !== "") latest.plan = plan;
  }

  async #add(
    memory: Omit<StreamEntry, "recalled" | "importance">,
    { ask, goal }: { readonly ask: Ask; readonly goal: string },
  ): Promise<number> {
    const importance =
      await ask(importancePrompt, { goal, memory: memory.text }, { parse: parseImportance }) ??
        UNRATED;
    this.#stream.push({ ...memory, recalled: memory.time, importance });
    return importance;
  }

  /**
   * Park et al. §4.2: asks questions about the latest memories, and draws insights from the
   * memories retrieved for each question.
   */
  async #reflect(
    time: number,
    { ask, goal }: { readonly ask: Ask; readonly goal: string },
  ): Promise<void> {
    const { recent, questions: count, found: k, insights: most } = SIMULACRA_PAPER;
    const memories = this.#stream.slice(-recent).map(({ text }) => text).join("\n\n");
    const questions = await ask(questionsPrompt, { goal, memories, count: String(count) }, {
      parse: parseQuestions(count),
    }) ?? [];
    for (const question of questions) {
      const found = (await this.#search(question, { now: time, k })).sort((a, b) => a - b);
      const statements = found.map((index, at) =>
        `Statement ${at + 1}:\n${this.#stream[index]?.text}`
      ).join("\n\n");
      const parse = parseInsights({ statements: found.length, most });
      const insights =
        await ask(insightsPrompt, { question, statements, count: String(most) }, { parse }) ?? [];
      for (const { text, evidence } of insights) {
        if (this.#stream.some((entry) => entry.kind === "insight" && entry.text === text)) continue; // it is known already
        await this.#add({
          kind: "insight",
          text,
          evidence: evidence.map((at) => found[at - 1] as number),
          time,
        }, { ask, goal });
      }
    }
  }

  async #search(
    cue: string,
    options: {
      readonly now: number;
      readonly k: number;
      readonly among?: (entry: StreamEntry) => boolean;
    },
  ): Promise<number[]> {
    const { now, k, among = () => true } = options;
    const similarities = await this.vectors.similarities(
      cue,
      this.#stream.map(({ text, plan = "" }) => withPlan(text, plan)),
    );
    const indices = [...this.#stream.keys()].filter((index) =>
      among(this.#stream[index] as StreamEntry)
    );
    const scores = streamScores(
      indices.map((index) => {
        const { time, recalled, importance } = this.#stream[index] as StreamEntry;
        const age = now - (this.options.ageFrom === "made" ? time : recalled);
        return { age, importance, similarity: similarities[index] as number };
      }),
      { decay: this.options.decay },
    );
    return topK(scores, k, { ties: "last" }).map((at) => indices[at] as number);
  }
}
