/**
 * The reproduction ledger: every number that a paper reports beside ours, with a verdict and the episodes behind it.
 *
 * The rule of the verdict:
 *
 * - `agrees`: our whole 95 % interval lies within a tenth of the reported number, give or take half of its last printed digit, so that few episodes agree
 *   with nothing; where it is printed as an upper bound, our whole interval lies below it.
 * - `differs`: the reported number lies outside of our interval; where a measure of several episodes has none (the mean of the best 3 of 5, tokens), ours
 *   beyond the tolerance that its table states, else half of the last printed digit, and 0 is like no other number.
 * - `cannot tell`: it lies in our interval, which is wider than the margin; or there is no interval, and it lies within the tolerance or above ours as a
 *   bound; or ours is of one episode.
 * - `not judged`: it is a standard error or deviation, which tells how trials spread; or the paper has several models in its cell, and another one is judged:
 *   that of ours, else the first.
 * - A verdict compares numbers, whatever backbone ours come from: the reason names the two backbones where they are not the same, and then no
 *   verdict says anything about the paper's claim.
 * - `not run`: there is no complete number of ours; the reason says why.
 * - `figure only`: the paper has the number in a picture alone, so there is nothing to compare with.
 */

import { type EpisodeCost, totalCost } from "../lab/store/costs.ts";
import type { Measurement, Trial } from "./estimate.ts";
import {
  cellOf,
  type Exhibit,
  isIn,
  type Line,
  type Origin,
  type PaperNumber,
  paperNumbers,
  type StudyRead,
  type StudyReader,
} from "./exhibit.ts";
import { differencesFrom, type PaperSetting } from "../lab/settings.ts";

/** The outcome of comparing two numbers. */
export type Verdict = "agrees" | "differs" | "cannot tell" | "not judged" | "not run" | "figure only";

/** How far from a reported number our interval may reach and agree with it, as a share of the number. */
const MARGIN = 0.1;

/** A number that a paper reports, with its place there. */
export interface ReportedNumber extends Omit<PaperNumber, "shown" | "line" | "hidden" | keyof PaperSetting> {
  /** The table or section, e.g. `Table 4`. */
  readonly source: string;
  /** The label of its row, e.g. `AriGraph`. */
  readonly row: string;
  /** The label of its column, e.g. `Cleaning`. */
  readonly column: string;
}

/** Our number: a measurement with its origin. */
export interface OurNumber extends Measurement, Origin {
  /** How it was made, e.g. `best 3 of 5`. */
  readonly measure: string;
  /** The cost of its episodes in US dollars; the table shows the sum of paid and wasted. */
  readonly cost: EpisodeCost;
  /** Id of the study that holds the episodes. */
  readonly study: string;
}

/** One line of the ledger. */
export interface LedgerEntry extends ReportedNumber {
  /** Absent where nothing of ours is complete. */
  readonly ours?: OurNumber;
  /** By the rule above. */
  readonly verdict: Verdict;
  /** In half a sentence. */
  readonly why: string;
}

/** Holds our number, or the reason why there is none, against a reported one. */
export function judge(reported: ReportedNumber, ours: OurNumber | string): LedgerEntry {
  const say = (...reasons: readonly string[]): string => [...reasons, ...[reported.note ?? []].flat()].join("; ");
  if (typeof ours === "string") {
    return { ...reported, verdict: reported.printed === null ? "figure only" : "not run", why: say(ours) };
  }
  const none = ours.low === undefined ? [`no interval: ${ours.noInterval ?? "the measure has none"}`] : [];
  if (reported.printed === null) {
    return { ...reported, ours, verdict: "figure only", why: say("the paper shows it in a picture alone", ...none) };
  }
  if (reported.unjudged !== undefined) return { ...reported, ours, verdict: "not judged", why: say(reported.unjudged) };
  const number = Number(reported.printed.replaceAll(",", ""));
  const { verdict: found, where } = ours.low === undefined || reported.bound
    ? heldAgainst(reported, number, ours)
    : placed(number, roundingOf(reported.printed), ours);
  const verdict = ours.episodes.length < 2 ? "cannot tell" : found;
  const instead = [
    ...(reported.measure === undefined || reported.measure === ours.measure ? [] : [insteadOf(ours.measure, reported.measure)]),
    ...(sameBackbone(ours.backbone, reported.backbone) ? [] : [insteadOf(ours.backbone, reported.backbone)]),
  ];
  return { ...reported, ours, verdict, why: say(where, ...none, ...instead) };
}

