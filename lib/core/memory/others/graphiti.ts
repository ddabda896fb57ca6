/**
 * Graphiti, the memory of Zep: a knowledge graph whose facts have times on two lines, with
 * communities (Rasmussen et al. 2025, *Zep: A Temporal Knowledge Graph Architecture for Agent
 * Memory*, arXiv 2501.13956, §2 and §3).
 *
 * | paper | here |
 * |---|---|
 * | episodes, G_e | observations: episodic vertices of `graph` |
 * | entities and facts, G_s | `#facts`; those that have not expired are the triplets of `graph` |
 * | t_valid, t_invalid, t′_created, t′_expired | `BiTemporal`, in agent steps |
 * | communities, G_c | `#labels`, `#communities` |
 * | entity resolution | `#resolve` |
 * | edge invalidation | `CONFLICT_RESOLUTIONS.graphiti`, `settleContradiction` |
 * | search, reranker, constructor | `RETRIEVALS.hybrid`, and `recall` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

import type { z } from "zod";
import { type BiTemporal, settleContradiction } from "../../graph/bi-temporal.ts";
import { labelPropagation, pluralityLabel } from "../../graph/label-propagation.ts";
import { graphFromJson, graphToJson } from "../../graph/snapshot.ts";
import { distinctTriplets, formatTriplet, type Triplet, tripletKey } from "../../graph/triplet.ts";
import { phrasesOf } from "../../retrieval/passage-rank.ts";
import { topK } from "../../retrieval/top-k.ts";
import {
  type ExtractedFact,
  parseResolved,
  parseSummary,
  resolvedForm,
  resolvePrompt,
  summarisePrompt,
} from "./graphiti.prompts.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { type Ask, memoryMaker } from "../memory-kit.ts";
import { MODULE_PROMPTS, ModuleMemory, promptsOf } from "../module-memory.ts";
import { GRAPHITI_PAPER } from "../modules.ts";
import { type GraphitiOptions, graphitiOptions, ID, type Settings } from "./graphiti-options.ts";
import {
  bare,
  bodySchema,
  type communitySchema,
  formatFact,
  type TimedFact,
} from "./graphiti-facts.ts";

/**
 * Makes Graphiti memories. Events: `malformed-reply` (no facts added, nothing resolved, or a
 * summary kept) and `dropped-entries` (unreadable facts, names and verdicts).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createGraphiti, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const fact = (state: string) => JSON.stringify({ facts: [{ source: "gate", relation: "is", target: state, fact: `The gate is ${state}.` }] });
 * const model = scripted({
 *   "graphiti/extract": [fact("closed"), fact("open")],
 *   "graphiti/judge": ['{"repeated": [], "contradicted": [{"new": 1, "known": 1}]}'],
 * });
 * const memory = createGraphiti({ refresh: 0 })({ model });
 * await memory.observe({ step: 1, goal: "Leave.", observation: "The gate is closed." });
 * const now = { step: 2, goal: "Leave.", observation: "The gate is open." };
 * await memory.observe(now);
 * assert.deepEqual((await memory.recall({ ...now, plan: "Go through the gate." })).sections, {
 *   "Facts that hold now": "The gate is open. (since step 2)",
 *   "Facts that no longer hold": "The gate is closed. (steps 1 to 2)",
 * });
 * ```
 */
export const createGraphiti: MemoryMaker<GraphitiOptions> = memoryMaker({
  id: ID,
  description: "a knowledge graph of facts with two times, and communities (Zep's Graphiti)",
  options: graphitiOptions,
  prompts: [...MODULE_PROMPTS, resolvePrompt, summarisePrompt],
  asks: (
    options: Settings,
  ) => [...promptsOf(options), resolvePrompt, ...(options.refresh > 0 ? [summarisePrompt] : [])],
  open: (context, settings) =>
    new GraphitiMemory({ id: ID, schema: bodySchema }, context, settings),
});

