/** AriGraph's Table 3 (Appendix D): tokens of an agent step in text games, or of a question, by method and role. */

import { playerName } from "../../report/caption-text.ts";
import { HUMAN } from "../../lab/human.ts";
import { priceOf } from "../../core/llm/prices.ts";
import { type Measure, ratioMeasure, type Trial } from "../../report/estimate.ts";
import type { Exhibit, Line, PaperNumber } from "../../report/exhibit.ts";
import { conditionName } from "../../report/textworld-names.ts";
import { paperTable } from "../../report/paper.ts";
import { type AnsweredTokens, answeredTokens, type StepTokens, stepTokens } from "../../lab/store/costs.ts";
import type { Store } from "../../lab/store/open.ts";
import { EXPERIMENT, linesUnder } from "./conditions.ts";

/** The backbone of the paper's games (§4), whose prices the table works out beside those paid. */
const PAPER_MODEL = "gpt-4-0125-preview";
/** The paper gives its Full history at this step, since its prompt grows with every one. */
const LATE_STEP = 150;
/** How far a number without interval may be away, as a part of the paper's, which is rounded to hundreds and counts with another vocabulary. */
const TOLERANCE = 0.2;

/** The unit by which tokens are divided: agent steps of text games, or questions. */
type Unit = "step" | "task";

/** By unit: the paper's row of `data/papers/arigraph_table3_tokens.csv` → the condition of ours that stands beside it. */
export const TABLE3_CONDITIONS: Readonly<Record<Unit, Readonly<Record<string, string>>>> = {
  step: {
    Ariadne: "arigraph",
    RAG: "rag",
    Summary: "summary",
    "Full history": "full-history",
    Simulacra: "simulacra",
    Reflexion: "reflexion",
  },
  task: { AriGraph: "arigraph", GraphRAG: "graphrag" },
};

/** Calls, tokens and dollars; null where they are not known. */
type Use = Pick<AnsweredTokens, "prompt" | "completion"> & {
  readonly calls: number | null;
  readonly cached: number | null;
  readonly reasoning: number | null;
  readonly dollars: number | null;
};

/** An episode with what it took of models. */
export interface CostTrial extends Trial {
  readonly unit: Unit;
  /** Agent steps of all passes, or 1 task. */
  readonly units: number;
  /** By role; empty where no model was asked. */
  readonly roles: readonly (Use & { readonly role: string })[];
  /** The use at step 150 of each pass that reached it. */
  readonly late: readonly Use[];
}

/** Returns the episodes of a study in text games and questions with their tokens, each request counted once, in order of condition. */
export function costTrials(store: Store, study: string): CostTrial[] {
  const roles = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const late = Map.groupBy(tokensAtLateStep(store, study), ({ episode }) => episode);
  const rows = store.prepare(`
    select id as episode, condition, status, cast(seed as text) as seed, case ${EXPERIMENT} when 'questions' then 'task' else 'step' end as unit,
      coalesce((select sum(json_extract(value, '$.steps')) from json_each(passes)), 0) as steps
    from episodes where study = ? and method <> ? and ${EXPERIMENT} in ('games', 'questions') order by condition, id`)
    .all(study, HUMAN) as unknown as (Trial & { readonly unit: Unit; readonly steps: number })[];
  return rows.map(({ steps, ...row }) => ({
    ...row,
    units: row.unit === "task" ? 1 : steps,
    roles: roles.get(row.episode) ?? [],
    late: row.unit === "task" ? [] : late.get(row.episode) ?? [],
  }));
}

/** Tokens of each pass of an episode at the late step, over all roles. */
function tokensAtLateStep(store: Store, study: string): (Use & { readonly episode: string })[] {
  const passes = Map.groupBy(stepTokens(store, study, LATE_STEP), ({ episode, pass }) => `${episode} ${pass}`);
  return [...passes.values()].map((roles) => {
    const sum = (of: (role: StepTokens) => number): number => roles.reduce((total, role) => total + of(role), 0);
    const taken = {
      prompt: sum(({ prompt }) => prompt),
      cached: sum(({ cached }) => cached),
      completion: sum(({ completion }) => completion),
      reasoning: sum(({ reasoning }) => reasoning),
    };
    return { episode: roles[0]?.episode ?? "", calls: null, dollars: null, ...taken };
  });
}

/** A condition as a whole, one role of it, or its step 150. */
interface Row extends Line<CostTrial> {
  readonly part: "all" | "late" | { readonly role: string };
  readonly methods?: readonly string[];
}

interface Column extends Line<CostTrial> {
  readonly digits: number;
  readonly of: (use: Use) => number | null;
  /** Its column in the paper's file; the table shows its interval. */
  readonly csv?: "prompt" | "completion";
}

const COLUMNS: readonly Column[] = [
  { name: "Calls", digits: 1, of: ({ calls }) => calls },
  { name: "Prompt tokens", digits: 0, of: ({ prompt }) => prompt, csv: "prompt" },
  { name: "of which cached", digits: 0, of: ({ cached }) => cached, shown: "nonzero" },
  { name: "Completion tokens", digits: 0, of: ({ completion }) => completion, csv: "completion" },
  { name: "of which reasoning", digits: 0, of: ({ reasoning }) => reasoning, shown: "nonzero" },
  { name: "USD at the paper's price", digits: 4, of: atPaperPrice },
  { name: "USD metered", digits: 4, of: ({ dollars }) => dollars },
];

