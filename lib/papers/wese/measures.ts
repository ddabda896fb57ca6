/**
 * WESE's three perspectives (§4): effect, efficiency, cost, of a method on a world, each relative to its base method; and the claims of the text.
 *
 * | paper | here |
 * |---|---|
 * | success rate, total and average reward | `success`, `weseTotal`, `reward` (0 … 100) |
 * | average steps of successful tasks; of ScienceWorld until the first positive reward | `steps` |
 * | prompt and completion tokens (of the OpenAI model), expense | `strongPrompt`, `strongCompletion`, `paperDollars`, each a task |
 * | relative improvement, in percent | `weseImprovement`: (x − b)/b of effect, (b − x)/b of steps and expense |
 * | what the text says of the tables (§4.1.3, §4.2.3) | `WESE_CLAIMS`, each a mean of relative differences between cells |
 */

import { mean } from "simple-statistics";
import { type IntervalKind, meanMeasure, type Measure, type Measurement, resampled } from "../../report/estimate.ts";
import { paperTable } from "../../report/paper.ts";
import type { WeseTrial } from "./trials.ts";
import type { WeseMethod } from "./worlds.ts";

type Described = Pick<Measure<WeseTrial>, "name" | "range" | "better" | "digits">;

const TOKENS: Described = { name: "tokens", range: [0, Infinity], better: "less", digits: 0 };
const REPORTED: Described = { name: "tokens", range: [0, Infinity], digits: 0 };
const DOLLARS: Described = { name: "dollars", range: [0, Infinity], better: "less", digits: 4 };

/** The values of an episode: their names in captions, their units, and which way is better. */
const VALUES = {
  success: { name: "success", range: [0, 1], better: "more", digits: 2 },
  reward: { name: "rewards", range: [0, 100], better: "more", digits: 2 },
  steps: { name: "steps", range: [0, Infinity], better: "less", digits: 2 },
  ...{ strongPrompt: TOKENS, strongCompletion: TOKENS, weakPrompt: TOKENS, weakCompletion: TOKENS },
  ...{ cached: REPORTED, reasoning: REPORTED },
  ...{ paperDollars: DOLLARS, dollars: DOLLARS },
} satisfies Record<string, Described>;

export type WeseValue = keyof typeof VALUES;

/** The value of a trial; `undefined` where it does not count (an unsuccessful task has no steps to completion). */
export function weseValue(key: WeseValue, trial: WeseTrial): number | null | undefined {
  if (key === "success") return trial.success ? 1 : 0;
  if (key !== "steps") return trial[key];
  return trial.world === "scienceworld" ? trial.firstReward ?? undefined : trial.success ? trial.steps : undefined;
}

/** The mean of a value over tasks: Wilson's interval of success, Student's of the others. */
export function weseMean(key: WeseValue): Measure<WeseTrial> {
  const interval: IntervalKind = key === "success" ? "wilson" : "student";
  return meanMeasure({ ...VALUES[key], of: (trial) => weseValue(key, trial), interval, how: tasksOf });
}

/** The sum of a value over the tasks that were played. */
export function weseTotal(key: WeseValue): Measure<WeseTrial> {
  const mean = weseMean(key);
  return {
    ...VALUES[key],
    digits: 0,
    estimate: (trials) => {
      const average = mean.estimate(trials);
      if (typeof average === "string") return average;
      return { value: average.value * average.episodes.length, episodes: average.episodes, noInterval: "a total of these tasks" };
    },
  };
}

/** The mean of a value times the paper's tasks, which stands beside the paper's totals. */
export function weseScaled(key: WeseValue, tasks: number): Measure<WeseTrial> {
  const mean = weseMean(key);
  return {
    ...mean,
    how: (trials) => trials.length === tasks ? tasksOf(trials) : `${tasksOf(trials)}, scaled to ${tasks}`,
    estimate: (trials) => {
      const each = mean.estimate(trials);
      if (typeof each === "string") return each;
      const { value, low, high } = each;
      return { ...each, value: value * tasks, low: low === undefined ? low : low * tasks, high: high === undefined ? high : high * tasks };
    },
  };
}

/** How many tasks, and where they come from: the paper's numbers are over other ones unless the official ones are played. */
export function tasksOf(trials: readonly WeseTrial[]): string {
  const sources = [...new Set(trials.map(({ source }) => source))].sort();
  return `over ${new Set(trials.map(({ place }) => place)).size} tasks of ${sources.join(", ")}`;
}

/** The relative improvement of a method on its base; `undefined` of a method without one. */
export function weseImprovement(
  key: WeseValue,
  { condition, base }: WeseMethod,
  { world, task }: { readonly world: string; readonly task?: string },
): Measure<WeseTrial> | undefined {
  if (base === undefined) return undefined;
  return {
    name: "relative improvements",
    better: "more",
    digits: 1,
    interval: "a percentile bootstrap over tasks",
    how: (trials) => tasksOf(trials.filter((trial) => trial.condition === condition)),
    beside: (trial) => trial.world === world && trial.condition === base && (task === undefined || trial.task === task),
    estimate: (trials) =>
      relativeImprovement(key, trials.filter((trial) => trial.condition === condition), trials.filter((trial) => trial.condition === base)),
  };
}

