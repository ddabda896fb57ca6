/**
 * AriGraph: a semantic knowledge graph with episodic memory, learnt from observations (Anokhin et
 * al. 2024, arXiv 2407.04363, §2, App. A).
 *
 * | paper | here |
 * |---|---|
 * | G = (V_s, E_s, V_e, E_e) | `graph` |
 * | o_t, v_e^t | `Perception`, an episode's text |
 * | E_s^t | `extracted` |
 * | E_s^rel | `relatedTo` |
 * | Q | the entities of the cue, each with its depth |
 * | d, w, k, n_prev | `AriGraphOptions.depth`, `.width`, `.k`, `.nPrev` |
 * | E_s^Q, V_e^Q | `recalled.triplets`, `recalled.episodes` |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import { z } from "zod";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { graphFromJson, graphToJson } from "../graph/snapshot.ts";
import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { searchTriplets } from "../retrieval/semantic-search.ts";
import { TripletIndex } from "../retrieval/triplet-index.ts";
import { listUnexploredExits } from "../retrieval/unexplored-exits.ts";
import { EpisodicMemory } from "./arigraph-episodes.ts";
import { extractTriplets } from "./arigraph-extraction.ts";
import {
  ARIGRAPH_PAPER,
  type AriGraphOptions,
  arigraphOptions,
  type AriGraphSettings,
  EXAMPLE_STEPS,
} from "./arigraph-options.ts";
import {
  entitiesPaperPrompt,
  entitiesPrompt,
  explorePrompt,
  extractParagraphPrompt,
  extractPrompt,
  outdatePrompt,
  questionEntitiesPrompt,
} from "./arigraph.prompts.ts";
import { entitiesForm, parseEntities, parseExplore, parseOutdateOf } from "./arigraph-replies.ts";
import type { Cue, MemoryMaker, Navigation, Perception, Recollection } from "./memory.ts";
import { type Ask, askAt, memoryMaker, StoredMemory } from "./memory-kit.ts";
import { Navigator } from "./navigator.ts";
import { formatObservation } from "./observation.ts";

const ID = "arigraph";

/**
 * Makes AriGraph memories: §2 and Algorithm 1, with Algorithm 2 as the search and Algorithm 3 (App.
 * A) for the exits. Events: `malformed-reply`, and `unreadable-pair` (in a reply about stale
 * triplets).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createAriGraph, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "arigraph/extract": ["hall, has exit, east; key, is in, hall"] });
 * const memory = createAriGraph()({ model });
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall. There is a key. You can go east.", location: "Hall" });
 * assert.deepEqual(memory.graph?.entities(), ["hall", "east", "key"]);
 * ```
 */
export const createAriGraph: MemoryMaker<AriGraphOptions> = memoryMaker({
  id: ID,
  description: "a knowledge graph with episodic memory (AriGraph)",
  version: "3",
  options: arigraphOptions,
  prompts: [
    extractPrompt,
    outdatePrompt,
    entitiesPrompt,
    entitiesPaperPrompt,
    explorePrompt,
    extractParagraphPrompt,
    questionEntitiesPrompt,
  ],
  asks: ({ texts, stale, exploration }: AriGraphSettings): readonly Prompt[] => [
    ...(texts === "observations"
      ? [extractPrompt, entitiesPrompt]
      : [extractParagraphPrompt, questionEntitiesPrompt]),
    ...(stale ? [outdatePrompt] : []),
    ...(exploration ? [explorePrompt] : []),
  ],
  open: (context, settings) =>
    new AriGraphMemory({ id: ID, schema: bodySchema }, context, settings),
});

class AriGraphMemory extends StoredMemory<AriGraphSettings, z.output<typeof bodySchema>> {
  #graph = new KnowledgeGraph();
  #navigator = new Navigator(this.#graph);
  #index = new TripletIndex(this.context.embedder, this.options);
  #episodes = new EpisodicMemory(this.#graph, this.context.embedder, this.options);
  #extracted: ReadonlySet<string> = new Set();
  #observed = 0;
  #previous: readonly Triplet[] = [];
  #examples = new ExampleList();

  get graph(): KnowledgeGraph {
    return this.#graph;
  }

  get navigation(): Navigation {
    return this.#navigator;
  }

