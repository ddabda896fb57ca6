/**
 * WESE's three perspectives (§4): effect, efficiency, cost, of a method on a world, each relative to its base method.
 *
 * | paper | here |
 * |---|---|
 * | success rate, total and average reward | `success`, `totalReward`, `reward` (0 … 100) |
 * | average steps of successful tasks; of ScienceWorld until the first positive reward | `steps` |
 * | prompt and completion tokens (of the OpenAI model), expense | `strongPrompt`, `strongCompletion`, `expense`, each a task |
 * | relative improvement, in percent | `relativeImprovement`: (x − b)/b of effect, (b − x)/b of steps and expense |
 *
 * @module
 */

import { mean } from "simple-statistics";
import { createDraw } from "../../random.ts";
import { type Interval, tInterval, wilsonInterval } from "../../stats/intervals.ts";
import { paperTable } from "../../report/paper.ts";
import type { WeseTrial } from "./trials.ts";

/** A world as the paper has it. */
export interface WeseWorld {
  /** As in `WeseTrial`. */
  readonly id: string;
  readonly name: string;
  /** What of Labyrinth's own is played in its place, by default. */
  readonly own?: string;
  /** Number of the paper's table. */
  readonly table: number;
  /** Name of the file of its numbers in `data/papers/`. */
  readonly numbers: string;
  /** Tasks in the paper. */
  readonly tasks: number;
}

/** The paper's worlds, in its order. */
export const WESE_WORLDS: readonly WeseWorld[] = [
  { id: "alfworld", name: "ALFWorld", own: "households", table: 1, numbers: "wese_table1_alfworld", tasks: 134 },
  { id: "scienceworld", name: "ScienceWorld", table: 2, numbers: "wese_table2_scienceworld", tasks: 296 },
  { id: "hotpotqa", name: "HotpotQA", own: "questions", table: 3, numbers: "wese_table3_hotpotqa", tasks: 500 },
  { id: "fever", name: "FEVER", own: "claims", table: 4, numbers: "wese_table4_fever", tasks: 500 },
];

/** Where `WeseTrial.source` says that a task is Labyrinth's own. */
const OWN_SOURCES: readonly string[] = ["alfworld households", "alfworld fresh", "wiki/encyclopedia"];

/** What a world is called in titles, which say so where the tasks are not the paper's: `our questions (for HotpotQA)`. */
export function weseWorldName(world: string, trials: readonly Pick<WeseTrial, "world" | "source">[]): string {
  const { name, own } = WESE_WORLDS.find(({ id }) => id === world) ?? { name: "ALFWorld", own: "fresh households" };
  const ours = world === "fresh" || trials.some((trial) => trial.world === world && OWN_SOURCES.includes(trial.source));
  return ours && own !== undefined ? `our ${own} (for ${name})` : name;
}

/** Condition → its name, in the order of rows. */
export const WESE_METHODS: Readonly<Record<string, string>> = {
  cot: "CoT",
  act: "Act",
  "act-wese": "Act-WESE",
  "act-sese": "Act-SESE",
  react: "ReAct",
  "react-wese": "ReAct-WESE",
  "react-sese": "ReAct-SESE",
  random: "Random actions",
};

/** Base method → what is built on it. */
export const WESE_BASES: Readonly<Record<string, readonly string[]>> = {
  act: ["act-wese", "act-sese"],
  react: ["react-wese", "react-sese"],
};

/** The base method of a condition; `undefined` of one that has none, or is one. */
export function baseOf(condition: string): string | undefined {
  return Object.entries(WESE_BASES).find(([, built]) => built.includes(condition))?.[0];
}

/** How a base method is played: alone, with WESE, with SESE. */
export const WESE_VARIANTS = ["alone", "WESE", "SESE"] as const;

/** The variant that a condition is. */
export function variantOf(condition: string): (typeof WESE_VARIANTS)[number] {
  return condition.endsWith("-wese") ? "WESE" : condition.endsWith("-sese") ? "SESE" : "alone";
}

/** The paper's row of a method on a world: column → text. */
export function paperRowOf(world: WeseWorld, condition: string): Readonly<Record<string, string>> {
  return paperTable(world.numbers).find(({ method }) => method === WESE_METHODS[condition]) ?? {};
}

/** A number over tasks. */
export interface WeseNumber extends Partial<Interval> {
  readonly value: number;
  /** Ids of the episodes behind it. */
  readonly episodes: readonly string[];
}

/** What can be measured of a cell. */
export type WeseMeasure =
  | "success"
  | "reward"
  | "steps"
  | "strongPrompt"
  | "strongCompletion"
  | "expense"
  | "weakPrompt"
  | "weakCompletion"
  | "dollars";