class GraphitiMemory extends ModuleMemory<Settings, z.output<typeof bodySchema>> {
  #facts: TimedFact[] = [];
  #labels = new Map<string, number>();
  #communities: z.output<typeof communitySchema>[] = [];

  /**
   * §2.1 to §2.3: an episode's facts, their entities resolved, what they repeat or end, and the
   * communities.
   */
  async observe(perception: Perception): Promise<void> {
    const { ask, time: now, text, facts } = await this.read(perception);
    const told = (await this.#resolve(ask, facts, text)).map((fact) => this.#timed(fact, now));
    const fresh = [...new Map(told.map((fact) => [tripletKey(fact), fact])).values()].filter((
      fact,
    ) => !this.graph.has(fact));
    const repeated = new Map<string, Triplet>();
    for (const { kind, known, by } of await this.judge(ask, fresh)) {
      if (kind === "contradicted") {
        this.#contradict(by ?? { validAt: now, createdAt: now }, known, now);
      } else if (by) repeated.set(tripletKey(by), known);
    }
    for (const fact of fresh) if (!repeated.has(tripletKey(fact))) this.#add(fact, now);
    const triplets = distinctTriplets(
      told.map((fact) => bare(repeated.get(tripletKey(fact)) ?? fact)),
    );
    this.graph.addEpisode({ time: now, text, triplets });
    if (this.options.refresh === 0) return;
    this.#updateCommunities(triplets, now);
    await this.#summarise(ask);
  }

  async recall(cue: Cue): Promise<Recollection> {
    const { k, episodes, past } = this.options;
    const known = past
      ? this.#facts
      : this.#facts.filter(({ expiredAt }) => expiredAt === undefined);
    const { query, facts, passages } = await this.search(cue, known, {
      facts: k,
      passages: episodes,
    });
    const [current, ended] = [false, true].map((isPast) =>
      facts.filter(({ expiredAt }) => (expiredAt !== undefined) === isPast).map(formatFact)
    ) as [string[], string[]];
    const summaries = await this.#nearestSummaries(query);
    return {
      sections: {
        "Facts that hold now": current.join("\n"),
        ...(past ? { "Facts that no longer hold": ended.join("\n") } : {}),
        ...(summaries.length > 0 ? { "What belongs together": summaries.join("\n") } : {}),
        ...(episodes > 0 ? { "Relevant past observations": passages.join("\n\n") } : {}),
      },
      recalled: {
        facts: current,
        past: ended,
        communities: summaries,
        ...(episodes > 0 ? { episodes: passages } : {}),
      },
    };
  }

  protected get body(): z.output<typeof bodySchema> {
    return {
      graph: graphToJson(this.graph),
      facts: this.#facts,
      labels: [...this.#labels],
      communities: this.#communities,
    };
  }

  protected set body({ graph, facts, labels, communities }: z.output<typeof bodySchema>) {
    this.restore(graphFromJson(graph));
    this.#facts = facts;
    this.#labels = new Map(labels);
    this.#communities = communities;
  }

  /**
   * §2.2.1: the facts with the known name of each entity. A model compares new names with the known
   * ones most like them (D311).
   */
  async #resolve(
    ask: Ask,
    facts: readonly ExtractedFact[],
    text: string,
  ): Promise<readonly ExtractedFact[]> {
    const known = phrasesOf(this.#facts);
    const fresh = phrasesOf(facts).filter((name) => !known.includes(name));
    if (fresh.length === 0 || known.length === 0) return facts;
    const table = await this.vectors.table(fresh, known);
    const near = new Set(
      table.flatMap((row) =>
        topK(row, GRAPHITI_PAPER.related, { among: (at) => (row[at] as number) > 0 })
      ),
    );
    const candidates = [...near].sort((a, b) => a - b).map((at) => known[at] as string);
    if (candidates.length === 0) return facts;
    const values = { text, known: candidates.join("\n"), fresh: fresh.join("\n") };
    const options = {
      parse: parseResolved(fresh, candidates),
      form: resolvedForm(fresh, candidates),
    };
    const same = await ask(resolvePrompt, values, options) ?? new Map<string, string>();
    return facts
      .map((fact) => ({
        ...fact,
        subject: same.get(fact.subject) ?? fact.subject,
        object: same.get(fact.object) ?? fact.object,
      }))
      .filter(({ subject, object }) => subject !== object);
  }

  /**
   * §2.2.3: a fact with its times. What the text does not date holds from now on; what it dates
   * ahead of now does so, too.
   */
  #timed({ subject, relation, object, text, from, until }: ExtractedFact, now: number): TimedFact {
    const validAt = from === undefined ? now : Math.min(now, this.offset + from);
    const end = until === undefined ? undefined : this.offset + until;
    const isOver = end !== undefined && end > validAt && end <= now;
    const times = {
      validAt,
      createdAt: now,
      ...(isOver ? { invalidAt: end, expiredAt: now } : {}),
    };
    return {
      subject,
      relation,
      object,
      text: text ?? formatTriplet({ subject, relation, object }),
      ...times,
    };
  }

  #add(fact: TimedFact, now: number): void {
    this.#facts.push(fact);
    this.graph.add(fact, now);
    if (fact.expiredAt !== undefined) this.graph.remove(fact, now);
  }

