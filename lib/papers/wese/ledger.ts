/**
 * The numbers of the WESE paper (Huang et al. 2024, arXiv 2404.07456) and where ours come from: Tables 1 to 4, Figure 3, §4.1.3 and §4.2.3.
 *
 * | number | ours | agrees if |
 * |---|---|---|
 * | success rate | share of the tasks | the number lies in Wilson's interval |
 * | rewards, steps, tokens, expense | mean of a task; totals: times the paper's tasks | the number lies in Student's interval |
 * | relative improvements | of the means of one study | the number lies in the bootstrap interval; where there is none, ours is within 10 points |
 * | percentages of the text | means of relative differences of the cells | ours is within 10 points |
 * | Figure 3 | relative improvement by type of task | never: it stands in a picture alone |
 *
 * The improvement of a base method on itself, 0 by definition, is left out.
 *
 * @module
 */

import { ALFWORLD_TASKS } from "../../env/alfworld.ts";
import { episodeCosts, totalCost } from "../../store/costs.ts";
import type { Store } from "../../store/open.ts";
import type { DataFrame } from "../../report/frame.ts";
import { judge, type LedgerEntry, type OurNumber, type ReportedNumber } from "../../report/ledger.ts";
import { paperTable } from "../../report/paper.ts";
import { WESE_CLAIMS } from "./claims.ts";
import {
  baseOf,
  relativeImprovement,
  WESE_BASES,
  WESE_METHODS,
  WESE_WORLDS,
  type WeseCell,
  weseCells,
  weseMean,
  type WeseMeasure,
  type WeseNumber,
  type WeseWorld,
} from "./measures.ts";
import { weseTrialsFrame, weseTrialsOf } from "./trials.ts";

const STRONG = "text-davinci-003";
const WITH_WEAK = "llama-2-7b-chat+text-davinci-003";
/** How far a percentage without interval may be away, in points. */
const TOLERANCE = 10;

/** A column of the paper's tables: what of ours stands beside it. */
interface Column {
  readonly label: string;
  readonly measure: WeseMeasure;
  /** A sum over the tasks. */
  readonly total?: true;
  readonly improvement?: true;
}

const COLUMNS: Readonly<Record<string, Column>> = {
  success_rate: { label: "success rate", measure: "success" },
  total_reward: { label: "total reward", measure: "reward", total: true },
  avg_reward: { label: "average reward", measure: "reward" },
  effect_imp_pct: { label: "success, improvement %", measure: "success", improvement: true },
  reward_imp_pct: { label: "reward, improvement %", measure: "reward", improvement: true },
  avg_steps: { label: "average steps", measure: "steps" },
  steps_imp_pct: { label: "steps, improvement %", measure: "steps", improvement: true },
  prompt_tokens: { label: "prompt tokens", measure: "strongPrompt", total: true },
  completion_tokens: { label: "completion tokens", measure: "strongCompletion", total: true },
  expense_usd: { label: "expense, USD", measure: "expense", total: true },
  expense_imp_pct: { label: "expense, improvement %", measure: "expense", improvement: true },
};

/**
 * Every number of the paper beside ours.
 *
 * @param study id of a study in the store
 * @param options `trials` is the frame of the study where it is at hand
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { weseLedger } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const entries = weseLedger(store, "unplayed");
 * assert.equal(entries.length, 42 + 48 + 47 + 47 + 24 + 11);
 * assert.ok(entries.every(({ verdict, printed }) => verdict === (printed === null ? "figure only" : "not run")));
 * ```
 */
export function weseLedger(store: Store, study: string, options: { readonly trials?: DataFrame } = {}): LedgerEntry[] {
  const trials = weseTrialsOf(options.trials ?? weseTrialsFrame(store, study));
  const cells = weseCells(trials);
  const backbone = [...new Set(trials.map((trial) => trial.backbone))].join(" and ");
  const costs = episodeCosts(store, study);
  const ours: Ours = ({ value, low, high, episodes }, measure) => {
    return {
      value,
      ...(low === undefined || high === undefined ? {} : { low, high }),
      measure,
      backbone,
      embedder: "",
      cost: totalCost(costs, episodes),
      study,
      episodes: [...new Set(episodes)],
    };
  };
  const find: Find = (world, condition) => cells.find((cell) => cell.world === world && cell.condition === condition);
  return [...WESE_WORLDS.flatMap((world) => tableEntries(world, find, ours)), ...figure3(find, ours), ...claims(find, ours)];
}

type Ours = (number: WeseNumber, measure: string) => OurNumber;
type Find = (world: string, condition: string) => WeseCell | undefined;

