import assert from "node:assert/strict";
import { KnowledgeGraph, parseTriplets } from "../../../lib/core/graph/mod.ts";
import { distancesFrom, passagesFrom, shortestPath } from "../../../lib/core/graph/paths.ts";
import { numbers } from "./random.ts";

function graphOf(text: string): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  for (const triplet of parseTriplets(text)) graph.add(triplet, 1);
  return graph;
}

Deno.test("shortestPath() walks passages both ways and turns the word round", () => {
  const graph = graphOf("b, is west of, a; b, is north of, c; d, is east of, c");
  const places = new Set(["a", "b", "c", "d"]);
  assert.deepEqual(shortestPath(graph, { from: "a", to: "d", places }), {
    places: ["a", "b", "c", "d"],
    moves: ["west", "south", "east"],
  });
  assert.deepEqual(shortestPath(graph, { from: "d", to: "a", places })?.moves, [
    "west",
    "north",
    "east",
  ]);
});

Deno.test("shortestPath() prefers the shorter way, and of equal ones the one learnt first", () => {
  // a square a-b-d, a-c-d and a long way round a-e-f-d
  const square =
    "e, is north of, a; f, is north of, e; d, is east of, f; c, is south of, a; b, is east of, a; d, is south of, b; d, is east of, c";
  const places = new Set("abcdef");
  assert.deepEqual(shortestPath(graphOf(square), { from: "a", to: "d", places })?.places, [
    "a",
    "c",
    "d",
  ]);
  const swapped = square.replace(
    "c, is south of, a; b, is east of, a",
    "b, is east of, a; c, is south of, a",
  );
  assert.deepEqual(shortestPath(graphOf(swapped), { from: "a", to: "d", places })?.places, [
    "a",
    "b",
    "d",
  ]);
});

Deno.test("only known places are walked through, and only over compass words", () => {
  const graph = graphOf(
    "b, is north of, a; c, is north of, b; locker, is west of, a; d, can be achieved from, a; a, contains, b",
  );
  assert.equal(shortestPath(graph, { from: "a", to: "c", places: new Set(["a", "c"]) }), undefined);
  assert.equal(shortestPath(graph, { from: "a", to: "d", places: new Set(["a", "d"]) }), undefined);
  assert.deepEqual([...distancesFrom(graph, "a", new Set(["a", "b", "c", "d"]))], [["a", 0], [
    "b",
    1,
  ], ["c", 2]]);
});

Deno.test("a relation written for this way is preferred to one of the way back", () => {
  const graph = graphOf("b, is east of, a; a, is north of, b");
  const places = new Set(["a", "b"]);
  assert.deepEqual(passagesFrom(graph, "a", places), [{ to: "b", move: "south" }]);
  assert.deepEqual(passagesFrom(graph, "b", places), [{ to: "a", move: "west" }]);
});

Deno.test("distances agree with Floyd and Warshall's on random maps", () => {
  const random = numbers(5);
  for (let round = 0; round < 20; round++) {
    const names = Array.from({ length: 9 }, (_, i) => `room ${i}`);
    const graph = new KnowledgeGraph();
    const far = names.map((_, i) => names.map((_, j) => i === j ? 0 : Infinity));
    for (let edge = 0; edge < 9; edge++) {
      const [i, j] = [Math.floor(random() * 9), Math.floor(random() * 9)];
      if (i === j) continue;
      graph.add({ subject: names[i] ?? "", relation: "is east of", object: names[j] ?? "" }, 1);
      const [row, column] = [far[i], far[j]];
      if (row && column) row[j] = column[i] = 1;
    }
    for (let k = 0; k < 9; k++) {
      for (const row of far) {
        row.forEach((value, j) =>
          row[j] = Math.min(value, (row[k] ?? Infinity) + (far[k]?.[j] ?? Infinity))
        );
      }
    }
    names.forEach((from, i) => {
      const found = distancesFrom(graph, from, new Set(names));
      names.forEach((to, j) => assert.equal(found.get(to) ?? Infinity, far[i]?.[j]));
    });
  }
});
