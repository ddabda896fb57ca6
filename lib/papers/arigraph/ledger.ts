/**
 * The numbers of the AriGraph paper (Anokhin et al. 2024, arXiv 2407.04363) and where ours come from: Tables 1 to 4 and Figure 4.
 *
 * | number | ours | agrees if |
 * |---|---|---|
 * | Table 1: score, levels | mean over the seeds | the number lies in the bootstrap interval |
 * | Table 1: standard deviation | of the sample | ours is within 20 % of it |
 * | Table 2: EM, F1 in percent | mean over questions | the number lies in the bootstrap interval |
 * | Table 3: tokens a step or task | tokens ÷ steps or tasks, each request once | ours is within 20 % of it |
 * | Table 4: best 3 of 5 | mean of the best 3 | ours is within 0.10 of it (the paper gives no spread, and such a mean has no interval) |
 * | Table 4: Human All | mean of all | the number lies in the bootstrap interval |
 *
 * @module
 */

import pl from "nodejs-polars";
import { episodeCosts, totalCost } from "../../store/costs.ts";
import type { Store } from "../../store/open.ts";
import { type AnswerRow, answersFrame } from "../../report/answers.ts";
import { type DataFrame, episodesFrame, rowsOf } from "../../report/frame.ts";
import { NETHACK_AGENTS, type NetHackRun, nethackRunsFrame, spreadOf } from "./nethack-runs.ts";
import { judge, type LedgerEntry, type OurNumber, type ReportedNumber } from "../../report/ledger.ts";
import { sessionsBeside } from "../../report/humans.ts";
import { paperRow, TEXTWORLD_GAMES } from "../../report/names.ts";
import { paperTable } from "../../report/paper.ts";
import { summariseScores } from "../../report/summary.ts";
import { LATE_STEP, TABLE3_METHODS, tokensOf } from "./tables/costs.ts";
import { meanCell, QUESTION_ROWS, QUESTION_SETS } from "./tables/questions.ts";
import { tokensAtStep, tokensFrame } from "../../report/tokens.ts";
import { episodesByTrial, trialsOf } from "../../report/trials.ts";

/** How far a mean of the best 3 may be away, of a normalised score. */
const SCORE_TOLERANCE = 0.1;
/** The same for tokens, as a part of the reported number: the paper rounds to hundreds and counts with another vocabulary. */
const TOKEN_TOLERANCE = 0.2;

/** The same for standard deviations, as a part of the reported one. */
const SD_TOLERANCE = 0.2;

const PAPER_BACKBONE = "gpt-4-0125-preview";

/** Finds ours in one study: the number, why there is none though the study has the cell, or nothing where it has not. */
type Find = (study: StudyNumbers) => OurNumber | string | undefined;

/**
 * Every number of the paper's tables, and those of Figure 4, beside ours.
 *
 * @param studies ids of studies in the store, in order of preference: a cell is taken from the first that has it complete
 * @param options `tokens` holds the frames of `tokensFrame` that are at hand, by study
 *
 * @example
 * ```ts
 * import { arigraphLedger } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const entries = arigraphLedger(store, []);
 * assert.ok(entries.length > 100 && entries.every(({ verdict }) => verdict === "not run" || verdict === "figure only"));
 * ```
 */
export function arigraphLedger(
  store: Store,
  studies: readonly string[],
  options: { readonly tokens?: Readonly<Record<string, DataFrame>> } = {},
): LedgerEntry[] {
  const numbers = studies.map((study) => studyNumbers(store, study, options.tokens?.[study] ?? tokensFrame(store, study)));
  const entry = (reported: ReportedNumber, find: Find, otherwise = "not played"): LedgerEntry => {
    const found = numbers.map(find).filter((ours) => ours !== undefined);
    return judge(reported, found.find((ours) => typeof ours !== "string") ?? found[0] ?? otherwise);
  };
  return [
    ...nethack(entry),
    ...questions(entry),
    ...tokens(entry),
    ...scores(entry),
    ...benchmark(entry),
  ];
}

type Entry = (reported: ReportedNumber, find: Find, otherwise?: string) => LedgerEntry;

/** Table 1: mean and standard deviation over 3 runs. */
function nethack(entry: Entry): LedgerEntry[] {
  return paperTable("arigraph_table1_nethack").flatMap(({ method = "", observation = "", ...columns }) =>
    Object.entries(columns).map(([column, printed]) => {
      const [measure, part] = column.split("_") as ["score" | "levels", "mean" | "sd"];
      return entry(
        {
          source: "Table 1",
          row: `${method} [${observation} obs]`,
          column: column.replace("_", " "),
          printed,
          backbone: "gpt-4o",
          ...(part === "sd" ? { tolerance: SD_TOLERANCE * Number(printed) } : {}),
        },
        (study) => study.nethack({ method, observation }, measure, part),
      );
    })
  );
}

