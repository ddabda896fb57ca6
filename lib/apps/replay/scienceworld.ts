/**
 * Replays recorded gold runs of ScienceWorld in our own world. Compared with the record are the
 * room and the inventory before each action, the world's answer to it, and score and completion
 * after it. The record was made with an older package, whose lists have another order: every
 * difference carries its cause.
 */

import { type Turn, walk } from "../../core/env/environment.ts";
import type { Worlds } from "../../core/env/worlds.ts";
import { apart, type Tally } from "./report.ts";
import type { RecordedEpisode, RecordedStep } from "./scienceworld-log.ts";

/**
 * The cause of a difference: the same things in another order or under other numbers; a simulation
 * that ran differently (other numbers, states or stages of life, other things in a list, a goal met
 * at another step); or anything else, e.g. another wording.
 */
export type ScienceworldCause = "object-order" | "physics" | "other";

/** The comparisons with a record. */
export const SCIENCEWORLD_COMPARED = ["observation", "look", "inventory", "score", "done"] as const;
type Compared = typeof SCIENCEWORLD_COMPARED[number];

/**
 * The number of texts compared and equal but for white space; `sorted` are those equal once lines
 * and lists are sorted.
 */
type TextTally = Tally & { sorted: number };

/** The counts of each comparison. */
export type ScienceworldTallies =
  & Readonly<Record<"observation" | "look" | "inventory", TextTally>>
  & Readonly<Record<"score" | "done", Tally>>;

/** A difference of a step, from 1; its texts are cut to the part that differs. */
interface Difference {
  readonly step: number;
  readonly action: string;
  readonly what: Compared;
  readonly cause: ScienceworldCause;
  readonly logged: string;
  readonly ours: string;
}

type Causes = Readonly<Record<ScienceworldCause, number>>;

/** An episode replayed. JSON-able. */
export type ScienceworldReport = ScienceworldTallies & {
  readonly task: string;
  readonly variation: number;
  /** Number of recorded actions, the first look around left out. */
  readonly steps: number;
  /** The scores at the end, 0–100, and whether at least the recorded one was reached. */
  readonly final: { readonly logged: number; readonly ours: number };
  readonly reached: boolean;
  readonly causes: Causes;
  readonly first: Difference | null;
  readonly differences: readonly Difference[];
};

/** The sums of several episodes. JSON-able. */
export type ScienceworldSums = ScienceworldTallies & {
  readonly episodes: number;
  readonly steps: number;
  readonly reached: number;
  readonly causes: Causes;
};

/** A step limit beyond every record. */
const NO_LIMIT = 100_000;

/**
 * Replays one recorded episode in a world of its own, with the simplification `easy` that the
 * records were made with.
 *
 * @throws {WorldError} if the world cannot be opened (an unknown task, a variation that it does not
 *   have) or is lost
 */
export async function replayScienceworld(
  episode: RecordedEpisode,
  worlds: Pick<Worlds, "open">,
): Promise<ScienceworldReport> {
  const { task, variation, steps } = episode;
  const world = await worlds.open("scienceworld", {
    task,
    variation,
    simplification: "easy",
    stepLimit: NO_LIMIT,
    playOn: true,
  });
  try {
    const tallies = noTallies();
    const differences: Difference[] = [];
    const start = await world.reset();
    const { turns: taken, refusal } = await walk(world, steps.map(({ action }) => action));
    if (refusal) throw refusal;
    const turns: Turn[] = [start, ...taken];
    const scores = {
      logged: steps.map(({ score }) => score),
      ours: taken.map(({ score }) => score),
    };
    for (const [index, step] of steps.entries()) {
      const [before, after] = turns.slice(index, index + 2) as [Turn, Turn];
      for (const [what, logged, ours] of comparisons(step, before, after)) {
        const isText = what !== "score" && what !== "done";
        const isEqual = isText ? sameText(logged, ours) : logged === ours;
        tallies[what].total += 1;
        if (isEqual) tallies[what].matched += 1;
        if (isText && (isEqual || sameItems(logged, ours))) tallies[what].sorted += 1;
        if (isEqual) continue;
        const cause = isText
          ? causeOfTexts(logged, ours)
          : causeOfScore(step.score, after.score, scores);
        const shown = apart(logged, ours);
        differences.push({
          step: index + 1,
          action: step.action,
          what,
          cause,
          logged: shown.expected,
          ours: shown.got,
        });
      }
    }
    const final = { logged: scores.logged.at(-1) ?? 0, ours: scores.ours.at(-1) ?? 0 };
    const found = {
      final,
      reached: final.ours >= final.logged,
      causes: countCauses(differences),
      first: differences[0] ?? null,
      differences,
    };
    return { task, variation, steps: steps.length, ...tallies, ...found };
  } finally {
    await world.close();
  }
}

