/**
 * AriGraph, Table 3 (Appendix D): tokens of a step (text games) or of a task (questions) by method and role, ours beside the paper's.
 *
 * @module
 */

import { priceOf } from "../../../llm/prices.ts";
import type { Store } from "../../../store/open.ts";
import { countText } from "../../../report/counts.ts";
import { type DataFrame, rowsOf } from "../../../report/frame.ts";
import { conditionName } from "../../../report/names.ts";
import { paperTable } from "../../../report/paper.ts";
import type { Cell, Table } from "../../../report/table.ts";
import { type TokenRow, tokensAtStep, tokensFrame } from "../../../report/tokens.ts";

/** How the table is made. */
export interface CostsTableOptions {
  /** What answered for the models; stands in the title, the caption and the file name. */
  readonly backbone: string;
  /** What tokens are divided by: agent steps, or tasks (episodes). @default {"step"} */
  readonly per?: "step" | "task";
  /** The frame of `tokensFrame`, where it is at hand: it takes a second for a thousand episodes. */
  readonly tokens?: DataFrame;
}

/** Condition → its row of `data/papers/arigraph_table3_tokens.csv`, by unit. */
export const TABLE3_METHODS: Readonly<Record<"step" | "task", Readonly<Record<string, string>>>> = {
  step: {
    arigraph: "Ariadne",
    rag: "RAG",
    summary: "Summary",
    "full-history": "Full history",
    simulacra: "Simulacra",
    reflexion: "Reflexion",
  },
  task: { arigraph: "AriGraph" },
};

/** The backbone of the paper's games (§4), whose prices the table works out beside those paid. */
const PAPER_MODEL = "gpt-4-0125-preview";

/** The paper gives its Full history at this step, since its prompt grows with every one. */
export const LATE_STEP = 150;

/**
 * A condition's row with its sum, under it a row a role, and the paper's. Dollars are worked out twice: at the price of the paper's model,
 * and as they were metered.
 *
 * @example
 * ```ts
 * import { costsTable } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const { columns, rows } = costsTable(store, "unplayed", { backbone: "offline" });
 * assert.deepEqual(columns.slice(0, 4), ["Method", "Calls", "Prompt tokens", "Completion tokens"]);
 * assert.equal(rows.find(([name]) => name === "Ariadne, paper")?.length, columns.length);
 * ```
 */
export function costsTable(store: Store, study: string, options: CostsTableOptions): Table {
  const { backbone, per = "step", tokens = tokensFrame(store, study) } = options;
  const uses = tokensOf(tokens, per);
  const late = per === "step" ? tokensAtStep(store, study, LATE_STEP) : [];
  const reported = paperTable("arigraph_table3_tokens").filter(({ unit = "" }) => unit.startsWith(per));
  const names = TABLE3_METHODS[per];

  const ours = uses.flatMap(({ condition, total, roles }) => {
    const name = `${conditionName(condition)}, ${backbone}`;
    const atEnd = late.find((row) => row.condition === condition);
    return [
      row(name, total),
      ...roles.map(({ role, ...use }) => row(`– ${role}`, use)),
      ...(atEnd ? [row(`${name}: at step ${LATE_STEP}`, { ...atEnd, calls: null, dollars: null })] : []),
      ...reported.filter(({ method }) => method === names[condition]).map(paperRow),
    ];
  });
  const shown = uses.map(({ condition }) => names[condition]);
  const episodes = uses.map(({ episodes }) => episodes);
  return {
    id: `arigraph-table3-${per === "task" ? "questions-" : ""}${backbone}`,
    title: `AriGraph, Table 3: tokens and dollars a ${per} (${backbone})`,
    caption:
      `Backbone ${backbone}; n = ${countText(episodes, "episode")} a method. Tokens of all episodes divided by their ${
        per === "step" ? "agent steps" : "number"
      }; each request counted once, however often an episode was resumed. Offline tokens are counted with the o200k vocabulary. ` +
      `"Paper's price" is that of ${PAPER_MODEL}: ${priceOf(PAPER_MODEL)?.prompt} and ${priceOf(PAPER_MODEL)?.completion} USD ` +
      `for a million prompt and completion tokens; "metered" is what the backbone cost. The paper's Full history is that of step ${LATE_STEP}.`,
    columns: ["Method", "Calls", "Prompt tokens", "Completion tokens", "USD at the paper's price", "USD metered"],
    rows: [...ours, ...reported.filter(({ method = "" }) => !shown.includes(method)).map(paperRow)],
  };
}

/** Tokens of a step or task; `calls` and `dollars` are null where they are not known. */
export interface TokenUse {
  readonly calls: number | null;
  readonly prompt: number;
  readonly completion: number;
  readonly dollars: number | null;
}

/** What a condition takes: in all and by role. */
export interface ConditionTokens {
  readonly condition: string;
  /** Ids of the episodes behind it. */
  readonly ids: readonly string[];
  readonly episodes: number;
  readonly total: TokenUse;
  readonly roles: readonly (TokenUse & { readonly role: string })[];
}

/** Conditions in order of name: sums over all episodes, divided by their steps or number. */
export function tokensOf(tokens: DataFrame, per: "step" | "task"): ConditionTokens[] {
  const groups = Map.groupBy(rowsOf<TokenRow>(tokens), ({ condition }) => condition);
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([condition, rows]) => {
    const steps = new Map(rows.map(({ episode, steps }) => [episode, steps]));
    const units = per === "task" ? steps.size : [...steps.values()].reduce((sum, count) => sum + count, 0);
    const roles = [...Map.groupBy(rows, ({ role }) => role)].map(([role, some]) => ({ role, ...sumOf(some, units) }));
    return { condition, ids: [...steps.keys()].sort(), episodes: steps.size, total: sumOf(rows, units), roles };
  });
}

function sumOf(rows: readonly TokenRow[], units: number): TokenUse {
  const sum = (of: (row: TokenRow) => number): number => rows.reduce((total, row) => total + of(row), 0) / units;
  return {
    calls: sum(({ calls }) => calls),
    prompt: sum(({ prompt }) => prompt),
    completion: sum(({ completion }) => completion),
    dollars: rows.some(({ dollars }) => dollars === null) ? null : sum(({ dollars }) => dollars ?? 0),
  };
}

function row(name: string, { calls, prompt, completion, dollars }: TokenUse): Cell[] {
  return [
    name,
    calls === null ? null : { value: calls, digits: 1 },
    { value: prompt, digits: 0 },
    { value: completion, digits: 0 },
    dollarCell(atPaperPrice(prompt, completion)),
    dollarCell(dollars),
  ];
}

function paperRow({ method, unit, prompt_tokens, completion_tokens }: Readonly<Record<string, string>>): Cell[] {
  const late = unit === `step ${LATE_STEP}` ? `, ${unit}` : "";
  return row(`${method}, paper${late}`, {
    calls: null,
    prompt: Number(prompt_tokens),
    completion: Number(completion_tokens),
    dollars: null,
  });
}

/** Dollars that so many tokens cost at the price of the paper's model. */
function atPaperPrice(prompt: number, completion: number): number | null {
  const price = priceOf(PAPER_MODEL);
  return price ? (prompt * price.prompt + completion * price.completion) / 1e6 : null;
}

function dollarCell(dollars: number | null): Cell {
  return dollars === null ? null : { value: dollars, digits: 4 };
}
