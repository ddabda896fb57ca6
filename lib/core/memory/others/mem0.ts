/**
 * Mem0 and its graph form Mem0^g: salient facts that are added, updated and deleted (Chhikara et
 * al. 2025, *Mem0: Building Production-Ready AI Agents with Scalable Long-Term Memory*, arXiv
 * 2504.19413, §2).
 *
 * | paper | here |
 * |---|---|
 * | S, {m_(t−m), …, m_(t−2)}, (m_(t−1), m_t) | `#summary`, `#messages`, the action and the observation of a perception |
 * | Ω = φ(P), the candidate facts (§2.1) | `extractPrompt` |
 * | s most similar memories; ADD, UPDATE, DELETE, NOOP (§2.1; Algorithm 1 of App. B) | `similar`; `updatePrompt`, `#apply` |
 * | G = (V, E, L), triplets (v_s, r, v_d) (§2.2) | `Mem0Graph` in `mem0-graph.ts`, with `graph` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md` (D337 to D348).
 */

import { z } from "zod";
import type { KnowledgeGraph } from "../../graph/knowledge-graph.ts";
import { graphFromJson, graphToJson } from "../../graph/snapshot.ts";
import { formatTriplet } from "../../graph/triplet.ts";
import type { Prompt } from "../../llm/prompt.ts";
import type { OptionsOf } from "../../text/registry.ts";
import { readText } from "../../text/reply-text.ts";
import { Mem0Graph } from "./mem0-graph.ts";
import {
  conflictsPrompt,
  entitiesPrompt,
  extractPrompt,
  type Operation,
  operationsForm,
  parseFacts,
  parseOperations,
  relationsPrompt,
  summarisePrompt,
  updatePrompt,
} from "./mem0.prompts.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { type Ask, askAt, memoryMaker, numbered, StoredMemory } from "../memory-kit.ts";
import { formatCue, formatObservation } from "../observation.ts";

/** Constants of the paper (§2.1: m, s) and of the authors' code (the others). */
export const MEM0_PAPER = { m: 10, s: 10, k: 30, matchEntity: 0.7, mergeEntity: 0.9 } as const;

/** Options of the memory. */
export interface Mem0Options {
  /** Facts recalled, 0 … 1,000. @default {30} */
  readonly k?: number;
  /** Messages before the newest one that the extraction is shown, 0 … 1,000 (m). @default {10} */
  readonly recent?: number;
  /** Memories that a new fact is compared with, 0 … 1,000 (s). @default {10} */
  readonly similar?: number;
  /** Observations from one summary to the next, 1 … 10,000 (D339). @default {10} */
  readonly refresh?: number;
  /**
   * Whether each new `fact` is compared by itself (the paper), or all of a `step` at once (the
   * authors' code).
   * @default {"fact"}
   */
  readonly updates?: "fact" | "step";
  /** Whether a knowledge graph is kept next to the facts (Mem0^g). @default {false} */
  readonly graph?: boolean;
  /** Relations recalled from the graph, 0 … 1,000 (D345). @default {30} */
  readonly relations?: number;
  /**
   * Cosine from which an entity counts as one of the graph in searches, in [−1, 1].
   * @default {0.7}
   */
  readonly matchEntity?: number;
  /** Cosine from which a new entity is one of the graph, in [−1, 1] (t). @default {0.9} */
  readonly mergeEntity?: number;
  /**
   * Cosine of query and relation above which a relation is recalled by itself, in [−1, 1] (D345).
   * @default {0}
   */
  readonly relevance?: number;
}

const ID = "mem0";
const count = z.int().min(0).max(1000);
const cosine = z.number().min(-1).max(1);
const mem0Options = z.strictObject({
  k: count.default(MEM0_PAPER.k),
  recent: count.default(MEM0_PAPER.m),
  similar: count.default(MEM0_PAPER.s),
  refresh: z.int().min(1).max(10_000).default(10),
  updates: z.enum(["fact", "step"]).default("fact"),
  graph: z.boolean().default(false),
  relations: count.default(30),
  matchEntity: cosine.default(MEM0_PAPER.matchEntity),
  mergeEntity: cosine.default(MEM0_PAPER.mergeEntity),
  relevance: cosine.default(0),
}) satisfies OptionsOf<Mem0Options>;

const factPrompts: readonly Prompt[] = [extractPrompt, updatePrompt, summarisePrompt];
const graphPrompts: readonly Prompt[] = [entitiesPrompt, relationsPrompt, conflictsPrompt];

/**
 * Makes memories of facts. Events: `malformed-reply` (nothing changes), `dropped-entries`
 * (unreadable facts, operations, entities or relations) and `unknown-memory` (an operation on a
 * number that is not shown, or just deleted, is ignored).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createMem0, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({
 *   "mem0/extract": ['{"facts": ["The chest is closed."]}', '{"facts": ["The chest is open."]}'],
 *   "mem0/update": ['{"operations": [{"operation": "UPDATE", "memory": 1, "text": "The chest is open."}]}'],
 * });
 * const memory = createMem0()({ model });
 * await memory.observe({ step: 1, goal: "Win.", observation: "You see a closed chest." }); // the store is empty: nothing to compare with
 * await memory.observe({ step: 2, goal: "Win.", observation: "You open the chest.", action: "open chest" });
 * const { sections } = await memory.recall({ step: 2, goal: "Win.", observation: "You open the chest.", plan: "" });
 * assert.deepEqual(sections, { "Facts from memory, oldest first": "The chest is open." });
 * ```
 */