/** Table 2. Rows that the paper quotes from others have no condition of ours. */
function questions(entry: Entry): LedgerEntry[] {
  return paperTable("arigraph_table2_qa").flatMap(({ method = "", ...columns }) =>
    Object.entries(columns).map(([column, printed]) => {
      const cut = column.lastIndexOf("_");
      const [set, measure] = [column.slice(0, cut), column.slice(cut + 1) as "em" | "f1"];
      const [game, { name = set } = {}] = Object.entries(QUESTION_SETS).find(([, entry]) => entry.column === set) ?? [];
      const [condition] = Object.entries(QUESTION_ROWS).find(([, { paper }]) => paper.includes(method)) ?? [];
      const backbone = method.includes("4o-mini") ? "gpt-4o-mini" : "gpt-4";
      const reported = { source: "Table 2", row: method, column: `${name} ${measure.toUpperCase()}`, printed, backbone };
      if (condition === undefined) return entry(reported, () => undefined, "quoted there from its authors; never run here");
      // Of two backbones in the paper, ours stands beside the one it is.
      const mini = condition === "arigraph" && backbone === "gpt-4o-mini";
      return entry(reported, (study) => {
        if (condition === "arigraph" && mini !== study.backbone.includes("4o-mini")) return undefined;
        return study.answers(game ?? "", condition, measure);
      });
    })
  );
}

/** Table 3. */
function tokens(entry: Entry): LedgerEntry[] {
  return paperTable("arigraph_table3_tokens").flatMap(({ task, method = "", unit = "", prompt_tokens, completion_tokens }) => {
    const per = unit === "task" ? "task" : "step";
    const [condition] = Object.entries(TABLE3_METHODS[per]).find(([, name]) => name === method) ?? [];
    const step = unit.startsWith("step ") ? LATE_STEP : undefined;
    return ([["prompt", prompt_tokens], ["completion", completion_tokens]] as const).map(([kind, printed = ""]) =>
      entry(
        {
          source: "Table 3",
          row: `${method} (${task})`,
          column: `${kind} tokens ${step === undefined ? "a" : "at"} ${unit}`,
          printed,
          backbone: PAPER_BACKBONE,
          tolerance: TOKEN_TOLERANCE * Number(printed),
        },
        (study) => condition === undefined ? undefined : study.tokens(condition, { per, kind, ...(step === undefined ? {} : { step }) }),
        condition === undefined ? "quoted there; never run here" : step === undefined ? "not played" : `no episode reached step ${step}`,
      )
    );
  });
}

/** Table 4. */
function scores(entry: Entry): LedgerEntry[] {
  return paperTable("arigraph_table4_textworld").flatMap(({ method = "", ...columns }) =>
    Object.entries(columns).filter(([, printed]) => printed !== "").map(([column, printed]) => {
      const llama = method.includes("LLaMA");
      const human = method.startsWith("Human");
      const wanted = llama ? "AriGraph" : method;
      return entry(
        {
          source: "Table 4",
          row: method,
          column: TEXTWORLD_GAMES.find((game) => game.column === column)?.name ?? column,
          printed,
          backbone: human ? "human" : llama ? "llama-3-70b" : PAPER_BACKBONE,
          tolerance: SCORE_TOLERANCE,
          ...(human ? {} : { measure: "best 3 of 5" }),
        },
        (study) => {
          if (!human && llama !== isLlama70(study.backbone)) return undefined;
          const all = method === "Human All";
          return study.score((condition) => paperRow(condition, { all }) === wanted, column, { all });
        },
      );
    })
  );
}

/** Figure 4, levels 1 to 4 of the RL benchmark: the paper draws bars and prints no number. */
function benchmark(entry: Entry): LedgerEntry[] {
  const methods = { "Ariadne": "arigraph", "GPT-4 Full history": "full-history", "GATA": "", "LTL-GATA": "", "EXPLORER": "" };
  return Object.entries(methods).flatMap(([row, condition]) =>
    [1, 2, 3, 4].map((level) =>
      entry(
        { source: "Figure 4", row, column: `level ${level}`, printed: null, backbone: condition === "" ? "trained agent" : PAPER_BACKBONE },
        (study) => condition === "" ? undefined : study.level(condition, level),
        condition === ""
          ? "a trained agent, quoted there in a picture alone; never run here"
          : "not played; the paper shows it in a picture alone",
      )
    )
  );
}

function isLlama70(backbone: string): boolean {
  return /llama-?3.*70b/i.test(backbone);
}

/** What can be asked of one study. */
interface StudyNumbers {
  readonly backbone: string;
  readonly nethack: (
    row: { readonly method: string; readonly observation: string },
    measure: "score" | "levels",
    part: "mean" | "sd",
  ) => OurNumber | string | undefined;
  readonly answers: (game: string, condition: string, measure: "em" | "f1") => OurNumber | string | undefined;
  readonly tokens: (
    condition: string,
    what: { readonly per: "step" | "task"; readonly kind: "prompt" | "completion"; readonly step?: number },
  ) => OurNumber | undefined;
  readonly score: (
    is: (condition: string) => boolean,
    column: string,
    options: { readonly all: boolean },
  ) => OurNumber | string | undefined;
  readonly level: (condition: string, level: number) => OurNumber | undefined;
}