  /**
   * Settles a contradiction with a known triplet; where that has expired by it, the graph loses it.
   */
  #contradict(fresh: BiTemporal, triplet: Triplet, now: number): void {
    const key = tripletKey(triplet);
    const known = this.#facts.findLast((fact) => tripletKey(fact) === key) as TimedFact;
    settleContradiction(fresh, known, now);
    if (known.expiredAt !== undefined) this.graph.remove(triplet, now);
  }

  #neighbours(entity: string): Map<string, number> {
    const weights = new Map<string, number>();
    for (const { subject, object } of this.graph.incident(entity)) {
      const other = subject === entity ? object : subject;
      weights.set(other, (weights.get(other) ?? 0) + 1);
    }
    return weights;
  }

  /**
   * §2.3: a new entity joins the community of the plurality of its neighbours, or begins one; every
   * `refresh` steps all communities are found again.
   */
  #updateCommunities(triplets: readonly Triplet[], now: number): void {
    for (const entity of phrasesOf(triplets)) {
      if (!this.#labels.has(entity)) {
        this.#labels.set(
          entity,
          pluralityLabel(this.#neighbours(entity), this.#labels) ?? this.#labels.size,
        );
      }
    }
    if ((now - 1) % this.options.refresh !== 0) return;
    this.#labels = labelPropagation(
      new Map([...this.#labels.keys()].map((entity) => [entity, this.#neighbours(entity)])),
    );
  }

  /**
   * §2.3: a summary of each community of three entities or more whose members have changed (D318,
   * D319).
   */
  async #summarise(ask: Ask): Promise<void> {
    const communities: z.output<typeof communitySchema>[] = [];
    for (const group of Map.groupBy(this.#labels, ([, label]) => label).values()) {
      const members = group.map(([entity]) => entity);
      if (members.length < MIN_MEMBERS) continue;
      const last = this.#communities.find((community) =>
        community.members.includes(members[0] as string)
      );
      const isSame = last?.members.join("\n") === members.join("\n");
      const facts = this.#facts.filter(({ subject, object, expiredAt }) =>
        expiredAt === undefined && members.includes(subject) && members.includes(object)
      );
      const values = {
        entities: members.join("\n"),
        facts: facts.map(({ text }) => text).join("\n"),
      };
      const summary = isSame
        ? last.summary
        : await ask(summarisePrompt, values, { parse: parseSummary }) ?? last?.summary;
      if (summary !== undefined) communities.push({ members, summary });
    }
    this.#communities = communities;
  }

  async #nearestSummaries(query: string): Promise<string[]> {
    const summaries = this.#communities.map(({ summary }) => summary);
    if (summaries.length === 0) return [];
    const found = await this.vectors.nearest(query, summaries, this.options.summaries);
    return found.map((at) => summaries[at] as string);
  }
}

const MIN_MEMBERS = 3;
