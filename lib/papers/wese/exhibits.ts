/** WESE's Tables 1 to 4, each of effect and of cost, its Figure 3 and the percentages of its text, as exhibits. */

import { WESE_PAPER } from "../../agent/wese.ts";
import { ALFWORLD_TASKS } from "../../env/alfworld.ts";
import type { CaptionFacts, Exhibit, Line, LineWhere, PaperNumber } from "../../report/exhibit.ts";
import type { PaperLedger } from "../../report/study-report.ts";
import type { Store } from "../../store/open.ts";
import { capitalised } from "../../text/capitalised.ts";
import { claimMeasurement, WESE_CLAIMS, weseImprovement, weseMean, weseScaled, weseTotal, type WeseValue, weseValue } from "./measures.ts";
import { type WeseTrial, weseTrials } from "./trials.ts";
import { WESE_METHODS, WESE_WORLDS, type WeseMethod, wesePaperRow, type WeseWorld, weseWorldName } from "./worlds.ts";

const STRONG = "text-davinci-003";
const WITH_WEAK = "llama-2-7b-chat+text-davinci-003";
/** How far a percentage without interval may be away, in points. */
const TOLERANCE = 10;

/** A method as a row. */
type Row = Line<WeseTrial> & Pick<WeseTrial, "isOneModel"> & { readonly method: WeseMethod };

/** A column of a table: what of ours stands beside which column of the paper's file. */
interface Column extends Line<WeseTrial> {
  readonly value: WeseValue;
  /** `scaled`: the mean times the paper's tasks. */
  readonly kind: "mean" | "total" | "scaled" | "improvement";
  readonly csv?: string;
  /** The paper's total divided by its tasks, with so many digits. */
  readonly each?: number;
  readonly hidden?: PaperNumber["hidden"];
  /** Whether it speaks of the exploring model alone. */
  readonly weak?: true;
}

/** What rows and captions say of WESE where weak and strong are the same model. */
export const ONE_MODEL = "one model explores and acts";

/** The rows of a method in a world: of WESE one for a weak and a strong model, and one that says that one model was both, which the ledger leaves out. */
function methodRows(world: string): (method: WeseMethod) => Row[] {
  return (method) => {
    const { name, condition, variant } = method;
    const shared = { method, rivals: condition === "random" ? null : undefined };
    const row = { ...shared, name, isOneModel: false, where: { world, condition, isOneModel: false } };
    if (variant !== "WESE") return [row];
    const both = { ...shared, name: `${name}, ${ONE_MODEL}`, isOneModel: true, where: { world, condition, isOneModel: true } };
    return [{ ...row, absent: "not played with a model of its own that explores" }, both];
  };
}

/** In the ledger alone: the paper's totals beside our means times its tasks. */
const TOTALS: readonly Column[] = [
  { name: "prompt tokens", value: "strongPrompt", kind: "scaled", csv: "prompt_tokens", shown: "never" },
  { name: "completion tokens", value: "strongCompletion", kind: "scaled", csv: "completion_tokens", shown: "never" },
  { name: "expense, USD", value: "paperDollars", kind: "scaled", csv: "expense_usd", shown: "never" },
  { name: "expense, improvement %", value: "paperDollars", kind: "improvement", csv: "expense_imp_pct", shown: "never" },
];

const STEPS: readonly Column[] = [
  { name: "steps", ledger: "average steps", value: "steps", kind: "mean", csv: "avg_steps" },
  { name: "imp. %", ledger: "steps, improvement %", value: "steps", kind: "improvement", csv: "steps_imp_pct" },
];

const EFFECT_COLUMNS: readonly Column[] = [
  { name: "success rate", value: "success", kind: "mean", csv: "success_rate" },
  { name: "imp. %", ledger: "success, improvement %", value: "success", kind: "improvement", csv: "effect_imp_pct" },
  ...STEPS,
  ...TOTALS,
];

const SCIENCE_COLUMNS: readonly Column[] = [
  { name: "total reward", value: "reward", kind: "total", csv: "total_reward", hidden: "ledger" },
  { name: "total reward", value: "reward", kind: "scaled", csv: "total_reward", shown: "never" },
  { name: "average reward", value: "reward", kind: "mean", csv: "avg_reward" },
  { name: "imp. %", ledger: "reward, improvement %", value: "reward", kind: "improvement", csv: "reward_imp_pct" },
  ...STEPS,
  ...TOTALS,
];

