/**
 * The tasks of ScienceWorld, without asking the world: Wang et al. 2022, "ScienceWorld: Is your Agent Smarter than a 5th Grader?",
 * arXiv 2203.07540 (Table 2). Number of variations and their division are those of the package, which a test holds this table against.
 *
 * @module
 */

/** Parts of a task's variations. */
export type ScienceWorldSplit = "train" | "dev" | "test";

/** Numbers of variations, from the first up to and without the last. */
export interface VariationRange {
  /** The first variation, ≥ 0. */
  readonly from: number;
  /** The one after the last. */
  readonly to: number;
}

/** One of the 30 tasks. */
export interface ScienceWorldTask {
  /** Its key everywhere, and the world's parameter `task`. */
  readonly name: string;
  /** As the package numbers it, `1-1` to `10-2`; the ReasonPlanner paper prints 6-1 and 6-2 the other way round. */
  readonly id: string;
  /** Part of the curriculum. */
  readonly topic: "Matter" | "Measurement" | "Electricity" | "Classification" | "Biology" | "Chemistry" | "Forces";
  /** How long its gold paths are, as ReasonPlanner's Table 1 says: short, medium, long. */
  readonly length: "S" | "M" | "L";
  /** How many there are, from 0. */
  readonly variations: number;
  /** Which of them belong where. */
  readonly splits: Readonly<Record<ScienceWorldSplit, VariationRange>>;
}

/** All tasks, in the order of their ids. */
export const SCIENCEWORLD_TASKS: readonly ScienceWorldTask[] = [
  task("1-1", "boil", "Matter", "L", 30),
  task("1-2", "melt", "Matter", "L", 30),
  task("1-3", "freeze", "Matter", "L", 30),
  task("1-4", "change-the-state-of-matter-of", "Matter", "L", 30),
  task("2-1", "use-thermometer", "Measurement", "M", 540),
  task("2-2", "measure-melting-point-known-substance", "Measurement", "M", 436),
  task("2-3", "measure-melting-point-unknown-substance", "Measurement", "L", 300),
  task("3-1", "power-component", "Electricity", "S", 20),
  task("3-2", "power-component-renewable-vs-nonrenewable-energy", "Electricity", "M", 20),
  task("3-3", "test-conductivity", "Electricity", "M", 900),
  task("3-4", "test-conductivity-of-unknown-substances", "Electricity", "M", 600),
  task("4-1", "find-living-thing", "Classification", "S", 300),
  task("4-2", "find-non-living-thing", "Classification", "S", 300),
  task("4-3", "find-plant", "Classification", "S", 300),
  task("4-4", "find-animal", "Classification", "S", 300),
  task("5-1", "grow-plant", "Biology", "L", 126),
  task("5-2", "grow-fruit", "Biology", "L", 126),
  task("6-1", "chemistry-mix", "Chemistry", "S", 32),
  task("6-2", "chemistry-mix-paint-secondary-color", "Chemistry", "M", 36),
  task("6-3", "chemistry-mix-paint-tertiary-color", "Chemistry", "M", 36),
  task("7-1", "lifespan-longest-lived", "Biology", "S", 125),
  task("7-2", "lifespan-shortest-lived", "Biology", "S", 125),
  task("7-3", "lifespan-longest-lived-then-shortest-lived", "Biology", "S", 125),
  task("8-1", "identify-life-stages-1", "Biology", "S", 14),
  task("8-2", "identify-life-stages-2", "Biology", "S", 10),
  task("9-1", "inclined-plane-determine-angle", "Forces", "L", 168),
  task("9-2", "inclined-plane-friction-named-surfaces", "Forces", "L", 1386),
  task("9-3", "inclined-plane-friction-unnamed-surfaces", "Forces", "L", 162),
  task("10-1", "mendelian-genetics-known-plant", "Biology", "L", 120),
  task("10-2", "mendelian-genetics-unknown-plant", "Biology", "L", 480),
];

/**
 * The first variations of a split, as the papers take them: 3 for testing, 5 for training. Fewer where the split has fewer: of
 * `identify-life-stages-2` there are 4 to train on.
 *
 * @param task its name
 * @throws {RangeError} for a name that is no task's, or a count that is no whole number ≥ 0
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
function task(
  id: string,
  name: string,
  topic: ScienceWorldTask["topic"],
  length: ScienceWorldTask["length"],
  variations: number,
): ScienceWorldTask {
  const quarter = Math.floor(variations / 4);
  return {
    name,
    id,
    topic,
    length,
    variations,
    splits: {
      train: { from: 0, to: 2 * quarter },
      dev: { from: 2 * quarter, to: 3 * quarter },
      test: { from: 3 * quarter, to: variations },
    },
  };
}
