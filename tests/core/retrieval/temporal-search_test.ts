import assert from "node:assert/strict";
import {
  KnowledgeGraph,
  type TemporalFact,
  TemporalFacts,
  type Triplet,
} from "../../../lib/core/graph/mod.ts";
import { tripletKey } from "../../../lib/core/graph/triplet.ts";
import { temporalSearch } from "../../../lib/core/retrieval/mod.ts";
import { numbers } from "../graph/random.ts";

type Told = readonly [string, string, number];

function graphOf(told: readonly Told[]): TemporalFacts {
  const facts = new TemporalFacts(new KnowledgeGraph());
  for (const [subject, object, time] of told) facts.tell({ subject, relation: "r", object }, time);
  return facts;
}

function names(facts: readonly TemporalFact[]): string[] {
  return facts.map(({ triplet, time }) => `${triplet.subject}${triplet.object}${time}`);
}

Deno.test("temporalSearch() gives path, ring and order of time of Figure 3, by hand", () => {
  const graph = graphOf([
    ["a", "b", 5],
    ["c", "b", 2],
    ["b", "x", 9],
    ["x", "y", 1],
    ["c", "z", 3],
    ["x", "z", 4],
    ["a", "b", 7],
  ]);
  const near = temporalSearch(graph, { from: "a", to: "c", hops: 0 });
  assert.deepEqual(near.path, ["a", "b", "c"]);
  assert.deepEqual(names(near.facts), ["cb2", "ab5", "ab7"]);
  const ring = temporalSearch(graph, { from: "a", to: "c", hops: 1 });
  assert.deepEqual([...ring.rings], [["a", 0], ["b", 0], ["c", 0], ["x", 1], ["z", 1]]);
  assert.deepEqual(names(ring.facts), ["cb2", "cz3", "xz4", "ab5", "ab7", "bx9"]); // xz: the subgraph is maximal; xy lies outside
  assert.equal(temporalSearch(graph, { from: "a", to: "c", hops: 2 }).facts.length, 7);
});

Deno.test("temporalSearch() grows a ring around each entity when no path joins them", () => {
  const graph = graphOf([["a", "b", 1], ["c", "d", 2], ["e", "f", 3]]);
  const apart = temporalSearch(graph, { from: "a", to: "c", hops: 1 });
  assert.deepEqual(apart.path, []);
  assert.deepEqual(names(apart.facts), ["ab1", "cd2"]);
  assert.deepEqual(names(temporalSearch(graph, { from: "a", to: "nowhere", hops: 1 }).facts), [
    "ab1",
  ]);
  assert.deepEqual(temporalSearch(graph, { from: "nowhere", to: "neverland", hops: 3 }).facts, []);
  assert.deepEqual(temporalSearch(graph, { from: "a", to: "a", hops: 0 }).path, ["a"]);
  assert.throws(() => temporalSearch(graph, { from: "a", to: "b", hops: -1 }), {
    name: "RangeError",
    message: /hops/,
  });
});

/** The definition, written down slowly: breadth first from one end, and every telling tried. */
function reference(
  told: readonly Told[],
  from: string,
  to: string,
): { length: number; between: string[] } {
  const near = (entity: string) =>
    told.flatMap(([a, b]) => a === entity ? [b] : b === entity ? [a] : []);
  const distance = new Map([[from, 0]]);
  for (const entity of distance.keys()) {
    for (const next of near(entity)) {
      if (!distance.has(next)) distance.set(next, (distance.get(entity) as number) + 1);
    }
  }
  const length = near(from).length > 0 && near(to).length > 0 ? distance.get(to) ?? -1 : -1;
  const back = new Map([[to, 0]]);
  for (const entity of back.keys()) {
    for (const next of near(entity)) {
      if (!back.has(next)) back.set(next, (back.get(entity) as number) + 1);
    }
  }
  const onShortest = (entity: string) =>
    (distance.get(entity) ?? NaN) + (back.get(entity) ?? NaN) === length;
  return { length, between: [...distance.keys()].filter(onShortest) };
}

Deno.test("temporalSearch() agrees with its definition on random graphs", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = numbers(seed);
    const size = 4 + Math.floor(next() * 14);
    const told = Array.from({ length: Math.floor(size * (0.6 + next())) }, (_, i): Told => {
      return [
        `n${Math.floor(next() * size)}`,
        `n${Math.floor(next() * size)}`,
        Math.floor(next() * 9) + i,
      ];
    }).sort((a, b) => a[2] - b[2]);
    const graph = graphOf(told);
    const [from, to] = [`n${Math.floor(next() * size)}`, `n${Math.floor(next() * size)}`];
    const hops = Math.floor(next() * 3);
    const { path, rings, facts } = temporalSearch(graph, { from, to, hops });
    const { length, between } = reference(told, from, to);
    assert.equal(path.length - 1, length, `seed ${seed}: a shortest path`);
    assert.ok(path.every((entity) => between.includes(entity)), `seed ${seed}: on a shortest path`);
    path.slice(1).forEach((entity, i) => assert.ok(graph.around(path[i] as string).has(entity)));

    const inside = new Set(
      path.length > 0
        ? path
        : [from, to].filter((entity) => told.some(([a, b]) => a === entity || b === entity)),
    );
    for (let hop = 0; hop < hops; hop++) {
      for (const [a, b] of told.filter(([a, b]) => inside.has(a) !== inside.has(b))) {
        inside.add(`+${a}`).add(`+${b}`);
      }
      for (const entity of [...inside]) {
        if (entity.startsWith("+")) inside.delete(entity), inside.add(entity.slice(1));
      }
    }
    assert.deepEqual(new Set(rings.keys()), inside, `seed ${seed}: the rings`);
    const wanted = new Map<string, Triplet>();
    for (const [subject, object, time] of told) {
      const triplet = { subject, relation: "r", object };
      if (inside.has(subject) && inside.has(object)) {
        wanted.set(`${time} ${tripletKey(triplet)}`, triplet);
      }
    }
    assert.deepEqual(facts.map(({ time, triplet }) => `${time} ${tripletKey(triplet)}`), [
      ...wanted.keys(),
    ], `seed ${seed}: the facts`);
  }
});

Deno.test("temporalSearch() visits no fact outside the rings, not even at a hub", () => {
  const facts = graphOf([
    ["a", "b", 1],
    ["b", "hub", 2],
    ...Array.from({ length: 3000 }, (_, i): Told => ["hub", `far ${i}`, 3 + i]),
  ]);
  let looked = 0;
  const watched = {
    around: (entity: string) => {
      const around = facts.around(entity);
      return new Proxy(around, {
        get: (map, name) => {
          const value = Reflect.get(map, name, map) as unknown;
          if (name !== "keys") return typeof value === "function" ? value.bind(map) : value;
          return () => map.keys().map((key) => (looked++, key));
        },
      });
    },
  };
  const { facts: found } = temporalSearch(watched, { from: "a", to: "b", hops: 1 });
  assert.deepEqual(names(found), ["ab1", "bhub2"]);
  assert.ok(looked < 20, `${looked} neighbours were looked at`);
});