/** Dollars that so many tokens cost at the price of the paper's model. */
function atPaperPrice({ prompt, completion }: Use): number | null {
  const price = priceOf(PAPER_MODEL);
  return price ? (prompt * price.prompt + completion * price.completion) / 1e6 : null;
}

/** A sum over trials divided by their units; trials are resampled whole. */
function costMeasure({ part }: Row, { of, digits, csv }: Column): Measure<CostTrial> {
  const isLate = part === "late";
  const ratio = ratioMeasure<CostTrial>({
    name: "tokens",
    range: [0, Infinity],
    digits,
    of: ({ roles, late }) => {
      if (isLate ? late.length === 0 : roles.length === 0) return undefined;
      const uses = isLate ? late : roles.filter(({ role }) => part === "all" || role === part.role);
      return uses.map(of).reduce((sum, value) => sum === null || value === null ? null : sum + value, 0);
    },
    per: ({ units, late }) => isLate ? late.length : units,
    how: ([trial]) => isLate ? `mean at step ${LATE_STEP}` : `tokens ÷ ${trial?.unit}s`,
    show: typeof part === "object" || csv === undefined ? ({ value }) => value.toFixed(digits) : undefined,
  });
  if (!isLate) return ratio;
  return { ...ratio, estimate: (trials) => trials.some(isLateTrial) ? ratio.estimate(trials) : `no episode reached step ${LATE_STEP}` };
}

function isLateTrial({ late }: CostTrial): boolean {
  return late.length > 0;
}

/** Every number of the paper's Table 3. */
export const COSTS_LEDGER: Exhibit<CostTrial, Row, Column> = {
  id: "arigraph-table3",
  source: "Table 3",
  head: "Method",
  trial: "episode",
  trials: costTrials,
  rows: (["step", "task"] as const).flatMap((unit) =>
    Object.entries(TABLE3_CONDITIONS[unit]).map(([method, condition]) => ({
      name: `${method} (${unit === "step" ? "text games" : "QA"})`,
      methods: [method],
      part: condition === "full-history" ? "late" as const : "all" as const,
      where: { unit, condition },
    }))
  ),
  columns: COLUMNS.filter(({ csv }) => csv !== undefined),
  measure: costMeasure,
  beside: "rows",
  paper: ({ methods = [] }, { csv, of, digits }) =>
    paperTable("arigraph_table3_tokens").filter(({ method = "" }) => methods.includes(method)).map((line): PaperNumber => {
      const { method, unit, prompt_tokens: prompt, completion_tokens: completion } = line;
      const isLate = unit === `step ${LATE_STEP}`;
      const printed =
        of({ prompt: Number(prompt), completion: Number(completion), calls: null, cached: null, reasoning: null, dollars: null })?.toFixed(
          digits,
        ) ?? "";
      return {
        printed,
        line: `${method}, paper, its model's tokens${isLate ? `, ${unit}` : ""}`,
        column: `${csv} tokens ${isLate ? "at" : "a"} ${unit}`,
        backbone: PAPER_MODEL,
        tolerance: TOLERANCE * Number(printed),
      };
    }),
};

/** Table 3 with the conditions of some trials: a row a condition, its roles, its step 150, and the paper's. */
export function costsExhibit(
  trials: readonly CostTrial[],
  options: { readonly unit: Unit; readonly backbone: string },
): Exhibit<CostTrial, Row, Column> {
  const { unit, backbone } = options;
  const asked = trials.filter((trial) => trial.unit === unit && trial.roles.length > 0);
  const conditions = [...new Set(asked.map(({ condition }) => condition))];
  const lines = linesUnder(conditions, TABLE3_CONDITIONS[unit]);
  return {
    ...COSTS_LEDGER,
    id: `arigraph-table3${unit === "task" ? "-questions" : ""}`,
    title: () => `AriGraph, Table 3: tokens and dollars a ${unit} (${playerName(backbone)})`,
    rows: conditions.flatMap((condition): Row[] => {
      const own = asked.filter((trial) => trial.condition === condition);
      const line = { group: condition, where: { unit, condition } };
      const name = `${conditionName(condition)}, ${playerName(backbone)}`;
      const roles = [...new Set(own.flatMap((trial) => trial.roles.map(({ role }) => role)))].sort();
      return [
        { ...line, name, part: "all", methods: lines.get(condition) },
        ...roles.map((role) => ({ ...line, name: `– ${role}`, part: { role } })),
        ...own.some(isLateTrial) ? [{ ...line, name: `${name}: at step ${LATE_STEP}`, part: "late" as const }] : [],
      ];
    }),
    columns: COLUMNS,
    caption: ({ n, intervals }) =>
      `Model: ${playerName(backbone)}; ${n} a method. Tokens of all episodes divided by their ${
        unit === "step" ? "agent steps" : "number"
      }; each ` +
      `request counted once, however often an episode was resumed. ${intervals} Tokens of the stand-in are counted with the o200k vocabulary. ` +
      `"Paper's price" is that of ${PAPER_MODEL}: ${priceOf(PAPER_MODEL)?.prompt} and ${priceOf(PAPER_MODEL)?.completion} USD ` +
      `for a million prompt and completion tokens; "metered" is what the backbone cost.` +
      (unit === "step" ? ` "At step ${LATE_STEP}": the mean of those that reached it, as the paper's Full history.` : ""),
  };
}
