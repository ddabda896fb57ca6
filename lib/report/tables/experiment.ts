/** Tables of an experiment, whatever its study: means over games, paired differences, and tokens a step. */

import { comparePaired, holm, type PairedTest } from "../../core/stats/paired.ts";
import { answeredTokens } from "../../lab/store/costs.ts";
import type { Store } from "../../lab/store/open.ts";
import { checkKeys, checkName } from "../../core/text/did-you-mean.ts";
import {
  type ExperimentRow,
  factorTitle,
  meanOverGames,
  type MeasureInfo,
  type MeasureName,
  measureOf,
  type PlayedExperiment,
  rangeOf,
  readExperiment,
  spreadOf,
  type StudyIds,
} from "../experiment.ts";
import { playerName } from "../caption-text.ts";
import { experimentCaption } from "../experiment-caption.ts";
import { pairsOf } from "../pairs.ts";
import { type Cell, incompleteCell, numberCell, pCell, type Table } from "../table.ts";

/** Options of `meansTable`. */
export interface MeansOptions {
  /** The measures, a column each. @default every measure; with `across` the score */
  readonly of?: MeasureName | readonly MeasureName[];
  /** A factor (`world`, `memory`, `method`, or one of the experiment) whose levels become the columns. @default none: the measures are the columns */
  readonly across?: string;
  /** Whether means of the episodes at hand are shown where planned ones are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

/**
 * Means over games with their intervals: a row a combination of what varies, each factor in a column of its own.
 *
 * @throws {UsageError} for a study that the store does not hold, or a measure or factor that there is not, with the nearest one.
 *
 * @example
 * ```ts
 * import { meansTable } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.deepEqual(meansTable(store, "sweep", { of: "score" }).columns, ["condition", "n", "normalised score"]);
 * ```
 */
export function meansTable(store: Store, study: StudyIds, options: MeansOptions = {}): Table {
  checkKeys("meansTable()", options, ["of", "across", "allowIncomplete"]);
  const played = readExperiment(store, study);
  const { across, of = across === undefined ? Object.keys(played.measures) : "score", allowIncomplete = false } = options;
  const measures = [of].flat().map((measure) => ({ measure, ...measureOf(played, measure) }));
  if (across !== undefined) checkName("factor", across, [...played.levels.keys()]);
  const { labels, groups } = groupedRows(played, across);
  const levels = across === undefined ? [{ name: "", has: () => true }] : (played.levels.get(across) ?? []).map((level) => (
    { name: shown(level), has: ({ factors }: ExperimentRow): boolean => (factors[across] ?? null) === level }
  ));
  const columns = levels.flatMap(({ name, has }) =>
    measures.map((measure) => ({
      name: across === undefined ? measure.title : measures.length > 1 ? `${name}, ${measure.title}` : name,
      measure,
      has,
    }))
  );
  const by = across === undefined ? "" : ` by ${factorTitle(across)}`;
  const what = options.of === undefined && across === undefined
    ? "Means"
    : `Means of ${measures.map(({ title }) => title).join(", ")}${by}`;
  return {
    id: ["means", played.study, across ?? [], options.of ?? []].flat(2).join("-"),
    title: `${what} (${playerName(played.backbone)})`,
    caption: experimentCaption(played, `${what}.`),
    columns: [...labels.map((name) => factorTitle(name)), "n", ...columns.map(({ name }) => name)],
    rows: groups.map((
      { label, rows },
    ) => [
      ...label,
      `${new Set(rows.map(({ episode }) => episode)).size}`,
      ...columns.map(({ measure, has }) => meanCell(rows.filter(has), measure, allowIncomplete)),
    ]),
  };
}

function meanCell(
  rows: readonly ExperimentRow[],
  { measure, ...info }: MeasureInfo & { readonly measure: MeasureName },
  allowIncomplete: boolean,
): Cell {
  if (rows.length === 0) return null;
  const missing = incompleteCell(rows);
  if (missing && !(allowIncomplete && rows.some(({ status }) => status === "completed"))) return missing;
  const found = meanOverGames(rows, measure, info);
  return found ? { ...found, digits: info.digits } : null;
}

/** The rows of a played experiment by what varies in it, but for its games and `except`; where nothing else does, by memory or condition. */
export function groupedRows({ rows, levels }: Pick<PlayedExperiment, "rows" | "levels">, ...except: readonly (string | undefined)[]): {
  readonly labels: readonly string[];
  readonly groups: readonly { readonly label: readonly string[]; readonly rows: readonly ExperimentRow[] }[];
} {
  const varied = [...levels].filter(([name, all]) => all.length > 1 && !["game", "world", ...except].includes(name)).map(([name]) => name);
  const labels = varied.length > 0 ? varied : [levels.has("memory") ? "memory" : "condition"];
  const labelOf = ({ condition, factors }: ExperimentRow): string[] =>
    labels.map((name) => name === "condition" ? condition : shown(factors[name] ?? null));
  const groups = Map.groupBy(rows, (row) => JSON.stringify(labelOf(row)));
  return { labels, groups: [...groups].map(([label, rows]) => ({ label: JSON.parse(label) as string[], rows })) };
}

function shown(level: string | number | boolean | null): string {
  return level === null ? "–" : String(level);
}

/** Options of `differencesTable`. */
export interface DifferencesOptions {
  /** The condition that the others are compared with. @default the first one of the plan */
  readonly against?: string;
  /** The measure. @default {"score"} */
  readonly of?: MeasureName;
}

/**
 * Every other condition minus one, over pairs of the same game, seed and levels of other factors: differences of a game's replicates are averaged, then tested over games;
 * of one game over its seeds.
 *
 * @throws {UsageError} for a study that the store does not hold, or a condition or measure that there is not, with the nearest one; or if an episode has
 * several partners, because more than its condition and game varies.
 *
 * @example
 * ```ts
 * import { differencesTable } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.deepEqual(differencesTable(store, "sweep").rows, []);
 * ```
 */
export function differencesTable(store: Store, study: StudyIds, options: DifferencesOptions = {}): Table {
  checkKeys("differencesTable()", options, ["against", "of"]);
  const { of = "score" } = options;
  const played = readExperiment(store, study);
  const { title, digits } = measureOf(played, of);
  const conditions = [...new Set(played.rows.map(({ condition }) => condition))];
  const { against = conditions[0] ?? "" } = options;
  if (conditions.length > 0) checkName("condition", against, conditions);
  const found = differencesOf(
    played,
    of,
    conditions.filter((condition) => condition !== against).map((condition) => ({ condition, against })),
  );
  return {
    id: `differences-${played.study}-${of}`,
    title: `Differences in ${title} from ${against} (${playerName(played.backbone)})`,
    caption: experimentCaption(
      played,
      `Differences in ${title} from ${against}, over pairs of the same game, seed and levels of other factors, with Student's interval and the seeded ` +
        "percentile bootstrap. d_z: in standard deviations of the differences; p: paired t test, two-sided; Holm: corrected for the tests of this table.",
      { intervals: "differences" },
    ),
    columns: ["condition", "games", "pairs", "difference", "bootstrap", "d_z", "p", "Holm"],
    rows: found.map(({ condition, games, pairs, test, adjusted }) => [
      condition,
      `${games}`,
      `${pairs}`,
      test ? { value: test.mean, ...test.t, digits, n: pairs } : null,
      test ? { value: test.mean, ...test.bootstrap, digits, n: pairs } : null,
      numberCell(test?.dz),
      pCell(test?.p),
      pCell(adjusted),
    ]),
  };
}

/** A condition minus another over the pairs of the same game, seed and levels of other factors. */
interface ConditionDifference {
  readonly condition: string;
  /** Pairs that are completed, and the games that they lie in. */
  readonly pairs: number;
  readonly games: number;
  /** Over games, of one game over its seeds; absent of a single value. */
  readonly test?: PairedTest;
  /** Holm's p-value among all comparisons that have one. */
  readonly adjusted?: number;
}

/** Compares conditions, each `against` one: differences of a game's replicates are averaged, then tested over games, with Holm's correction for all of them. */
function differencesOf(
  { rows, measures }: Pick<PlayedExperiment, "rows" | "measures">,
  of: MeasureName,
  comparisons: readonly Readonly<Record<"condition" | "against", string>>[],
): ConditionDifference[] {
  const groups = Map.groupBy(rows, ({ condition }) => condition);
  const range = rangeOf(measureOf({ measures }, of), rows);
  const found = comparisons.map(({ condition, against }): ConditionDifference => {
    const pairs = pairsOf(groups.get(condition) ?? [], groups.get(against) ?? []).flatMap((pair) => {
      const [mine, theirs] = [pair.mine.values[of] ?? null, pair.theirs.values[of] ?? null];
      return mine === null || theirs === null ? [] : [{ game: pair.mine.game, seed: pair.mine.seed, mine, theirs }];
    });
    const sides = (["mine", "theirs"] as const).map((side) => spreadOf(pairs.map((pair) => ({ ...pair, value: pair[side] }))));
    const [{ games, spread: mine } = { games: 0, spread: [] }, { spread: theirs } = { spread: [] }] = sides;
    const test = mine.length > 1 ? comparePaired(mine, theirs, { range }) : undefined;
    return { condition, pairs: pairs.length, games, test };
  });
  const adjusted = holm(found.map(({ test }) => test?.p));
  return found.map((one, at) => ({ ...one, adjusted: adjusted[at] }));
}

/**
 * Calls, prompt and completion tokens a step, by condition and role: sums over the completed episodes, divided by their agent steps. Of each request
 * the first answer counts; embeddings are left out.
 *
 * @throws {UsageError} for a study that the store does not hold.
 *
 * @example
 * ```ts
 * import { stepTokensTable } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.deepEqual(stepTokensTable(store, "sweep").columns, ["condition", "role", "calls", "prompt", "completion", "US dollars"]);
 * ```
 */
export function stepTokensTable(store: Store, study: string): Table {
  const played = readExperiment(store, study);
  const done = new Map(played.rows.filter(({ status }) => status === "completed").map((row) => [row.episode, row]));
  const steps = Map.groupBy(done.values(), ({ condition }) => condition);
  const asked = Map.groupBy(
    answeredTokens(store, study).filter(({ episode }) => done.has(episode)),
    ({ episode, role }) => JSON.stringify([done.get(episode)?.condition, role]),
  );
  const order = [...new Set(played.rows.map(({ condition }) => condition))];
  const keys = [...asked].map(([key, calls]) => ({ key: JSON.parse(key) as [string, string], calls }));
  const rows = keys.sort((a, b) => order.indexOf(a.key[0]) - order.indexOf(b.key[0])).map(({ key: [condition, role], calls }): Cell[] => {
    const taken = (steps.get(condition) ?? []).reduce((sum, { values }) => sum + (values.steps ?? 0), 0);
    const per = (of: (call: typeof calls[number]) => number | null, digits: number): Cell =>
      calls.some((call) => of(call) === null) || taken === 0
        ? null
        : { value: calls.reduce((sum, call) => sum + (of(call) ?? 0), 0) / taken, digits };
    return [
      condition,
      role,
      per((call) => call.calls, 2),
      per(({ prompt }) => prompt, 0),
      per(({ completion }) => completion, 0),
      per(({ dollars }) => dollars, 5),
    ];
  });
  return {
    id: `step-tokens-${study}`,
    title: `Calls and tokens a step (${playerName(played.backbone)})`,
    caption: experimentCaption(played, "Calls, tokens and dollars of all completed episodes, divided by their agent steps.", {
      intervals: "none",
    }),
    columns: ["condition", "role", "calls", "prompt", "completion", "US dollars"],
    rows,
  };
}
