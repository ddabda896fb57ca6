/**
 * The numbers of the GraphMind paper (Shin et al. 2026) and where ours come from: Tables 2 to 8, the text to Figure 5, Appendix C.
 *
 * | number | ours | agrees if |
 * |---|---|---|
 * | success in percent | share of the trials | the number lies in Wilson's interval |
 * | GED, steps | mean | the number lies in the bootstrap interval |
 * | standard error | by the paper's first formula | ours is within 1 percentage point, 1 edit |
 * | tokens, dollars | tokens ÷ decision steps, one vote | ours is within 20 % of it |
 *
 * @module
 */

import { episodeCosts, totalCost } from "../../store/costs.ts";
import type { Store } from "../../store/open.ts";
import type { DataFrame } from "../../report/frame.ts";
import { graphmindMean, type GraphMindMeasure } from "./measures.ts";
import { graphmindTokensFrame, modulesOf } from "./tokens.ts";
import { type GraphMindTrial, graphmindTrialsFrame, trialsOf } from "./trials.ts";
import { judge, type LedgerEntry, type OurNumber, type ReportedNumber } from "../../report/ledger.ts";
import { paperTable } from "../../report/paper.ts";
import { graphmindNumbers, type GraphMindTableName, type PaperNumber, trialsIn } from "./tables/paper.ts";
import { TOKEN_COLUMNS, tokensAStep } from "./tables/tokens.ts";

const FLASH = "gemini-2.5-flash";
/** How far a standard error may be away, in its own unit. */
const SE_TOLERANCE = 1;
/** The same for tokens and dollars, as a part of the reported number. */
const TOKEN_TOLERANCE = 0.2;

const SOURCES: Readonly<Record<GraphMindTableName, string>> = {
  table2: "Table 2",
  table3: "Table 3",
  table4: "Table 4",
  table7: "Table 7",
  table8: "Table 8",
  steps: "Appendix C",
};
const COLUMNS: Readonly<Record<GraphMindMeasure, string>> = {
  success: "success %",
  ged: "GED",
  gedWhole: "GED, whole map",
  decisions: "decision steps",
  decisionsOfSuccesses: "steps to completion",
  steps: "world steps",
  stepsOfSuccesses: "world steps to completion",
};

/**
 * Every number of the paper's tables, of the text to Figure 5 and of Appendix C, beside ours.
 *
 * @param study id of a study in the store
 * @param options `trials` and `tokens` are the frames of the study where they are at hand
 *
 * @example
 * ```ts
 * import { graphmindLedger } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const entries = graphmindLedger(store, "unplayed");
 * assert.ok(entries.length > 150 && entries.every(({ verdict }) => verdict === "not run"));
 * ```
 */
export function graphmindLedger(
  store: Store,
  study: string,
  options: { readonly trials?: DataFrame; readonly tokens?: DataFrame } = {},
): LedgerEntry[] {
  const trials = trialsOf(options.trials ?? graphmindTrialsFrame(store, study));
  const costs = episodeCosts(store, study);
  const backbone = [...new Set(trials.map((trial) => trial.backbone))].join(" and ");
  const ours = (value: number, measure: string, episodes: readonly string[], interval: { low?: number; high?: number } = {}): OurNumber => {
    return { value, ...interval, measure, backbone, embedder: "", cost: totalCost(costs, episodes), study, episodes };
  };
  return [
    ...(["table2", "table3", "table4", "table7", "table8", "steps"] as const).flatMap((table) => tableEntries(table, trials, ours)),
    ...figure5(trials, ours),
    ...tokenEntries(options.tokens ?? graphmindTokensFrame(store, study), trials, ours),
  ];
}

type Ours = (value: number, measure: string, episodes: readonly string[], interval?: { low?: number; high?: number }) => OurNumber;

/** Of each number its mean and, where one is printed, its standard error. */
function tableEntries(table: GraphMindTableName, all: readonly GraphMindTrial[], ours: Ours): LedgerEntry[] {
  const trials = trialsIn(table, all);
  return graphmindNumbers(table).flatMap((number) => {
    const { mission, rooms, condition, measure, model, printed, se } = number;
    const cell = trials.filter((trial) => trial.mission === mission && trial.rooms === rooms && trial.condition === condition);
    const done = cell.filter(({ status }) => status === "completed");
    const mean = done.length > 0 && done.length === cell.length ? graphmindMean(done, measure) : undefined;
    const missing = cell.length === 0
      ? "not played"
      : done.length < cell.length
      ? `incomplete, ${done.length} of ${cell.length} trials`
      : "no trial has it";
    const shared = { source: SOURCES[table], row: `${mission} ${rooms}, ${condition} (${model})`, backbone: model };
    const note = noteOf(table, number);
    const interval = mean?.low === undefined || mean.high === undefined ? {} : { low: mean.low, high: mean.high };
    const means = judge(
      { ...shared, column: COLUMNS[measure], printed, ...note },
      mean ? ours(mean.value, measure === "success" ? "share" : "mean", mean.episodes, interval) : missing,
    );
    if (se === undefined || se === "") return [means];
    const error = mean?.se?.unbiased;
    return [
      means,
      judge(
        { ...shared, column: `${COLUMNS[measure]}, SE`, printed: se, tolerance: SE_TOLERANCE, ...seNoteOf(table, number) },
        error === undefined ? mean ? "one trial has no standard error" : missing : ours(error, "standard error", mean?.episodes ?? []),
      ),
    ];
  });
}