/** How a reason names what is in the place of the paper's. */
function insteadOf(ours: string, theirs: string): string {
  return `${ours} in place of ${theirs}`;
}

/** A verdict, and where our number lies in words. */
type Placed = Pick<LedgerEntry, "verdict"> & { readonly where: string };

/** Places a number without an interval against a tolerance, or any against a bound. */
function heldAgainst({ printed, bound, tolerance }: ReportedNumber, number: number, { value, low, high }: OurNumber): Placed {
  if (bound) {
    if ((low ?? value) >= number) return { verdict: "differs", where: "not below the bound" };
    return high !== undefined && high < number ? { verdict: "agrees", where: "below the bound" } : {
      verdict: "cannot tell",
      where: value < number ? "below the bound, which its interval does not show" : "not below the bound, which lies in its interval",
    };
  }
  const rounding = roundingOf(`${printed}`);
  const slack = Math.abs(value) < TINY || number === 0 ? rounding : tolerance ?? rounding;
  const gap = Math.abs(value - number);
  const where = `${nonZero(gap, digitsFor(number))} apart, tolerance ${nonZero(slack, digitsFor(number))}`;
  return { verdict: gap <= slack + TINY ? "cannot tell" : "differs", where };
}

/** Places a reported number against our interval. */
function placed(number: number, half: number, { value, low = value, high = value }: OurNumber): Placed {
  const rounding = half + TINY;
  const margin = MARGIN * Math.abs(number) + rounding;
  if (low >= number - margin && high <= number + margin) {
    const isTenth = Math.max(number - low, high - number) <= MARGIN * Math.abs(number) + TINY;
    return { verdict: "agrees", where: `our interval lies within a tenth${isTenth ? "" : " and half of the last printed digit"}` };
  }
  const beyond = Math.max(low - number, number - high, 0);
  if (beyond <= rounding) return { verdict: "cannot tell", where: "inside our interval, which is wider than a tenth" };
  return { verdict: "differs", where: `${nonZero(beyond, digitsFor(number))} ${number < low ? "below" : "above"} our interval` };
}

const TINY = 1e-9;

function digitsFor(number: number): number {
  return Math.abs(number) >= 100 ? 0 : 2;
}

/** The value with so many digits, or with the first one that is not 0. */
function nonZero(value: number, digits: number): string {
  const fixed = value.toFixed(digits);
  return Number(fixed) === 0 && value !== 0 ? value.toPrecision(1) : fixed;
}

/** Half of the last printed digit: `45.0` → 0.05. */
function roundingOf(printed: string): number {
  return 0.5 * 10 ** -(printed.split(".")[1]?.length ?? 0);
}

/** Whether two names are of one model, dates and form of release apart. */
function sameBackbone(a: string, b: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/(-\d{4}-\d{2}-\d{2}|-\d{4}-preview)$/, "");
  return plain(a) === plain(b);
}

/**
 * The ledger's lines of an exhibit, in the order of its rows and columns.
 *
 * @param studies ids of studies in order of preference: a number is taken from the first that has it complete
 *
 * @example
 * ```ts
 * import { createStudyReader, ledgerOf } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const paper = () => ({ printed: "0.9", backbone: "gpt-4" });
 * const frame = { id: "mine", source: "Table 1", head: "method", trial: "episode", trials: () => [] };
 * const exhibit = { ...frame, rows: [{ name: "AriGraph" }], columns: [{ name: "score" }], paper };
 * const [entry] = ledgerOf(exhibit, createStudyReader(store), ["unplayed"]);
 * assert.deepEqual([entry?.row, entry?.printed, entry?.verdict], ["AriGraph", "0.9", "not run"]);
 * ```
 */
