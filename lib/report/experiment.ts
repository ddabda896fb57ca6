/** The episodes of an experiment as rows: what was varied, what came of it and what it took; and means over its games. */

import { scoresOf } from "../lab/score-range.ts";
import { mean } from "simple-statistics";
import type { Factors } from "../lab/study.ts";
import { meanInterval } from "../core/stats/intervals.ts";
import { wilsonOfMeans } from "../core/stats/shares.ts";
import { excludeBroken } from "../lab/store/damage.ts";
import { answeredTokens } from "../lab/store/costs.ts";
import { listEpisodes } from "../lab/store/episodes.ts";
import type { Store } from "../lab/store/open.ts";
import { checkName } from "../core/text/did-you-mean.ts";
import { listed } from "../core/text/listed.ts";
import { getStudy } from "../lab/store/studies.ts";
import type { Trial } from "./estimate.ts";
import { createStudyReader, type Origin } from "./exhibit.ts";
import { type DataFrame, frameOf, type FrameSchema } from "./frame.ts";
import { unknownStudy } from "../lab/held-study.ts";

/** An episode of an experiment. What an episode that is not completed does not have is null. */
export interface ExperimentRow extends Trial {
  /** Index of the replicate's seed as a whole number in text. */
  readonly seed: string;
  /** The game's label: rows of one game are its replicates. */
  readonly game: string;
  /** Id of its world, e.g. `textworld/hunt`. */
  readonly world: string;
  /** Factor → level, worlds, methods and memories among them. */
  readonly factors: Factors;
  /** Measure → value. */
  readonly values: Readonly<Record<CommonMeasure, number | null> & Record<string, number | null>>;
}

/**
 * What is measured of an episode: the score divided by its maximum, 1 if it was `won` (else 0), its agent steps, and the calls that were answered, each
 * request counted once, with their prompt and completion tokens and US dollars.
 */
export type MeasureName = CommonMeasure | (string & Record<never, never>);

/** The measures that every experiment has. */
export type CommonMeasure = "score" | "won" | "steps" | "calls" | "tokens" | "dollars";

/** How a measure is shown. */
export interface MeasureInfo {
  /** Its title, with the unit where it has one. */
  readonly title: string;
  /** The digits that tables show. */
  readonly digits: number;
  /** The least and the greatest value, which intervals keep to; or those of a world. */
  readonly range: readonly [number, number] | ((world: string) => readonly [number, number]);
  /** Whether a value is 0 or 1, so that the intervals of its means are Wilson's. @default {false} */
  readonly isShare?: true;
  /** Which way is better. @default {"more"} */
  readonly better?: "less";
  /** Whether a completed episode may lack a value: means then leave it out. @default {false} */
  readonly optional?: true;
}

/** The measures of every experiment. */
export const MEASURES: Readonly<Record<string, MeasureInfo>> = {
  score: { title: "normalised score", digits: 2, range: scoresOf },
  won: { title: "share won", digits: 2, range: [0, 1], isShare: true },
  steps: { title: "agent steps", digits: 1, range: [0, Infinity], better: "less" },
  calls: { title: "calls", digits: 1, range: [0, Infinity], better: "less" },
  tokens: { title: "tokens", digits: 0, range: [0, Infinity], better: "less" },
  dollars: { title: "US dollars", digits: 4, range: [0, Infinity], better: "less" },
};

/** An experiment as it was played. */
export interface PlayedExperiment extends Origin {
  /** Id of its study. */
  readonly study: string;
  /** In the order in which they were planned. */
  readonly rows: readonly ExperimentRow[];
  /** The factors, worlds, methods and memories among them, with their levels in the order of the plan. */
  readonly levels: ReadonlyMap<string, readonly Factors[string][]>;
  /** Measure → how it is shown. */
  readonly measures: Readonly<Record<string, MeasureInfo>>;
}