const COST_COLUMNS: readonly Column[] = [
  { name: "strong: prompt", value: "strongPrompt", kind: "mean", csv: "prompt_tokens", each: 0, hidden: "ledger" },
  { name: "completion", value: "strongCompletion", kind: "mean", csv: "completion_tokens", each: 0, hidden: "ledger" },
  { name: "expense, USD", value: "paperDollars", kind: "mean", csv: "expense_usd", each: 4, hidden: "ledger" },
  { name: "imp. %", value: "paperDollars", kind: "improvement", csv: "expense_imp_pct", hidden: "ledger" },
  { name: "weak: prompt", value: "weakPrompt", kind: "mean", weak: true, shown: "nonzero" },
  { name: "completion", value: "weakCompletion", kind: "mean", weak: true, shown: "nonzero" },
  { name: "all: cached", value: "cached", kind: "mean", shown: "nonzero" },
  { name: "reasoning", value: "reasoning", kind: "mean", shown: "nonzero" },
  { name: "all, USD", value: "dollars", kind: "mean" },
  { name: "imp. %", value: "dollars", kind: "improvement" },
];

/** The fields that the tables of a world share. */
function worldExhibit(
  world: WeseWorld,
): Pick<Exhibit<WeseTrial, Row, Column>, "source" | "head" | "trial" | "trials" | "compete" | "measure" | "paper"> {
  return {
    source: world.paper ? `Table ${world.paper.table}` : "ours",
    head: "method",
    trial: "task",
    trials: weseTrials,
    compete: "rows",
    measure: ({ method, isOneModel }, { value, kind, weak }) => {
      if (weak && (method.variant !== "WESE" || isOneModel)) return undefined;
      if (kind === "improvement") return weseImprovement(value, method, { world: world.id });
      if (kind === "scaled") return weseScaled(value, world.paper?.tasks ?? 1);
      return kind === "total" ? weseTotal(value) : weseMean(value);
    },
    paper: ({ method, isOneModel }, { csv = "", each, kind, hidden }) => {
      const printed = wesePaperRow(world, method)[csv];
      if (!printed || !world.paper) return undefined;
      return {
        printed,
        shown: each === undefined ? printed : (Number(printed) / world.paper.tasks).toFixed(each),
        // the improvement of a base method on itself is 0 by definition
        hidden: hidden ?? (isOneModel || (kind === "improvement" && method.base === undefined) ? "ledger" : undefined),
        backbone: modelsOf(method),
        measure: `over ${world.paper.tasks} tasks`,
        steps: WESE_PAPER.steps[world.id === "hotpotqa" || world.id === "fever" ? "questions" : "other"],
        tolerance: kind === "improvement" ? TOLERANCE : undefined,
        note: world.id === "fever" && method.name === "Act-SESE" && csv === "expense_usd" ? "its own tokens give 58.89" : undefined,
      };
    },
  };
}

/** Effect and efficiency in a world: success (ScienceWorld: total and average reward), steps, and relative improvements. */
function effectExhibit(world: WeseWorld): Exhibit<WeseTrial, Row, Column> {
  const science = world.id === "scienceworld";
  return {
    ...worldExhibit(world),
    id: `wese-${world.paper ? `table${world.paper.table}` : `table-${world.id}`}`,
    rows: WESE_METHODS.flatMap(methodRows(world.id)),
    columns: science ? SCIENCE_COLUMNS : EFFECT_COLUMNS,
    title: (backbone, trials) => `WESE, ${titleOf(world, trials)}: effect and efficiency (model: ${backbone})`,
    caption: (facts, trials) =>
      `${sampleText(world, facts, trials)} imp.: relative improvement on Act or ReAct in percent; – where the base has nothing. Steps: ` +
      `${science ? "until the first reward, which what the world gives at the beginning is not" : "of successful tasks"}. ` +
      (world.paper ? `Paper: as printed, over its own ${world.paper.tasks} tasks, text-davinci-003 and Llama-2-7B.` : NOT_IN_PAPER),
  };
}

/** Cost in a world: tokens and dollars of a mean task, of the acting model alone, as in the paper, then of the weak one, and of both. */
function costExhibit(world: WeseWorld): Exhibit<WeseTrial, Row, Column> {
  return {
    ...worldExhibit(world),
    id: `wese-${world.paper ? `cost${world.paper.table}` : `cost-${world.id}`}`,
    rows: WESE_METHODS.filter(({ condition }) => condition !== "random").flatMap(methodRows(world.id)),
    columns: COST_COLUMNS,
    title: (backbone, trials) => `WESE, ${titleOf(world, trials)}: cost of a task (model: ${backbone})`,
    caption: (facts, trials) =>
      `${sampleText(world, facts, trials)} Means a task; each request counts once. Strong: the model that acts, ` +
      "whatever else it was asked, the only one that the paper counts; expense: its tokens at 0.02 USD for 1000, the price of " +
      "text-davinci-003. Weak: the other model, where one explores, extracts and chooses for WESE. All: both models at the prices of the day, played offline as if " +
      `those of the role map "today" had answered. ${world.paper ? "Paper: its totals divided by its tasks." : NOT_IN_PAPER}`,
  };
}

