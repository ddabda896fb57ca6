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
import { createDraw } from "../llm/offline/draw.ts";
import { type Interval, tInterval, wilsonInterval } from "../lab/statistics.ts";
import { paperTable } from "./paper.ts";
import type { WeseTrial } from "./wese-trials.ts";

/** A world as the paper has it. */
export interface WeseWorld {
  /** As in `WeseTrial`. */
  readonly id: string;
  readonly name: string;
  /** Number of the paper's table. */
  readonly table: number;
  /** Name of the file of its numbers in `data/papers/`. */
  readonly numbers: string;
  /** Tasks in the paper. */
  readonly tasks: number;
}

/** The paper's worlds, in its order. */
export const WESE_WORLDS: readonly WeseWorld[] = [
  { id: "alfworld", name: "ALFWorld", table: 1, numbers: "wese_table1_alfworld", tasks: 134 },
  { id: "scienceworld", name: "ScienceWorld", table: 2, numbers: "wese_table2_scienceworld", tasks: 296 },
  { id: "hotpotqa", name: "HotpotQA", table: 3, numbers: "wese_table3_hotpotqa", tasks: 500 },
  { id: "fever", name: "FEVER", table: 4, numbers: "wese_table4_fever", tasks: 500 },
];

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

/** One number for each world and condition: effect (success rate or average reward), steps, expense. */
export type WeseFigures = (
  world: string,
  condition: string,
) => { readonly effect: number; readonly steps: number; readonly expense: number } | undefined;

/** What the text says of the tables, each a mean of percentages. */
export interface WeseClaim {
  /** Section. */
  readonly source: string;
  readonly text: string;
  readonly printed: string;
  /** What is to be known of it. */
  readonly note?: string;
  /** From the figures of every cell; `undefined` where one that it needs is missing. */
  readonly of: (figures: WeseFigures) => number | undefined;
}

const HOUSES = ["alfworld", "scienceworld"];
const QUESTIONS = ["hotpotqa", "fever"];
const GAIN = (x: number, b: number): number => 100 * (x - b) / b;

/** What the percentages of §4.2.3 turn out to be made of, from the paper's own tables. */
const HOTPOT_ALONE = "the paper's own tables give it over HotpotQA alone";

/** The percentages in §4.1.3 and §4.2.3. The paper's own tables give each of them. */
export const WESE_CLAIMS: readonly WeseClaim[] = [
  claim("§4.1.3", "more steps of ReAct than of Act, %", "32.38", HOUSES, [["react", "act"]], (x, b) => GAIN(x.steps, b.steps)),
  claim("§4.1.3", "SESE over its base: effect, %", "26.94", HOUSES, over("sese"), (x, b) => GAIN(x.effect, b.effect)),
  claim("§4.1.3", "SESE over its base: fewer steps, %", "20.67", HOUSES, over("sese"), (x, b) => -GAIN(x.steps, b.steps)),
  claim("§4.1.3", "SESE over its base: more expense, %", "91.14", HOUSES, over("sese"), (x, b) => GAIN(x.expense, b.expense)),
  claim("§4.1.3", "WESE under SESE: expense saved, %", "53.83", HOUSES, weseUnderSese(), (x, b) => -GAIN(x.expense, b.expense)),
  claim("§4.1.3", "WESE under SESE: effect lost, %", "1.43", HOUSES, weseUnderSese(), (x, b) => -GAIN(x.effect, b.effect)),
  claim("§4.1.3", "WESE under SESE: more steps, %", "6.89", HOUSES, weseUnderSese(), (x, b) => 100 * (x.steps - b.steps) / b.steps),
  claim(
    "§4.2.3",
    "WESE and SESE over their bases: effect, %",
    "19.5",
    ["hotpotqa"],
    [...over("wese"), ...over("sese")],
    (x, b) => GAIN(x.effect, b.effect),
    HOTPOT_ALONE,
  ),
  claim(
    "§4.2.3",
    "WESE and SESE over their bases: fewer steps, %",
    "28.0",
    ["hotpotqa"],
    [...over("wese"), ...over("sese")],
    (x, b) => -GAIN(x.steps, b.steps),
    HOTPOT_ALONE,
  ),
  claim(
    "§4.2.3",
    "SESE over WESE: effect, %",
    "3.5",
    QUESTIONS,
    [["act-sese", "act-wese"], ["react-sese", "react-wese"]],
    (x, b) => GAIN(x.effect, b.effect),
  ),
  claim(
    "§4.2.3",
    "SESE over WESE: fewer steps, %",
    "3.6",
    QUESTIONS,
    [["act-sese", "act-wese"], ["react-sese", "react-wese"]],
    (x, b) => -GAIN(x.steps, b.steps),
  ),
];

type Figures = NonNullable<ReturnType<WeseFigures>>;

function over(variant: "wese" | "sese"): [string, string][] {
  return ["act", "react"].map((base) => [`${base}-${variant}`, base]);
}

function weseUnderSese(): [string, string][] {
  return ["act", "react"].map((base) => [`${base}-wese`, `${base}-sese`]);
}

function claim(
  source: string,
  text: string,
  printed: string,
  worlds: readonly string[],
  pairs: readonly (readonly [string, string])[],
  compare: (x: Figures, b: Figures) => number,
  note?: string,
): WeseClaim {
  return {
    source,
    text,
    printed,
    ...(note === undefined ? {} : { note }),
    of: (figures) => {
      const each = worlds.flatMap((world) =>
        pairs.map(([one, other]) => {
          const [x, b] = [figures(world, one), figures(world, other)];
          return x && b ? compare(x, b) : NaN;
        })
      );
      return each.every(Number.isFinite) ? mean(each) : undefined;
    },
  };
}
