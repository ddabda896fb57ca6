/**
 * ReasonPlanner's world model: a temporal knowledge graph that models write and query (Pham-Dinh et
 * al. 2024, arXiv 2410.09252), §3.2 and §3.4.
 *
 * | paper | here |
 * |---|---|
 * | a_t, r_t, o_t | `Experience.action`, `.response`, `.observation` |
 * | relocation actions | `isRelocation` |
 * | TKG, timestamps T | `WorldModel.facts`; its times go on from episode to episode |
 * | coreference resolution | `TemporalGraphOptions.coreference` |
 * | k iterations of adding neighbours | `TemporalGraphOptions.hops` |
 *
 * Deviations are numbered in `docs/explanation/deviations/reasonplanner.md`.
 */

import { z } from "zod";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { graphFromJson, graphToJson } from "../graph/snapshot.ts";
import { type TemporalFact, TemporalFacts } from "../graph/temporal-facts.ts";
import { formatTriplet } from "../graph/triplet.ts";
import { createCoreNlpResolver, type ResolveCoreference } from "../llm/coreference.ts";
import type { Prompt } from "../llm/prompt.ts";
import { type TemporalFinding, temporalSearch } from "../retrieval/temporal-search.ts";
import { VectorCache } from "../retrieval/vector-cache.ts";
import { checkOptions, type OptionsOf } from "../text/registry.ts";
import type { Artefact, MemoryByHand, MemoryContext } from "./memory.ts";
import { type Ask, askAt, readArtefact, withDefaults } from "./memory-kit.ts";
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
import type { Experience, WorldModel, WorldModelAnswer } from "./world-model.ts";

/** Options of the world model. */
export interface TemporalGraphOptions {
  /**
   * How often all neighbours are added to the path between two entities, 0 … 10 (k; unstated,
   * Figure 3 shows 1).
   * @default {1}
   */
  readonly hops?: number;
  /**
   * `model` (role `reasonplanner/coreference`), the address of a CoreNLP server, or `none` (D4).
   * @default {"model"}
   */
  readonly coreference?: string;
  /**
   * Entities, most similar to the question first, of which a model chooses two, 2 … 10,000 (D6).
   * @default {1000}
   */
  readonly candidates?: number;
  /**
   * An entity with more neighbours than this is a hub: its neighbours are not added, 1 … 1,000,000
   * (D7).
   * @default {10000}
   */
  readonly widest?: number;
  /**
   * Largest number of facts for an answer, 1 … 100,000: those nearest to the path, the latest first
   * (D7).
   * @default {10000}
   */
  readonly mostFacts?: number;
}

export const temporalGraphOptions = z.strictObject({
  hops: z.int().min(0).max(10).default(1),
  coreference: z.string().min(1).default("model"),
  candidates: z.int().min(2).max(10_000).default(1000),
  widest: z.int().min(1).max(1_000_000).default(10_000),
  mostFacts: z.int().min(1).max(100_000).default(10_000),
}) satisfies OptionsOf<TemporalGraphOptions>;

/**
 * All prompts of the world model: roles `reasonplanner/summarize`, `/coreference`, `/extract`,
 * `/query-entities` and `/answer`.
 */
export const temporalGraphPrompts: readonly Prompt[] = [
  summarizePrompt,
  coreferencePrompt,
  extractPrompt,
  queryEntitiesPrompt,
  answerPrompt,
];

const KIND = "temporal-graph";

/**
 * Makes world models. Events: `malformed-reply` (action and response replace a summary, nothing is
 * extracted), `dropped-entries`, `coreference-asked`, `coreference-changed`, and at a ceiling
 * `candidates-cut` (entities not shown), `hubs-left-out` (neighbours not added) and `facts-cut`.
 * @throws {UsageError} if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * import { createTemporalGraph, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const relations = [{ entity1: "stove", relation: "is in", entity2: "kitchen" }];
 * const model = scripted({
 *   "reasonplanner/coreference": ["Task: Boil water. The kitchen. In the kitchen, you see: a stove."],
 *   "reasonplanner/extract": [JSON.stringify({ entities: ["stove", "kitchen"], relations })],
 *   "reasonplanner/query-entities": ['{"entities": ["stove"]}'],
 *   "reasonplanner/answer": ["In the kitchen."],
 * });
 * const worldModel = createTemporalGraph()({ model });
 * await worldModel.ingest({ step: 0, task: "Boil water.", response: "", observation: "The kitchen. In it, you see: a stove." });
 * const answer = await worldModel.query("Where is the stove?", { step: 1 });
 * assert.equal(answer.kind === "answer" && answer.text, "In the kitchen.");
 * ```
 */
export function createTemporalGraph(
  options: TemporalGraphOptions = {},
): (context: MemoryByHand) => WorldModel {
  const checked = checkOptions("the world model", temporalGraphOptions, options);
  const { coreference } = checked;
  const server = coreference === "none" || coreference === "model"
    ? undefined
    : createCoreNlpResolver(coreference);
  return (context) => new TemporalGraph(withDefaults(context), checked, server);
}

/**
 * Whether an action moves the agent or only looks around: the observation after it is extracted
 * without a summary (§3.2, D2).
 *
 * @example
 * ```ts
 * import { isRelocation } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isRelocation("teleport to kitchen") && !isRelocation("examine stove"));
 * ```
 */