/** What is known to be amiss with a printed number. */
function noteOf(
  table: GraphMindTableName,
  { mission, rooms, condition, measure, model, printed }: PaperNumber,
): Pick<ReportedNumber, "note"> {
  if (table === "table2" && printed === "87.7") return { note: "no mean of 30 trials: 26 of 30 are 86.7" };
  if (table === "table2" && mission === "PutNextTo" && measure === "ged" && model === FLASH) {
    const other = rooms === "2x2" ? "4.50" : "7.80";
    return { note: `Tables 3 and 8 print ${other} for the same cell, and Figure 5's means give ${other}` };
  }
  if (table === "table2" && mission === "PutNextTo" && measure === "ged" && model !== FLASH) {
    return { note: `Table 3 prints ${rooms === "2x2" ? "3.17" : "6.00"} for the same cell` };
  }
  if (table === "table8" && condition === "kg-static" && rooms === "3x3" && measure === "success") return { note: "implies 29 trials" };
  if (table === "table4" && measure === "decisionsOfSuccesses") {
    return { note: "read as the mean of successes: with 400 for failures SM's would be above 230.6" };
  }
  if (table === "steps") return { note: "the mission is not named; PutNextTo is taken" };
  return {};
}

function seNoteOf(table: GraphMindTableName, { measure }: PaperNumber): Pick<ReportedNumber, "note"> {
  if (measure !== "success") return {};
  if (table === "table4") return { note: "printed with n under the root" };
  return table === "table7" || table === "table8" ? { note: "printed mostly with n under the root" } : {};
}

/** The means that stand in the text to Figure 5. */
function figure5(trials: readonly GraphMindTrial[], ours: Ours): LedgerEntry[] {
  return paperTable("graphmind_fig5_ged").map(({ rooms = "", outcome = "", mean_ged = "" }) => {
    const all = trials.filter((trial) => trial.mission === "PutNextTo" && trial.rooms === rooms && trial.condition === "kg");
    const done = all.filter(({ status }) => status === "completed");
    const mean = done.length < all.length
      ? undefined
      : graphmindMean(done.filter(({ success }) => success === (outcome === "success")), "ged");
    const interval = mean?.low === undefined || mean.high === undefined ? {} : { low: mean.low, high: mean.high };
    const one = rooms === "2x2" && outcome === "failure" ? { note: "one episode; Flash alone, like the other means of this text" } : {};
    return judge(
      { source: "Figure 5", row: `PutNextTo ${rooms}, ${outcome}`, column: "GED", printed: mean_ged, backbone: FLASH, ...one },
      mean
        ? ours(mean.value, "mean", mean.episodes, interval)
        : all.length === 0
        ? "not played"
        : `no ${outcome} among ${done.length} trials`,
    );
  });
}

/** Tables 5 and 6, one vote. */
function tokenEntries(frame: DataFrame, trials: readonly GraphMindTrial[], ours: Ours): LedgerEntry[] {
  const modules = modulesOf(frame);
  return (["input", "output"] as const).flatMap((side) =>
    paperTable(side === "input" ? "graphmind_table5_input_tokens" : "graphmind_table6_output_tokens").flatMap(({ module = "", ...row }) =>
      Object.entries(TOKEN_COLUMNS).flatMap(([condition, { column, name }]) => {
        const printed = row[column];
        if (!printed) return [];
        const value = tokensAStep(modules, condition, side, false).get(module);
        const episodes = trials.filter((trial) => trial.condition === condition && trial.status === "completed").map(({ episode }) =>
          episode
        );
        return [judge(
          {
            source: side === "input" ? "Table 5" : "Table 6",
            row: `${name}: ${module}`,
            column: module.includes("USD") ? `${side} dollars a step` : `${side} tokens a step`,
            printed,
            backbone: FLASH,
            tolerance: TOKEN_TOLERANCE * Number(printed),
            ...(module === "Verify Node Transition" || module.startsWith("Total") ? { note: "the paper counts one vote of five" } : {}),
          },
          value === undefined
            ? episodes.length > 0 ? "the condition asks no such module" : "not played"
            : ours(value, "tokens ÷ steps", episodes),
        )];
      })
    )
  );
}
