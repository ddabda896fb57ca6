import assert from "node:assert/strict";
import { IncrementalTopK } from "../../../lib/core/retrieval/top-k.ts";
import { VectorIndex } from "../../../lib/core/retrieval/vector-index.ts";
import { numbers } from "../graph/random.ts";

/** Few different values, so that ties are frequent. */
function coarse(random: () => number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => Math.floor(random() * 3) - 1);
}

function plainSearch(
  rows: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  k: number,
): [number, number][] {
  const sum = (a: Float32Array, b: Float32Array): number =>
    a.reduce((total, value, i) => total + value * (b[i] ?? 0), 0);
  const scored = [...rows].map(([row, vector]): [number, number] => [row, sum(vector, query)]);
  return scored.sort((a, b) => b[1] - a[1]).slice(0, k); // a stable sort: of equals the one inserted first
}

Deno.test("search() and IncrementalTopK give what a full sort gives while rows come and go", () => {
  const random = numbers(3);
  const index = new VectorIndex(6, { normalise: false });
  const rows = new Map<number, Float32Array>(); // in order of addition or restoration
  const vectors: Float32Array[] = [];
  const queries = Array.from({ length: 8 }, () => coarse(random, 6));
  const standing = queries.map((query) => new IncrementalTopK(index, query));
  for (let round = 0; round < 400; round++) {
    const choice = random();
    const row = Math.floor(random() * vectors.length);
    const known = vectors[row];
    if (choice < 0.55 || !known) {
      const vector = coarse(random, 6);
      rows.set(index.add(vector), vector);
      vectors.push(vector);
    } else if (choice < 0.8) assert.equal(index.remove(row), rows.delete(row));
    else if (index.restore(row)) rows.set(row, known);
    assert.equal(index.size, rows.size);
    const asked = Math.floor(random() * queries.length);
    const [query, memory] = [queries[asked], standing[asked]];
    assert(query && memory);
    const k = 1 + Math.floor(random() * 5);
    const wanted = plainSearch(rows, query, k);
    assert.deepEqual(
      index.search(query, k).map(({ row, similarity }) => [row, similarity]),
      wanted,
    );
    assert.deepEqual(memory.top(k).map(({ row, similarity }) => [row, similarity]), wanted);
  }
});

Deno.test("IncrementalTopK gives what a full sort gives when it is asked after thousands of rows were added", () => {
  const random = numbers(4);
  const index = new VectorIndex(6, { normalise: false });
  const rows = new Map<number, Float32Array>();
  const query = coarse(random, 6);
  const early = new IncrementalTopK(index, query);
  for (const burst of [3000, 40, 2500, 1, 1100]) {
    for (let added = 0; added < burst; added++) {
      const vector = coarse(random, 6);
      rows.set(index.add(vector), vector);
    }
    for (let time = 0; time < 4; time++) { // all that it has kept
      for (const { row } of early.top(7)) assert.equal(index.remove(row), rows.delete(row));
    }
    for (const memory of [early, new IncrementalTopK(index, query)]) {
      assert.deepEqual(
        memory.top(7).map(({ row, similarity }) => [row, similarity]),
        plainSearch(rows, query, 7),
      );
    }
  }
});

Deno.test("IncrementalTopK searches again when too few of its kept hits are current", () => {
  const index = new VectorIndex(1, { normalise: false });
  for (const value of [0.9, 0.8, 0.7, 0.6, 0.5]) index.add(Float32Array.of(value));
  const query = new IncrementalTopK(index, Float32Array.of(1));
  assert.deepEqual(query.top(1).map(({ row }) => row), [0]);
  for (const row of [0, 1, 2]) index.remove(row);
  index.add(Float32Array.of(0.1));
  assert.deepEqual(query.top(2).map(({ row }) => row), [3, 4]);
});

Deno.test("VectorIndex gives a zero vector the similarity 0 to all", () => {
  const index = new VectorIndex(3);
  index.add(new Float32Array(3));
  index.add(Float32Array.of(0, 1, 0));
  assert.deepEqual(index.search(Float32Array.of(0, 1, 0), 2).map(({ row }) => row), [1, 0]);
  assert.deepEqual(index.search(new Float32Array(3), 1), [{ row: 0, similarity: 0 }]);
});

Deno.test("search() breaks ties by age in spite of 32-bit rounding noise", () => {
  const index = new VectorIndex(3);
  index.add(Float32Array.of(0.1, 0.2, 0.3)); // the same direction …
  index.add(Float32Array.of(0.7, 1.4, 2.1)); // … scaled, which no longer is quite the same after rounding
  index.add(Float32Array.of(0.3, 0.6, 0.9));
  for (const query of [[1, 0, 0], [0, 1, 0], [1, 2, 3], [-5, 1, 1]]) {
    assert.deepEqual(index.search(Float32Array.from(query), 3).map(({ row }) => row), [0, 1, 2]);
  }
});
