/**
 * GraphMind, Tables 5 and 6: tokens a decision step by module; the share of a prompt that a server can have cached; tokens a trajectory (§5).
 *
 * @module
 */

import { priceOf } from "../../../llm/prices.ts";
import { countText } from "../../../report/counts.ts";
import { GRAPHMIND_CONDITIONS } from "../figures/success-and-growth.ts";
import type { DataFrame } from "../../../report/frame.ts";
import { GRAPHMIND_MODULES, modulesOf, type ModuleTokens, type TrajectoryTokens } from "../tokens.ts";
import { roomsOrder } from "../trials.ts";
import { paperTable } from "../../../report/paper.ts";
import type { Cell, Table } from "../../../report/table.ts";

/** Condition → its column in the paper's tables, and its name. */
export const TOKEN_COLUMNS: Readonly<Record<string, { readonly column: string; readonly name: string }>> = {
  kg: { column: "kg", name: "KG" },
  sm: { column: "sm", name: "SM" },
  "kg-static": { column: "static_kg", name: "Static KG" },
};

/** The paper's model, whose prices its sums in dollars follow. */
const MODEL = "gemini-2.5-flash";

/** Which way the tokens go. */
export type TokenSide = "input" | "output";

/** What a condition takes a decision step, by module and in all; `all`: with every vote. */
export function tokensAStep(
  modules: readonly ModuleTokens[],
  condition: string,
  side: TokenSide,
  all: boolean,
): ReadonlyMap<string, number> {
  const mine = modules.filter((row) => row.condition === condition);
  const value = (row: ModuleTokens): number =>
    side === "input" ? all ? row.promptAll : row.prompt : all ? row.completionAll : row.completion;
  const found = new Map(mine.map((row) => [GRAPHMIND_MODULES[row.role] ?? row.role, value(row)]));
  if (mine.length === 0) return found;
  const total = [...found.values()].reduce((sum, tokens) => sum + tokens, 0);
  const price = priceOf(MODEL);
  const dollars = price ? total * (side === "input" ? price.prompt : price.completion) / 1e6 : NaN;
  return found.set("Total", total).set("Total cost (USD)", dollars);
}

/**
 * Table 5 (input) or 6 (output): a row a module, ours with one vote and with all, beside the paper's (one vote, five runs).
 *
 * @param tokens the frame of `graphmindTokensFrame`
 *
 * @example
 * ```ts
 * import { graphmindTokensFrame, graphmindTokensTable } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const { rows } = graphmindTokensTable(graphmindTokensFrame(store, "unplayed"), "input", { backbone: "offline" });
 * assert.deepEqual(rows[0], ["Verify Node Transition", "3761.96", null, "3949.38"]);
 * ```
 */
export function graphmindTokensTable(tokens: DataFrame, side: TokenSide, { backbone }: { readonly backbone: string }): Table {
  const modules = modulesOf(tokens);
  const conditions = Object.keys(TOKEN_COLUMNS).filter((condition) => modules.some((row) => row.condition === condition));
  const paper = paperTable(side === "input" ? "graphmind_table5_input_tokens" : "graphmind_table6_output_tokens");
  const ours = conditions.flatMap((condition) =>
    [false, true].filter((all) => !all || voted(modules, condition)).map((all) => ({
      head: `${TOKEN_COLUMNS[condition]?.name}, ${backbone}${voted(modules, condition) ? all ? ", all votes" : ", one vote" : ""}`,
      values: tokensAStep(modules, condition, side, all),
    }))
  );
  const played = modules.filter(({ condition }) => conditions.includes(condition));
  const counts = [
    ...new Set(
      played.map(({ condition, episodes, decisions }) => `${TOKEN_COLUMNS[condition]?.name} ${episodes} trials, ${decisions} steps`),
    ),
  ];
  return {
    id: `graphmind-table${side === "input" ? 5 : 6}-${backbone}`,
    title: `GraphMind, Table ${side === "input" ? 5 : 6}: ${side} tokens a decision step (${backbone})`,
    caption:
      `Backbone ${backbone}; ${
        counts.length > 0 ? `n: ${counts.join("; ")}, on the layouts and missions that all of them completed` : "nothing of it was played"
      }. Their tokens ÷ their decision steps; each request counted once; calls of tools count as the planner's. Dollars at the price of ${MODEL}. ` +
      `Offline tokens are counted with the o200k vocabulary, and offline answers hold no reasoning of a model. Paper: one vote of five, ${MODEL}, five runs.`,
    columns: ["Module", ...ours.map(({ head }) => head), ...Object.values(TOKEN_COLUMNS).map(({ name }) => `${name}, paper`)],
    rows: paper.map(({ module = "", ...row }): Cell[] => [
      module,
      ...ours.map(({ values }): Cell => {
        const value = values.get(module);
        return value === undefined ? null : { value, digits: module.includes("USD") ? 4 : 0 };
      }),
      ...Object.values(TOKEN_COLUMNS).map(({ column }) => row[column] || null),
    ]),
  };
}

/**
 * How much of each prompt repeats the role's prompt before it: what a server with a prefix cache need not read again.
 *
 * @example
 * ```ts
 * import { graphmindPrefixTable, graphmindTokensFrame } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(graphmindPrefixTable(graphmindTokensFrame(store, "unplayed"), { backbone: "offline" }).rows, []);
 * ```
 */
