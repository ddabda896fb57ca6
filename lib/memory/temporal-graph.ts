/**
 * ReasonPlanner's world model: a temporal knowledge graph that is written by a model and asked by a model (Pham-Dinh et al. 2024, arXiv
 * 2410.09252), §3.2 and §3.4.
 *
 * | paper | here |
 * |---|---|
 * | a_t, r_t, o_t | `Experience.action`, `.response`, `.observation` |
 * | relocation actions | `isRelocation` |
 * | TKG, timestamps T | `WorldModel.facts`; its times go on from episode to episode |
 * | coreference resolution | `TemporalGraphOptions.coreference` |
 * | k iterations of adding neighbours | `TemporalGraphOptions.hops` |
 *
 * Deviations are numbered in `docs/deviations/reasonplanner.md`.
 *
 * @module
 */

import { z } from "zod";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { graphFromJson, graphToJson } from "../graph/snapshot.ts";
import { type TemporalFact, TemporalFacts } from "../graph/temporal-facts.ts";
import { formatTriplet } from "../graph/triplet.ts";
import type { Answer, Asker } from "../llm/asker.ts";
import { createCoreNlpResolver, type ResolveCoreference } from "../llm/coreference.ts";
import type { Prompt } from "../llm/prompt.ts";
import { type TemporalFinding, temporalSearch } from "../retrieval/temporal-search.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, MemoryContext } from "./memory.ts";
import {
  answerPrompt,
  coreferencePrompt,
  extractPrompt,
  parseAnswer,
  parseExtract,
  parseQueryEntities,
  parseResolved,
  parseSummary,
  queryEntitiesPrompt,
  summarizePrompt,
} from "./temporal-graph.prompts.ts";
import { TextVectors } from "./text-vectors.ts";

/** Options of the world model; absent ones take their defaults. */
export interface TemporalGraphOptions {
  /** Times that all neighbours are added to the path between two entities, 0 … 10 (h; unstated, Figure 3 shows 1). @default {1} */
  readonly hops?: number;
  /** `none`, `model` (role `reasonplanner/coreference`), or the address of a CoreNLP server (D4). @default {"none"} */
  readonly coreference?: string;
  /** Entities that are offered to the role that chooses two, those most like the question, 2 … 10,000 (D6). @default {60} */
  readonly candidates?: number;
  /** An entity with more neighbours than this is a hub: its neighbours are not added, 1 … 1,000,000 (D7). @default {250} */
  readonly widest?: number;
  /** Facts that an answer is made of, at most, 1 … 100,000: those nearest to the path, of these the latest (D7). @default {300} */
  readonly mostFacts?: number;
}

/** Reads the options, as a study gives them. */
export const temporalGraphOptions = z.strictObject(
  {
    hops: z.int().min(0).max(10).default(1),
    coreference: z.string().min(1).default("none"),
    candidates: z.int().min(2).max(10_000).default(60),
    widest: z.int().min(1).max(1_000_000).default(250),
    mostFacts: z.int().min(1).max(100_000).default(300),
  } satisfies Record<keyof TemporalGraphOptions, z.ZodType>,
);

/** What the world model asks: roles `reasonplanner/summarize`, `/coreference`, `/extract`, `/query-entities` and `/answer`. */
export const temporalGraphPrompts: readonly Prompt[] = [
  summarizePrompt,
  coreferencePrompt,
  extractPrompt,
  queryEntitiesPrompt,
  answerPrompt,
];

/** What an agent did and saw. */
export interface Experience {
  /** Agent step, from 0 (the reset). */
  readonly step: number;
  /** The task's text. */
  readonly task: string;
  /** What it did; absent at the reset. */
  readonly action?: string;
  /** What the world answered. */
  readonly response: string;
  /** What is around the agent now. */
  readonly observation: string;
  /** Where it is now, where the world tells. */
  readonly place?: string;
}

/** What came of a question. */
export type WorldModelAnswer =
  | { readonly kind: "answer"; readonly text: string; readonly entities: readonly string[]; readonly facts: number }
  /** Nothing in the graph bears on it: the agent should explore (§3.4). */
  | { readonly kind: "nothing" };

