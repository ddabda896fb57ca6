/**
 * What is measured of ReasonPlanner's episodes (§4.2.2, Tables 1 and 2).
 *
 * | paper | here |
 * |---|---|
 * | mean of a task | mean over its variations, with Student's interval |
 * | standard deviation | over the variations, n − 1 |
 * | last row of Table 1 | mean of the tasks' means, root of their mean variance: so the paper's own 24.0, 25.6, 27.2 and 21.5 come about |
 * | one-way ANOVA | over the means of the tasks, a group a method |
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { countText } from "../../report/caption-text.ts";
import { meanMeasure, type Measure, wholeMeasure } from "../../report/estimate.ts";
import { type Anova, oneWayAnova } from "../../core/stats/anova.ts";
import { paperTasks, type ReasonPlannerTrial, TABLE1_METHODS } from "./trials.ts";

const TASKS_ARE_ALL = "the tasks are no sample of others";
const ONE_VARIATION = "one variation has no standard deviation";

/** The mean score of a task's variations. */
export const TASK_MEAN: Measure<ReasonPlannerTrial> = meanMeasure<ReasonPlannerTrial>({
  name: "score",
  of: ({ score }) => score,
  digits: 1,
  range: [0, 100],
  better: "more",
  interval: "student",
  how: meanText,
  // the standard deviation stands in the next column
  show: ({ value }) => value.toFixed(1),
});

/** The standard deviation over a task's variations. */
export const TASK_DEVIATION = wholeMeasure<ReasonPlannerTrial>({
  name: "standard deviation",
  digits: 1,
  counts: ({ score }) => score !== null,
  of: (trials) => taskScores(trials)[0]?.sd ?? ONE_VARIATION,
  noInterval: "the variations are too few for one",
});

/** The average over tasks of their means. */
export const AVERAGE_MEAN: Measure<ReasonPlannerTrial> = averageMeasure("average", ({ mean }) => mean, meanText);

/** The average over tasks of their standard deviations. */
export const AVERAGE_DEVIATION: Measure<ReasonPlannerTrial> = averageMeasure("standard deviation", ({ sd }) => sd ?? ONE_VARIATION);

function averageMeasure(
  name: string,
  of: (average: ReturnType<typeof averageOf>) => number | string,
  how?: (trials: readonly ReasonPlannerTrial[]) => string,
): Measure<ReasonPlannerTrial> {
  return wholeMeasure({
    name,
    digits: 1,
    how,
    beside: () => false, // the rows above have its trials: captions count them there
    of: (trials) => of(averageOf(taskScores(trials))),
    noInterval: TASKS_ARE_ALL,
  });
}

/** The measure of a number of the text, made of all cells of Table 1. */
export function textMeasure(name: string, of: (cells: readonly TaskScores[]) => number | string): Measure<ReasonPlannerTrial> {
  const wanted = paperTasks().length * TABLE1_METHODS.length;
  return wholeMeasure({
    name,
    of: (trials) => {
      const cells = taskScores(trials);
      return cells.length < wanted ? `complete in ${cells.length} of ${wanted} cells` : of(cells);
    },
    noInterval: TASKS_ARE_ALL,
  });
}

function meanText(trials: readonly ReasonPlannerTrial[]): string {
  const tasks = Map.groupBy(trials, ({ task }) => task);
  return `mean over ${countText([...tasks.values()].map(({ length }) => length), "variation")}`;
}

/** The scores of a task's variations under a condition. */
export interface TaskScores {
  readonly task: string;
  readonly condition: string;
  readonly mean: number;
  /** The standard deviation, with n − 1; `undefined` below two variations. */
  readonly sd?: number;
}

/** Mean and standard deviation of each task and condition in some trials; those without a score are left out. */
export function taskScores(trials: readonly ReasonPlannerTrial[]): TaskScores[] {
  return [...Map.groupBy(trials, ({ task, condition }) => `${task}\n${condition}`).values()].flatMap((cell) => {
    const [{ task, condition }] = cell as [ReasonPlannerTrial, ...ReasonPlannerTrial[]];
    const scores = cell.flatMap(({ score }) => score ?? []);
    if (scores.length === 0) return [];
    return [{ task, condition, mean: mean(scores), sd: scores.length > 1 ? sampleStandardDeviation(scores) : undefined }];
  });
}

/** The averages over tasks, as the paper's last row makes them: the mean of the means, NaN of none, and the root of the mean variance. */
export function averageOf(cells: readonly Pick<TaskScores, "mean" | "sd">[]): { readonly mean: number; readonly sd?: number } {
  if (cells.length === 0) return { mean: NaN };
  const sds = cells.map(({ sd }) => sd).filter((sd) => sd !== undefined);
  return {
    mean: mean(cells.map((cell) => cell.mean)),
    sd: sds.length === cells.length ? Math.sqrt(mean(sds.map((sd) => sd * sd))) : undefined,
  };
}

/** The analysis of variance of §4.2.2, over the mean of each task; `undefined` where it cannot be made. */
export function anovaOf(cells: readonly TaskScores[]): Anova | undefined {
  const groups = TABLE1_METHODS.map((method) => cells.filter(({ condition }) => condition === method).map((cell) => cell.mean));
  try {
    return oneWayAnova(groups.filter((group) => group.length > 0));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** On how many tasks ReasonPlanner has more than each baseline, and on how many at least as much. */
export function leadOf(
  cells: readonly Pick<TaskScores, "task" | "condition" | "mean">[],
): { readonly more: number; readonly atLeast: number } {
  const leads = [...Map.groupBy(cells, ({ task }) => task).values()].map((task) => {
    const means = new Map(task.map(({ condition, mean }) => [condition, mean]));
    const [best = NaN, ...others] = TABLE1_METHODS.toReversed().map((method) => means.get(method) ?? NaN);
    return best - Math.max(...others);
  });
  return { more: leads.filter((lead) => lead > 0).length, atLeast: leads.filter((lead) => lead >= 0).length };
}

/** ReasonPlanner's average divided by that of the best baseline. */
export function ratioOf(cells: readonly TaskScores[]): number {
  const averages = TABLE1_METHODS.map((method) => averageOf(cells.filter(({ condition }) => condition === method)).mean);
  return (averages.at(-1) ?? NaN) / Math.max(...averages.slice(0, -1));
}
