/**
 * WESE's Tables 1 to 4: of each world one of effect and efficiency, and one of cost.
 *
 * @module
 */

import type { DataFrame } from "../../report/frame.ts";
import type { Cell, Table } from "../../report/table.ts";
import {
  baseOf,
  paperRowOf,
  relativeImprovement,
  WESE_METHODS,
  WESE_WORLDS,
  type WeseCell,
  weseCells,
  weseMean,
  type WeseNumber,
  type WeseWorld,
  weseWorldName,
} from "./measures.ts";
import { weseTrialsOf } from "./trials.ts";

/** What a table of WESE is made with. */
export interface WeseTableOptions {
  /** Shown in title and file name. */
  readonly backbone: string;
  /** Shows means where planned tasks are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

/** Ends the captions of `FRESH`. */
const NOT_IN_PAPER = "The paper has no such households.";
/** Households drawn anew stand beside the paper's worlds, with no number of the paper's. */
const FRESH: WeseWorld = { id: "fresh", name: "fresh households", table: 1, numbers: "wese_table1_alfworld", tasks: 0 };

/**
 * Tables of effect and efficiency, a world each, of those that the study has: success (ScienceWorld: total and average reward), steps, and
 * relative improvements, the paper's number beside each.
 *
 * @param trials the frame of `weseTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { weseEffectTables } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", place: "text", condition: "text", status: "text", reward: "number", success: "boolean", steps: "integer" } as const;
 * const row = { world: "fever", place: "fever/1", status: "completed", reward: 100, success: true };
 * const trials = frameOf([{ ...row, episode: "a", condition: "act", steps: 4 }, { ...row, episode: "b", condition: "act-wese", steps: 2 }], types);
 * const [table] = weseEffectTables(trials, { backbone: "offline" });
 * assert.deepEqual(table?.rows.map(([method, , paper]) => [method, paper]), [["Act", "0.56"], ["Act-WESE", "0.62"]]);
 * assert.deepEqual((table?.rows[1]?.[7] as { value: number }).value, 50); // half the steps
 * ```
 */
export function weseEffectTables(trials: DataFrame, options: WeseTableOptions): Table[] {
  return worldsIn(trials).map(({ world, cells, conditions }) => {
    const science = world.id === "scienceworld";
    const effect = science ? "average reward" : "success rate";
    return {
      id: idOf(world, "table", options.backbone),
      title: `WESE, ${titleOf(world, cells)}: effect and efficiency (backbone: ${options.backbone})`,
      caption:
        `${
          sampleOf(world, cells)
        }; backbone ${options.backbone}. 95 % intervals: Wilson's of success, Student's of means, percentile bootstrap over tasks of ` +
        `relative improvements (imp., in percent, on Act or ReAct; – where the base has nothing). Steps: ${
          science ? "until the first reward, which what the world gives at the beginning is not" : "of successful tasks"
        }. ${world.tasks > 0 ? `Paper: as printed, ${world.tasks} tasks, text-davinci-003 and Llama-2-7B.` : NOT_IN_PAPER}`,
      columns: [
        "method",
        ...(science ? ["total reward", "paper"] : []),
        effect,
        "paper",
        "imp. %",
        "paper",
        "steps",
        "paper",
        "imp. %",
        "paper",
      ],
      rows: conditions.map((condition) => {
        const cell = cells.get(condition) as WeseCell;
        const printed = world.tasks > 0 ? paperRowOf(world, condition) : {};
        const base = cells.get(baseOf(condition) ?? "");
        const shown = (number: WeseNumber | undefined, digits: number): Cell => cellOf(cell, number, digits, options);
        const improved = (measure: "success" | "reward" | "steps"): Cell =>
          base ? incomplete(cell, options) ?? shown(relativeImprovement(cell, base, measure), 1) : null;
        return [
          WESE_METHODS[condition] ?? condition,
          ...(science ? [shown(totalOf(cell), 0), text(printed["total_reward"])] : []),
          shown(weseMean(cell, science ? "reward" : "success"), 2),
          text(printed[science ? "avg_reward" : "success_rate"]),
          improved(science ? "reward" : "success"),
          text(printed[science ? "reward_imp_pct" : "effect_imp_pct"]),
          shown(weseMean(cell, "steps"), 2),
          text(printed["avg_steps"]),
          improved("steps"),
          text(printed["steps_imp_pct"]),
        ];
      }),
    };
  });
}

/**
 * Tables of cost, a world each, of those that the study has: tokens and dollars of a mean task. The paper counts the acting model alone, which
 * is OpenAI's; beside it stands what the exploring model took, and what all of it comes to.
 *
 * @param trials the frame of `weseTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { weseCostTables } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", place: "text", condition: "text", status: "text", reward: "number", strongPrompt: "number", paperDollars: "number" } as const;
 * const row = { world: "fever", place: "fever/1", status: "completed", reward: 100 };
 * const trials = frameOf([{ ...row, episode: "a", condition: "act", strongPrompt: 1500, paperDollars: 0.03 }], types);
 * const [table] = weseCostTables(trials, { backbone: "offline" });
 * assert.deepEqual((table?.rows[0]?.[1] as { value: number }).value, 1500);
 * assert.equal(table?.rows[0]?.[2], "1447"); // 723,646 tokens for 500 claims
 * ```
 */
export function weseCostTables(trials: DataFrame, options: WeseTableOptions): Table[] {
  return worldsIn(trials).map(({ world, cells, conditions }) => ({
    id: idOf(world, "cost", options.backbone),
    title: `WESE, ${titleOf(world, cells)}: cost of a task (backbone: ${options.backbone})`,
    caption:
      `${
        sampleOf(world, cells)
      }; backbone ${options.backbone}. Means a task with Student's 95 % intervals; each request counts once. Strong: the model that acts ` +
      "(of SESE and the base methods all roles), the only one that the paper counts; expense: its tokens at 0.02 USD for 1000, the price of " +
      "text-davinci-003. Weak: WESE's exploring, extracting and choosing. All: both models at the prices of the day, played offline as if those of the role map " +
      `"today" had answered. ${world.tasks > 0 ? "Paper: its totals divided by its tasks." : NOT_IN_PAPER}`,
    columns: [
      "method",
      "strong: prompt",
      "paper",
      "completion",
      "paper",
      "expense, USD",
      "paper",
      "imp. %",
      "paper",
      "weak: prompt",
      "completion",
      "all, USD",
      "imp. %",
    ],
    rows: conditions.filter((condition) => condition !== "random").map((condition) => {
      const cell = cells.get(condition) as WeseCell;
      const printed = world.tasks > 0 ? paperRowOf(world, condition) : {};
      const base = cells.get(baseOf(condition) ?? "");
      const shown = (number: WeseNumber | undefined, digits: number): Cell => cellOf(cell, number, digits, options);
      const improved = (measure: "expense" | "dollars"): Cell =>
        base ? incomplete(cell, options) ?? shown(relativeImprovement(cell, base, measure), 1) : null;
      const each = (column: string, digits: number): Cell =>
        printed[column] ? (Number(printed[column]) / world.tasks).toFixed(digits) : null;
      const weak = condition.endsWith("-wese");
      return [
        WESE_METHODS[condition] ?? condition,
        shown(weseMean(cell, "strongPrompt"), 0),
        each("prompt_tokens", 0),
        shown(weseMean(cell, "strongCompletion"), 0),
        each("completion_tokens", 0),
        shown(weseMean(cell, "expense"), 4),
        each("expense_usd", 4),
        improved("expense"),
        text(printed["expense_imp_pct"]),
        weak ? shown(weseMean(cell, "weakPrompt"), 0) : null,
        weak ? shown(weseMean(cell, "weakCompletion"), 0) : null,
        shown(weseMean(cell, "dollars"), 4),
        improved("dollars"),
      ];
    }),
  }));
}

interface InWorld {
  readonly world: WeseWorld;
  readonly cells: ReadonlyMap<string, WeseCell>;
  readonly conditions: readonly string[];
}

/** The worlds that the frame has, each with its cells in the order of rows. */
function worldsIn(trials: DataFrame): InWorld[] {
  const all = weseCells(weseTrialsOf(trials));
  return [...WESE_WORLDS, FRESH].flatMap((world) => {
    const cells = new Map(all.filter((cell) => cell.world === world.id).map((cell) => [cell.condition, cell]));
    const conditions = Object.keys(WESE_METHODS).filter((condition) => cells.has(condition));
    return conditions.length > 0 ? [{ world, cells, conditions }] : [];
  });
}

function idOf(world: WeseWorld, kind: "table" | "cost", backbone: string): string {
  const name = world.id === "fresh" ? `${kind}-fresh` : kind === "table" ? `table${world.table}` : `cost${world.table}`;
  return `wese-${name}-${backbone}`;
}

type Cells = InWorld["cells"];

function titleOf({ id, table }: WeseWorld, cells: Cells): string {
  return id === "fresh" ? nameOf(id, cells) : `Table ${table}, ${nameOf(id, cells)}`;
}

function nameOf(world: string, cells: Cells): string {
  return weseWorldName(world, [...cells.values()].flatMap(({ trials }) => trials));
}

function sampleOf({ id }: WeseWorld, cells: Cells): string {
  const byNumber = [...cells.values()].sort((a, b) => a.planned - b.planned || a.trials.length - b.trials.length);
  const counts = [
    ...new Set(byNumber.map(({ planned, trials: { length } }) => length < planned ? `${length} of ${planned}` : `${planned}`)),
  ];
  const sources = [...new Set([...cells.values()].flatMap(({ trials }) => trials.map(({ source }) => source)).filter(Boolean))].sort();
  const name = nameOf(id, cells);
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}${sources.length > 0 ? `, from ${sources.join(", ")}` : ""}, n = ${
    counts.join(" or ")
  } tasks a method, each played once`;
}

/** All rewards together. */
function totalOf(cell: WeseCell): WeseNumber | undefined {
  const average = weseMean(cell, "reward");
  return average && { value: average.value * average.episodes.length, episodes: average.episodes };
}

function incomplete({ planned, failed, trials }: WeseCell, { allowIncomplete }: WeseTableOptions): Cell | undefined {
  return trials.length === 0 || (trials.length < planned && !allowIncomplete)
    ? { incomplete: { done: trials.length, failed, planned } }
    : undefined;
}

function cellOf(cell: WeseCell, number: WeseNumber | undefined, digits: number, options: WeseTableOptions): Cell {
  return incomplete(cell, options) ?? (number ? { ...number, digits, n: number.episodes.length } : null);
}

function text(printed: string | undefined): Cell {
  return printed ? printed : null;
}