/** A world model of one agent. Each method may throw what models throw. */
export interface WorldModel {
  /** Takes in what happened, once for each step, in order. */
  ingest(experience: Experience): Promise<void>;
  /** Answers a question from the facts in order of time; asking leaves them as they are. */
  query(question: string, at: { readonly step: number }): Promise<WorldModelAnswer>;
  /** The graph; a fact told again is a change, too. */
  readonly graph: KnowledgeGraph;
  /** The same, by entity and time. */
  readonly facts: TemporalFacts;
  /** All that the next episode of the lane should start from. */
  save(): Artefact;
  /** Takes over what an earlier world model left, before the first step. @throws {TypeError} if it is not a world model's. */
  load(artefact: Artefact): void;
}

/** Kind of the artefact. */
const KIND = "temporal-graph";

/**
 * Makes world models. What they report: `malformed-reply` (an unreadable summary becomes action and response as they are, of an unreadable
 * extraction nothing is told), `coreference-asked` and `coreference-changed` (a text given to resolution, and one that it changed) and
 * `facts-cut` (an answer that was made of a part of the facts).
 *
 * @throws {z.ZodError} if an option is unknown or out of range, {@linkcode UsageError} if `coreference` is none of what it may be.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createTemporalGraph } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const relations = [{ entity1: "stove", relation: "is in", entity2: "kitchen" }];
 * const model = scripted({
 *   "reasonplanner/extract": [JSON.stringify({ entities: ["stove", "kitchen"], relations })],
 *   "reasonplanner/query-entities": ['{"entities": ["stove"]}'],
 *   "reasonplanner/answer": ["In the kitchen."],
 * });
 * const worldModel = createTemporalGraph()({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * await worldModel.ingest({ step: 0, task: "Boil water.", response: "", observation: "The kitchen. In it, you see: a stove." });
 * const answer = await worldModel.query("Where is the stove?", { step: 1 });
 * assert.equal(answer.kind === "answer" && answer.text, "In the kitchen.");
 * ```
 */
export function createTemporalGraph(options: TemporalGraphOptions = {}): (context: MemoryContext) => WorldModel {
  const checked = temporalGraphOptions.parse(options);
  const { coreference } = checked;
  const server = coreference === "none" || coreference === "model" ? undefined : createCoreNlpResolver(coreference);
  return (context) => new TemporalGraph(context, checked, server);
}

/**
 * Whether an action takes the agent elsewhere, or only looks: what it then sees is taken in as it stands (§3.2, D2).
 *
 * @example
 * ```ts
 * import { isRelocation } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(["teleport to kitchen", "focus on stove"].map(isRelocation), [true, false]);
 * ```
 */
export function isRelocation(action: string): boolean {
  return /^\s*(?:go|walk|move|run|teleport) (?:to|through|into)\b|^\s*go\b|^\s*teleport\b|^\s*look(?: around)?\s*$/i.test(action);
}

class TemporalGraph implements WorldModel {
  graph = new KnowledgeGraph();
  facts = new TemporalFacts(this.graph);
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof temporalGraphOptions>;
  readonly #server: ResolveCoreference | undefined;
  #names: TextVectors;
  /** Time of the last fact of the episodes before this one. */
  #offset = 0;

  constructor(context: MemoryContext, options: z.output<typeof temporalGraphOptions>, server: ResolveCoreference | undefined) {
    this.#context = context;
    this.#options = options;
    this.#server = server;
    this.#names = new TextVectors(context.embedder);
  }