/** How much better a method is than its base, in percent, over the tasks that both have completed; tasks are resampled with both their episodes. */
export function relativeImprovement(key: WeseValue, of: readonly WeseTrial[], base: readonly WeseTrial[]): Measurement | string {
  const partners = new Map(base.map((trial) => [trial.place, trial]));
  const pairs = of.map((trial) => [trial, partners.get(trial.place)]).filter((pair): pair is [WeseTrial, WeseTrial] => !!pair[1]);
  const numbers = pairs.map(([trial, partner]) => [weseValue(key, trial), weseValue(key, partner)] as const);
  if (numbers.flat().includes(null)) return "a trial has no value";
  const ratio = (rows: typeof numbers): number | undefined => {
    const [mine, theirs] = [meanOf(rows.map(([x]) => x)), meanOf(rows.map(([, b]) => b))];
    if (mine === undefined || theirs === undefined || theirs === 0) return undefined;
    return ((VALUES[key] as Described).better === "more" ? mine - theirs : theirs - mine) / theirs * 100;
  };
  const value = ratio(numbers);
  if (value === undefined) return "the base method reached nothing";
  const name = `relative improvement ${key === "paperDollars" ? "expense" : key}`;
  const counted = pairs.flat().filter((trial) => weseValue(key, trial) !== undefined);
  return { value, ...resampled(numbers, (rows) => ratio([...rows]), { name }), episodes: counted.map(({ episode }) => episode) };
}

/** The mean of the numbers that there are; `undefined` of none. */
export function meanOf(values: readonly (number | null | undefined)[]): number | undefined {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** A percentage of the text: a mean of relative differences between cells of the tables. */
export interface WeseClaim extends Readonly<Record<"source" | "text" | "printed", string>> {
  readonly note?: string;
  /** Ids of the worlds, and pairs of conditions there: the first against the second. */
  readonly worlds: readonly string[];
  readonly pairs: readonly (readonly [string, string])[];
  /** The measure: the success rate (in ScienceWorld the average reward), the average steps, the expense. */
  readonly of: "effect" | "steps" | "expense";
  /** Whether less of it counts as positive. */
  readonly less: boolean;
}

/** The percentages in §4.1.3 and §4.2.3. The paper's own tables give each of them. */
export const WESE_CLAIMS: readonly WeseClaim[] = paperTable("wese_text_percentages").map(
  ({ source = "", text = "", printed = "", of, sign, worlds = "", pairs = "", note }) => ({
    ...{ source, text, printed, of: of as WeseClaim["of"], note: note || undefined },
    less: sign === "less",
    worlds: worlds.split(" "),
    pairs: pairs.split(" ").map((pair) => pair.split("/") as [string, string]),
  }),
);

/** The claim's number, given that of each cell; `undefined` where a cell that it needs has none. */
export function claimValue(
  { worlds, pairs, less }: WeseClaim,
  figures: (world: string, condition: string) => number | undefined,
): number | undefined {
  const each = worlds.flatMap((world) =>
    pairs.map(([one, other]) => {
      const [x = NaN, b = NaN] = [figures(world, one), figures(world, other)];
      return 100 * (less ? b - x : x - b) / b;
    })
  );
  return each.every(Number.isFinite) ? mean(each) : undefined;
}

/** The claim's number over trials, with the percentile bootstrap interval over tasks, each drawn with all its episodes. */
export function claimMeasurement(claim: WeseClaim, trials: readonly WeseTrial[]): Measurement | string {
  const episodes = new Set<string>();
  const over = (some: readonly WeseTrial[], counted?: Set<string>): number | undefined => {
    const cells = Map.groupBy(some, ({ world, condition }) => `${world} ${condition}`);
    return claimValue(claim, (world, condition) => {
      const effect = world === "scienceworld" ? "reward" : "success";
      const key = ({ effect, steps: "steps", expense: "paperDollars" } as const)[claim.of];
      const cell = cells.get(`${world} ${condition}`) ?? [];
      for (const trial of cell) if (typeof weseValue(key, trial) === "number") counted?.add(trial.episode);
      return meanOf(cell.map((trial) => weseValue(key, trial)));
    });
  };
  const value = over(trials, episodes);
  if (value === undefined) return "not every cell has a number";
  const tasks = [...Map.groupBy(trials, ({ world, place }) => `${world} ${place}`).values()];
  return { value, ...resampled(tasks, (drawn) => over(drawn.flat()), { name: claim.text }), episodes: [...episodes] };
}