export function graphmindPrefixTable(tokens: DataFrame, { backbone }: { readonly backbone: string }): Table {
  const modules = modulesOf(tokens);
  const known = Object.keys(GRAPHMIND_CONDITIONS);
  const conditions = [...new Set(modules.map(({ condition }) => condition))].sort((a, b) => known.indexOf(a) - known.indexOf(b));
  const roles = Object.entries(GRAPHMIND_MODULES).filter(([role]) => modules.some((row) => row.role === role));
  const percent = (share: number | undefined): Cell => share === undefined ? null : { value: 100 * share, digits: 1 };
  const rowOf = (condition: string, role: string): ModuleTokens | undefined =>
    modules.find((row) => row.condition === condition && row.role === role);
  const overall = (condition: string, all: boolean): number | undefined => {
    const mine = modules.filter((row) => row.condition === condition);
    const weight = (row: ModuleTokens): number => all ? row.promptAll : row.prompt;
    const total = mine.reduce((sum, row) => sum + weight(row), 0);
    return total === 0 ? undefined : mine.reduce((sum, row) => sum + weight(row) * (all ? row.repeatedAll : row.repeated), 0) / total;
  };
  return {
    id: `graphmind-prefix-${backbone}`,
    title: `GraphMind: share of a prompt that repeats the one before it, % (${backbone})`,
    caption:
      `Backbone ${backbone}; n: all requests of the completed trials. Characters of a prompt that are those of the same module's prompt before it in ` +
      `the trial, from the beginning on; the first of a trial repeats nothing. The sums weigh modules by their tokens.`,
    columns: ["Module", ...conditions.map((condition) => GRAPHMIND_CONDITIONS[condition] ?? condition)],
    rows: roles.length === 0 ? [] : [
      ...roles.map(([role, name]): Cell[] => [name, ...conditions.map((condition) => percent(rowOf(condition, role)?.repeated))]),
      ["All, one vote", ...conditions.map((condition) => percent(overall(condition, false)))],
      ["All, with every vote", ...conditions.map((condition) => percent(overall(condition, true)))],
    ],
  };
}

/**
 * Tokens of a whole trajectory, KG against SM, by size (§5: about 1.6 times as many): in and out, with one vote and with all, beside the paper's tokens
 * a step times its steps a trajectory.
 *
 * @param trajectories what `graphmindTrajectories` gives
 *
 * @example
 * ```ts
 * import { graphmindTrajectoryTable } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * const { rows } = graphmindTrajectoryTable([], { backbone: "offline" });
 * assert.deepEqual(rows[1]?.slice(0, 3), ["3x3, paper, one vote", "648210", "403599"]);
 * ```
 */
export function graphmindTrajectoryTable(
  trajectories: readonly TrajectoryTokens[],
  { backbone }: { readonly backbone: string },
): Table {
  const sizes = [...new Set(trajectories.map(({ rooms }) => rooms))].sort((a, b) => roomsOrder(a) - roomsOrder(b));
  const counts = trajectories.map(({ trials }) => trials);
  const line = (label: string, kg: number | undefined, sm: number | undefined): Cell[] => [
    label,
    kg === undefined ? null : kg.toFixed(0),
    sm === undefined ? null : sm.toFixed(0),
    kg === undefined || !sm ? null : { value: kg / sm, digits: 2 },
  ];
  const ours = sizes.flatMap((rooms) => {
    const [kg, sm] = ["kg", "sm"].map((condition) => trajectories.find((row) => row.rooms === rooms && row.condition === condition));
    return [
      line(`${rooms}, ${backbone}, one vote`, kg?.tokens, sm?.tokens),
      line(`${rooms}, ${backbone}, all votes`, kg?.tokensAll, sm?.tokensAll),
    ];
  });
  const paper = ["2x2", "3x3"].map((rooms) =>
    line(`${rooms}, paper, one vote`, paperTrajectory("kg", "KG", rooms), paperTrajectory("sm", "SM", rooms))
  );
  return {
    id: `graphmind-trajectory-${backbone}`,
    title: `GraphMind, §5: tokens of a trajectory, PutNextTo (${backbone})`,
    caption: `Backbone ${backbone}; ${counts.length > 0 ? `n = ${countText(counts, "trial")} a cell` : "nothing of it was played"}. ` +
      `Input and output tokens of the completed trials ÷ trials. Paper: the sums of Tables 5 and 6 times the decision steps of Appendix C; its "about 1.6" is ` +
      `that of 3 × 3.`,
    columns: ["Rooms", "KG", "SM", "KG ÷ SM"],
    rows: [...ours, ...paper],
  };
}

function paperTrajectory(column: string, memory: string, rooms: string): number {
  const steps = Number(paperTable("graphmind_appc_steps").find((row) => row.rooms === rooms && row.memory === memory)?.decision_steps);
  const total = (name: string): number => Number(paperTable(name).find(({ module }) => module === "Total")?.[column]);
  return steps * (total("graphmind_table5_input_tokens") + total("graphmind_table6_output_tokens"));
}

function voted(modules: readonly ModuleTokens[], condition: string): boolean {
  return modules.some((row) => row.condition === condition && row.promptAll > row.prompt);
}
