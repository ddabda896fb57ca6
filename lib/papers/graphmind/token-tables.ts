/**
 * What GraphMind says of tokens beside its Tables 5 and 6: the share of a prompt that a server can have cached, and the tokens of a trajectory (§5).
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import { countText } from "../../report/counts.ts";
import { paperTable } from "../../report/paper.ts";
import type { Cell, Table } from "../../report/table.ts";
import { byRooms, GRAPHMIND_CONDITIONS } from "./conditions.ts";
import { comparableTrials, COMPARED, GRAPHMIND_MODULES, type ModuleTokens, repeatedCharacters } from "./tokens.ts";
import type { GraphMindTrial } from "./trials.ts";

/** What one condition's prompts of one module came to. */
interface Repeats {
  readonly condition: string;
  readonly role: string;
  /** Share of the characters (one vote, all votes) that repeat the prompt before. */
  readonly one: number;
  readonly all: number;
  /** Prompt tokens, which weigh the shares in sums. */
  readonly oneTokens: number;
  readonly allTokens: number;
}

/** How much of each prompt repeats the module's prompt before it: what a server with a prefix cache need not read again. */
export function prefixTable(store: Store, trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Table {
  const completed = trials.filter(({ status }) => status === "completed");
  const counted = [...comparableTrials(completed), ...completed.filter(({ condition }) => !COMPARED.includes(condition))];
  const rows = [...Map.groupBy(counted, ({ condition }) => condition).values()].flatMap((mine) => repeatsOf(store, mine));
  const conditions = Object.keys(GRAPHMIND_CONDITIONS).filter((condition) => rows.some((row) => row.condition === condition));
  const roles = Object.entries(GRAPHMIND_MODULES).filter(([role]) => rows.some((row) => row.role === role));
  const percent = (share: number | undefined): Cell => share === undefined ? null : { value: 100 * share, digits: 1 };
  const overall = (condition: string, votes: "one" | "all"): number => {
    const mine = rows.filter((row) => row.condition === condition);
    const total = mine.reduce((sum, row) => sum + row[`${votes}Tokens`], 0);
    return mine.reduce((sum, row) => sum + row[`${votes}Tokens`] * row[votes], 0) / total;
  };
  return {
    id: `graphmind-prefix-${backbone}`,
    title: `GraphMind: share of a prompt that repeats the one before it, % (${backbone})`,
    caption:
      `Backbone ${backbone}; n: all requests of the completed trials. Characters of a prompt that are those of the same module's prompt before it in ` +
      `the trial, from the beginning on; the first of a trial repeats nothing. The sums weigh modules by their tokens.`,
    columns: ["Module", ...conditions.map((condition) => GRAPHMIND_CONDITIONS[condition] ?? condition)],
    rows: roles.length === 0 ? [] : [
      ...roles.map(([role, name]): Cell[] => [
        name,
        ...conditions.map((condition) => percent(rows.find((row) => row.condition === condition && row.role === role)?.one)),
      ]),
      ["All, one vote", ...conditions.map((condition) => percent(overall(condition, "one")))],
      ["All, with every vote", ...conditions.map((condition) => percent(overall(condition, "all")))],
    ],
  };
}

/** The repeats of one condition's trials, by module. */
function repeatsOf(store: Store, trials: readonly GraphMindTrial[]): Repeats[] {
  const modules = Map.groupBy(trials.flatMap((trial) => trial.modules), ({ role }) => role);
  const groups = Map.groupBy(trials.flatMap(({ episode }) => repeatedCharacters(store, episode)), ({ role }) => role);
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return [...groups].map(([role, rows]) => ({
    condition: trials[0]?.condition ?? "",
    role,
    one: sum(rows, ({ repeated }) => repeated) / (sum(rows, ({ length }) => length) || 1),
    all: sum(rows, ({ repeatedAll }) => repeatedAll) / (sum(rows, ({ lengthAll }) => lengthAll) || 1),
    oneTokens: sum(modules.get(role) ?? [], ({ prompt }) => prompt),
    allTokens: sum(modules.get(role) ?? [], ({ promptAll }) => promptAll),
  }));
}

/**
 * Tokens of a whole trajectory, KG against SM, by size (§5: about 1.6 times as many): in and out, with one vote and with all, beside the paper's tokens
 * a step times its steps a trajectory.
 */
export function trajectoryTable(trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Table {
  const played = trials.filter(({ status, mission, condition }) =>
    status === "completed" && mission === "PutNextTo" && ["kg", "sm"].includes(condition)
  );
  const cells = Map.groupBy(played, ({ rooms, condition }) => `${rooms} ${condition}`);
  const meanOf = (rooms: string, condition: string, tokens: (row: ModuleTokens) => number): number | undefined => {
    const cell = cells.get(`${rooms} ${condition}`);
    return cell && cell.flatMap(({ modules }) => modules).reduce((sum, row) => sum + tokens(row), 0) / cell.length;
  };
  const line = (label: string, kg: number | undefined, sm: number | undefined): Cell[] => [
    label,
    kg === undefined ? null : kg.toFixed(0),
    sm === undefined ? null : sm.toFixed(0),
    kg === undefined || !sm ? null : { value: kg / sm, digits: 2 },
  ];
  const votes: readonly (readonly [string, (row: ModuleTokens) => number])[] = [
    ["one vote", ({ prompt, completion }) => prompt + completion],
    ["all votes", ({ promptAll, completionAll }) => promptAll + completionAll],
  ];
  const sizes = [...new Set(played.toSorted(byRooms).map(({ rooms }) => rooms))];
  const counts = [...cells.values()].map(({ length }) => length);
  return {
    id: `graphmind-trajectory-${backbone}`,
    title: `GraphMind, §5: tokens of a trajectory, PutNextTo (${backbone})`,
    caption: `Backbone ${backbone}; ${counts.length > 0 ? `n = ${countText(counts, "trial")} a cell` : "nothing of it was played"}. ` +
      `Input and output tokens of the completed trials ÷ trials. Paper: the sums of Tables 5 and 6 times the decision steps of Appendix C; its "about 1.6" is ` +
      `that of 3 × 3.`,
    columns: ["Rooms", "KG", "SM", "KG ÷ SM"],
    rows: [
      ...sizes.flatMap((rooms) =>
        votes.map(([name, tokens]) => line(`${rooms}, ${name}`, meanOf(rooms, "kg", tokens), meanOf(rooms, "sm", tokens)))
      ),
      ...["2x2", "3x3"].map((rooms) =>
        line(`${rooms}, paper, one vote`, paperTrajectory("kg", "KG", rooms), paperTrajectory("sm", "SM", rooms))
      ),
    ],
  };
}

function paperTrajectory(column: string, memory: string, rooms: string): number {
  const steps = Number(paperTable("graphmind_appc_steps").find((row) => row.rooms === rooms && row.memory === memory)?.decision_steps);
  const total = (name: string): number => Number(paperTable(name).find(({ module }) => module === "Total")?.[column]);
  return steps * (total("graphmind_table5_input_tokens") + total("graphmind_table6_output_tokens"));
}
