/**
 * The graph of Mem0^g (Chhikara et al. 2025, arXiv 2504.19413, §2.2): entities and relations of
 * each message, conflicts that end the validity of older relations, and a search by entities and by
 * relations.
 *
 * | paper | here |
 * |---|---|
 * | v, its embedding e_v | an entity of the graph, the vector of its name |
 * | t, the similarity from which a node is taken over | `mergeEntity` |
 * | obsolete relations, marked invalid and kept | `KnowledgeGraph.remove`, which keeps the interval of validity |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md` (D342 to D348).
 */

import { KnowledgeGraph } from "../../graph/knowledge-graph.ts";
import { distinctTriplets, formatTriplet, type Triplet } from "../../graph/triplet.ts";
import type { Embedder } from "../../retrieval/embedder.ts";
import { topK } from "../../retrieval/top-k.ts";
import { VectorCache } from "../../retrieval/vector-cache.ts";
import {
  conflictsPrompt,
  entitiesPrompt,
  obsoleteForm,
  parseEntities,
  parseObsolete,
  parseRelations,
  relationsPrompt,
} from "./mem0.prompts.ts";
import { type Ask, numbered } from "../memory-kit.ts";

interface GraphOptions {
  readonly relations: number;
  readonly matchEntity: number;
  readonly mergeEntity: number;
  readonly relevance: number;
}

export class Mem0Graph {
  graph = new KnowledgeGraph();
  readonly #options: GraphOptions;
  readonly #vectors: VectorCache;

  constructor(embedder: Embedder, options: GraphOptions) {
    this.#options = options;
    this.#vectors = new VectorCache(embedder);
  }

  async observe(
    text: string,
    { before, time, ask }: { readonly before: string; readonly time: number; readonly ask: Ask },
  ): Promise<void> {
    const entities = await ask(entitiesPrompt, { text }, { parse: parseEntities }) ?? [];
    if (entities.length === 0) return;
    const listed = entities.map(({ name, type }) => type === "" ? name : `${name} (${type})`).join(
      "\n",
    );
    const told =
      await ask(relationsPrompt, { before, entities: listed, text }, { parse: parseRelations }) ??
        [];
    const fresh: Triplet[] = [];
    for (const { subject, relation, object } of distinctTriplets(told)) {
      fresh.push({
        subject: await this.#merged(subject),
        relation,
        object: await this.#merged(object),
      });
    }
    const known = new Set(fresh.map(formatTriplet));
    const names = [
      ...entities.map(({ name }) => name),
      ...fresh.flatMap(({ subject, object }) => [subject, object]),
    ];
    const existing = (await this.#around(names)).filter((triplet) =>
      !known.has(formatTriplet(triplet))
    );
    if (existing.length > 0 && fresh.some((triplet) => !this.graph.has(triplet))) {
      const values = {
        existing: numbered(existing.map(formatTriplet)),
        fresh: fresh.map(formatTriplet).join("\n"),
      };
      const options = {
        parse: parseObsolete(existing.length),
        form: obsoleteForm(existing.length),
      };
      for (const number of await ask(conflictsPrompt, values, options) ?? []) {
        this.graph.remove(existing[number - 1] as Triplet, time);
      }
    }
    for (const triplet of fresh) this.graph.add(triplet, time);
  }

  /**
   * The relations around the query's entities and those most like the query, the most similar
   * `relations` of them, in order of addition.
   */
  async recall(query: string, ask: Ask): Promise<Triplet[]> {
    const triplets = this.graph.triplets();
    if (triplets.length === 0) return [];
    const entities = await ask(entitiesPrompt, { text: query }, { parse: parseEntities }) ?? [];
    const around = new Set(
      (await this.#around(entities.map(({ name }) => name))).map(formatTriplet),
    );
    const lines = triplets.map(formatTriplet);
    const similarities = await this.#vectors.similarities(query, lines);
    const scores = lines.map((line, index) =>
      (similarities[index] as number) + (around.has(line) ? 2 : 0)
    ); // those of entities come first
    const found = topK(scores, this.#options.relations, {
      among: (index) => (scores[index] as number) > this.#options.relevance,
      ties: "last",
    });
    return found.sort((a, b) => a - b).map((index) => triplets[index] as Triplet);
  }

  async #around(names: readonly string[]): Promise<Triplet[]> {
    const entities = this.graph.entities();
    const matching = new Set<string>();
    for (const name of new Set(names)) {
      const similarities = await this.#vectors.similarities(name, entities);
      entities.forEach((entity, index) => {
        if (entity === name || (similarities[index] as number) >= this.#options.matchEntity) {
          matching.add(entity);
        }
      });
    }
    return distinctTriplets([...matching].flatMap((entity) => this.graph.incident(entity)));
  }

  async #merged(name: string): Promise<string> {
    const entities = this.graph.entities();
    if (entities.includes(name) || entities.length === 0) return name;
    const similarities = await this.#vectors.similarities(name, entities);
    const [best = 0] = topK(similarities, 1);
    return (similarities[best] as number) >= this.#options.mergeEntity
      ? entities[best] as string
      : name;
  }
}
