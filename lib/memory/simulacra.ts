/**
 * The baseline "Simulacra": a memory stream searched by recency, importance and relevance, with reflections (AriGraph, arXiv 2407.04363, §4,
 * after Park et al. 2023, arXiv 2304.03442, §4.1 and §4.2).
 *
 * | paper | here |
 * |---|---|
 * | memory stream | `#stream`: observations and insights, oldest first |
 * | recency, importance, relevance | `streamScores` in `memory-stream-search.ts` |
 * | reflection | `#reflect` |
 * | salient questions, insights, cited evidence | `questionsPrompt`, `insightsPrompt`, `Remembered.evidence` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import type { ReplyParser } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import { streamScores } from "../retrieval/memory-stream-search.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Cue, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { formatObservation } from "./observation.ts";
import { cueText } from "./rag.ts";
import { importancePrompt, insightsPrompt, parseImportance, parseInsights, parseQuestions, questionsPrompt } from "./simulacra.prompts.ts";
import { TextVectors } from "./text-vectors.ts";

/** Constants of the two papers. */
export const SIMULACRA_PAPER = {
  /** δ, a step (AriGraph's code; Park et al. 0.995 an hour of the game). */
  decay: 0.99,
  /** Memories recalled (AriGraph's code). */
  k: 5,
  /** Last observations that the method shows anyway (AriGraph's code for the other memories). */
  nPrev: 5,
  /** Sum of the importance of observations at which there is a reflection (Park et al. §4.2). */
  threshold: 150,
  /** Memories that the questions are asked of (Park et al. §4.2). */
  recent: 100,
  /** Questions of a reflection (Park et al. §4.2). */
  questions: 3,
  /** Memories that are found for a question (Park et al., code). */
  found: 30,
  /** Insights of a question (Park et al. §4.2). */
  insights: 5,
} as const;

/** Options of the memory; absent ones take their defaults. */
export interface SimulacraOptions {
  /** Memories recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /** Last observations that the method shows anyway and that are left out here, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
  /** What recency is multiplied by each step, in (0, 1]. @default {0.99} */
  readonly decay?: number;
  /** Whether a memory ages from the step it was `made` (AriGraph's code), or from the one it was last `recalled` (Park et al.). @default {"made"} */
  readonly ageFrom?: "made" | "recalled";
  /** Whether there are reflections; `false` is AriGraph's code. @default {true} */
  readonly reflections?: boolean;
  /** Sum of the importance of observations at which there is a reflection, ≥ 1. @default {150} */
  readonly threshold?: number;
}

/** Reads the options, as a study gives them. */
export const simulacraOptions = z.strictObject(
  {
    k: z.int().min(0).max(1000).default(SIMULACRA_PAPER.k),
    nPrev: z.int().min(0).max(10_000).default(SIMULACRA_PAPER.nPrev),
    decay: z.number().gt(0).max(1).default(SIMULACRA_PAPER.decay),
    ageFrom: z.enum(["made", "recalled"]).default("made"),
    reflections: z.boolean().default(true),
    threshold: z.number().min(1).max(1_000_000).default(SIMULACRA_PAPER.threshold),
  } satisfies Record<keyof SimulacraOptions, z.ZodType>,
);

/** All prompts of the memory: roles `simulacra/importance`, `simulacra/questions` and `simulacra/insights`. */
export const simulacraPrompts: readonly Prompt[] = [importancePrompt, questionsPrompt, insightsPrompt];

/**
 * Makes memory streams. What they report: `malformed-reply` (a memory whose importance stayed unreadable counts 5; a reflection without
 * readable questions or insights adds nothing).
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createSimulacra } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "simulacra/importance": ["9", "1", "1"] });
 * const memory = createSimulacra({ k: 1, nPrev: 0 })({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * for (const [i, observation] of ["A golden locker!", "A wall.", "Another wall."].entries()) {
 *   await memory.observe({ step: i + 1, goal: "Win.", observation });
 * }
 * const { sections } = await memory.recall({ step: 3, goal: "Win.", observation: "Fog.", plan: "Open the golden locker." });
 * assert.deepEqual(sections, { "Relevant past observations": "Game step #1\nA golden locker!" }); // important and relevant, though the oldest
 * ```
 */
export function createSimulacra(options: SimulacraOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory simulacra", simulacraOptions, options);
  return (context) => new SimulacraMemory(context, checked);
}

const ID = "simulacra";

/** The memory as studies name it. */
export const simulacra: MemoryEntry = {
  id: ID,
  description: "a memory stream searched by recency, importance and relevance, with reflections (Park et al. 2023)",
  version: "1",
  options: simulacraOptions,
  prompts: simulacraPrompts,
  create: createSimulacra,
};

/** What a memory counts whose importance stayed unreadable: the middle. */
const UNRATED = 5;

const rememberedSchema = z.strictObject({
  kind: z.enum(["observation", "insight"]),
  /** Step that it was made on, counted through all episodes of the lane. */
  time: z.number(),
  /** Step that it was last recalled on, or made. */
  recalled: z.number(),
  text: z.string(),
  importance: z.number(),
  /** Places in the stream of what an insight rests on; none of an observation. */
  evidence: z.array(z.int().min(0)),
});
type Remembered = z.output<typeof rememberedSchema>;
const bodySchema = z.strictObject({ stream: z.array(rememberedSchema), sinceReflection: z.number() });

class SimulacraMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof simulacraOptions>;
  readonly #vectors: TextVectors;
  #stream: Remembered[] = [];
  /** Sum of the importance of the observations since the last reflection. */
  #sinceReflection = 0;
  /** Places in the stream of what was recalled last; they count as recalled from the next observation on. */
  #lastRecall: { readonly time: number; readonly places: readonly number[] } = { time: 0, places: [] };
  /** Time of the last step of the episodes before this one. */
  #offset = 0;

  constructor(context: MemoryContext, options: z.output<typeof simulacraOptions>) {
    this.#context = context;
    this.#options = options;
    this.#vectors = new TextVectors(context.embedder);
  }

  async observe(perception: Perception): Promise<void> {
    const { step, goal } = perception;
    for (const place of this.#lastRecall.places) (this.#stream[place] as Remembered).recalled = this.#lastRecall.time;
    const observation = await this.#add({ kind: "observation", text: formatObservation(perception), evidence: [] }, { step, goal });
    this.#sinceReflection += observation.importance;
    if (!this.#options.reflections || this.#sinceReflection < this.#options.threshold) return;
    this.#sinceReflection = 0;
    await this.#reflect(step, goal);
  }

  async recall(cue: Cue): Promise<Recollection> {
    const now = this.#offset + cue.step;
    const isShown = ({ kind, time }: Remembered): boolean =>
      kind === "observation" && time > this.#offset && time >= now - this.#options.nPrev;
    const places = await this.#search(cueText(cue), {
      now,
      k: this.#options.k,
      among: (one) => (one.kind === "insight" || one.time < now) && !isShown(one),
    });
    this.#lastRecall = { time: now, places };
    const found = places.map((place) => this.#stream[place] as Remembered);
    const observations = found.filter(({ kind }) => kind === "observation").map(({ text }) => text);
    const insights = found.filter(({ kind }) => kind === "insight").map(({ text }) => text);
    return {
      sections: {
        "Relevant past observations": observations.join("\n\n"),
        ...(insights.length > 0 ? { "Insights from reflection": insights.join("\n") } : {}),
      },
      recalled: { episodes: observations, insights },
    };
  }

  save(): Artefact {
    return { kind: ID, body: { stream: structuredClone(this.#stream), sinceReflection: this.#sinceReflection } };
  }

  load(artefact: Artefact): void {
    const { stream, sinceReflection } = readArtefact(artefact, ID, bodySchema);
    this.#stream = stream;
    this.#sinceReflection = sinceReflection;
    this.#lastRecall = { time: 0, places: [] };
    this.#offset = Math.max(0, ...this.#stream.map(({ time }) => time));
    this.#vectors.clear();
  }

  /** Rates a memory and puts it at the end of the stream. */
  async #add(
    memory: Pick<Remembered, "kind" | "text" | "evidence">,
    { step, goal }: { readonly step: number; readonly goal: string },
  ): Promise<Remembered> {
    const importance = await this.#ask(step, importancePrompt, { goal, memory: memory.text }, parseImportance);
    const time = this.#offset + step;
    const added = { ...memory, time, recalled: time, importance: importance ?? UNRATED };
    this.#stream.push(added);
    return added;
  }

  /** Park et al. §4.2: questions from the most recent memories, and for each the insights that the memories found for it give. */
  async #reflect(step: number, goal: string): Promise<void> {
    const { recent, questions: count, found, insights: most } = SIMULACRA_PAPER;
    const memories = this.#stream.slice(-recent).map(({ text }) => text).join("\n\n");
    const questions = await this.#ask(step, questionsPrompt, { goal, memories, count: String(count) }, parseQuestions(count)) ?? [];
    for (const question of questions) {
      const places = (await this.#search(question, { now: this.#offset + step, k: found })).sort((a, b) => a - b);
      const statements = places.map((place, at) => `Statement ${at + 1}:\n${this.#stream[place]?.text}`).join("\n\n");
      const parse = parseInsights({ statements: places.length, most });
      const insights = await this.#ask(step, insightsPrompt, { question, statements, count: String(most) }, parse) ?? [];
      for (const { text, evidence } of insights) {
        if (this.#stream.some((one) => one.kind === "insight" && one.text === text)) continue; // it is known already
        await this.#add({ kind: "insight", text, evidence: evidence.map((at) => places[at - 1] as number) }, { step, goal });
      }
    }
  }

  /** Places of the k best memories, best first; of equal ones the younger first. */
  async #search(
    cue: string,
    options: { readonly now: number; readonly k: number; readonly among?: (memory: Remembered) => boolean },
  ): Promise<number[]> {
    const { now, k, among = () => true } = options;
    const similarities = await this.#vectors.similarities(cue, this.#stream.map(({ text }) => text));
    const places = [...this.#stream.keys()].filter((place) => among(this.#stream[place] as Remembered));
    const scores = streamScores(
      places.map((place) => {
        const { time, recalled, importance } = this.#stream[place] as Remembered;
        const age = now - (this.#options.ageFrom === "made" ? time : recalled);
        return { age, importance, similarity: similarities[place] as number };
      }),
      { decay: this.#options.decay },
    );
    return [...places.keys()]
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || b - a)
      .slice(0, k)
      .map((at) => places[at] as number);
  }

  /** Asks; `undefined`, with a report, where the answer stays unreadable. */
  async #ask<Name extends string, T>(
    step: number,
    prompt: Prompt<Name>,
    values: Readonly<Record<Name, string>>,
    parse: ReplyParser<T>,
  ): Promise<T | undefined> {
    const answer = await this.#context.ask.at({ step })(prompt, values, { parse });
    if (answer.kind === "ok") return answer.value;
    this.#context.onEvent?.("malformed-reply", `${prompt.role}: ${answer.problem}`);
    return undefined;
  }
}
