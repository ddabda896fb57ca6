/**
 * One statement of a result: its rows and columns, what is measured in each cell, and the paper's numbers. A table, the ledger's lines, the caption
 * and a figure's rows are read from it (`tableOf`, `ledgerOf`, `exhibitRows`); nothing else counts trials, sums dollars or words an interval.
 */

import { UsageError } from "../core/errors.ts";
import { type EpisodeCost, episodeCosts } from "../lab/store/costs.ts";
import { excludeBroken } from "../lab/store/damage.ts";
import type { Store } from "../lab/store/open.ts";
import { listed } from "../core/text/listed.ts";
import { countText, seedsText } from "./caption-text.ts";
import { checkHeld } from "../lab/held-study.ts";
import { type PaperSetting, type Setting, settingsOf } from "../lab/settings.ts";
import { type Measure, type Measurement, OF_EQUAL_VALUES, type Trial } from "./estimate.ts";

/** A row or a column. */
export interface Line<T extends Trial> {
  /** Its label in the table. */
  readonly name: string;
  /** Its label in the ledger. @default {name} */
  readonly ledger?: string;
  /** Values that its trials have, e.g. `{ condition: "arigraph" }`. A cell has the trials that belong to both its row and its column. @default any */
  readonly where?: Partial<T>;
  /** Whether a trial with these values is its own. @default all are */
  has?(trial: T): boolean;
  /** The measure of its cells; a column's measure goes before its row's. */
  readonly measure?: Measure<T>;
  /** Lines of one group stand together, the paper's lines after the last of them. @default a group of its own */
  readonly group?: string;
  /**
   * `always`: in the table even where no trial of it was planned; `never`: in the ledger alone; `measured`, of a row: in the table where it has a
   * number of ours; `nonzero`: where it has one that is not 0, e.g. tokens of a kind that not every endpoint reports. @default where a trial was planned
   */
  readonly shown?: "always" | "never" | "measured" | "nonzero";
  /** Why the ledger has no number of ours in it where no trial was planned. @default {"not played"} */
  readonly absent?: string;
  /** The origin of its trials, where not the models of the study played them but people. */
  readonly origin?: Origin;
  /** Lines of the same value compete (`Exhibit.compete`); a floor or a ceiling, null, competes with none. @default {""} */
  readonly rivals?: string | null;
}

/** A line whose trials have certain values in some fields. */
export type LineWhere<T extends Trial, Field extends keyof T> = Line<T> & { readonly where: Pick<T, Field> };

/** A number of the paper. */
export interface PaperNumber extends PaperSetting {
  /** As printed; null where it stands in a picture alone. */
  readonly printed: string | null;
  /** The paper's model, e.g. `gpt-4-0125-preview`. */
  readonly backbone: string;
  /** Its text in the table, where not `printed`: `96.7 ± 3.3`. */
  readonly shown?: string;
  /** The label of its line in the table. @default {"paper"} */
  readonly line?: string;
  /** The reading that leaves it out. */
  readonly hidden?: "table" | "ledger";
  /** Its labels in the ledger, where not those of the exhibit, its row and its column. */
  readonly source?: string;
  /** The label of its row in the ledger. */
  readonly row?: string;
  /** The label of its column in the ledger. */
  readonly column?: string;
  /** How it was made, where ours may be made otherwise: `best 3 of 5`. */
  readonly measure?: string;
  /** How far ours may be away where it has no interval before the two differ, in the number's own unit. @default {0} */
  readonly tolerance?: number;
  /** What it tells of, where that is no result to be held against ours: the spread of trials. */
  readonly unjudged?: string;
  /** It is printed as an upper bound (`p < 0.001`): ours agrees if it lies below it. */
  readonly bound?: true;
  /** A remark in half a sentence: a misprint, another table that says otherwise. */
  readonly note?: string;
}