function tableEntries(world: WeseWorld, find: Find, ours: Ours): LedgerEntry[] {
  return paperTable(world.numbers).flatMap(({ method = "", ...printed }) => {
    const condition = conditionOf(method);
    const base = baseOf(condition);
    return Object.entries(printed).flatMap(([name, number]): LedgerEntry[] => {
      const column = COLUMNS[name];
      if (!column || number === "" || (column.improvement && base === undefined)) return [];
      const reported: ReportedNumber = {
        source: `Table ${world.table}`,
        row: method,
        column: column.label,
        printed: number,
        backbone: condition.endsWith("-wese") ? WITH_WEAK : STRONG,
        measure: `over ${world.tasks} tasks`,
        ...(column.improvement ? { tolerance: TOLERANCE } : {}),
        ...(method === "Act-SESE" && name === "expense_usd" && world.id === "fever" ? { note: "its own tokens give 58.89" } : {}),
      };
      return [judge(reported, ourNumber({ world, condition, column, base }, find, ours))];
    });
  });
}

function ourNumber(
  { world, condition, column, base }: {
    readonly world: WeseWorld;
    readonly condition: string;
    readonly column: Column;
    readonly base: string | undefined;
  },
  find: Find,
  ours: Ours,
): OurNumber | string {
  const cell = find(world.id, condition);
  const problem = unready(cell) ?? (column.improvement ? unready(find(world.id, base ?? "")) : undefined);
  if (problem !== undefined || !cell) return problem ?? "not played";
  const number = column.improvement
    ? relativeImprovement(cell, find(world.id, base ?? "") as WeseCell, column.measure as "success" | "reward" | "steps" | "expense")
    : weseMean(cell, column.measure);
  if (!number) return column.improvement ? "the base method reached nothing" : "no task counts";
  const over = tasksOf(cell);
  if (!column.total) return ours(number, over);
  const { value, low, high, episodes } = number;
  return ours({
    value: value * world.tasks,
    ...(low === undefined || high === undefined ? {} : { low: low * world.tasks, high: high * world.tasks }),
    episodes,
  }, cell.trials.length === world.tasks ? over : `${over}, scaled to ${world.tasks}`);
}

/** How many tasks, and where they come from: the paper's numbers are over other ones unless the official ones are played. */
function tasksOf({ trials }: WeseCell): string {
  const sources = [...new Set(trials.map(({ source }) => source))].sort();
  return `over ${trials.length} tasks of ${sources.join(", ")}`;
}

function unready(cell: WeseCell | undefined): string | undefined {
  if (!cell) return "not played";
  return cell.trials.length < cell.planned ? `incomplete, ${cell.trials.length} of ${cell.planned} tasks` : undefined;
}

function figure3(find: Find, ours: Ours): LedgerEntry[] {
  return Object.entries(WESE_BASES).flatMap(([base, built]) =>
    built.flatMap((condition) =>
      Object.keys(ALFWORLD_TASKS).map((task) => {
        const reported: ReportedNumber = {
          source: "Figure 3",
          row: WESE_METHODS[condition] ?? condition,
          column: `${task}, improvement %`,
          printed: null,
          backbone: condition.endsWith("-wese") ? WITH_WEAK : STRONG,
        };
        const [of, on] = [condition, base].map((name) => find("alfworld", name));
        const problem = unready(of) ?? unready(on);
        if (problem !== undefined || !of || !on) return judge(reported, problem ?? "not played");
        const within = (cell: WeseCell): WeseCell => ({ ...cell, trials: cell.trials.filter((trial) => trial.task === task) });
        const number = relativeImprovement(within(of), within(on), "success");
        return judge(reported, number ? ours(number, tasksOf(within(of))) : "the base method reached nothing");
      })
    )
  );
}

function claims(find: Find, ours: Ours): LedgerEntry[] {
  return WESE_CLAIMS.map(({ source, text, printed, of, ...claim }) => {
    const episodes: string[] = [];
    const value = of((world, condition) => {
      const cell = find(world, condition);
      if (!cell || unready(cell) !== undefined) return undefined;
      const numbers = [weseMean(cell, world === "scienceworld" ? "reward" : "success"), weseMean(cell, "steps"), weseMean(cell, "expense")];
      episodes.push(...cell.trials.map(({ episode }) => episode));
      const [effect, steps, expense] = numbers.map((number) => number?.value ?? NaN) as [number, number, number];
      return { effect, steps, expense };
    });
    const reported: ReportedNumber = {
      source,
      row: "text",
      column: text,
      printed,
      backbone: WITH_WEAK,
      tolerance: TOLERANCE,
      ...(claim.note === undefined ? {} : { note: claim.note }),
    };
    return judge(reported, value === undefined ? "not every cell has a number" : ours({ value, episodes }, "mean of relative differences"));
  });
}

function conditionOf(method: string): string {
  return Object.entries(WESE_METHODS).find(([, name]) => name === method)?.[0] ?? method;
}