/** Ends the captions of worlds that the paper does not have. */
const NOT_IN_PAPER = "The paper has no such tasks.";

function titleOf({ id, paper }: WeseWorld, trials: readonly WeseTrial[]): string {
  const name = weseWorldName(id, trials);
  return paper ? `Table ${paper.table}, ${name}` : name;
}

function sampleText({ id }: WeseWorld, { backbone, n, intervals }: CaptionFacts, trials: readonly WeseTrial[]): string {
  const sources = [...new Set(trials.map(({ source }) => source))].sort().join(", ");
  return `${capitalised(weseWorldName(id, trials))}, from ${sources}, ${n} a method, each played once; model: ${backbone}. ${intervals}`;
}

function modelsOf({ variant }: WeseMethod): string {
  return variant === "WESE" ? WITH_WEAK : STRONG;
}

/** A type of task as a column. */
type TypeColumn = LineWhere<WeseTrial, "task">;

const IN_HOUSES = { source: "Figure 3", head: "method", trial: "task", trials: weseTrials };

/** Figure 3: the relative improvement by type of task, which the paper shows in a picture alone. */
export const WESE_TYPES: Exhibit<WeseTrial, Row, TypeColumn> = {
  ...IN_HOUSES,
  id: "wese-fig3",
  rows: WESE_METHODS.filter(({ base }) => base !== undefined).flatMap(methodRows("alfworld")),
  columns: Object.keys(ALFWORLD_TASKS).map((task) => ({ name: `${task}, improvement %`, where: { task } })),
  measure: ({ method }, { where: { task } }) => weseImprovement("success", method, { world: "alfworld", task }),
  paper: ({ method, isOneModel }) => ({ printed: null, backbone: modelsOf(method), hidden: isOneModel ? "ledger" : undefined }),
};

/** The success rate by type of task, of the methods alone, too. */
export const WESE_SUCCESS_BY_TYPE: Exhibit<WeseTrial, Row, TypeColumn> = {
  ...IN_HOUSES,
  id: "wese-success-by-type",
  rows: WESE_METHODS.filter(({ condition }) => /^(re)?act/.test(condition)).flatMap(methodRows("alfworld")),
  columns: WESE_TYPES.columns.map((column) => ({ ...column, name: column.where.task })),
  measure: () => weseMean("success"),
};

/** The percentages of the text, a row each. */
const CLAIMS: Exhibit<WeseTrial, Line<WeseTrial> & { readonly number: PaperNumber }> = {
  id: "wese-claims",
  source: "text",
  head: "claim",
  trial: "task",
  trials: weseTrials,
  rows: WESE_CLAIMS.map((claim) => {
    const conditions = new Set(claim.pairs.flat());
    return {
      name: claim.text,
      has: ({ world, condition, isOneModel }) => claim.worlds.includes(world) && conditions.has(condition) && !isOneModel,
      measure: {
        name: "mean of relative differences",
        interval: "a percentile bootstrap over tasks",
        estimate: (trials) => claimMeasurement(claim, trials),
      },
      number: {
        source: claim.source,
        row: "text",
        column: claim.text,
        printed: claim.printed,
        backbone: WITH_WEAK,
        tolerance: TOLERANCE,
        note: claim.note,
      },
    };
  }),
  columns: [{ name: "ours" }],
  paper: ({ number }) => number,
};

const EFFECTS = WESE_WORLDS.map(effectExhibit);

/** Tables 1 to 4 of effect, then of cost, and those of the worlds that the paper does not have. */
export const WESE_TABLES: readonly Exhibit[] = [...EFFECTS, ...WESE_WORLDS.map(costExhibit)];

/** The value of each episode of a study that has one. */
function valuesOf(key: WeseValue): (store: Store, study: string) => ReadonlyMap<string, number> {
  return (store, study) =>
    new Map(
      weseTrials(store, study).flatMap((trial) => {
        const value = weseValue(key, trial);
        return typeof value === "number" ? [[trial.episode, value] as const] : [];
      }),
    );
}

/** The ledger of the paper: 42 + 48 + 47 + 47 numbers of its tables, 24 of Figure 3, 11 of its text. */
export const WESE_LEDGER: PaperLedger = {
  prefix: "wese-",
  title: "WESE: the paper's numbers and ours",
  exhibits: [...EFFECTS, WESE_TYPES, CLAIMS],
  claims: { file: "wese_claims", measures: { steps: valuesOf("steps"), expense: valuesOf("paperDollars") } },
};
