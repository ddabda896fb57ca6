import assert from "node:assert/strict";
import { displaySymbol } from "../../../lib/core/platform.ts";
import {
  formatTriplet,
  graphFromJson,
  graphToJson,
  KnowledgeGraph,
  parseTriplets,
  snapshotAt,
  type Triplet,
} from "../../../lib/core/graph/mod.ts";
import { numbers } from "./random.ts";

Deno.test("equal triplets are one, and each stretch of standing is told", () => {
  const graph = new KnowledgeGraph();
  const [key] = parseTriplets("key, is in, locker") as [Triplet];
  assert.equal(graph.add(key, 1), true);
  assert.equal(graph.add({ ...key }, 2), false);
  assert.equal(graph.remove(key, 3), true);
  assert.equal(graph.remove(key, 3), false);
  assert.equal(graph.has(key), false);
  assert.equal(graph.add(key, 5), true);
  assert.deepEqual(graph.changes.map(({ op, time }) => [op, time]), [["add", 1], ["remove", 3], [
    "add",
    5,
  ]]);
  assert.equal(graph.size, 1);
});

Deno.test("incident() gives what touches an entity at either end, oldest first, a loop once", () => {
  const graph = new KnowledgeGraph();
  for (const triplet of parseTriplets("a, r, b; b, r, c; a, r, a; c, r, d; b, s, a")) {
    graph.add(triplet, 1);
  }
  assert.deepEqual(graph.incident("a").map(formatTriplet), ["a, r, b", "a, r, a", "b, s, a"]);
  assert.deepEqual(graph.incident("nobody"), []);
  for (const triplet of graph.incident("a")) graph.remove(triplet, 2);
  assert.deepEqual(graph.entities(), ["b", "c", "d"]);
});

Deno.test("a graph keeps to what a plain set of triplets would do", () => {
  const random = numbers(11);
  const graph = new KnowledgeGraph();
  const plain = new Map<string, Triplet>();
  const names = ["a", "b", "c", "d"];
  const pick = (): string => names[Math.floor(random() * names.length)] ?? "a";
  const history: string[][] = [[]];
  for (let time = 1; time <= 200; time++) {
    for (let i = 0; i < 3; i++) {
      const triplet = { subject: pick(), relation: pick(), object: pick() };
      const key = formatTriplet(triplet);
      if (random() < 0.6) {
        assert.equal(graph.add(triplet, time), !plain.has(key));
        if (!plain.has(key)) plain.set(key, triplet);
      } else assert.equal(graph.remove(triplet, time), plain.delete(key));
    }
    history.push([...plain.keys()]);
    for (const name of names) {
      const touching = [...plain.values()].filter(({ subject, object }) =>
        subject === name || object === name
      );
      assert.deepEqual(graph.incident(name), touching);
    }
  }
  assert.deepEqual(graph.triplets().map(formatTriplet), [...plain.keys()]);
  for (const time of [0, 1, 57, 200]) {
    assert.deepEqual(snapshotAt(graph.changes, time).map(formatTriplet), history[time]);
  }

  const copy = graphFromJson(JSON.parse(JSON.stringify(graphToJson(graph))));
  assert.deepEqual(copy.changes, graph.changes);
  assert.deepEqual(copy.triplets(), graph.triplets());
});

Deno.test("a cell shows a graph as its triplets", () => {
  const graph = new KnowledgeGraph();
  graph.add({ subject: "key", relation: "is in", object: "locker" }, 1);
  assert.deepEqual(graph[displaySymbol](), {
    "text/plain": "1 triplets, 0 episodes\nkey, is in, locker",
  });
});