/** Reads a study once. */
function studyNumbers(store: Store, study: string, used: DataFrame): StudyNumbers {
  const frame = episodesFrame(store, study);
  const cells = summariseScores(pl.concat([episodesByTrial(frame, trialsOf(store, study)), sessionsBeside(store, study).episodes]));
  const backbone = [...new Set(rowsOf<{ backbone: string }>(frame).map((row) => row.backbone))].join(" and ");
  const [{ embedder = "" } = {}] = store.prepare(
    "select json_extract(identity, '$.embedder') as embedder from episodes where study = ? limit 1",
  )
    .all(study) as { embedder?: string | null }[];
  const answers = rowsOf<AnswerRow>(answersFrame(store, study)).filter(({ game }) => game in QUESTION_SETS);
  const uses = { step: tokensOf(used, "step"), task: tokensOf(used, "task") };
  const costs = episodeCosts(store, study);

  const ours = (value: number, measure: string, episodes: readonly string[], interval: { low?: number; high?: number } = {}): OurNumber => {
    return { value, ...interval, measure, backbone, embedder: embedder ?? "", cost: totalCost(costs, episodes), study, episodes };
  };

  const runs = rowsOf<NetHackRun>(nethackRunsFrame(store, study));
  return {
    backbone,
    nethack: (row, measure, part) => {
      const [condition] = Object.entries(NETHACK_AGENTS)
        .find(([, { paper }]) => paper?.method === row.method && paper.observation === row.observation) ?? [];
      const planned = runs.filter((run) => run.condition === condition);
      const done = planned.filter(({ status }) => status === "completed");
      if (planned.length === 0) return undefined;
      if (done.length < planned.length) return `incomplete, ${done.length} of ${planned.length} runs`;
      const spread = spreadOf(done, measure);
      const value = spread?.[part];
      if (!spread || value === undefined) return "one run has no standard deviation";
      const episodes = done.map(({ episode }) => episode);
      return part === "mean"
        ? ours(value, "mean over seeds", episodes, spread.interval)
        : ours(value, "standard deviation over seeds", episodes);
    },
    answers: (game, condition, measure) => {
      const rows = answers.filter((row) => row.game === game && row.condition === condition);
      const done = rows.filter(({ status }) => status === "completed");
      if (rows.length === 0) return undefined;
      if (done.length < rows.length) return `incomplete, ${done.length} of ${rows.length} questions`;
      const { value, low, high } = meanCell(done.map((row) => row[measure] ?? NaN));
      const interval = low === undefined || high === undefined ? {} : { low, high };
      return ours(value, "mean over questions", done.map(({ episode }) => episode), interval);
    },
    tokens: (condition, { per, kind, step }) => {
      const use = uses[per].find((row) => row.condition === condition);
      const isTask = answers.some((row) => row.condition === condition);
      if (!use || isTask !== (per === "task")) return undefined;
      const late = step === undefined ? undefined : tokensAtStep(store, study, step).find((row) => row.condition === condition);
      if (step !== undefined && !late) return undefined;
      return late ? ours(late[kind], `mean at step ${step}`, use.ids) : ours(use.total[kind], `tokens ÷ ${per}s`, use.ids);
    },
    score: (is, column, { all }) => {
      const ids = TEXTWORLD_GAMES.find((game) => game.column === column)?.ids ?? [];
      const cell = cells.find(({ game, condition }) => ids.includes(game) && is(condition));
      if (!cell) return undefined;
      const { condition, done, planned, failed, mean, interval = {}, bestOf3, episodes } = cell;
      const by = condition === "human" ? { backbone: "human", embedder: "" } : {};
      if (done < planned) return `incomplete, ${done} of ${planned} episodes${failed > 0 ? `, ${failed} failed` : ""}`;
      const found = all ? ours(mean, "mean of all", episodes, interval) : ours(bestOf3, `best ${Math.min(3, done)} of ${done}`, episodes);
      return { ...found, ...by };
    },
    level: (condition, level) => {
      const rows = store.prepare(`
        select id, score / nullif(max_score, 0) as normalised from episodes where study = ? and condition = ? and status = 'completed'
          and world = 'textworld/rl-benchmark' and coalesce(json_extract(world_params, '$.level'), 1) = ? order by id`)
        .all(study, condition, level);
      if (rows.length === 0) return undefined;
      const mean = rows.reduce((sum, { normalised }) => sum + Number(normalised), 0) / rows.length;
      return ours(mean, "mean of all", rows.map(({ id }) => String(id)));
    },
  };
}
