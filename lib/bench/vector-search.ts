/**
 * Benchmark of exact search among vectors.
 *
 * @module
 */

import process from "node:process";
import { createDraw } from "../random.ts";
import { VectorIndex } from "../retrieval/vector-index.ts";
import { type Measurement, measurement, median, processorMs } from "./benchmarks.ts";

/** Numbers in a vector of the benchmark of searches: as many as those of all-MiniLM-L6-v2. */
const DIMENSIONS = 384;

/**
 * Exact search of the 6 nearest of 10,000 and of 100,000 triplets. Processor time, which other programs on the machine do not lengthen; and the
 * cost a triplet, which should not grow with their number.
 */
export function benchSearch(): Measurement[] {
  const draw = createDraw("vectors");
  const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => draw.next() - 0.5);
  const index = new VectorIndex(DIMENSIONS);

  function searchOf(size: number): number {
    while (index.size < size) index.add(vector());
    const times = Array.from({ length: 25 }, () => {
      const query = vector();
      const started = process.cpuUsage();
      for (let repeat = 0; repeat < 100_000 / size; repeat++) index.search(query, 6);
      return processorMs(started) / (100_000 / size);
    });
    return median(times.slice(5)); // the first ones warm the engine up
  }

  const [small, large] = [searchOf(10_000), searchOf(100_000)];
  const growth = large / small / 10;
  const shared = { dimensions: DIMENSIONS, width: 6 };
  const few = { name: "search-10k", says: "exact top 6 of 10,000 triplets", value: small, unit: "ms", details: shared };
  const many = { name: "search-100k", says: "exact top 6 of 100,000 triplets", value: large, unit: "ms", details: shared };
  const costs = { name: "search-growth", says: "cost a triplet of 100,000 ÷ that of 10,000", value: growth, unit: "×" };
  return [
    measurement(few, { is: "<", bound: 5 }),
    measurement(many, { is: "<", bound: 50 }),
    measurement({ ...costs, details: { smallNs: small * 100, largeNs: large * 10 } }, { is: "≤", bound: 1.3 }),
  ];
}