/** The tasks of a world under one condition. */
export interface WeseCell {
  readonly world: string;
  readonly condition: string;
  readonly planned: number;
  readonly failed: number;
  /** The completed ones. */
  readonly trials: readonly WeseTrial[];
}

/** The cells of a study, by world and condition. */
export function weseCells(trials: readonly WeseTrial[]): WeseCell[] {
  return [...Map.groupBy(trials, ({ world, condition }) => `${world}\n${condition}`).values()].map((cell) => {
    const [{ world, condition }] = cell as [WeseTrial, ...WeseTrial[]];
    return {
      world,
      condition,
      planned: cell.length,
      failed: cell.filter(({ status }) => status === "failed").length,
      trials: cell.filter(({ reward }) => reward !== null),
    };
  });
}

/** What a trial contributes to a measure; `undefined` if nothing (an unsuccessful task has no steps to completion). */
function contribution(
  { measure, world }: { readonly measure: WeseMeasure; readonly world: string },
  trial: WeseTrial,
): number | null | undefined {
  switch (measure) {
    case "success":
      return trial.success ? 1 : 0;
    case "steps":
      return world === "scienceworld" ? trial.firstReward ?? undefined : trial.success ? trial.steps : undefined;
    case "expense":
      return trial.paperDollars;
    default:
      return trial[measure];
  }
}

/**
 * The mean of a measure over a cell's tasks with its 95 % interval (Wilson's of success, Student's of the others, cut at 0, from two tasks on);
 * `undefined` where no task counts, or one has no number.
 *
 * Success is a share, reward 0 … 100, tokens and dollars are of a task.
 */
export function weseMean(cell: Pick<WeseCell, "world" | "trials">, measure: WeseMeasure): WeseNumber | undefined {
  const counted = cell.trials.map((trial) => ({ trial, value: contribution({ measure, world: cell.world }, trial) }))
    .filter(({ value }) => value !== undefined);
  const values = counted.map(({ value }) => value);
  if (values.length === 0 || values.includes(null)) return undefined;
  const numbers = values as number[];
  const interval = measure === "success"
    ? wilsonInterval(numbers.filter((value) => value === 1).length, numbers.length)
    : numbers.length > 1
    ? aboveZero(tInterval(numbers))
    : {};
  return { value: mean(numbers), ...interval, episodes: counted.map(({ trial }) => trial.episode) };
}

/** Nothing that is measured here can be less. */
function aboveZero({ low, high }: Interval): Interval {
  return { low: Math.max(0, low), high };
}

/**
 * How much better a method is than its base, in percent: more success or reward, fewer steps or dollars; with the percentile bootstrap interval
 * over tasks, each drawn with both its episodes. `undefined` where the base reached nothing.
 *
 * Only tasks that both have completed count. There is no interval where a tenth of the resamples or more leave the ratio undefined.
 */
export function relativeImprovement(
  of: Pick<WeseCell, "world" | "trials">,
  base: Pick<WeseCell, "world" | "trials">,
  measure: "success" | "reward" | "steps" | "expense" | "dollars",
): WeseNumber | undefined {
  const partners = new Map(base.trials.map((trial) => [trial.place, trial]));
  const pairs = of.trials.flatMap((trial) => {
    const partner = partners.get(trial.place);
    return partner ? [{ trial, partner }] : [];
  });
  const at = { measure, world: of.world };
  const numbers = pairs.map(({ trial, partner }) => [contribution(at, trial), contribution(at, partner)] as const);
  if (numbers.flat().includes(null)) return undefined;
  const ratio = (rows: readonly (readonly [number | null | undefined, number | null | undefined])[]): number | undefined => {
    const [mine, theirs] = [meanOf(rows.map(([x]) => x)), meanOf(rows.map(([, b]) => b))];
    if (mine === undefined || theirs === undefined || theirs === 0) return undefined;
    return (measure === "success" || measure === "reward" ? mine - theirs : theirs - mine) / theirs * 100;
  };
  const value = ratio(numbers);
  if (value === undefined) return undefined;
  const draw = createDraw(`relative improvement ${measure}`);
  const drawn = Array.from({ length: RESAMPLES }, () => ratio(numbers.map(() => draw.pick(numbers)))).filter((one) => one !== undefined)
    .sort((a, b) => a - b);
  const edge = Math.floor(drawn.length * 0.025);
  const [low, high] = [drawn[edge], drawn.at(-1 - edge)];
  const interval = numbers.length > 1 && drawn.length > 0.9 * RESAMPLES && low !== undefined && high !== undefined ? { low, high } : {};
  return { value, ...interval, episodes: pairs.flatMap(({ trial, partner }) => [trial.episode, partner.episode]) };
}

const RESAMPLES = 1000;

/** Of the numbers that there are; `undefined` of none. */
function meanOf(values: readonly (number | null | undefined)[]): number | undefined {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (value === undefined || value === null) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}