/** What a factor is called where people read it: its name in words, e.g. "max steps" of `maxSteps`. */
export function factorTitle(name: string): string {
  return name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * The id of a study, or the ids of some that differ in their models, which are read as one experiment with a factor `model`; or an experiment that
 * has been read and changed.
 */
export type StudyIds = string | readonly string[] | PlayedExperiment;

/** Reads studies as an experiment; one that states no factors varies its games and conditions. @throws {UsageError} if the store does not hold one. */
export function readExperiment(store: Store, studies: StudyIds): PlayedExperiment {
  if (typeof studies === "string") return readStudy(store, studies);
  if ("rows" in studies) return studies;
  const played = studies.map((study) => readStudy(store, study));
  const rows = played.flatMap(({ rows, backbone }) => rows.map((row) => ({ ...row, factors: { ...row.factors, model: backbone } })));
  const joined = (of: (one: PlayedExperiment) => string): string => listed(new Set(played.map(of)));
  return {
    study: joined(({ study }) => played.length > 1 ? study.replace(/@[^@]*$/, "") : study),
    backbone: joined(({ backbone }) => backbone),
    embedder: joined(({ embedder }) => embedder),
    ...withRows(rows),
    measures: MEASURES,
  };
}

/** Rows, and the levels of their factors: what of an experiment changes where rows are left out, added, or given other factors. */
export function withRows(rows: readonly ExperimentRow[]): Pick<PlayedExperiment, "rows" | "levels"> {
  return { rows, levels: levelsOf(rows) };
}

/** How a measure of an experiment is shown. @throws {UsageError} for one that there is not, with the nearest one. */
export function measureOf({ measures }: Pick<PlayedExperiment, "measures">, name: MeasureName): MeasureInfo {
  checkName("measure", name, Object.keys(measures));
  return measures[name] as MeasureInfo;
}

function levelsOf(rows: readonly ExperimentRow[]): PlayedExperiment["levels"] {
  const names = [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))];
  return new Map(names.map((name) => [name, [...new Set(rows.map(({ factors }) => factors[name] ?? null))]]));
}

function readStudy(store: Store, study: string): PlayedExperiment {
  const spec = getStudy(store, study) as StoredStudy | undefined;
  if (!spec) throw unknownStudy(store, study);
  excludeBroken(store, study);
  const planned = new Map(spec.lanes.map((lane, at) => [lane.id, { at, episodes: lane.episodes }]));
  const asked = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const placed = listEpisodes(store, { study }).map((record) => {
    const { at = Infinity, episodes = [] } = planned.get(record.lane) ?? {};
    const factors = episodes[record.ordinal]?.factors ?? { world: record.label ?? record.world, condition: record.condition };
    const calls = asked.get(record.id) ?? [];
    const sum = (of: (call: typeof calls[number]) => number): number => calls.reduce((total, call) => total + of(call), 0);
    const done = record.status === "completed";
    const values = {
      score: done && record.maxScore ? (record.score ?? 0) / record.maxScore : null,
      won: done ? Number(record.ended === "won") : null,
      steps: done ? record.steps ?? null : null,
      calls: done ? sum((call) => call.calls) : null,
      tokens: done ? sum((call) => call.prompt + call.completion) : null,
      dollars: done && calls.every(({ dollars }) => dollars !== null) ? sum(({ dollars }) => dollars ?? 0) : null,
    };
    const { id: episode, condition, status, label, world, seed } = record;
    return { at, row: { episode, condition, status, seed: String(seed), game: label ?? world, world, factors, values } };
  });
  const rows = placed.sort((a, b) => a.at - b.at).map(({ row }) => row);
  return { study, ...withRows(rows), measures: MEASURES, ...createStudyReader(store).origin(study) };
}

interface StoredStudy {
  readonly lanes: readonly { readonly id: string; readonly episodes: readonly { readonly factors?: ExperimentRow["factors"] }[] }[];
}