/** A result, stated once. */
export interface Exhibit<T extends Trial = Trial, R extends Line<T> = Line<T>, C extends Line<T> = Line<T>> {
  /** File name without backbone and ending, e.g. `wese-table1`. */
  readonly id: string;
  /** Its place in the paper, e.g. `Table 1`. */
  readonly source: string;
  /** Above the table, in one line. @default its place in the paper, and the backbone: one that stands in the ledger alone needs neither title nor caption */
  title?(backbone: string, trials: readonly T[]): string;
  /** Head of the rows' labels. */
  readonly head: string;
  /** The noun for one trial in captions and reasons, in the singular: `task`. */
  readonly trial: string;
  /** The replicates of a study, planned ones included. It is called once a study. */
  trials(store: Store, study: string): readonly T[];
  /** In the order of the table. */
  readonly rows: readonly R[];
  /** In the order of the table. */
  readonly columns: readonly C[];
  /** The measure of a cell, where its row and its column alone do not say. */
  measure?(row: R, column: C): Measure<T> | undefined;
  /** The paper's numbers in a cell: none, one, or one a model. */
  paper?(row: R, column: C): PaperNumber | readonly PaperNumber[] | undefined;
  /** Whether the paper's numbers stand in columns or in rows of their own. @default {"columns"} */
  readonly beside?: "columns" | "rows";
  /** Whether the numbers of rows, or those of columns, compete by what their measure calls better: the best of ours are bold. @default neither */
  readonly compete?: "rows" | "columns";
  /** The text under the table; the embedder is added. @default the number of trials, and the intervals */
  caption?(facts: CaptionFacts, trials: readonly T[]): string;
}

/** Numbers of trials. */
export interface TrialCounts {
  /** Trials, whatever has come of them. */
  readonly planned: number;
  /** Completed trials. */
  readonly done: number;
  /** Failed trials. */
  readonly failed: number;
}

/** The facts of a caption, counted over the cells that the table shows. */
export interface CaptionFacts extends TrialCounts {
  /** Id of the backbone, which answered for the models. */
  readonly backbone: string;
  /** `n = 6 tasks`, `n = 30 to 36 trials`; where some are missing also how many are completed and have failed. */
  readonly n: string;
  /** `seeds 1, 2, 3`. */
  readonly seeds: string;
  /** `95 % intervals: Wilson's of success; Student's of steps.` */
  readonly intervals: string;
  /** Whether cells with missing trials show the number of those at hand. */
  readonly allowIncomplete: boolean;
  /** Cells with at least one planned trial. */
  readonly cells: readonly TrialCounts[];
}

/** The backbone and the embedder of a study. */
export interface Origin {
  /** Id of the backbone, which answered for the models, e.g. `offline`. */
  readonly backbone: string;
  /** Ids of the embedders, joined by ` and `; empty where none is recorded. */
  readonly embedder: string;
}

/** A study, read once. */
export interface StudyRead<T extends Trial> extends Origin {
  /** Id of the study. */
  readonly study: string;
  /** Its replicates, planned ones included. */
  readonly trials: readonly T[];
  /** The cost of each episode, by its id. */
  readonly costs: ReadonlyMap<string, EpisodeCost>;
  /** The limit of agent steps and the game of each episode, by its id. @default unknown */
  readonly settings?: ReadonlyMap<string, Setting>;
}

/** The result of a cell. */
export interface CellResult<T extends Trial> extends TrialCounts {
  /** Its measure. */
  readonly measure: Measure<T>;
  /** Trials that the number is made of, or would be: those of the cell and those beside it. */
  readonly trials: readonly T[];
  /** Our number, or why there is none; absent where trials are missing and means of those at hand are not allowed. */
  readonly ours?: Measurement | string;
}

/** Reads each study of a store once for any number of exhibits. Episodes that are not as they were recorded count as failed. */
export interface StudyReader {
  /** The store that is read. */
  readonly store: Store;
  /** The backbone and the embedder of a study. */
  origin(study: string): Origin;
  /** Reads the trials of a study by the function that the exhibit names. */
  read<T extends Trial>(exhibit: Pick<Exhibit<T>, "trials">, study: string): StudyRead<T>;
}

/**
 * Creates a reader of a store.
 *
 * @example
 * ```ts
 * import { createStudyReader } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(createStudyReader(store).read({ trials: () => [] }, "unplayed").trials, []);
 * ```
 */
export function createStudyReader(store: Store): StudyReader {
  const trialsRead = new Map<unknown, Map<string, readonly Trial[]>>();
  const costs = new Map<string, ReadonlyMap<string, EpisodeCost>>();
  const settings = new Map<string, ReadonlyMap<string, Setting>>();
  return {
    store,
    origin: (study) => originOf(store, study),
    read: ({ trials }, study) => {
      excludeBroken(store, study);
      return {
        study,
        ...originOf(store, study),
        trials: trialsRead.getOrInsertComputed(trials, () => new Map()).getOrInsertComputed(study, () => trials(store, study)) as never,
        costs: costs.getOrInsertComputed(study, () => episodeCosts(store, study)),
        settings: settings.getOrInsertComputed(study, () => settingsOf(store, study)),
      };
    },
  };
}

