import assert from "node:assert/strict";
import type { Triplet } from "../../../lib/core/graph/triplet.ts";
import type { WeightedEdge } from "../../../lib/core/graph/pagerank.ts";
import { type PassageGraph, rankPassages } from "../../../lib/core/retrieval/passage-rank.ts";
import { createDraw } from "../../../lib/core/random.ts";
import { densePageRank } from "../graph/pagerank_reference.ts";

const triplet = (text: string): Triplet => {
  const [subject = "", relation = "", object = ""] = text.split(", ");
  return { subject, relation, object };
};

/**
 * The scores of passages, word by word as the paper and its code have them: a table of nodes and a
 * table of edges, and a linear system.
 */
function literal(
  graph: PassageGraph,
  seeds: Parameters<typeof rankPassages>[1],
  similarities: readonly number[],
  weight: number,
): number[] {
  const phrases: string[] = [];
  for (const triplets of graph.passages) {
    for (const { subject, object } of triplets) {
      for (const one of [subject, object]) if (!phrases.includes(one)) phrases.push(one);
    }
  }
  const node = (phrase: string): number => graph.passages.length + phrases.indexOf(phrase);
  const contains = (triplets: readonly Triplet[], phrase: string): boolean =>
    triplets.some((one) => one.subject === phrase || one.object === phrase);
  const edges: WeightedEdge[] = [];
  for (const triplets of graph.passages) {
    for (const { subject, object } of triplets) {
      edges.push({ ends: [node(subject), node(object)], weight: 1 });
    }
  }
  for (const [passage, triplets] of graph.passages.entries()) {
    for (const phrase of phrases) {
      if (contains(triplets, phrase)) edges.push({ ends: [passage, node(phrase)], weight: 1 });
    }
  }
  for (const { phrases: [a, b], similarity } of graph.synonyms) {
    edges.push({ ends: [node(a), node(b)], weight: similarity });
  }
  const weights = phrases.map((phrase) => {
    const own = seeds.filter((seed) => contains([seed.triplet], phrase));
    const specificity = 1 / graph.passages.filter((triplets) => contains(triplets, phrase)).length;
    return own.length === 0
      ? 0
      : own.reduce((sum, { score }) => sum + score * specificity, 0) / own.length;
  });
  const fifth = weights.toSorted((a, b) => b - a)[4] ?? 0;
  const [least, most] = [Math.min(...similarities), Math.max(...similarities)];
  const reset = [
    ...similarities.map((one) => weight * (one - least) / (most - least)),
    ...weights.map((one) => one >= fifth ? one : 0),
  ];
  return densePageRank(edges, reset, 0.5).slice(0, graph.passages.length);
}

Deno.test("rankPassages() equals a literal transcription with a dense linear solve on random passages", () => {
  const draw = createDraw("passages");
  const phrase = (): string => `p${Math.floor(draw.next() * 12)}`;
  for (let round = 0; round < 40; round++) {
    const passages = Array.from(
      { length: 2 + Math.floor(draw.next() * 8) },
      () =>
        Array.from(
          { length: 1 + Math.floor(draw.next() * 4) },
          (_, at) => ({ subject: phrase(), relation: `r${at}`, object: phrase() }),
        ),
    );
    const told = passages.flat();
    const [first, last] = [told[0] as Triplet, told.at(-1) as Triplet];
    const synonyms = [{ phrases: [first.subject, last.object] as const, similarity: 0.9 }];
    const seeds = [...new Set([first, draw.pick(told), draw.pick(told)])].map((one) => ({
      triplet: one,
      score: draw.next(),
    }));
    const similarities = passages.map(() => draw.next());
    const rank = rankPassages({ passages, synonyms }, seeds, similarities, {
      passageWeight: 0.05,
      damping: 0.5,
    });
    for (
      const [at, share] of literal({ passages, synonyms }, seeds, similarities, 0.05).entries()
    ) {
      assert.ok(Math.abs(share - (rank?.[at] ?? NaN)) < 1e-9, `round ${round}`);
    }
  }
});

const CHAIN = ["ada, lives in, tarn", "tarn, lies on, ilma", "ilma, flows to, sea", "moor, is, wet"]
  .map((one) => [triplet(one)]);
const SEED = [{ triplet: triplet("ada, lives in, tarn"), score: 1 }];
Deno.test("rankPassages() crosses synonym edges, and not the edges of triplets that are not believed", () => {
  const walk = { passageWeight: 0, damping: 0.5 };
  const moor = (graph: PassageGraph): number =>
    rankPassages(graph, SEED, [0, 0, 0, 0], walk)?.[3] ?? NaN;
  assert.equal(moor({ passages: CHAIN, synonyms: [] }), 0);
  assert.ok(
    moor({ passages: CHAIN, synonyms: [{ phrases: ["tarn", "moor"], similarity: 0.8 }] }) > 0,
  );
  const river = (isCurrent: (one: Triplet) => boolean): number =>
    rankPassages({ passages: CHAIN, synonyms: [], isCurrent }, SEED, [0, 0, 0, 0], walk)?.[2] ??
      NaN;
  assert.ok(river(({ subject }) => subject !== "tarn") < river(() => true)); // the way over the passage is left
});

Deno.test("rankPassages() gives nothing where no seed is known and no passage counts", () => {
  assert.equal(
    rankPassages({ passages: CHAIN, synonyms: [] }, [{ triplet: triplet("x, y, z"), score: 1 }], [
      1,
      0,
      0,
      0,
    ], {
      passageWeight: 0,
      damping: 0.5,
    }),
    undefined,
  );
  assert.equal(rankPassages({ passages: [], synonyms: [] }, [], []), undefined);
});
