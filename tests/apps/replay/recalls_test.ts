import assert from "node:assert/strict";
import { KnowledgeGraph } from "../../../lib/core/graph/knowledge-graph.ts";
import { formatTriplet } from "../../../lib/core/graph/triplet.ts";
import { tripletAsWritten } from "../../../lib/apps/replay/answers.ts";
import {
  faultsOf,
  mostRecalled,
  touchingItems,
  twoPasses,
} from "../../../lib/apps/replay/recalls.ts";

function graphOf(...texts: string[]): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  for (const text of texts) graph.add(tripletAsWritten(text), 1);
  return graph;
}

Deno.test("touchingItems() takes what touches the items, then their other ends, 30 in all", () => {
  const graph = graphOf(
    "x, is, itself",
    "a, in, b",
    "b, in, c",
    "c, in, d",
    "itself, is, y",
    "a, is, itself",
  );
  const { first, second, length } = touchingItems(graph, ["x", "a"]);
  assert.deepEqual(first.map(formatTriplet), ["x, is, itself", "a, in, b", "a, is, itself"]);
  assert.deepEqual(second.map(formatTriplet), ["b, in, c"]);
  assert.equal(length, 4);
  const many = graphOf(...Array.from({ length: 40 }, (_, index) => `a, has, ${index}`));
  assert.deepEqual([touchingItems(many, ["a"]).first.length, touchingItems(many, ["a"]).length], [
    30,
    30,
  ]);
});

Deno.test("twoPasses() follows ends of the first pass, and in the second also its own, forward", () => {
  const graph = graphOf("d, in, e", "c, in, d", "a, in, b", "b, in, c", "c, is, f", "f, is, g");
  // first pass: a–b; second, with a and b known: b–c, then c–f and f–g, while c–d and d–e stand
  // before b–c
  assert.deepEqual(twoPasses(graph, ["a"]).map(formatTriplet), [
    "a, in, b",
    "b, in, c",
    "c, is, f",
    "f, is, g",
  ]);
});

Deno.test("mostRecalled() is 6, 78 or 942 an item, and 1.5 counts as 2", () => {
  const most = (importance: number): number => mostRecalled(new Map([["x", importance]]));
  assert.deepEqual([1, 1.5, 2, 3].map(most), [6, 78, 78, 942]);
  assert.equal(mostRecalled(new Map([["x", 1], ["y", 2]])), 84);
});

Deno.test("faultsOf() names triplets that do not stand, are new or come twice, and wrong numbers", () => {
  const graph = graphOf("a, in, b", "b, in, c");
  const recall = { graph, fresh: [], items: new Map([["a", 1]]), length: undefined };
  assert.deepEqual(faultsOf({ ...recall, recalled: ["a, in, b", "b, in, c"] }), []);
  assert.deepEqual(faultsOf({ ...recall, recalled: ["a, in, c"] }), ["a, in, c does not stand"]);
  assert.deepEqual(
    faultsOf({ ...recall, fresh: [tripletAsWritten("a, in, b")], recalled: ["a, in, b"] }),
    ["a, in, b is new"],
  );
  assert.deepEqual(faultsOf({ ...recall, recalled: ["a, in, b", "a, in, b"] }), [
    "one comes twice",
  ]);
  assert.deepEqual(faultsOf({ ...recall, recalled: [], length: 1 }), ["there should be 1"]);
  assert.deepEqual(faultsOf({ ...recall, items: new Map(), recalled: ["a, in, b"] }), [
    "there are 1, more than 0",
  ]);
});
