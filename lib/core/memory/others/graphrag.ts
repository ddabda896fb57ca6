/**
 * GraphRAG: a graph of entities and relations, reports on its communities, and answers from what is
 * near a question or from all reports (Edge et al. 2024, *From Local to Global: A Graph RAG
 * Approach to Query-Focused Summarization*, arXiv 2404.16130).
 *
 * | paper | here |
 * |---|---|
 * | text chunks | observations: `EntityGraph.units` |
 * | element instances and gleanings | `graphrag/extract`, `graphrag/glean` |
 * | element summaries | `graphrag/describe` |
 * | hierarchical community detection (Leiden) | `nestedCommunities` (Louvain) |
 * | community summaries | `graphrag/report` |
 * | community answers, global answer | `graphrag/map`, the method's own answer |
 * | local search (release alone) | `localContext` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

import { nestedCommunities } from "../../graph/communities.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { loadTokenCounter } from "../../text/tokens.ts";
import {
  type Entity,
  EntityGraph,
  type GraphBody,
  graphSchema,
  nameOf,
  type Relation,
} from "./graphrag-graph.ts";
import {
  type GraphRagIndex,
  localContext,
  pointLines,
  reportInput,
  reportText,
  shuffledParts,
} from "./graphrag-search.ts";
import {
  describePrompt,
  extractPrompt,
  gleanPrompt,
  mapPrompt,
  parseDescription,
  parseExtracted,
  parsePoints,
  parseReport,
  type Point,
  type Report,
  reportPrompt,
} from "./graphrag.prompts.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { type Ask, askAt, memoryMaker, numbered, StoredMemory } from "../memory-kit.ts";
import {
  GRAPHRAG_PAPER,
  type GraphRagOptions,
  graphRagOptions,
  ID,
  type Settings,
} from "./graphrag-options.ts";

const PROMPTS = [extractPrompt, gleanPrompt, describePrompt, reportPrompt, mapPrompt];

function promptsOf({ search, gleanings }: Settings): readonly Prompt[] {
  return PROMPTS.filter((prompt) =>
    (prompt !== mapPrompt || search === "global") && (prompt !== gleanPrompt || gleanings > 0)
  );
}

/**
 * Makes GraphRAG memories. Descriptions and reports are written at the first recall after an
 * observation; unchanged ones are kept. Events: `malformed-reply` (no entities, report or points;
 * descriptions stay side by side) and `dropped-entries`.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createGraphRag, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const lives = { source: "Ada", target: "Tarn", description: "Ada lives in Tarn." };
 * const model = scripted({
 *   "graphrag/extract": [JSON.stringify({ entities: [], relations: [lives] })],
 *   "graphrag/report": ['{"title": "Ada of Tarn", "summary": "Where Ada lives.", "rating": 5, "findings": []}'],
 *   "graphrag/map": ['{"points": [{"description": "Ada lives in Tarn.", "score": 90}]}'],
 * });
 * const memory = createGraphRag({ gleanings: 0 })({ model });
 * await memory.observe({ step: 1, goal: "Answer.", observation: "Ada lives in Tarn." });
 * const { sections } = await memory.recall({ step: 2, goal: "Answer.", observation: "Where does Ada live?", plan: "" });
 * assert.deepEqual(sections, { "Points of community reports": "Ada lives in Tarn. (helpfulness 90)" });
 * ```
 */
export const createGraphRag: MemoryMaker<GraphRagOptions> = memoryMaker({
  id: ID,
  description: "a graph of entities with reports on its communities (GraphRAG, Edge et al. 2024)",
  options: graphRagOptions,
  prompts: PROMPTS,
  asks: promptsOf,
  open: (context, settings) =>
    new GraphRagMemory({ id: ID, schema: graphSchema }, context, settings),
});

class GraphRagMemory extends StoredMemory<Settings, GraphBody> {
  #graph = new EntityGraph();
  #index: { readonly units: number; readonly index: GraphRagIndex } | undefined;
  /**
   * What models have written: several descriptions, or the input of a report → the text that stands
   * for it.
   */
  readonly #descriptions = new Map<string, string>();
  readonly #reports = new Map<string, Report>();

  async observe({ step, observation, inventory }: Perception): Promise<void> {
    const ask = askAt(this.context, step);
    const text = [
      observation.trim(),
      ...(inventory === undefined ? [] : [`Inventory: ${inventory.trim()}`]),
    ].join("\n");
    const unit = this.#graph.units.push(text) - 1;
    const values = { types: this.options.types.join(", "), text };
    const read = await ask(extractPrompt, values, { parse: parseExtracted });
    if (!read) return;
    this.#graph.add(unit, read);
    for (let look = 0; look < this.options.gleanings; look++) {
      const more = await ask(gleanPrompt, { ...values, found: this.#found(unit) }, {
        parse: parseExtracted,
      });
      if (!more || this.#graph.add(unit, more) === 0) break;
    }
  }

  #found(unit: number): string {
    const { entities, relations } = this.#graph;
    return [...entities, ...relations].filter(({ units }) => units.includes(unit)).map(nameOf).join(
      "\n",
    );
  }

