/**
 * A memory whose modules work over its knowledge graph, whose episodic vertices are the passages.
 */

import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { distinctTriplets, formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { phrasesOf } from "../retrieval/passage-rank.ts";
import { topK } from "../retrieval/top-k.ts";
import type { ExtractedFact, Verdict } from "./others/graphiti.prompts.ts";
import type { Cue, Perception } from "./memory.ts";
import { type Ask, askAt, StoredMemory } from "./memory-kit.ts";
import {
  CONFLICT_RESOLUTIONS,
  EXTRACTIONS,
  GRAPHITI_PAPER,
  type ModuleSettings,
} from "./modules.ts";
import { formatCue, formatObservation } from "./observation.ts";
import { type PprSettings, RETRIEVALS, type Retrieve } from "./retrieval-modules.ts";

export function promptsOf(
  { extraction, conflictResolution, retrieval, texts }: ModuleSettings,
): readonly Prompt[] {
  return [
    ...EXTRACTIONS[extraction].prompts[texts],
    ...CONFLICT_RESOLUTIONS[conflictResolution].prompts,
    ...RETRIEVALS[retrieval].prompts,
  ];
}

export const MODULE_PROMPTS: readonly Prompt[] = [
  ...Object.values(EXTRACTIONS).flatMap((
    { prompts },
  ) => [...new Set([...prompts.observations, ...prompts.paragraphs])]),
  ...[...Object.values(CONFLICT_RESOLUTIONS), ...Object.values(RETRIEVALS)].flatMap(({ prompts }) =>
    prompts
  ),
];

interface ReadPerception {
  readonly ask: Ask;
  readonly time: number;
  readonly text: string;
  readonly facts: readonly ExtractedFact[];
}

export abstract class ModuleMemory<Options extends ModuleSettings & Partial<PprSettings>, Body>
  extends StoredMemory<Options, Body> {
  graph = new KnowledgeGraph();
  readonly #retrieve: Retrieve = RETRIEVALS[this.options.retrieval].open(
    this.vectors,
    this.options,
  );
  #found: readonly Triplet[] = [];

  protected restore(graph: KnowledgeGraph): void {
    this.graph = graph;
    this.offset = Math.max(graph.episodes.at(-1)?.time ?? 0, graph.changes.at(-1)?.time ?? 0);
    this.#found = [];
  }

  protected async read({ step, observation, inventory }: Perception): Promise<ReadPerception> {
    const { extraction, texts } = this.options;
    const ask = askAt(this.context, step);
    const text = texts === "paragraphs"
      ? observation.trim()
      : formatObservation({ step, observation, inventory });
    const before = this.graph.episodes.map((episode) => episode.text);
    const facts = await EXTRACTIONS[extraction].extract(
      ask,
      { text, step, before, recalled: this.#found },
      texts,
    ) ?? [];
    return { ask, time: this.offset + step, text, facts };
  }

  /**
   * What new facts do to believed ones that share an entity: for each new fact at most the
   * `GRAPHITI_PAPER.related` most similar.
   */
  protected async judge<F extends Triplet>(
    ask: Ask,
    fresh: readonly F[],
  ): Promise<
    readonly { readonly kind: Verdict["kind"]; readonly known: Triplet; readonly by?: F }[]
  > {
    const given = new Set(fresh.map(tripletKey));
    const related: Triplet[] = [];
    for (const fact of this.options.conflictResolution === "none" ? [] : fresh) {
      const around = distinctTriplets(
        phrasesOf([fact]).flatMap((entity) => this.graph.incident(entity)),
      ).filter((one) => !given.has(tripletKey(one)));
      const isMany = around.length > GRAPHITI_PAPER.related;
      const similarities = isMany
        ? await this.vectors.similarities(formatTriplet(fact), around.map(formatTriplet))
        : around.map(() => 0);
      related.push(
        ...topK(similarities, GRAPHITI_PAPER.related).map((at) => around[at] as Triplet),
      );
    }
    const known = distinctTriplets(related);
    const verdicts = known.length === 0
      ? []
      : await CONFLICT_RESOLUTIONS[this.options.conflictResolution].judge(ask, { known, fresh });
    return verdicts.map(({ kind, known: at, fresh: by }) => ({
      kind,
      known: known[at] as Triplet,
      by: by === undefined ? undefined : fresh[by],
    }));
  }

  protected async search<F extends Triplet & { readonly text: string }>(
    cue: Cue,
    facts: readonly F[],
    most: { readonly facts: number; readonly passages: number },
  ): Promise<
    { readonly query: string; readonly facts: readonly F[]; readonly passages: readonly string[] }
  > {
    const { texts, nPrev } = this.options;
    const query = texts === "paragraphs"
      ? `${cue.observation}\n${cue.plan}`.trim()
      : formatCue(cue);
    const passages = this.graph.episodes;
    const store = { facts, passages, isCurrent: (triplet: Triplet) => this.graph.has(triplet) };
    const first = texts === "paragraphs" ? cue.step : cue.step - nPrev - (cue.surplus ?? 0);
    const among = (passage: number): boolean => {
      const step = (passages[passage]?.time ?? 0) - this.offset; // below 1 in earlier episodes
      return step < Math.min(cue.step, Math.max(first, 1));
    };
    const found = await this.#retrieve(query, store, {
      ask: askAt(this.context, cue.step),
      ...most,
      among,
    });
    this.#found = found.facts.map((at) => facts[at] as F);
    return {
      query,
      facts: found.facts.map((at) => facts[at] as F),
      passages: found.passages.map((at) => passages[at]?.text ?? ""),
    };
  }
}
