import assert from "node:assert/strict";
import { formatTriplet, KnowledgeGraph, parseTriplets } from "../../../lib/mod.ts";
import { oneHop, tripletsBetween } from "../../../lib/core/retrieval/one-hop.ts";

function graphOf(text: string): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  parseTriplets(text).forEach((triplet, i) => graph.add(triplet, i));
  return graph;
}

const GRAPH = graphOf("a, r1, b; b, r2, c; c, r3, a; a, r4, d; d, r5, e; b, r6, a; a, r7, a");

Deno.test("oneHop() gives the triplets that touch an entity, entity by entity, each once", () => {
  assert.deepEqual(oneHop(GRAPH, ["d", "a"]).map(({ relation }) => relation), [
    "r4",
    "r5",
    "r1",
    "r3",
    "r6",
    "r7",
  ]);
  assert.deepEqual(oneHop(GRAPH, ["d", "a"], 3).map(({ relation }) => relation), [
    "r4",
    "r5",
    "r1",
  ]);
  assert.deepEqual(oneHop(GRAPH, ["nobody"]), []);
  assert.deepEqual(oneHop(GRAPH, []), []);
  assert.deepEqual(oneHop(GRAPH, ["a"], 0), []);
});

Deno.test("tripletsBetween() gives Algorithm 2's triplets in the order of its two loops", () => {
  assert.deepEqual(tripletsBetween(GRAPH, ["c", "b", "a"]).map(formatTriplet), [
    "c, r3, a",
    "b, r2, c",
    "b, r6, a",
    "a, r1, b",
  ]);
  assert.deepEqual(tripletsBetween(GRAPH, ["c", "b", "a"], 2).length, 2);
  assert.deepEqual(tripletsBetween(GRAPH, ["a"]), []); // an entity has no pair with itself
});

Deno.test("oneHop() and tripletsBetween() give no removed triplets", () => {
  const graph = graphOf("a, r1, b");
  graph.remove({ subject: "a", relation: "r1", object: "b" }, 9);
  assert.deepEqual([oneHop(graph, ["a"]), tripletsBetween(graph, ["a", "b"])], [[], []]);
});
