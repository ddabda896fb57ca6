/**
 * AriGraph: a semantic knowledge graph with episodic memory, learnt from observations (Anokhin et al. 2024, arXiv 2407.04363, §2, App. A).
 *
 * | paper | here |
 * |---|---|
 * | G = (V_s, E_s, V_e, E_e) | `graph` |
 * | o_t, v_e^t | `Perception`, an episode's text |
 * | E_s^t | `extracted` |
 * | E_s^rel | `relatedTo` |
 * | Q | the entities of the cue, each with its depth |
 * | d, w | `AriGraphOptions.depth`, `.width` |
 * | k, n_prev | `AriGraphOptions.k`, `.nPrev` |
 * | E_s^Q, V_e^Q | `recalled.triplets`, `recalled.episodes` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { graphFromJson, graphToJson } from "../graph/snapshot.ts";
import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Answer, Asker, ReplyParser } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import { episodicSearch, HyperEdges } from "../retrieval/episodic-search.ts";
import { searchTriplets } from "../retrieval/semantic-search.ts";
import { TripletIndex } from "../retrieval/triplet-index.ts";
import { unexploredExits } from "../retrieval/unexplored-exits.ts";
import { VectorIndex } from "../retrieval/vector-index.ts";
import { ARIGRAPH_PAPER, type AriGraphOptions, arigraphOptions } from "./arigraph-options.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import {
  entitiesPrompt,
  explorePrompt,
  extractPrompt,
  outdatePrompt,
  parseEntities,
  parseExplore,
  parseExtract,
  parseOutdate,
} from "./arigraph.prompts.ts";
import { extractParagraphPrompt, questionEntitiesPrompt } from "./arigraph-questions.prompts.ts";
import type { Artefact, Cue, Memory, MemoryContext, MemoryEntry, MemoryFactory, Navigation, Perception, Recollection } from "./memory.ts";
import { Navigator } from "./navigator.ts";
import { formatObservation } from "./observation.ts";

/**
 * All prompts of the memory: roles `arigraph/extract`, `arigraph/outdate`, `arigraph/entities` and `arigraph/explore`; over paragraphs
 * `arigraph/extract-paragraph` and `arigraph/question-entities` in place of the first and the third.
 */
export const arigraphPrompts: readonly Prompt[] = [
  extractPrompt,
  outdatePrompt,
  entitiesPrompt,
  explorePrompt,
  extractParagraphPrompt,
  questionEntitiesPrompt,
];

/** Those that may be asked under these options. */
export function arigraphAsks({ texts, stale, exploration }: z.infer<typeof arigraphOptions>): readonly Prompt[] {
  return [
    ...(texts === "observations" ? [extractPrompt, entitiesPrompt] : [extractParagraphPrompt, questionEntitiesPrompt]),
    ...(stale ? [outdatePrompt] : []),
    ...(exploration ? [explorePrompt] : []),
  ];
}

/**
 * Makes AriGraph memories: §2 and Algorithm 1, with Algorithm 2 for the search and Algorithm 3 (App. A) for the exits.
 *
 * What they report: `malformed-reply` (an answer that stayed unreadable) and `unreadable-pair` (one about stale triplets, in part).
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAriGraph } from "labyrinth/memory";
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "arigraph/extract": ["hall, has exit, east; key, is in, hall"] });
 * const memory = createAriGraph()({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall. There is a key. You can go east.", location: "Hall" });
 * assert.deepEqual(memory.graph?.entities(), ["hall", "east", "key"]);
 * ```
 */
export function createAriGraph(options: AriGraphOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory arigraph", arigraphOptions, options);
  return (context) => new AriGraphMemory(context, checked);
}

const ID = "arigraph";

/** The memory as studies name it. */
export const arigraph: MemoryEntry = {
  id: ID,
  description: "a knowledge graph with episodic memory (AriGraph)",
  version: "1",
  options: arigraphOptions,
  prompts: arigraphPrompts,
  asks: arigraphAsks,
  create: createAriGraph,
};

class AriGraphMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof arigraphOptions>;
  #graph = new KnowledgeGraph();
  #navigator = new Navigator(this.#graph);
  #index: TripletIndex;
  #edges = new HyperEdges();
  #episodeVectors: VectorIndex;
  /** Keys of the triplets extracted on the step last observed. */
  #extracted: ReadonlySet<string> = new Set();
  /** The step last observed. */
  #observed = 0;
  /** Triplets recalled last. */
  #previous: readonly Triplet[] = [];
  /** Time of the last step of the episodes before this one. */
  #offset = 0;

  constructor(context: MemoryContext, options: z.output<typeof arigraphOptions>) {
    this.#context = context;
    this.#options = options;
    this.#index = this.#newIndex();
    this.#episodeVectors = new VectorIndex(context.embedder.dimensions);
  }

  get graph(): KnowledgeGraph {
    return this.#graph;
  }

  get navigation(): Navigation {
    return this.#navigator;
  }

  /** One step of learning: extract, find stale (D1–D4), add, navigate (D5). */
  async observe(perception: Perception): Promise<void> {
    const { step, location, action, macro } = perception;
    const time = this.#offset + step;
    const ask = this.#context.ask.at({ step });
    const text = this.#format(perception);
    const passages = this.#navigator.arrive(location, { ...(action === undefined ? {} : { action }), ...(macro ? { macro } : {}) });

    const examples = this.#previous.map(formatTriplet).join("; ");
    const extracted = await this.#extract(ask, examples, text) ?? [];
    if (this.#options.stale) await this.#removeStale(ask, extracted, time);
    for (const triplet of [...extracted, ...passages]) {
      if (this.#graph.add(triplet, time)) this.#index.add(triplet);
    }
    this.#graph.addEpisode({ time, text, triplets: extracted });
    this.#edges.add(extracted);
    this.#extracted = new Set(extracted.map(tripletKey));
    this.#observed = step;
  }

  /** Algorithm 1 (D7–D12), and Algorithm 3 where the plan calls for exploring (D13, D14). */
  async recall(cue: Cue): Promise<Recollection> {
    const { step, plan } = cue;
    const ask = this.#context.ask.at({ step });
    const text = this.#format(cue);

    const entities = await this.#entities(ask, text, plan) ?? new Map();
    const queries = [...entities].map(([entity, importance]) => ({ text: entity, depth: this.#options.depth ?? importance }));
    const found = await searchTriplets(queries, {
      width: this.#options.width,
      retrieve: (texts, width) => this.#index.search(texts, width),
    });
    const said = step === this.#observed ? this.#extracted : new Set(); // the cue says those itself
    const triplets = found.filter((triplet) => !said.has(tripletKey(triplet)));
    const episodes = this.#options.episodic ? await this.#searchEpisodes(found, plan || text, this.#offset + step) : [];
    this.#previous = triplets;

    const explore = this.#options.exploration && plan.trim() !== "" &&
      await this.#ask(ask, explorePrompt, { plan }, parseExplore) === true;
    const exits = explore ? this.#exits() : [];
    const lines = triplets.map(formatTriplet);
    return {
      sections: {
        "Relevant triplets from memory": lines.join("\n"),
        ...(this.#options.episodic ? { "Relevant past observations": episodes.join("\n\n") } : {}),
        ...(exits.length > 0 ? { "Unexplored exits": exits.join("\n") } : {}),
      },
      recalled: {
        entities: queries.map(({ text, depth }) => `${text}: ${depth}`),
        triplets: lines,
        ...(this.#options.episodic ? { episodes } : {}),
        ...(this.#options.exploration ? { explore: [explore ? "True" : "False"], exits } : {}),
      },
    };
  }

  save(): Artefact {
    return {
      kind: ID,
      body: { graph: graphToJson(this.#graph), places: [...this.#navigator.places], previous: this.#previous },
    };
  }

  /** Takes over what another episode left. Times go on from there; where the agent is, is not carried over. */
  load(artefact: Artefact): void {
    const body = readArtefact(artefact, ID, bodySchema);
    this.#graph = graphFromJson(body.graph);
    this.#navigator = new Navigator(this.#graph);
    this.#navigator.restore(body.places);
    this.#index = this.#newIndex();
    for (const triplet of this.#graph.triplets()) this.#index.add(triplet);
    this.#edges = new HyperEdges();
    for (const { triplets } of this.#graph.episodes) this.#edges.add(triplets);
    this.#episodeVectors = new VectorIndex(this.#context.embedder.dimensions);
    this.#previous = body.previous;
    this.#extracted = new Set();
    this.#offset = Math.max(this.#graph.episodes.at(-1)?.time ?? 0, this.#graph.changes.at(-1)?.time ?? 0);
  }

  #extract(ask: Asker, examples: string, text: string): Promise<Triplet[] | undefined> {
    if (this.#options.texts === "observations") return this.#ask(ask, extractPrompt, { examples, observation: text }, parseExtract);
    return this.#ask(ask, extractParagraphPrompt, { examples, paragraph: text }, parseExtract);
  }

  #entities(ask: Asker, text: string, plan: string): Promise<Map<string, number> | undefined> {
    const { deepest, texts } = this.#options;
    const parse = parseEntities(deepest);
    if (texts === "observations") return this.#ask(ask, entitiesPrompt, { observation: text, plan }, parse);
    return this.#ask(ask, questionEntitiesPrompt, { question: text, deepest: String(deepest) }, parse);
  }

  /** The text as the model reads it and as an episode keeps it. */
  #format({ step, observation, inventory }: Pick<Perception, "step" | "observation" | "inventory">): string {
    if (this.#options.texts === "paragraphs") return observation.trim();
    return formatObservation({ step, observation, ...(inventory === undefined ? {} : { inventory }) });
  }

  async #removeStale(ask: Asker, extracted: readonly Triplet[], time: number): Promise<void> {
    const fresh = this.#options.staleAgainst === "new" ? extracted.filter((triplet) => !this.#graph.has(triplet)) : extracted;
    const related = fresh.length > 0 ? this.#relatedTo(extracted) : [];
    if (related.length === 0) return; // nothing to compare: D3
    const answer = await this.#ask(ask, outdatePrompt, { existing: listed(related), fresh: listed(fresh) }, parseOutdate);
    if (!answer) return;
    if (answer.ignored > 0) this.#context.onEvent?.("unreadable-pair", `arigraph/outdate: ${answer.ignored}`);
    const places = this.#navigator.places;
    for (const triplet of answer.stale) {
      if (places.has(triplet.subject) && places.has(triplet.object)) continue; // how places lie to each other does not go stale
      if (this.#graph.remove(triplet, time)) this.#index.remove(triplet);
    }
  }

  /** E_s^rel: what is known of the entities of the given triplets, without these themselves. D1, D3. */
  #relatedTo(triplets: readonly Triplet[]): Triplet[] {
    const given = new Set(triplets.map(tripletKey));
    const related = new Map<string, Triplet>();
    for (const entity of new Set(triplets.flatMap(({ subject, object }) => [subject, object]))) {
      for (const triplet of this.#graph.incident(entity)) {
        const key = tripletKey(triplet);
        if (!given.has(key) && !(this.#options.outdateFilter && isExcludedFromOutdating(triplet))) related.set(key, triplet);
      }
    }
    return [...related.values()];
  }

  async #searchEpisodes(recalled: readonly Triplet[], cue: string, now: number): Promise<string[]> {
    const { k, nPrev, episodicFilter, episodicScore } = this.#options;
    const episodes = this.#graph.episodes;
    const isShown = (episode: number): boolean => {
      const time = episodes[episode]?.time ?? 0;
      return time > this.#offset && time >= now - nPrev;
    };
    const isPast = (episode: number): boolean => (episodes[episode]?.time ?? now) < now;
    const best = episodicSearch(episodicScore === "eq1" ? recalled : this.#previous, this.#edges, {
      k,
      among: (episode) => isPast(episode) && !(episodicFilter === "before" && isShown(episode)),
      ...(episodicScore === "authors" ? { similarities: await this.#similarities(cue) } : {}),
    });
    return best.filter((episode) => !(episodicFilter === "after" && isShown(episode))).map((episode) => episodes[episode]?.text ?? "");
  }

  async #similarities(cue: string): Promise<Float64Array> {
    const episodes = this.#graph.episodes;
    const missing = episodes.slice(this.#episodeVectors.size).map(({ text }) => text);
    const [vector, ...vectors] = await this.#context.embedder.embed([cue, ...missing]);
    for (const added of vectors) this.#episodeVectors.add(added);
    const prepared = this.#episodeVectors.prepare(vector as Float32Array);
    return Float64Array.from(episodes, (_, episode) => this.#episodeVectors.similarity(episode, prepared));
  }

  /** Algorithm 3 for every known place: `place: exit, exit`; places with nothing left to explore are not listed. */
  #exits(): string[] {
    return [...this.#navigator.places].flatMap((place) => {
      const exits = unexploredExits(this.#graph, place);
      return exits.length > 0 ? [`${place}: ${exits.join(", ")}`] : [];
    });
  }

  /** Asks; a reply that stays unreadable is told of and counts as no answer. */
  async #ask<Name extends string, T>(
    ask: Asker,
    prompt: Prompt<Name>,
    values: Readonly<Record<Name, string>>,
    parse: ReplyParser<T>,
  ): Promise<T | undefined> {
    const answer: Answer<T> = await ask(prompt, values, { parse });
    if (answer.kind === "ok") return answer.value;
    this.#context.onEvent?.("malformed-reply", `${prompt.role}: ${answer.problem}`);
    return undefined;
  }

  #newIndex(): TripletIndex {
    const { threshold, normalise } = this.#options;
    return new TripletIndex(this.#context.embedder, { normalise, ...(threshold === undefined ? {} : { threshold }) });
  }
}

const part = z.string().min(1);
const bodySchema = z.strictObject({
  graph: z.unknown(),
  places: z.array(part),
  previous: z.array(z.strictObject({ subject: part, relation: part, object: part })),
});

function isExcludedFromOutdating(triplet: Triplet): boolean {
  const text = formatTriplet(triplet);
  return ARIGRAPH_PAPER.outdateExclusions.some((word) => text.includes(word));
}

function listed(triplets: readonly Triplet[]): string {
  return triplets.map(formatTriplet).join("\n");
}
