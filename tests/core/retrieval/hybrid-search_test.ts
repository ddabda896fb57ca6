import assert from "node:assert/strict";
import { hybridSearch, reciprocalRankFusion } from "../../../lib/core/retrieval/hybrid-search.ts";

const fact = (text: string) => {
  const [subject = "", relation = "", object = ""] = text.split(", ");
  return { subject, relation, object, text };
};

Deno.test("reciprocalRankFusion() by hand: Σ 1 / (c + place), ties in order of first appearance", () => {
  assert.deepEqual(reciprocalRankFusion([[7, 8, 9], [9, 7]]), [7, 9, 8]); // 1 + 1/2, 1/3 + 1, 1/2
  assert.deepEqual(reciprocalRankFusion([["a", "b", "c", "d"], ["e", "b"], ["f", "c"]]), [
    "a",
    "b",
    "e",
    "f",
    "c",
    "d",
  ]); // b 1/2 + 1/2, c 1/3 + 1/2
  assert.deepEqual(reciprocalRankFusion([["a", "b", "c"], ["d", "c"], ["e", "c"]], 60)[0], "c"); // a large c counts how many rankings agree
  assert.deepEqual(reciprocalRankFusion([]), []);
});

const FACTS = [
  "key, is in, urn",
  "moor, is, wet",
  "urn, stands in, attic",
  "attic, has exit, east",
  "moor, lies by, sea",
  "sea, is, grey",
]
  .map(fact);

Deno.test("hybridSearch() joins meaning, words and the graph, by hand", () => {
  // meaning: 4, 0; words: 0 ("key"); the graph around both, nearest first: 1, 2, 5, 3
  assert.deepEqual(hybridSearch("the key", FACTS, [0.5, 0, 0, 0, 0.8, -0.1], 6), [
    0,
    4,
    1,
    2,
    5,
    3,
  ]);
});

Deno.test("hybridSearch() goes three hops, and finds nothing in a graph that no hit touches", () => {
  const chain = Array.from({ length: 6 }, (_, at) => fact(`n${at}, next to, n${at + 1}`));
  assert.deepEqual(hybridSearch("zzz", chain, [1, 0, 0, 0, 0, 0], 10), [0, 1, 2, 3]);
  assert.deepEqual(hybridSearch("zzz", chain, [0, 0, 0, 0, 0, 0], 10), []);
  assert.deepEqual(hybridSearch("zzz", [], [], 10), []);
  assert.deepEqual(hybridSearch("zzz", chain, [1, 0, 0, 0, 0, 0], 2), [0, 1]);
});