  async recall({ step, observation, plan }: Cue): Promise<Recollection> {
    const ask = askAt(this.context, step);
    const index = await this.#indexed(ask);
    const question = `${observation}\n${plan}`.trim();
    return await (this.options.search === "local"
      ? this.#local(index, question)
      : this.#global(index, question, ask));
  }

  async #local(index: GraphRagIndex, question: string): Promise<Recollection> {
    const { k, window = GRAPHRAG_PAPER.local } = this.options;
    const { entities } = index.graph;
    const texts = entities.map((entity) => `${entity.name}:${index.describe(entity)}`);
    const near = await this.vectors.nearest(question, texts, k);
    const chosen = near.map((at) => entities[at] as Entity);
    const count = await loadTokenCounter();
    const { relations } = GRAPHRAG_PAPER;
    const found = localContext(index, chosen, { window, relations, count });
    return {
      sections: {
        "Community reports": found.reports.join("\n\n"),
        Entities: found.entities.join("\n"),
        Relations: found.relations.join("\n"),
        Sources: found.units.join("\n\n"),
      },
      recalled: { ...found },
    };
  }

  async #global({ communities }: GraphRagIndex, question: string, ask: Ask): Promise<Recollection> {
    const { window = GRAPHRAG_PAPER.global } = this.options;
    const count = await loadTokenCounter();
    const points: Point[] = [];
    const texts = communities.map(({ report }) => reportText(report));
    for (const part of shuffledParts(texts, window, count)) {
      const values = { reports: part.join("\n\n"), question };
      points.push(...await ask(mapPrompt, values, { parse: parsePoints }) ?? []);
    }
    const lines = pointLines(points, window, count);
    return {
      sections: { "Points of community reports": lines.join("\n") },
      recalled: { points: lines },
    };
  }

  async #indexed(ask: Ask): Promise<GraphRagIndex> {
    const graph = this.#graph;
    if (this.#index?.units === graph.units.length) return this.#index.index;
    const texts = new Map<Entity | Relation, string>();
    for (const element of [...graph.entities, ...graph.relations]) {
      texts.set(element, await this.#describe(ask, element));
    }
    const describe = (element: Entity | Relation): string => texts.get(element) ?? "";
    const reports: (Report | undefined)[] = [];
    const deepest = new Map<string, number>(); // name → the deepest community that is shown
    for (
      const [at, { level, members }] of nestedCommunities(graph.neighbours(), GRAPHRAG_PAPER.size)
        .entries()
    ) {
      reports.push(await this.#report(ask, { graph, describe, members }));
      if (level <= GRAPHRAG_PAPER.level) { for (const name of members) deepest.set(name, at); }
    }
    const communities = [...Map.groupBy(deepest.keys(), (name) => deepest.get(name) as number)]
      .flatMap(([at, names]) => {
        const report = reports[at];
        return report ? [{ report, members: new Set(names) }] : [];
      });
    const index = { graph, describe, communities };
    this.#index = { units: graph.units.length, index };
    return index;
  }

  async #describe(ask: Ask, element: Entity | Relation): Promise<string> {
    const { descriptions } = element;
    if (descriptions.length < 2) return descriptions[0] ?? "";
    const values = { name: nameOf(element), descriptions: numbered(descriptions) };
    const written = await this.#once(
      this.#descriptions,
      values,
      () => ask(describePrompt, values, { parse: parseDescription }),
    );
    return written ?? descriptions.join(" ");
  }

  async #report(
    ask: Ask,
    community: Parameters<typeof reportInput>[0],
  ): Promise<Report | undefined> {
    const values = reportInput(community, GRAPHRAG_PAPER.report, await loadTokenCounter());
    return await this.#once(
      this.#reports,
      values,
      () => ask(reportPrompt, values, { parse: parseReport }),
    );
  }

  async #once<T>(
    known: Map<string, T>,
    values: object,
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const key = JSON.stringify(values);
    const value = known.get(key) ?? await ask();
    if (value !== undefined) known.set(key, value);
    return value;
  }

  protected get body(): GraphBody {
    return this.#graph.body;
  }

  protected set body(body: GraphBody) {
    this.#graph = new EntityGraph(body);
    this.#index = undefined;
  }
}
