/**
 * The `Retrieval` modules of `modules.ts`: HippoRAG 2's personalised PageRank behind recognition
 * memory, and Zep's hybrid search. Each ranks facts and passages; what its paper does not rank
 * follows from the other (D325).
 */

import { type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { HYBRID_PAPER, hybridSearch } from "../retrieval/hybrid-search.ts";
import {
  HIPPORAG_PAPER,
  minMax,
  type PassageGraph,
  phrasesOf,
  rankPassages,
} from "../retrieval/passage-rank.ts";
import { topK } from "../retrieval/top-k.ts";
import type { VectorCache } from "../retrieval/vector-cache.ts";
import { parseRecognised, recognisedForm, recognisePrompt } from "./others/hipporag.prompts.ts";
import { type Ask, numbered } from "./memory-kit.ts";
import type { ModuleSettings } from "./modules.ts";

export interface SearchedStore {
  readonly facts: readonly (Triplet & { readonly text: string })[];
  readonly passages: readonly { readonly text: string; readonly triplets: readonly Triplet[] }[];
  /** Whether a triplet of a passage is believed. @default all are */
  readonly isCurrent?: PassageGraph["isCurrent"];
}

export type Retrieve = (
  query: string,
  store: SearchedStore,
  wanted: {
    readonly ask: Ask;
    readonly facts: number;
    readonly passages: number;
    readonly among: (passage: number) => boolean;
  },
) => Promise<{ readonly facts: readonly number[]; readonly passages: readonly number[] }>;

interface Retrieval {
  readonly prompts: readonly Prompt[];
  open(vectors: VectorCache, settings: Partial<PprSettings>): Retrieve;
}

export type PprSettings = Readonly<
  Record<"links" | "synonym" | "passageWeight" | "damping", number>
>;

export const RETRIEVALS: Readonly<Record<ModuleSettings["retrieval"], Retrieval>> = {
  ppr: { prompts: [recognisePrompt], open: createPpr },
  hybrid: { prompts: [], open: createHybrid },
};

/**
 * §3: triplets near the query, those that a model recognises, PageRank from their phrases; without
 * any, passages by similarity alone.
 */
function createPpr(vectors: VectorCache, settings: Partial<PprSettings>): Retrieve {
  const { links, synonym, passageWeight, damping } = { ...HIPPORAG_PAPER, ...settings };
  const synonyms = createSynonymList(vectors, synonym);
  return async (query, { facts, passages, isCurrent }, { ask, ...wanted }) => {
    const similarities = await vectors.similarities(
      query,
      [...facts, ...passages].map(({ text }) => text),
    );
    const scores = minMax(similarities.subarray(0, facts.length));
    const linked = topK(scores, links);
    const lines = numbered(linked.map((at) => facts[at]?.text ?? ""), "brackets");
    const kept = linked.length === 0 ? [] : await ask(recognisePrompt, { facts: lines, query }, {
      parse: parseRecognised(linked.length),
      form: recognisedForm(linked.length),
    }) ?? [];
    const seeds = kept.map((at) => linked[at] as number);
    const told = passages.map(({ triplets }) => triplets);
    const dense = similarities.subarray(facts.length);
    const graph = { passages: told, isCurrent, synonyms: await synonyms(phrasesOf(told.flat())) };
    const scored = seeds.map((at) => ({
      triplet: facts[at] as Triplet,
      score: scores[at] as number,
    }));
    const rank = seeds.length === 0
      ? undefined
      : rankPassages(graph, scored, dense, { passageWeight, damping });
    const best = topK(rank ?? dense, wanted.passages, { among: wanted.among, ties: "last" });
    const rows = new Map(facts.map((fact, at) => [tripletKey(fact), at]));
    const around = best.flatMap((passage) => told[passage] ?? []).flatMap((triplet) =>
      rows.get(tripletKey(triplet)) ?? []
    );
    return { facts: [...new Set([...seeds, ...around])].slice(0, wanted.facts), passages: best };
  };
}

/** Zep §3: facts by hybrid search, and the passages that they come from. */
function createHybrid(vectors: VectorCache): Retrieve {
  return async (query, { facts, passages }, wanted) => {
    const similarities = await vectors.similarities(query, facts.map(({ text }) => text));
    const found = hybridSearch(
      query,
      facts,
      similarities,
      Math.max(wanted.facts, HYBRID_PAPER.facts),
    );
    const tellers = Map.groupBy(
      passages.flatMap(({ triplets }, passage) =>
        wanted.among(passage)
          ? triplets.map((triplet) => ({ key: tripletKey(triplet), passage }))
          : []
      ),
      ({ key }) => key,
    );
    const told = found.flatMap((at) =>
      tellers.get(tripletKey(facts[at] as Triplet))?.toReversed() ?? []
    ).map(({ passage }) => passage);
    return {
      facts: found.slice(0, wanted.facts),
      passages: [...new Set(told)].slice(0, wanted.passages),
    };
  };
}

/**
 * Gives the pairs, among all phrases so far, whose cosine reaches a threshold. Phrases of at most
 * two letters or digits have none, as in the authors' code.
 */
function createSynonymList(
  vectors: VectorCache,
  threshold: number,
): (phrases: readonly string[]) => Promise<PassageGraph["synonyms"]> {
  const pairs: PassageGraph["synonyms"][number][] = [];
  const known = new Set<string>();
  return async (phrases) => {
    const added = phrases.filter((phrase) =>
      !known.has(phrase) && phrase.replaceAll(/[^\p{L}\p{N}]/gu, "").length > 2
    );
    const table = added.length === 0 ? [] : await vectors.table(added, [...known, ...added]);
    for (const [at, phrase] of added.entries()) {
      for (const [row, other] of [...known].entries()) {
        const similarity = table[at]?.[row] as number;
        if (similarity >= threshold) pairs.push({ phrases: [other, phrase], similarity });
      }
      known.add(phrase);
    }
    return pairs;
  };
}