export function ledgerOf<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  reader: StudyReader,
  studies: readonly string[],
): LedgerEntry[] {
  const reads = studies.map((study) => reader.read(exhibit, study));
  return exhibit.rows.flatMap((row) =>
    exhibit.columns.flatMap((column) =>
      paperNumbers(exhibit, { row, column, where: "ledger" }).map((number, _, numbers) => {
        const found = reads.map((read) => ourNumber(exhibit, read, { row, column })).filter((ours) => ours !== undefined);
        const { hidden: _hidden, line: _line, shown: _shown, steps: _steps, game: _game, ...rest } = number;
        const ours = found.find((ours) => typeof ours !== "string") ?? found[0] ?? row.absent ?? column.absent ?? "not played";
        const judged = numbers.find(({ backbone }) => typeof ours === "object" && sameBackbone(backbone, ours.backbone)) ?? numbers[0];
        const unjudged = judged === undefined || judged.backbone === number.backbone ? {} : { unjudged: `that of ${judged.backbone} is` };
        const place = { source: exhibit.source, row: row.ledger ?? row.name, column: column.ledger ?? column.name };
        const read = typeof ours === "string" ? undefined : reads.find(({ study }) => study === ours.study);
        const beside = read?.trials.filter((trial) => isIn(row, trial) && isIn(column, trial)) ?? [];
        const differences = read ? differencesFrom(number, read.settings, beside) : [];
        const note = [...differences, rest.note ?? []].flat().join("; ") || undefined;
        return judge({ ...place, ...unjudged, ...rest, note }, ours);
      })
    )
  );
}

/** Our number of a cell in a study, why there is none, or nothing where no trial of it was planned. */
function ourNumber<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  read: StudyRead<T>,
  place: { readonly row: R; readonly column: C },
): OurNumber | string | undefined {
  const cell = cellOf(exhibit, read, place);
  if (!cell || cell.planned === 0) return undefined;
  const { ours, planned, done, failed, measure, trials } = cell;
  if (ours === undefined) return `incomplete, ${done} of ${planned} ${exhibit.trial}s${failed > 0 ? `, ${failed} failed` : ""}`;
  if (typeof ours === "string") return ours;
  const { backbone, embedder } = place.row.origin ?? read;
  return {
    ...ours,
    measure: measure.how?.(trials) ?? measure.name,
    backbone,
    embedder,
    cost: totalCost(read.costs, ours.episodes),
    study: read.study,
  };
}

/**
 * The ledger in one line.
 *
 * @example
 * ```ts
 * import { summariseLedger } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const number = { source: "Table 2", row: "HOLMES", column: "F1", printed: "58.0", backbone: "gpt-4" };
 * const entry = { ...number, verdict: "not run", why: "quoted there" } as const;
 * assert.equal(summariseLedger([entry]), "Ledger: of 1 numbers of the paper 0 agree, 0 differ, 0 cannot be told, 0 not judged, 1 not run, 0 in a figure only.");
 * ```
 */
export function summariseLedger(entries: readonly LedgerEntry[]): string {
  const count = (verdict: Verdict): number => entries.filter((entry) => entry.verdict === verdict).length;
  const played = entries.filter(({ ours }) => ours !== undefined);
  const backbones = [...new Set(played.map(({ ours }) => ours?.backbone))].join(", ");
  const other = played.some(({ ours, backbone }) => ours && !sameBackbone(ours.backbone, backbone));
  return `Ledger: of ${entries.length} numbers of the paper ${count("agrees")} agree, ${count("differs")} differ, ` +
    `${count("cannot tell")} cannot be told, ${count("not judged")} not judged, ${count("not run")} not run, ${
      count("figure only")
    } in a figure only${backbones ? `; ours by ${backbones}` : ""}` +
    `${other ? ", not the paper's models: agreement is of numbers, not of claims" : ""}.`;
}