  /** One step of learning: extract, remove the stale (D1–D4), add, navigate (D5). */
  async observe(perception: Perception): Promise<void> {
    const { step, location } = perception;
    const time = this.offset + step;
    const ask = askAt(this.context, step);
    const text = this.#format(perception);
    const passages = this.#navigator.arrive(location, perception);

    const recalled = this.#previous.map(formatTriplet);
    const { order, texts, stale } = this.options;
    const examples = order === "paper" ? recalled : this.#examples.extend(recalled);
    const extracted = await extractTriplets(ask, examples, text, texts) ?? [];
    if (stale) await this.#removeStale(ask, extracted, time);
    for (const triplet of [...extracted, ...passages]) {
      if (this.#graph.add(triplet, time)) this.#index.add(triplet);
    }
    this.#episodes.add({ time, text, triplets: extracted });
    this.#extracted = new Set(extracted.map(tripletKey));
    this.#observed = step;
  }

  async recall(cue: Cue): Promise<Recollection> {
    const { step, plan } = cue;
    const { depth, width, episodic, episodicScore, exploration, omitFresh } = this.options;
    const ask = askAt(this.context, step);
    const text = this.#format(cue);

    const entities = await this.#entities(ask, text, plan) ?? new Map<string, number>();
    const queries = [...entities].map(([entity, importance]) => ({
      text: entity,
      depth: depth === "importance" ? importance : depth,
    }));
    const found = await searchTriplets(queries, {
      width,
      retrieve: (texts, width) => this.#index.search(texts, width),
    });
    const omitted = omitFresh && step === this.#observed ? this.#extracted : new Set();
    const triplets = found.filter((triplet) => !omitted.has(tripletKey(triplet)));
    const at = {
      cue: plan || text,
      now: this.offset + step,
      since: this.offset,
      surplus: cue.surplus,
    };
    const episodes = episodic
      ? await this.#episodes.search(episodicScore === "eq1" ? found : this.#previous, at)
      : [];
    this.#previous = triplets;

    const explore = exploration && plan.trim() !== "" &&
      await ask(explorePrompt, { plan }, { parse: parseExplore }) === true;
    const exits = explore ? listUnexploredExits(this.#graph, this.#navigator.places) : [];
    const lines = triplets.map(formatTriplet);
    return {
      sections: {
        "Relevant triplets from memory": lines.join("\n"),
        ...(episodic ? { "Relevant past observations": episodes.join("\n\n") } : {}),
      },
      exits: exploration ? exits : undefined,
      recalled: {
        entities: queries.map(({ text, depth }) => `${text}: ${depth}`),
        triplets: lines,
        ...(episodic ? { episodes } : {}),
        ...(exploration ? { explore: [explore ? "True" : "False"], exits } : {}),
      },
    };
  }

  protected get body(): z.output<typeof bodySchema> {
    return {
      graph: graphToJson(this.#graph),
      places: [...this.#navigator.places],
      previous: [...this.#previous],
    };
  }

  /**
   * Takes over what another episode saved. Times continue from there; the agent's place is not
   * carried over.
   */
  protected set body(body: z.output<typeof bodySchema>) {
    const { embedder } = this.context;
    this.#graph = graphFromJson(body.graph);
    this.#navigator = new Navigator(this.#graph);
    this.#navigator.restore(body.places);
    this.#index = new TripletIndex(embedder, this.options);
    for (const triplet of this.#graph.triplets()) this.#index.add(triplet);
    this.#episodes = new EpisodicMemory(this.#graph, embedder, this.options);
    this.#previous = body.previous;
    this.#examples = new ExampleList();
    this.#extracted = new Set();
    this.offset = Math.max(
      this.#graph.episodes.at(-1)?.time ?? 0,
      this.#graph.changes.at(-1)?.time ?? 0,
    );
  }

  #entities(ask: Ask, text: string, plan: string): Promise<Map<string, number> | undefined> {
    const { deepest, texts, order } = this.options;
    const reading = { parse: parseEntities(deepest), form: entitiesForm(deepest) };
    if (texts === "observations") {
      return ask(order === "paper" ? entitiesPaperPrompt : entitiesPrompt, {
        observation: text,
        plan,
      }, reading);
    }
    return ask(questionEntitiesPrompt, { question: text, deepest: String(deepest) }, reading);
  }

  #format({ step, observation, inventory }: Perception | Cue): string {
    return this.options.texts === "paragraphs"
      ? observation.trim()
      : formatObservation({ step, observation, inventory });
  }

  async #removeStale(ask: Ask, extracted: readonly Triplet[], time: number): Promise<void> {
    const fresh = this.options.staleAgainst === "new"
      ? extracted.filter((triplet) => !this.#graph.has(triplet))
      : extracted;
    const related = fresh.length > 0 ? this.#relatedTo(extracted) : [];
    if (related.length === 0) return; // nothing to compare: D3
    const parse = parseOutdateOf({ existing: related, fresh });
    const answer = await ask(outdatePrompt, { existing: listed(related), fresh: listed(fresh) }, {
      parse,
    });
    if (!answer) return;
    if (answer.ignored > 0) {
      this.context.onEvent?.("unreadable-pair", `arigraph/outdate: ${answer.ignored}`);
    }
    const places = this.#navigator.places;
    for (const triplet of answer.stale) {
      if (this.options.keepPlaces && places.has(triplet.subject) && places.has(triplet.object)) {
        continue;
      }
      if (this.#graph.remove(triplet, time)) this.#index.remove(triplet);
    }
  }

  #relatedTo(triplets: readonly Triplet[]): Triplet[] {
    const related = new Map<string, Triplet>();
    for (const entity of new Set(triplets.flatMap(({ subject, object }) => [subject, object]))) {
      for (const triplet of this.#graph.incident(entity)) {
        if (!(this.options.outdateFilter && isExcludedFromOutdating(triplet))) {
          related.set(tripletKey(triplet), triplet);
        }
      }
    }
    return [...related.values()];
  }
}

class ExampleList {
  readonly #lines = new Set<string>();
  #steps = 0;

  extend(recalled: readonly string[]): readonly string[] {
    if (this.#steps++ % EXAMPLE_STEPS === 0) this.#lines.clear();
    for (const line of recalled) this.#lines.add(line);
    return [...this.#lines];
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
