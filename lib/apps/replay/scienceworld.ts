/**
 * Replays recorded gold runs of ScienceWorld in our own world.
 *
 * Compared with the record are the room and the inventory before each action, the world's answer to it, and score and completion after it. The
 * record was made with an older package, whose lists have another order: every difference carries its cause.
 */

import { type Turn, walk } from "../../core/env/environment.ts";
import type { Worlds } from "../../core/env/worlds.ts";
import { apart, type Tally } from "./report.ts";
import type { RecordedEpisode, RecordedStep } from "./scienceworld-log.ts";

/** The cause of a difference from the record. */
export type ScienceworldCause =
  /** The same things in another order, or the same choices under other numbers. */
  | "object-order"
  /** The simulation ran differently: other numbers, states or stages of life, other things in a list, a goal met at another step. */
  | "physics"
  /** None of these, e.g. another wording. */
  | "other";

/** The kinds of comparison with a record. */
export const SCIENCEWORLD_COMPARED = ["observation", "look", "inventory", "score", "done"] as const;

/** One kind of comparison. */
export type ScienceworldCompared = typeof SCIENCEWORLD_COMPARED[number];

/** Number of texts of a kind that were compared, and that were equal but for white space. */
export interface TextTally extends Tally {
  /** Number of texts equal once lines and lists are sorted, `matched` … `total`. */
  sorted: number;
}

/** One difference from the record. */
export interface ScienceworldDifference {
  /** Logged action, from 1. */
  readonly step: number;
  /** The action taken. */
  readonly action: string;
  /** The kind of comparison. */
  readonly what: ScienceworldCompared;
  /** The cause, as far as it shows. */
  readonly cause: ScienceworldCause;
  /** The record's text, cut to the part that differs. */
  readonly logged: string;
  /** Our world's text, cut to the part that differs. */
  readonly ours: string;
}

/**
 * The counts of each comparison: the world's answer to each action (`observation`), the room and the inventory before it, and the score (0–100) and
 * whether the task was completed after it.
 */
export type ScienceworldTallies =
  & Readonly<Record<"observation" | "look" | "inventory", TextTally>>
  & Readonly<Record<"score" | "done", Tally>>;

/** An episode replayed. JSON-able. */
export type ScienceworldReport = ScienceworldTallies & {
  /** The task's name. */
  readonly task: string;
  /** Number of the variation. */
  readonly variation: number;
  /** Number of recorded actions, the first look around left out. */
  readonly steps: number;
  /** The score at the end, 0–100, as recorded and as reached here. */
  readonly final: { readonly logged: number; readonly ours: number };
  /** Whether at least the recorded score was reached. */
  readonly reached: boolean;
  /** Number of differences by cause. */
  readonly causes: Readonly<Record<ScienceworldCause, number>>;
  /** The first difference, or null. */
  readonly first: ScienceworldDifference | null;
  /** All of them, in order. */
  readonly differences: readonly ScienceworldDifference[];
};

/** The sums of several episodes, of which `reached` are those that reached at least the recorded score. JSON-able. */
export type ScienceworldSums =
  & ScienceworldTallies
  & Pick<ScienceworldReport, "steps" | "causes">
  & Readonly<Record<"episodes" | "reached", number>>;

/** A step limit beyond every record. */
const NO_LIMIT = 100_000;

/**
 * Replays one recorded episode in a world of its own, with the simplification `easy` that the records were made with.
 *
 * @throws {WorldError} if the world cannot be opened (an unknown task, a variation that it does not have) or is lost
 *
 * @example
 * ```ts
 * import { connectWorlds } from "labyrinth/env";
 * import { replayScienceworld } from "labyrinth/replay";
 * import assert from "node:assert/strict";
 *
 * const worlds = connectWorlds();
 * const hands = "In your inventory, you see:\n\tan orange";
 * const step = { action: "fly", observation: "No known action matches that input.", score: 0, done: false, look: "A moon.", inventory: hands };
 * const report = await replayScienceworld({ task: "boil", variation: 21, steps: [step] }, worlds);
 * assert.deepEqual([report.observation.matched, report.inventory.matched, report.look.matched], [1, 1, 0]);
 * assert.deepEqual([report.first?.what, report.first?.cause], ["look", "other"]);
 * await worlds.close();
 * ```
 */
export async function replayScienceworld(episode: RecordedEpisode, worlds: Pick<Worlds, "open">): Promise<ScienceworldReport> {
  const { task, variation, steps } = episode;
  const world = await worlds.open("scienceworld", { task, variation, simplification: "easy", stepLimit: NO_LIMIT, playOn: true });
  try {
    const tallies = noTallies();
    const differences: ScienceworldDifference[] = [];
    const first = await world.reset();
    const { turns: taken, refusal } = await walk(world, steps.map(({ action }) => action));
    if (refusal) throw refusal;
    const turns: Turn[] = [first, ...taken];
    const scores = { logged: steps.map(({ score }) => score), ours: turns.slice(1).map(({ score }) => score) };
    for (const [index, step] of steps.entries()) {
      const [before, after] = turns.slice(index, index + 2) as [Turn, Turn];
      for (const [what, logged, ours] of comparisons(step, before, after)) {
        const isText = what !== "score" && what !== "done";
        const isEqual = isText ? sameText(logged, ours) : logged === ours;
        tallies[what].total += 1;
        if (isEqual) tallies[what].matched += 1;
        if (isText && (isEqual || sameItems(logged, ours))) tallies[what].sorted += 1;
        if (isEqual) continue;
        const cause = isText ? causeOfTexts(logged, ours) : causeOfScore(step.score, after.score, scores);
        const shown = apart(logged, ours);
        differences.push({ step: index + 1, action: step.action, what, cause, logged: shown.expected, ours: shown.got });
      }
    }
    const final = { logged: scores.logged.at(-1) ?? 0, ours: scores.ours.at(-1) ?? 0 };
    return {
      task,
      variation,
      steps: steps.length,
      ...tallies,
      final,
      reached: final.ours >= final.logged,
      causes: countCauses(differences),
      first: differences[0] ?? null,
      differences,
    };
  } finally {
    await world.close();
  }
}