/** Sums up replayed episodes. */
export function sumScienceworld(reports: readonly ScienceworldReport[]): ScienceworldSums {
  const total = noTallies();
  for (const report of reports) {
    for (const what of SCIENCEWORLD_COMPARED) {
      const sum = total[what] as Partial<TextTally> as Record<string, number>;
      for (const [count, value] of Object.entries(report[what])) {
        sum[count] = (sum[count] ?? 0) + value;
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

function comparisons(
  step: RecordedStep,
  before: Turn,
  after: Turn,
): [Compared, logged: string, ours: string][] {
  return [
    ["look", step.look, before.sections.look ?? ""],
    ["inventory", step.inventory, before.sections.inventory ?? ""],
    ["observation", step.observation, after.observation],
    ["score", `${step.score}`, `${after.score}`],
    ["done", `${step.done}`, `${after.end === "won"}`],
  ];
}

/**
 * The cause of a different score: it is physics where the run behind reaches the score of the other
 * one at another step.
 */
function causeOfScore(
  logged: number,
  ours: number,
  scores: Readonly<Record<"logged" | "ours", readonly number[]>>,
): ScienceworldCause {
  const behind = logged < ours ? scores.logged : scores.ours;
  return behind.includes(Math.max(logged, ours)) ? "physics" : "other";
}

function noTallies(): ScienceworldTallies {
  const text = (): TextTally => ({ matched: 0, sorted: 0, total: 0 });
  const value = (): Tally => ({ matched: 0, total: 0 });
  return { observation: text(), look: text(), inventory: text(), score: value(), done: value() };
}

function countCauses(differences: readonly Difference[]): Causes {
  const causes = { "object-order": 0, physics: 0, other: 0 };
  for (const { cause } of differences) causes[cause] += 1;
  return causes;
}

/** Whether two texts are equal but for white space. */
export function sameText(logged: string, ours: string): boolean {
  return flat(logged) === flat(ours);
}

/**
 * Whether two texts are equal but for white space and the order of their lines and of what these
 * list.
 */
export function sameItems(logged: string, ours: string): boolean {
  return items(logged).join("\n") === items(ours).join("\n");
}

/** The cause of the difference between two texts. */
export function causeOfTexts(logged: string, ours: string): ScienceworldCause {
  if (sameItems(logged, ours)) return "object-order";
  if (sameItems(timeless(logged), timeless(ours))) return "physics";
  const [frame, ourFrame] = [frameOf(logged), frameOf(ours)];
  return frame !== undefined && frame === ourFrame ? "physics" : "other";
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The lines with what they list, sorted, without the numbers of offered choices. */
function items(text: string): string[] {
  return text.split("\n").map((line) =>
    flat(line.replace(/^\s*\d+:\s*/, "")).split(/, |(?<=[.:]) /).sort().join(", ")
  )
    .filter((line) => line !== "").sort();
}

/** Replaces what changes with time: numbers, states, stages of life. */
function timeless(text: string): string {
  return text
    .replaceAll(/-?\d+(\.\d+)?/g, "#")
    .replaceAll(
      /\b(is|are|which is|currently) (on|off|open|closed|activated|deactivated)\b/g,
      "$1 ~",
    )
    .replaceAll(/\b(solid|liquid|gaseous|melted|frozen|boiling) /g, "")
    .replaceAll(
      /\b(baby|juvenile|adult|reproducing|seedling|seed|dead|flower|pollinated|unpollinated|egg|hatched)\b/g,
      "~",
    )
    .replaceAll(/(~ )+/g, "~ ");
}

/** The beginning of a list of things (a room, a container, hands), which says what is listed. */
function frameOf(text: string): string | undefined {
  const [first = "", ...rest] = text.trim().split("\n");
  const [, opening] = first.match(
    /^(This (?:room|outside location) is called the [^.]+|In your inventory|Inside the [^:]+ is|On the [^:]+ is)/,
  ) ?? [];
  return rest.length === 0 || rest.some((line) => /^(\t|You also see)/.test(line))
    ? opening
    : undefined;
}