export const createMem0: MemoryMaker<Mem0Options> = memoryMaker({
  id: ID,
  description:
    "salient facts that are added, updated and deleted, with a knowledge graph on request (Mem0, Chhikara et al. 2025)",
  options: mem0Options,
  prompts: [...factPrompts, ...graphPrompts],
  asks: ({ graph }: Mem0Options) => graph ? [...factPrompts, ...graphPrompts] : factPrompts,
  open: (context, settings) => new Mem0Memory({ id: ID, schema: bodySchema }, context, settings),
});

const bodySchema = z.strictObject({
  facts: z.array(z.string()),
  summary: z.string(),
  time: z.number(),
  graph: z.unknown(),
});

class Mem0Memory extends StoredMemory<z.output<typeof mem0Options>, z.output<typeof bodySchema>> {
  readonly #graph = this.options.graph
    ? new Mem0Graph(this.context.embedder, this.options)
    : undefined;
  #facts: string[] = [];
  #summary = "";
  #messages: string[] = [];
  #time = 0;

  get graph(): KnowledgeGraph | undefined {
    return this.#graph?.graph;
  }

  async observe(perception: Perception): Promise<void> {
    const { step, goal } = perception;
    const ask = askAt(this.context, step);
    this.#time = this.offset + step;
    const exchange = formatObservation(perception);
    const recent = this.options.recent === 0 ? [] : this.#messages.slice(-this.options.recent);
    const facts = await ask(extractPrompt, { goal, summary: this.#summary, recent, exchange }, {
      parse: parseFacts,
    }) ?? [];
    await this.#update(facts, ask);
    await this.#graph?.observe(exchange, {
      before: this.#messages.at(-1) ?? "",
      time: this.#time,
      ask,
    });
    this.#messages.push(exchange);
    if (this.#messages.length % this.options.refresh !== 0) return;
    const values = {
      goal,
      summary: this.#summary,
      history: this.#messages.slice(-this.options.refresh),
    };
    this.#summary = await ask(summarisePrompt, values, { parse: readText() }) ?? this.#summary;
  }

  async recall(cue: Cue): Promise<Recollection> {
    const query = formatCue(cue);
    const facts = (await this.#similar(query, this.options.k)).map((index) =>
      this.#facts[index] as string
    );
    const triplets = (await this.#graph?.recall(query, askAt(this.context, cue.step)))?.map(
      formatTriplet,
    );
    return {
      sections: {
        "Facts from memory, oldest first": facts.join("\n"),
        ...(triplets ? { "Relevant triplets from memory": triplets.join("\n") } : {}),
      },
      recalled: { facts, ...(triplets ? { triplets } : {}) },
    };
  }

  protected get body(): z.output<typeof bodySchema> {
    return {
      facts: this.#facts,
      summary: this.#summary,
      time: this.#time,
      graph: this.graph ? graphToJson(this.graph) : null,
    };
  }

  protected set body({ facts, summary, time, graph }: z.output<typeof bodySchema>) {
    if (this.#graph && graph !== null) this.#graph.graph = graphFromJson(graph);
    this.#facts = facts;
    this.#summary = summary;
    this.#messages = [];
    this.#time = this.offset = time;
  }

  /**
   * The update phase (§2.1; Algorithm 1 of App. B). What the store says word for word is not asked
   * about, and an empty store takes all (D340).
   */
  async #update(facts: readonly string[], ask: Ask): Promise<void> {
    const fresh = [...new Set(facts)].filter((fact) => !this.#facts.includes(fact));
    for (const group of this.options.updates === "fact" ? fresh.map((fact) => [fact]) : [fresh]) {
      const near = new Set<number>();
      for (const fact of group) {
        for (const index of await this.#similar(fact, this.options.similar)) {
          near.add(index);
        }
      }
      const shown = [...near].sort((a, b) => a - b);
      if (group.length === 0) continue;
      if (shown.length === 0) {
        this.#facts.push(...group);
        continue;
      }
      const values = {
        memories: numbered(shown.map((index) => this.#facts[index] as string)),
        facts: numbered(group),
      };
      const form = operationsForm({ facts: group.length, memories: shown.length });
      this.#apply(await ask(updatePrompt, values, { parse: parseOperations, form }) ?? [], shown);
    }
  }

  #apply(operations: readonly Operation[], shown: readonly number[]): void {
    const store: (string | undefined)[] = [...this.#facts];
    for (const { operation, memory, text } of operations) {
      const index = shown[memory - 1];
      if (operation === "ADD") store.push(text);
      if (operation === "ADD" || operation === "NOOP") continue;
      if (index === undefined || store[index] === undefined) {
        this.context.onEvent?.("unknown-memory", `${operation} ${memory} of ${shown.length}`);
      } else store[index] = operation === "DELETE" ? undefined : text;
    }
    this.#facts = [...new Set(store.filter((fact) => fact !== undefined))];
  }

  async #similar(text: string, k: number): Promise<number[]> {
    if (this.#facts.length === 0) return [];
    return (await this.vectors.nearest(text, this.#facts, k, "last")).sort((a, b) => a - b);
  }
}