  async ingest(experience: Experience): Promise<void> {
    const ask = this.#context.ask.at({ step: experience.step });
    const text = await this.#resolved(await this.#textOf(experience, ask), ask);
    const triplets = this.#read(extractPrompt, await ask(extractPrompt, { text }, { parse: parseExtract })) ?? [];
    for (const triplet of triplets) this.facts.tell(triplet, this.#offset + 1 + experience.step);
  }

  async query(question: string, { step }: { readonly step: number }): Promise<WorldModelAnswer> {
    const { hops, widest, mostFacts } = this.#options;
    const nearest = await this.#nearest(question);
    if (nearest.length === 0) return { kind: "nothing" };
    const ask = this.#context.ask.at({ step });
    const entities = this.#read(
      queryEntitiesPrompt,
      await ask(queryEntitiesPrompt, { question, entities: nearest.join("\n") }, { parse: parseQueryEntities(nearest) }),
    ) ?? [];
    const [from, to = from] = entities;
    if (from === undefined || to === undefined) return { kind: "nothing" };
    const found = temporalSearch(this.facts, { from, to, hops, widest });
    const facts = nearestFacts(found, mostFacts);
    if (facts.length < found.facts.length) this.#report("facts-cut", `${facts.length} of ${found.facts.length}`);
    if (facts.length === 0) return { kind: "nothing" };
    const values = { question, facts: formatFacts(facts) };
    const text = this.#read(answerPrompt, await ask(answerPrompt, values, { parse: parseAnswer }));
    return text === undefined ? { kind: "nothing" } : { kind: "answer", text, entities, facts: facts.length };
  }

  save(): Artefact {
    return { kind: KIND, body: graphToJson(this.graph) };
  }

  load(artefact: Artefact): void {
    this.graph = graphFromJson(readArtefact(artefact, KIND, z.unknown()));
    this.facts = new TemporalFacts(this.graph);
    this.#offset = this.facts.now;
    this.#names = new TextVectors(this.#context.embedder);
  }

  /** What is told of an experience: what is seen after a relocation, else one line about action and response (D2, D3). */
  async #textOf({ task, action, response, observation, place }: Experience, ask: Asker): Promise<string> {
    if (action === undefined) return `Task: ${task}\n${observation}`;
    if (isRelocation(action)) return observation;
    const values = { task, action, response, ...(place === undefined ? {} : { place }) };
    const summary = this.#read(summarizePrompt, await ask(summarizePrompt, values, { parse: parseSummary }));
    return summary ?? `${action}: ${response}`;
  }

  async #resolved(text: string, ask: Asker): Promise<string> {
    if (this.#options.coreference === "none") return text;
    const { signal } = this.#context;
    const resolved = this.#server
      ? await this.#server(text, signal ? { signal } : {})
      : this.#read(coreferencePrompt, await ask(coreferencePrompt, { text }, { parse: parseResolved })) ?? text;
    this.#report("coreference-asked", `${text.length} characters`);
    if (resolved.trim() !== text.trim()) this.#report("coreference-changed", `${text.length} characters became ${resolved.length}`);
    return resolved;
  }

  /** The entities most like the question, in order of likeness; all of them where there are few. */
  async #nearest(question: string): Promise<string[]> {
    const names = this.facts.entities();
    if (names.length === 0) return [];
    const likeness = await this.#names.similarities(question, names);
    const order = [...names.keys()].sort((a, b) => (likeness[b] as number) - (likeness[a] as number) || a - b);
    return order.slice(0, this.#options.candidates).map((at) => names[at] as string);
  }

  /** The value of an answer; `undefined`, with a report, where it stayed unreadable. */
  #read<T>(prompt: Prompt, answer: Answer<T>): T | undefined {
    if (answer.kind === "ok") return answer.value;
    this.#report("malformed-reply", `${prompt.role}: ${answer.problem}`);
    return undefined;
  }

  #report(kind: string, detail: string): void {
    this.#context.onEvent?.(kind, detail);
  }
}

/** At most so many facts: those of the inner rings first, of one ring the latest; in order of time again. */
function nearestFacts({ facts, rings }: TemporalFinding, most: number): readonly TemporalFact[] {
  if (facts.length <= most) return facts;
  const ringOf = ({ triplet }: TemporalFact): number => Math.max(rings.get(triplet.subject) ?? 0, rings.get(triplet.object) ?? 0);
  return [...facts]
    .sort((a, b) => ringOf(a) - ringOf(b) || b.order - a.order)
    .slice(0, most)
    .sort((a, b) => a.time - b.time || a.order - b.order);
}

/** `[time] s, r, o; s, r, o`, all that was told at one time in a line. */
function formatFacts(facts: readonly TemporalFact[]): string {
  const lines = new Map<number, string[]>();
  for (const { triplet, time } of facts) lines.getOrInsertComputed(time, () => []).push(formatTriplet(triplet));
  return [...lines].map(([time, told]) => `[${time}] ${told.join("; ")}`).join("\n");
}
