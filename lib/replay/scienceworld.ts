/**
 * Recorded gold runs of ScienceWorld replayed in our own world.
 *
 * What is held against the record: the room and the hands as they were before each action, what was said to it, and score and completion after
 * it. The record was made with an older package, whose lists came in another order: every difference says why it is one.
 *
 * @module
 */

import type { MeasuredEnvironment, Turn } from "../env/environment.ts";
import type { Worlds } from "../env/worlds.ts";
import { apart, type Tally } from "./report.ts";
import type { RecordedEpisode, RecordedStep } from "./scienceworld-log.ts";
import { causeOfTexts, sameItems, sameText, type ScienceworldCause } from "./scienceworld-texts.ts";

export type { ScienceworldCause };

/** What is held against a record. */
export const SCIENCEWORLD_COMPARED = ["observation", "look", "inventory", "score", "done"] as const;

/** One of them. */
export type ScienceworldCompared = typeof SCIENCEWORLD_COMPARED[number];

/** How many texts of a kind were held against the record, and how many were equal; white space does not count. */
export interface TextTally extends Tally {
  /** How many were equal once lines and lists are sorted, `matched` … `total`. */
  sorted: number;
}

/** One thing that is not as it was recorded. */
export interface ScienceworldDifference {
  /** Logged action, from 1. */
  readonly step: number;
  /** What was done. */
  readonly action: string;
  /** What was held. */
  readonly what: ScienceworldCompared;
  /** Why, as far as it shows. */
  readonly cause: ScienceworldCause;
  /** What the record holds, cut to the part that differs. */
  readonly logged: string;
  /** What our world showed. */
  readonly ours: string;
}

/** What was counted. */
export interface ScienceworldTallies {
  /** What was said to each action. */
  readonly observation: TextTally;
  /** The room before each action. */
  readonly look: TextTally;
  /** What was carried before each action. */
  readonly inventory: TextTally;
  /** The score after each action, 0–100. */
  readonly score: Tally;
  /** Whether the task was completed after each action. */
  readonly done: Tally;
}

/** An episode replayed. JSON-able. */
export interface ScienceworldReport extends ScienceworldTallies {
  /** The task's name. */
  readonly task: string;
  /** Number of the variation. */
  readonly variation: number;
  /** Logged actions, that of the start left out. */
  readonly steps: number;
  /** The score at the end, 0–100, as recorded and as it was reached. */
  readonly final: { readonly logged: number; readonly ours: number };
  /** Whether the recorded score was reached at least. */
  readonly reached: boolean;
  /** How many differences have which cause. */
  readonly causes: Readonly<Record<ScienceworldCause, number>>;
  /** The first difference, or null. */
  readonly first: ScienceworldDifference | null;
  /** All of them, in order. */
  readonly differences: readonly ScienceworldDifference[];
}

/** Episodes summed up. JSON-able. */
export interface ScienceworldSums extends ScienceworldTallies {
  /** How many there are. */
  readonly episodes: number;
  /** Logged actions of all. */
  readonly steps: number;
  /** Episodes that reached the recorded score at least. */
  readonly reached: number;
  /** How many differences have which cause. */
  readonly causes: ScienceworldReport["causes"];
}

/** More steps than any record has. */
const NO_LIMIT = 100_000;

/**
 * Replays one recorded episode, in a world of its own with the simplification `easy` that the records were made with.
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
    return await replayIn(world, { task, variation, steps });
  } finally {
    await world.close();
  }
}

async function replayIn(world: MeasuredEnvironment, { task, variation, steps }: RecordedEpisode): Promise<ScienceworldReport> {
  const tallies = noTallies();
  const differences: ScienceworldDifference[] = [];
  const turns: Turn[] = [await world.reset()];
  for (const { action } of steps) turns.push(await world.step(action));
  const course = { logged: steps.map(({ score }) => score), ours: turns.slice(1).map(({ score }) => score) };

  for (const [index, step] of steps.entries()) {
    const [before, after] = turns.slice(index, index + 2) as [Turn, Turn];
    const note = (what: ScienceworldCompared, cause: ScienceworldCause, logged: string, ours: string): void => {
      const { expected, got } = apart(logged, ours);
      differences.push({ step: index + 1, action: step.action, what, cause, logged: expected, ours: got });
    };
    for (const [what, logged, ours] of textsOf(step, before, after)) {
      holdText(tallies[what], logged, ours);
      if (!sameText(logged, ours)) note(what, causeOfTexts(logged, ours), logged, ours);
    }
    holdValue(tallies.score, step.score === after.score);
    if (step.score !== after.score) note("score", causeOfScore(step.score, after.score, course), `${step.score}`, `${after.score}`);
    const done = after.end === "won";
    holdValue(tallies.done, step.done === done);
    if (step.done !== done) note("done", causeOfScore(step.score, after.score, course), `${step.done}`, `${done}`);
  }

  const final = { logged: course.logged.at(-1) ?? 0, ours: course.ours.at(-1) ?? 0 };
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
  for (const report of reports) {
    for (const what of ["observation", "look", "inventory"] as const) {
      total[what].matched += report[what].matched;
      total[what].sorted += report[what].sorted;
      total[what].total += report[what].total;
    }
    for (const what of ["score", "done"] as const) {
      total[what].matched += report[what].matched;
      total[what].total += report[what].total;
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

function textsOf(step: RecordedStep, before: Turn, after: Turn): ["observation" | "look" | "inventory", string, string][] {
  return [
    ["look", step.look, before.sections.look ?? ""],
    ["inventory", step.inventory, before.sections.inventory ?? ""],
    ["observation", step.observation, after.observation],
  ];
}

/** A goal met earlier or later is the physics of the run; a score that the run behind never comes to is something else. */
function causeOfScore(
  logged: number,
  ours: number,
  course: { readonly logged: readonly number[]; readonly ours: readonly number[] },
): ScienceworldCause {
  const behind = logged < ours ? course.logged : course.ours;
  return behind.includes(Math.max(logged, ours)) ? "physics" : "other";
}

function noTallies(): ScienceworldTallies {
  const text = (): TextTally => ({ matched: 0, sorted: 0, total: 0 });
  const value = (): Tally => ({ matched: 0, total: 0 });
  return { observation: text(), look: text(), inventory: text(), score: value(), done: value() };
}

function holdText(tally: TextTally, logged: string, ours: string): void {
  tally.total += 1;
  const same = sameText(logged, ours);
  if (same) tally.matched += 1;
  if (same || sameItems(logged, ours)) tally.sorted += 1;
}

function holdValue(tally: Tally, equal: boolean): void {
  tally.total += 1;
  if (equal) tally.matched += 1;
}

function countCauses(differences: readonly ScienceworldDifference[]): Record<ScienceworldCause, number> {
  const causes = { "object-order": 0, physics: 0, other: 0 };
  for (const { cause } of differences) causes[cause] += 1;
  return causes;
}