/**
 * Sums up replayed episodes.
 *
 * @example
 * ```ts
 * import { sumScienceworld } from "labyrinth/replay";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(sumScienceworld([]).causes, { "object-order": 0, physics: 0, other: 0 });
 * ```
 */
export function sumScienceworld(reports: readonly ScienceworldReport[]): ScienceworldSums {
  const total = noTallies();
  for (const what of SCIENCEWORLD_COMPARED) {
    const sum: Partial<TextTally> = total[what];
    for (const count of ["matched", "sorted", "total"] as const) {
      if (sum[count] !== undefined) {
        sum[count] = reports.reduce((all, report: ScienceworldReport) => all + ((report[what] as TextTally)[count]), 0);
      }
    }
  }
  return {
    episodes: reports.length,
    steps: reports.reduce((sum, { steps }) => sum + steps, 0),
    reached: reports.filter(({ reached }) => reached).length,
    ...total,
    causes: countCauses(reports.flatMap(({ differences }) => differences)),
  };
}

/** Lists what is compared on one step, as it was recorded and as our world shows it. */
function comparisons(step: RecordedStep, before: Turn, after: Turn): [ScienceworldCompared, logged: string, ours: string][] {
  return [
    ["look", step.look, before.sections.look ?? ""],
    ["inventory", step.inventory, before.sections.inventory ?? ""],
    ["observation", step.observation, after.observation],
    ["score", `${step.score}`, `${after.score}`],
    ["done", `${step.done}`, `${after.end === "won"}`],
  ];
}

/** Returns the cause of a different score: it is physics where the run behind reaches the score of the other one at another step. */
function causeOfScore(logged: number, ours: number, scores: Readonly<Record<"logged" | "ours", readonly number[]>>): ScienceworldCause {
  const behind = logged < ours ? scores.logged : scores.ours;
  return behind.includes(Math.max(logged, ours)) ? "physics" : "other";
}

function noTallies(): ScienceworldTallies {
  const text = (): TextTally => ({ matched: 0, sorted: 0, total: 0 });
  const value = (): Tally => ({ matched: 0, total: 0 });
  return { observation: text(), look: text(), inventory: text(), score: value(), done: value() };
}

function countCauses(differences: readonly ScienceworldDifference[]): Record<ScienceworldCause, number> {
  const causes = { "object-order": 0, physics: 0, other: 0 };
  for (const { cause } of differences) causes[cause] += 1;
  return causes;
}

/** Whether two texts are equal but for white space. */
export function sameText(logged: string, ours: string): boolean {
  return flat(logged) === flat(ours);
}

/** Whether two texts are equal but for white space and the order of their lines and of what these list. */
export function sameItems(logged: string, ours: string): boolean {
  return items(logged).join("\n") === items(ours).join("\n");
}

/** Returns the cause of the difference between two texts. */
export function causeOfTexts(logged: string, ours: string): ScienceworldCause {
  if (sameItems(logged, ours)) return "object-order";
  if (sameItems(timeless(logged), timeless(ours))) return "physics";
  const [frame, ourFrame] = [frameOf(logged), frameOf(ours)];
  return frame !== undefined && frame === ourFrame ? "physics" : "other";
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Returns the lines with what they list, sorted, without the numbers of offered choices. */
function items(text: string): string[] {
  return text.split("\n").map((line) => flat(line.replace(/^\s*\d+:\s*/, "")).split(/, |(?<=[.:]) /).sort().join(", ")).filter((line) =>
    line !== ""
  ).sort();
}

/** Replaces what changes with time: numbers, states, stages of life. */
function timeless(text: string): string {
  return text
    .replaceAll(/-?\d+(\.\d+)?/g, "#")
    .replaceAll(/\b(is|are|which is|currently) (on|off|open|closed|activated|deactivated)\b/g, "$1 ~")
    .replaceAll(/\b(solid|liquid|gaseous|melted|frozen|boiling) /g, "")
    .replaceAll(/\b(baby|juvenile|adult|reproducing|seedling|seed|dead|flower|pollinated|unpollinated|egg|hatched)\b/g, "~")
    .replaceAll(/(~ )+/g, "~ ");
}

/** Returns the first line of a list of things (a room, a container, hands), which says what is listed. */
function frameOf(text: string): string | undefined {
  const [first = "", ...rest] = text.trim().split("\n");
  const opening = first.match(/^(This (?:room|outside location) is called the [^.]+|In your inventory|Inside the [^:]+ is|On the [^:]+ is)/)
    ?.[1];
  return opening !== undefined && (rest.length === 0 || rest.some((line) => line.startsWith("\t") || line.startsWith("You also see")))
    ? opening
    : undefined;
}