export function isRelocation(action: string): boolean {
  return /^\s*(?:go|walk|move|run|teleport) (?:to|through|into)\b|^\s*go\b|^\s*teleport\b|^\s*look(?: around)?\s*$/i
    .test(action);
}

class TemporalGraph implements WorldModel {
  graph = new KnowledgeGraph();
  facts = new TemporalFacts(this.graph);
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof temporalGraphOptions>;
  readonly #server: ResolveCoreference | undefined;
  readonly #names: VectorCache;
  #offset = 0;

  constructor(
    context: MemoryContext,
    options: z.output<typeof temporalGraphOptions>,
    server: ResolveCoreference | undefined,
  ) {
    this.#context = context;
    this.#options = options;
    this.#server = server;
    this.#names = new VectorCache(context.embedder);
  }

  async ingest(experience: Experience): Promise<void> {
    const ask = askAt(this.#context, experience.step);
    const text = await this.#resolved(await this.#textOf(experience, ask), ask);
    const triplets = await ask(extractPrompt, { text }, { parse: parseExtract(text) }) ?? [];
    for (const triplet of triplets) this.facts.tell(triplet, this.#offset + 1 + experience.step);
  }

  async query(question: string, { step }: { readonly step: number }): Promise<WorldModelAnswer> {
    const { hops, widest, mostFacts } = this.#options;
    const nearest = await this.#nearest(question);
    if (nearest.length === 0) return { kind: "nothing" };
    const ask = askAt(this.#context, step);
    const values = { question, entities: nearest.join("\n") };
    const entities =
      await ask(queryEntitiesPrompt, values, { parse: parseQueryEntities(nearest) }) ?? [];
    const [from, to = from] = entities;
    if (from === undefined || to === undefined) return { kind: "nothing" };
    const found = temporalSearch(this.facts, { from, to, hops, widest });
    if (found.hubs.length > 0) this.#report("hubs-left-out", found.hubs.join(", "));
    const facts = nearestFacts(found, mostFacts);
    if (facts.length < found.facts.length) {
      this.#report("facts-cut", `${facts.length} of ${found.facts.length}`);
    }
    if (facts.length === 0) return { kind: "nothing" };
    const text = await ask(answerPrompt, { question, facts: formatFacts(facts) }, {
      parse: parseAnswer,
    });
    return text === undefined
      ? { kind: "nothing" }
      : { kind: "answer", text, entities, facts: facts.length };
  }

  save(): Artefact {
    return { kind: KIND, body: graphToJson(this.graph) };
  }

  load(artefact: Artefact): void {
    this.graph = graphFromJson(readArtefact(artefact, KIND, z.unknown()));
    this.facts = new TemporalFacts(this.graph);
    this.#offset = this.facts.now;
  }

  /**
   * The text that facts are extracted from: the observation after a relocation, else a summary of
   * action and response (D2, D3).
   */
  async #textOf(
    { task, action, response, observation, place }: Experience,
    ask: Ask,
  ): Promise<string> {
    if (action === undefined) return `Task: ${task}\n${observation}`;
    if (isRelocation(action)) return observation;
    return await ask(summarizePrompt, { task, action, response, place }, { parse: parseSummary }) ??
      `${action}: ${response}`;
  }

  async #resolved(text: string, ask: Ask): Promise<string> {
    if (this.#options.coreference === "none") return text;
    const resolved = this.#server
      ? await this.#server(text, { signal: this.#context.signal })
      : await ask(coreferencePrompt, { text }, { parse: parseResolved(text) }) ?? text;
    this.#report("coreference-asked", `${text.length} characters`);
    if (resolved.trim() !== text.trim()) {
      this.#report("coreference-changed", `${text.length} characters became ${resolved.length}`);
    }
    return resolved;
  }

  async #nearest(question: string): Promise<string[]> {
    const names = this.facts.entities();
    if (names.length === 0) return [];
    const { candidates } = this.#options;
    if (names.length > candidates) {
      this.#report("candidates-cut", `${candidates} of ${names.length}`);
    }
    const found = await this.#names.nearest(question, names, candidates);
    return found.map((index) => names[index] as string);
  }

  #report(kind: string, detail: string): void {
    this.#context.onEvent?.(kind, detail);
  }
}

/**
 * At most `limit` facts, in order of time: those of the inner rings are kept first, within a ring
 * the latest.
 */
function nearestFacts({ facts, rings }: TemporalFinding, limit: number): readonly TemporalFact[] {
  if (facts.length <= limit) return facts;
  const ringOf = ({ triplet }: TemporalFact): number =>
    Math.max(rings.get(triplet.subject) ?? 0, rings.get(triplet.object) ?? 0);
  return [...facts]
    .sort((a, b) => ringOf(a) - ringOf(b) || b.order - a.order)
    .slice(0, limit)
    .sort((a, b) => a.time - b.time || a.order - b.order);
}

function formatFacts(facts: readonly TemporalFact[]): string {
  const lines = new Map<number, string[]>();
  for (const { triplet, time } of facts) {
    lines.getOrInsertComputed(time, () => []).push(formatTriplet(triplet));
  }
  return [...lines].map(([time, told]) => `[${time}] ${told.join("; ")}`).join("\n");
}
