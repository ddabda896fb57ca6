/**
 * The tasks of ScienceWorld, without asking the world: Wang et al. 2022, "ScienceWorld: Is your Agent Smarter than a 5th Grader?",
 * arXiv 2203.07540 (Table 2). Number of variations and their division are those of the package, which a test holds this table against.
 *
 * @module
 */

/** Splits of a task's variations. */
export type ScienceWorldSplit = "train" | "dev" | "test";

/** A half-open range of variations. */
export interface VariationRange {
  /** The first variation, ≥ 0. */
  readonly from: number;
  /** The one after the last, which is not in the range. */
  readonly to: number;
}

/** One of the 30 tasks. */
export interface ScienceWorldTask {
  /** Name of the task, and value of the world's parameter `task`. */
  readonly name: string;
  /** Number in the package, `1-1` to `10-2`; the ReasonPlanner paper swaps 6-1 and 6-2. */
  readonly id: string;
  /** Part of the curriculum. */
  readonly topic: "Matter" | "Measurement" | "Electricity" | "Classification" | "Biology" | "Chemistry" | "Forces";
  /** Length of its gold paths by ReasonPlanner's Table 1: short, medium or long. */
  readonly length: "S" | "M" | "L";
  /** Number of variations, which count from 0. */
  readonly variations: number;
  /** The variations of each split. */
  readonly splits: Readonly<Record<ScienceWorldSplit, VariationRange>>;
}

/** All tasks, in the order of their ids. */
export const SCIENCEWORLD_TASKS: readonly ScienceWorldTask[] = ([
  ["1-1", "boil", "Matter", "L", 30],
  ["1-2", "melt", "Matter", "L", 30],
  ["1-3", "freeze", "Matter", "L", 30],
  ["1-4", "change-the-state-of-matter-of", "Matter", "L", 30],
  ["2-1", "use-thermometer", "Measurement", "M", 540],
  ["2-2", "measure-melting-point-known-substance", "Measurement", "M", 436],
  ["2-3", "measure-melting-point-unknown-substance", "Measurement", "L", 300],
  ["3-1", "power-component", "Electricity", "S", 20],
  ["3-2", "power-component-renewable-vs-nonrenewable-energy", "Electricity", "M", 20],
  ["3-3", "test-conductivity", "Electricity", "M", 900],
  ["3-4", "test-conductivity-of-unknown-substances", "Electricity", "M", 600],
  ["4-1", "find-living-thing", "Classification", "S", 300],
  ["4-2", "find-non-living-thing", "Classification", "S", 300],
  ["4-3", "find-plant", "Classification", "S", 300],
  ["4-4", "find-animal", "Classification", "S", 300],
  ["5-1", "grow-plant", "Biology", "L", 126],
  ["5-2", "grow-fruit", "Biology", "L", 126],
  ["6-1", "chemistry-mix", "Chemistry", "S", 32],
  ["6-2", "chemistry-mix-paint-secondary-color", "Chemistry", "M", 36],
  ["6-3", "chemistry-mix-paint-tertiary-color", "Chemistry", "M", 36],
  ["7-1", "lifespan-longest-lived", "Biology", "S", 125],
  ["7-2", "lifespan-shortest-lived", "Biology", "S", 125],
  ["7-3", "lifespan-longest-lived-then-shortest-lived", "Biology", "S", 125],
  ["8-1", "identify-life-stages-1", "Biology", "S", 14],
  ["8-2", "identify-life-stages-2", "Biology", "S", 10],
  ["9-1", "inclined-plane-determine-angle", "Forces", "L", 168],
  ["9-2", "inclined-plane-friction-named-surfaces", "Forces", "L", 1386],
  ["9-3", "inclined-plane-friction-unnamed-surfaces", "Forces", "L", 162],
  ["10-1", "mendelian-genetics-known-plant", "Biology", "L", 120],
  ["10-2", "mendelian-genetics-unknown-plant", "Biology", "L", 480],
] as const).map(([id, name, topic, length, variations]) => ({ name, id, topic, length, variations, splits: splitsOf(variations) }));

/**
 * The first variations of a split, as the papers take them (3 for testing, 5 for training), or all if the split has fewer:
 * `identify-life-stages-2` has 4 for training.
 *
 * @param task its name
 * @throws {RangeError} if the name is no task's, or the count no integer ≥ 0
 *
 * @example
 * ```ts
 * import { firstVariations } from "labyrinth/env";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(firstVariations("boil", "test", 3), [21, 22, 23]);
 * assert.deepEqual(firstVariations("identify-life-stages-2", "train", 5), [0, 1, 2, 3]);
 * ```
 */
export function firstVariations(task: string, split: ScienceWorldSplit, count: number): number[] {
  const found = SCIENCEWORLD_TASKS.find(({ name }) => name === task);
  if (!found) {
    const names = SCIENCEWORLD_TASKS.map(({ name }) => name).join(", ");
    throw new RangeError(`cannot list variations: task must be one of ScienceWorld's 30, current value is "${task}"; they are ${names}`);
  }
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`cannot list variations: count must be an integer ≥ 0, current value is ${count}`);
  }
  const { from, to } = found.splits[split];
  return Array.from({ length: Math.min(count, to - from) }, (_, index) => from + index);
}

/** Two quarters of the variations, rounded down, are for training, one for development, and the rest for testing. */
function splitsOf(variations: number): ScienceWorldTask["splits"] {
  const quarter = Math.floor(variations / 4);
  return { train: { from: 0, to: 2 * quarter }, dev: { from: 2 * quarter, to: 3 * quarter }, test: { from: 3 * quarter, to: variations } };
}
