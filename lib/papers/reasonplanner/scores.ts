/**
 * ReasonPlanner's scores by task and method: tasks go by their names, for the paper's numbers 6-1 and 6-2 stand the other way round in ScienceWorld.
 *
 * @module
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { type Anova, oneWayAnova } from "../../stats/anova.ts";
import { tInterval } from "../../stats/intervals.ts";
import { type DataFrame, type EpisodeRow, rowsOf } from "../../report/frame.ts";
import { paperTable } from "../../report/paper.ts";

/** Condition → its name, in the paper's order; then what only we have. */
export const REASONPLANNER_METHODS: Readonly<Record<string, string>> = {
  saycan: "SayCan",
  react: "ReAct",
  reflexion: "Reflexion",
  reasonplanner: "ReasonPlanner",
  "reasonplanner-without-world-model": "ReasonPlanner w/o WM",
  random: "Random actions",
  oracle: "Gold path",
};

/** Those of Table 1. */
export const TABLE1_METHODS: readonly string[] = ["saycan", "react", "reflexion", "reasonplanner"];

/** A task as the paper prints it. */
export interface PaperTask {
  /** Its key. */
  readonly name: string;
  /** As printed, `6-1`. */
  readonly id: string;
  /** `S`, `M` or `L`. */
  readonly length: string;
  /** Condition → mean and standard deviation as printed. */
  readonly printed: Readonly<Record<string, { readonly mean: string; readonly sd: string }>>;
}

/** The rows of Table 1, in its order; the last one, named `average`, is that of the averages. */
export function paperTasks(): PaperTask[] {
  return paperTable("reasonplanner_table1_scienceworld").map(({ task = "", name = "", length = "", ...numbers }) => ({
    name: task === "Average" ? "average" : name,
    id: task,
    length,
    printed: Object.fromEntries(
      TABLE1_METHODS.map((method) => [method, { mean: numbers[`${method}_mean`] ?? "", sd: numbers[`${method}_sd`] ?? "" }]),
    ),
  }));
}

/** One cell: the variations of a task that a method played. */
export interface TaskScores {
  readonly task: string;
  readonly condition: string;
  /** Variations planned, and those completed. */
  readonly planned: number;
  readonly done: number;
  readonly failed: number;
  /** 0 … 100, of the completed ones, by variation. */
  readonly scores: readonly number[];
  /** Their ids, in the same order. */
  readonly episodes: readonly string[];
  readonly mean: number;
  /** With n − 1; absent below two variations. */
  readonly sd?: number;
  /** Student's 95 % interval of the mean; absent below two variations, or where all are equal. */
  readonly interval?: { readonly low: number; readonly high: number };
}

/** The cells of an episodes frame, training apart, by task and condition. */
export function taskScores(episodes: DataFrame): TaskScores[] {
  const rows = rowsOf<EpisodeRow>(episodes).filter(({ condition }) => condition !== "training");
  const groups = Map.groupBy(rows, ({ game, condition }) => `${game}\n${condition}`);
  return [...groups.values()].map((cell) => {
    const [{ game: task, condition }] = cell as [EpisodeRow, ...EpisodeRow[]];
    const completed = cell.filter(({ normalised }) => normalised !== null);
    const scores = completed.map(({ normalised }) => (normalised as number) * 100);
    const sd = scores.length > 1 ? sampleStandardDeviation(scores) : undefined;
    return {
      task,
      condition,
      planned: cell.length,
      done: completed.length,
      failed: cell.filter(({ status }) => status === "failed").length,
      scores,
      episodes: completed.map(({ episode }) => episode),
      mean: scores.length > 0 ? mean(scores) : NaN,
      ...(sd === undefined ? {} : { sd }),
      ...(sd === undefined || sd === 0 ? {} : { interval: tInterval(scores) }),
    };
  });
}

/** The averages over tasks, as the paper's last row makes them: the mean of the means, NaN of none, and the root of the mean variance. */
export function averageOf(cells: readonly Pick<TaskScores, "mean" | "sd">[]): { readonly mean: number; readonly sd?: number } {
  if (cells.length === 0) return { mean: NaN };
  const sds = cells.map(({ sd }) => sd).filter((sd) => sd !== undefined);
  return {
    mean: mean(cells.map((cell) => cell.mean)),
    ...(sds.length === cells.length ? { sd: Math.sqrt(mean(sds.map((sd) => sd * sd))) } : {}),
  };
}

/** The analysis of variance of §4.2.2, over the mean of each task; `undefined` where it cannot be made. */
export function anovaOf(cells: readonly TaskScores[]): Anova | undefined {
  const groups = TABLE1_METHODS.map((method) =>
    cells.filter(({ condition, done }) => condition === method && done > 0).map((cell) => cell.mean)
  );
  try {
    return oneWayAnova(groups.filter((group) => group.length > 0));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tasks on which ReasonPlanner has more than each baseline, and on which it has at least as much. */
export function leadOf(
  means: (task: string, method: string) => number,
  tasks: readonly string[],
): { readonly more: number; readonly atLeast: number } {
  const leads = tasks.map((task) =>
    means(task, "reasonplanner") - Math.max(...TABLE1_METHODS.slice(0, -1).map((method) => means(task, method)))
  );
  return { more: leads.filter((lead) => lead > 0).length, atLeast: leads.filter((lead) => lead >= 0).length };
}
