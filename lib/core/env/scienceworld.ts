/**
 * The tasks of ScienceWorld (Wang et al. 2022, arXiv 2203.07540, Table 2), without asking the
 * world. A test compares variations and splits with the package.
 */

import tasks from "../../../data/library/scienceworld-tasks.json" with { type: "json" };

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
  readonly topic:
    | "Matter"
    | "Measurement"
    | "Electricity"
    | "Classification"
    | "Biology"
    | "Chemistry"
    | "Forces";
  /** Length of its gold paths by ReasonPlanner's Table 1: short, medium or long. */
  readonly length: "S" | "M" | "L";
  /** Number of variations, which count from 0. */
  readonly variations: number;
  /** The variations of each split. */
  readonly splits: Readonly<Record<ScienceWorldSplit, VariationRange>>;
}

/** All tasks, in the order of their ids. */
export const SCIENCEWORLD_TASKS: readonly ScienceWorldTask[] =
  (tasks as Omit<ScienceWorldTask, "splits">[])
    .map((task) => ({ ...task, splits: splitsOf(task.variations) }));

/**
 * Two quarters of the variations, rounded down, are for training, one for development, and the rest
 * for testing.
 */
function splitsOf(variations: number): ScienceWorldTask["splits"] {
  const quarter = Math.floor(variations / 4);
  return {
    train: { from: 0, to: 2 * quarter },
    dev: { from: 2 * quarter, to: 3 * quarter },
    test: { from: 3 * quarter, to: variations },
  };
}
