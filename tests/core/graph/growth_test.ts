import assert from "node:assert/strict";
import { KnowledgeGraph, parseTriplets, type Triplet } from "../../../lib/core/graph/mod.ts";
import { diffBetween, graphGrowth } from "../../../lib/core/graph/snapshot.ts";

const [a, b, c] = parseTriplets("a, is, a; b, is, b; c, is, c") as [Triplet, Triplet, Triplet];

function example(): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  graph.add(a, 1);
  graph.add(b, 1);
  graph.remove(a, 3);
  graph.add(c, 3);
  graph.remove(b, 3);
  graph.add(b, 3); // removed and extracted again on one step
  return graph;
}

Deno.test("graphGrowth() counts triplets after each step and those replaced on it", () => {
  assert.deepEqual(graphGrowth(example().changes, 4), [
    { step: 1, triplets: 2, added: 2, replaced: 0 },
    { step: 2, triplets: 2, added: 0, replaced: 0 },
    { step: 3, triplets: 2, added: 1, replaced: 1 },
    { step: 4, triplets: 2, added: 0, replaced: 0 },
  ]);
});

Deno.test("graphGrowth() of nothing is nothing", () => {
  assert.deepEqual(graphGrowth([]), []);
});

Deno.test("diffBetween() leaves out what went and came back", () => {
  assert.deepEqual(diffBetween(example().changes, 1, 3), { added: [c], removed: [a] });
  assert.deepEqual(diffBetween(example().changes, 3, 1), { added: [a], removed: [c] });
});