function originOf(store: Store, study: string): Origin {
  const values = (column: string): string[] =>
    store.prepare(`select distinct ${column} as value from episodes where study = ? order by 1`).all(study)
      .flatMap(({ value }) => value === null ? [] : [String(value)]);
  return { backbone: listed(values("backbone")), embedder: listed(values("json_extract(identity, '$.embedder')")) };
}

/** The one backbone of a study. @throws {UsageError} if no episode is completed, or there is more than one backbone. */
export function reportableBackbone(store: Store, study: string): string {
  checkHeld(store, study);
  const rows = store.prepare("select distinct backbone, status = 'completed' as done from episodes where study = ? order by backbone")
    .all(study);
  if (!rows.some(({ done }) => done === 1)) {
    throw new UsageError(`study "${study}" has no completed episode to report; ./lab study ${study} runs it`);
  }
  const backbones = [...new Set(rows.map(({ backbone }) => String(backbone)))];
  if (backbones.length !== 1) {
    throw new UsageError(`study "${study}" mixes the backbones ${backbones.join(", ")}; report one study a backbone`);
  }
  return backbones[0] ?? "";
}

/** The result of a cell of an exhibit in a study; `undefined` where nothing is measured. */
export function cellOf<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  { trials }: StudyRead<T>,
  place: { readonly row: R; readonly column: C; readonly allowIncomplete?: boolean },
): CellResult<T> | undefined {
  const { row, column, allowIncomplete = false } = place;
  const measure = exhibit.measure ? exhibit.measure(row, column) : column.measure ?? row.measure;
  if (!measure) return undefined;
  const own = trials.filter((trial) => isIn(row, trial) && isIn(column, trial));
  const all = measure.beside && own.length > 0 ? trials.filter((trial) => own.includes(trial) || measure.beside?.(trial)) : own;
  const done = all.filter(({ status }) => status === "completed");
  const counts = { trials: all, measure, ...countsOf(all) };
  if (done.length === 0 || (done.length < all.length && !allowIncomplete)) return counts;
  return { ...counts, ours: measure.estimate(done) };
}

function countsOf(trials: readonly Trial[]): TrialCounts {
  const count = (wanted: string): number => trials.filter(({ status }) => status === wanted).length;
  return { planned: trials.length, done: count("completed"), failed: count("failed") };
}

/** The paper's numbers in a cell that are not hidden there. */
export function paperNumbers<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  place: { readonly row: R; readonly column: C; readonly where: "table" | "ledger" },
): PaperNumber[] {
  const found = exhibit.paper?.(place.row, place.column) ?? [];
  return [found].flat().filter(({ printed, hidden }) => printed !== "" && hidden !== place.where) as PaperNumber[];
}

/** Whether a trial belongs to a line. */
export function isIn<T extends Trial>({ where, has }: Line<T>, trial: T): boolean {
  for (const field in where) if (trial[field] !== where[field]) return false;
  return has?.(trial) ?? true;
}

/** The facts of some cells' trials. */
export function factsOf<T extends Trial>(
  cells: readonly CellResult<T>[],
  { backbone, noun, allowIncomplete = false }: { readonly backbone: string; readonly noun: string; readonly allowIncomplete?: boolean },
): CaptionFacts {
  const planned = cells.filter((cell) => cell.planned > 0);
  const alone = planned.filter(({ measure }) => !measure.beside);
  const trials = [...new Map(planned.flatMap((cell) => cell.trials).map((trial) => [trial.episode, trial])).values()];
  const counts = countsOf(trials);
  const missing = counts.done < counts.planned ? ` (${counts.done} of all ${counts.planned} completed, ${counts.failed} failed)` : "";
  const kinds = Map.groupBy(new Map(planned.map(({ measure }) => [measure.name, measure])).values(), ({ interval }) => interval);
  const worded = [...kinds].flatMap(([kind, measures]) => kind ? [`${kind} of ${measures.map(({ name }) => name).join(", ")}`] : []);
  const ofEqual = planned.some(({ ours }) => typeof ours === "object" && ours.ofEqualValues) ? OF_EQUAL_VALUES : "";
  return {
    backbone,
    n: `n = ${countText((alone.length > 0 ? alone : planned).map((cell) => cell.planned), noun)}${missing}`,
    seeds: seedsText(trials, 8),
    intervals: worded.length > 0 ? `95 % intervals: ${worded.join("; ")}.${ofEqual}` : "No number has an interval.",
    ...counts,
    allowIncomplete,
    cells: planned,
  };
}
