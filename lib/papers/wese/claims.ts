/**
 * What the text of the WESE paper says of its tables (§4.1.3, §4.2.3), as arithmetic over the tables.
 *
 * @module
 */

import { mean } from "simple-statistics";

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