/**
 * Every episode of an experiment, planned ones included, a column a factor and a column a measure: `episode`, `condition`, `game`, `seed`, `status`,
 * the factors (text, or numbers where all levels are), then `score` (in shares of the maximum), `won`, `steps`, `calls`, `tokens` and `dollars`.
 *
 * @throws {UsageError} if the store does not hold the study.
 *
 * @example
 * ```ts
 * import { experimentFrame } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.deepEqual(experimentFrame(store, "sweep").columns.slice(0, 3), ["episode", "condition", "game"]);
 * assert.throws(() => experimentFrame(store, "swepe"), { message: /did you mean "sweep"/ });
 * ```
 */
export function experimentFrame(store: Store, study: StudyIds): DataFrame {
  const { rows, levels, measures } = readExperiment(store, study);
  const isNumber = (name: string): boolean => (levels.get(name) ?? []).every((level) => level === null || typeof level === "number");
  const schema: FrameSchema = {
    ...{ episode: "text", condition: "text", game: "text", seed: "text", status: "text" },
    ...Object.fromEntries([...levels.keys()].filter((name) => name !== "game").map((name) => [name, isNumber(name) ? "number?" : "text?"])),
    ...Object.fromEntries(Object.keys(measures).map((name) => [name, "number?"])),
  };
  return frameOf(rows.map(({ factors, values, ...row }) => ({ ...textOf(factors, isNumber), ...row, ...values })), schema);
}

function textOf(factors: ExperimentRow["factors"], isNumber: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(factors).map(([name, level]) => [name, level === null || isNumber(name) ? level : String(level)]),
  );
}

/** A mean over games, each with the mean of its replicates. */
export interface GameMean {
  readonly value: number;
  /** The 95 % interval, Wilson's of shares and else Student's, over the games; of one game over its replicates; absent of a single value. */
  readonly low?: number;
  readonly high?: number;
  /** Number of completed episodes behind it, and their ids. */
  readonly n: number;
  readonly episodes: readonly string[];
}

/** The mean of a measure of an experiment over some completed rows; `undefined` where none is completed or one that needs a value has none. */
export function meanOverGames(
  rows: readonly ExperimentRow[],
  measure: MeasureName,
  { optional, ...info }: Pick<MeasureInfo, "range" | "optional" | "isShare">,
): GameMean | undefined {
  const once = new Map(rows.map((row) => [row.episode, row])).values(); // an episode may stand in several places
  const done = [...once].filter(({ status, values }) => status === "completed" && (!optional || (values[measure] ?? null) !== null));
  if (done.length === 0 || done.some(({ values }) => (values[measure] ?? null) === null)) return undefined;
  const cases = done.map(({ game, seed, values }) => ({ game, seed, value: values[measure] ?? NaN }));
  const { spread } = spreadOf(cases);
  const interval = spread.length < 2
    ? {}
    : info.isShare
    ? wilsonOfMeans(spread, done.length)
    : meanInterval(spread, { range: rangeOf(info, done) });
  return { value: mean([...spread]), ...interval, n: done.length, episodes: done.map(({ episode }) => episode) };
}

/** The least and the greatest value of a measure in the worlds of some rows. */
export function rangeOf({ range }: Pick<MeasureInfo, "range">, rows: readonly Pick<ExperimentRow, "world">[]): readonly [number, number] {
  if (typeof range !== "function") return range;
  const ranges = [...new Set(rows.map(({ world }) => world))].map(range);
  return [Math.min(...ranges.map(([least]) => least)), Math.max(...ranges.map(([, most]) => most))];
}

/** The number of games, and the values that intervals are over: a game's mean each or, of one game, a seed's. */
export function spreadOf(
  rows: readonly { readonly game: string; readonly seed: string; readonly value: number }[],
): { readonly games: number; readonly spread: readonly number[] } {
  const meansBy = (of: "game" | "seed"): number[] =>
    [...Map.groupBy(rows, (row) => row[of]).values()].map((some) => mean(some.map(({ value }) => value)));
  const means = meansBy("game");
  return { games: means.length, spread: means.length === 1 ? meansBy("seed") : means };
}
