/**
 * What the text of the WESE paper says of its tables (§4.1.3, §4.2.3): each claim is a mean of relative differences between cells of the tables.
 *
 * @module
 */

import { mean } from "simple-statistics";
import { type Measurement, resampled } from "../../report/estimate.ts";
import { meanOf, weseValue } from "./measures.ts";
import type { WeseTrial } from "./trials.ts";

/** A percentage of the text: a mean of relative differences between cells of the tables. */
export interface WeseClaim extends Readonly<Record<"source" | "text" | "printed", string>> {
  readonly note?: string;
  /** Ids of the worlds, and pairs of conditions there: the first against the second. */
  readonly worlds: readonly string[];
  readonly pairs: readonly (readonly [string, string])[];
  /** What is compared: the success rate (in ScienceWorld the average reward), the average steps, the expense. */
  readonly of: "effect" | "steps" | "expense";
  /** Whether less of it counts as positive. */
  readonly less?: true;
}

const HOUSES = ["alfworld", "scienceworld"];
const QUESTIONS = ["hotpotqa", "fever"];
const SESE_OVER_BASE = [["act-sese", "act"], ["react-sese", "react"]] as const;
const WESE_OVER_BASE = [["act-wese", "act"], ["react-wese", "react"]] as const;
const WESE_UNDER_SESE = [["act-wese", "act-sese"], ["react-wese", "react-sese"]] as const;
const SESE_OVER_WESE = [["act-sese", "act-wese"], ["react-sese", "react-wese"]] as const;
const IN_HOUSES = { source: "§4.1.3", worlds: HOUSES };
const IN_QUESTIONS = { source: "§4.2.3", worlds: QUESTIONS, pairs: SESE_OVER_WESE };
/** What two percentages of §4.2.3 turn out to be made of. */
const IN_HOTPOT = {
  source: "§4.2.3",
  worlds: ["hotpotqa"],
  pairs: [...WESE_OVER_BASE, ...SESE_OVER_BASE],
  note: "the paper's own tables give it over HotpotQA alone",
};

/** The percentages in §4.1.3 and §4.2.3. The paper's own tables give each of them. */
export const WESE_CLAIMS: readonly WeseClaim[] = [
  { ...IN_HOUSES, pairs: [["react", "act"]], text: "more steps of ReAct than of Act, %", printed: "32.38", of: "steps" },
  { ...IN_HOUSES, pairs: SESE_OVER_BASE, text: "SESE over its base: effect, %", printed: "26.94", of: "effect" },
  { ...IN_HOUSES, pairs: SESE_OVER_BASE, text: "SESE over its base: fewer steps, %", printed: "20.67", of: "steps", less: true },
  { ...IN_HOUSES, pairs: SESE_OVER_BASE, text: "SESE over its base: more expense, %", printed: "91.14", of: "expense" },
  { ...IN_HOUSES, pairs: WESE_UNDER_SESE, text: "WESE under SESE: expense saved, %", printed: "53.83", of: "expense", less: true },
  { ...IN_HOUSES, pairs: WESE_UNDER_SESE, text: "WESE under SESE: effect lost, %", printed: "1.43", of: "effect", less: true },
  { ...IN_HOUSES, pairs: WESE_UNDER_SESE, text: "WESE under SESE: more steps, %", printed: "6.89", of: "steps" },
  { ...IN_HOTPOT, text: "WESE and SESE over their bases: effect, %", printed: "19.5", of: "effect" },
  { ...IN_HOTPOT, text: "WESE and SESE over their bases: fewer steps, %", printed: "28.0", of: "steps", less: true },
  { ...IN_QUESTIONS, text: "SESE over WESE: effect, %", printed: "3.5", of: "effect" },
  { ...IN_QUESTIONS, text: "SESE over WESE: fewer steps, %", printed: "3.6", of: "steps", less: true },
];

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
