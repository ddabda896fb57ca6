/** Exact search among vectors. */

import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "simple-statistics";
import { createDraw } from "../../core/random.ts";
import { VectorIndex } from "../../core/retrieval/vector-index.ts";
import { measured, type Measurement, processorMs } from "./measure.ts";

/** Numbers in a vector, as of all-MiniLM-L6-v2; searches; and rows of the middle size. */
const [DIMENSIONS, ROUNDS, ADDED] = [384, 25, 100_000];

/** Exact search of the 6 nearest rows, adding rows, and memory. Processor time. */
export function benchSearch(): Measurement[] {
  const draw = createDraw("vectors");
  const vector = (): Float32Array =>
    Float32Array.from({ length: DIMENSIONS }, () => draw.next() - 0.5);
  const pool = Array.from({ length: ADDED }, vector);
  const small = new VectorIndex(DIMENSIONS);
  for (const row of pool.slice(0, ADDED / 10)) small.add(row);
  const [few = NaN] = searchTimes([small], ADDED / 10, vector);
  const before = residentBytes();
  const started = process.cpuUsage();
  const [index, plain] = [
    new VectorIndex(DIMENSIONS),
    new VectorIndex(DIMENSIONS, { scanFrom: Infinity }),
  ];
  for (const row of pool) index.add(row);
  index.search(pool[0] as Float32Array, 6);
  const adding = processorMs(started);
  const memory = (residentBytes() - before) / (ADDED * DIMENSIONS * 4);
  const [large = NaN] = searchTimes([index], ADDED, vector);
  for (const row of pool) plain.add(row);
  const [ours = NaN, all = NaN] = searchTimes([index, plain], ADDED, vector);
  while (index.size < 10 * ADDED) {
    index.add(pool[index.size % ADDED]?.map((value) => value + draw.next() / 10) as Float32Array);
  }
  const [many = NaN] = searchTimes([index], 10 * ADDED, vector);
  const three = "100,000 triplets";
  return [
    measured("search-10k", "exact top 6 of 10,000 triplets", few, "ms", { most: 0.5 }),
    measured("search-100k", `exact top 6 of ${three}`, large, "ms", { most: 3 }),
    measured("search-1m", "exact top 6 of 1,000,000 triplets", many, "ms", { most: 20 }),
    measured("search-ratio", "comparing all of 100,000 ÷ the search", all / ours, "×"),
    measured("search-add", `adding ${three} and searching once`, adding, "ms", { most: 1000 }),
    measured("search-memory", `memory of ${three} ÷ their floats`, memory, "×", { most: 1.3 }),
  ];
}

/** Median time of a search in each index, ms, in turns. */
function searchTimes(
  indexes: readonly VectorIndex[],
  size: number,
  vector: () => Float32Array,
): number[] {
  const repeats = Math.max(1, Math.round(ADDED / size));
  const times = indexes.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    const query = vector();
    for (const [at, index] of indexes.entries()) {
      const started = process.cpuUsage();
      for (let repeat = 0; repeat < repeats; repeat++) index.search(query, 6);
      times[at]?.push(processorMs(started) / repeats);
    }
  }
  return times.map((each) => median(each.slice(5))); // the first ones warm the engine up
}

/** Resident memory of this process after its garbage is collected, in bytes. */
function residentBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().rss;
}
