/**
 * Does it pay to carry a memory over? Sequences of episodes, each of which starts from the memory that the one before it left, beside the same
 * episodes, each of which starts from an empty one. At the first position both are the same episode.
 *
 * | sequence | from position to position |
 * |---|---|
 * | `households` | another kitchen and another task: each of the frozen households has a floor plan of its own, only the names recur |
 * | `laboratories` | the same house of ScienceWorld, another task |
 * | `cooking` | another house with rooms of the same names, and another recipe: the map is stale |
 * | `hunts` | the same hunt again: learning over tries |
 *
 * A carried sequence is a lane; what starts fresh needs no other and has lanes of its own. A sequence is one replicate: intervals are over sequences.
 */

import { ALFWORLD_HOUSEHOLDS } from "../../env/alfworld.ts";
import { UsageError } from "../../errors.ts";
import type { Lane, Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { MEMORIES } from "../../memory/registry.ts";
import type { ExperimentRow, PlayedExperiment } from "../../report/experiment.ts";
import { curveFigure } from "../../report/figures/experiment.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { differencesTable, meansTable } from "../../report/tables/experiment.ts";
import type { Store } from "../../store/open.ts";
import { checkNames, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { ONLY_IN } from "./matrix.ts";
import { ALL_MEMORIES, longHunt } from "./memory-length.ts";
import { placedAt, readSiblings, replaceRows, siblings } from "./siblings.ts";

/** A kind of sequences. */
interface Sequence {
  readonly name: string;
  readonly world: string;
  /** Parameters of the game at a position, from 0, of a sequence, from 0. */
  readonly game: (sequence: number, position: number) => Options;
  /** Agent steps of an episode: the papers', or more than the world's own limit. */
  readonly steps: number;
  /** Whether it is played only where it is named, for language models: with a memory the offline backbone follows the tasks of TextWorld alone. */
  readonly isNamed?: true;
  /** The most sequences that share no game. @default {Infinity} */
  readonly most?: number;
}

/** Positions of the longest sequences. */
const MOST_POSITIONS = 4;

/** Heating and cooling are tasks of kitchens alone. */
const KITCHENS = ALFWORLD_HOUSEHOLDS.filter(({ task }) => task === "heat" || task === "cool");

/** Tasks of ScienceWorld with enough test variations for one a sequence; over four sequences each stands at each position. */
const TASKS = ["find-living-thing", "lifespan-longest-lived", "test-conductivity", "use-thermometer"];

const SEQUENCES: readonly Sequence[] = [
  {
    name: "households",
    world: "alfworld",
    game: (sequence, position) => ({ game: KITCHENS[MOST_POSITIONS * sequence + position]?.index }),
    steps: 50,
    isNamed: true,
    most: KITCHENS.length / MOST_POSITIONS,
  },
  {
    name: "laboratories",
    world: "scienceworld",
    game: (sequence, position) => ({ task: TASKS[(sequence + position) % TASKS.length], split: "test", index: sequence }),
    steps: 50,
    isNamed: true,
    most: 32,
  },
  {
    name: "cooking",
    world: "textworld/cooking",
    game: (sequence, position) => ({ seed: MOST_POSITIONS * sequence + position, stepLimit: 1200 }),
    steps: 60,
  },
  {
    name: "hunts",
    world: "textworld/long-hunt",
    game: (sequence) => ({ ...longHunt(12), seed: sequence }),
    steps: 500,
  },
];

/** Sequences of each kind, their positions, and the memories. */
const FORMS = {
  quick: { sequences: 4, positions: 3, memories: ["arigraph", "full-history", "rag"] },
  full: { sequences: 10, positions: MOST_POSITIONS, memories: ALL_MEMORIES },
} as const;

/**
 * The study *memory × carried or fresh × kind of sequence × position*, as data, with the models given. `only` names memories of the registry or kinds of
 * sequences; `attempts` is the number of sequences of each kind. A memory that has nothing to carry is played fresh alone.
 *
 * @throws {UsageError} if `only` names neither a memory that reads every world nor a kind of sequences, or there are fewer sequences of a kind.
 *
 * @example
 * ```ts
 * import { carriedStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { lanes } = carriedStudy({ only: ["hunts", "rag"], attempts: 1 });
 * assert.deepEqual(lanes.map(({ id, episodes }) => [id, episodes.length]), [
 *   ["hunts, sequence 1|rag, carried", 3],
 *   ["hunts, sequence 1|rag, fresh|position 2", 1],
 *   ["hunts, sequence 1|rag, fresh|position 3", 1],
 * ]);
 * ```
 */
export function carriedStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { sequences, positions, memories: usual } = FORMS[form];
  const { only = [], attempts = sequences } = options;
  const known = Object.keys(MEMORIES).filter((memory) => ONLY_IN[memory] === undefined);
  checkNames(only, [...known, ...SEQUENCES.map(({ name }) => name)], "neither a memory nor a kind of sequences of this study");
  const named = known.filter((memory) => only.includes(memory));
  const kinds = namedOr(SEQUENCES, only, SEQUENCES.filter(({ isNamed }) => !isNamed));
  const short = kinds.find(({ most = Infinity }) => attempts > most);
  if (short) {
    throw new UsageError(
      `there are games for ${short.most} sequences of ${short.name}, not for ${attempts}: give --attempts at most ${short.most}`,
    );
  }
  const lanes = Array.from({ length: attempts }, (_, number) => number).flatMap((number) =>
    kinds.flatMap((kind) => (named.length > 0 ? named : usual).flatMap((memory) => lanesOf(kind, { number, positions, memory })))
  );
  return paperStudy(`evidence-carried-${form}`, options, sequences, {
    title: "Does it pay to carry a memory over? Memory × carried or fresh × sequence × position",
    lanes,
  });
}

interface Played {
  /** Number of the sequence, from 0. */
  readonly number: number;
  readonly positions: number;
  readonly memory: string;
}

/** The lanes of a sequence. Seed and attempt are the position, so that another try at a game is another draw, and the same one under every memory. */
function lanesOf({ name, world, game, steps }: Sequence, { number, positions, memory }: Played): Lane[] {
  const label = `${name}, sequence ${number + 1}`;
  const isCarried = MEMORIES[memory]?.notCarried === undefined;
  const episodes = (start: string): PlannedEpisode[] =>
    Array.from({ length: positions }, (_, position) => ({
      ...{ world, label, params: game(number, position), attempt: position + 1, seed: position + 1 },
      ...{ method: "ariadne", memory, options: { method: { maxSteps: steps } }, condition: `${memory}, ${start}` },
      factors: { world: name, sequence: name, memory, start, position: position + 1 },
    }));
  const fresh = episodes("fresh").map((episode) => ({
    id: `${label}|${episode.condition}|position ${episode.attempt}`,
    episodes: [episode],
  }));
  return isCarried ? [{ id: `${label}|${memory}, carried`, episodes: episodes("carried") }, ...fresh.slice(1)] : fresh;
}

/** The sequences as an experiment whose games are whole sequences. The first episode of a carried one, which starts from nothing, is a fresh one, too. */
function readSequences(store: Store, study: string): PlayedExperiment {
  const played = replaceRows(readSiblings(store, study, "reader"), (row) => {
    const isBoth = row.factors["position"] === 1 && row.factors["start"] === "carried";
    return isBoth ? placedAt(row, [{ start: "carried" }, { start: "fresh" }]) : [row];
  });
  const reasons = (played.levels.get("memory") ?? []).map(String).flatMap((memory) => {
    const why = MEMORIES[memory]?.notCarried;
    return why === undefined ? [] : [`The memory ${memory} is not carried: it ${why}.`];
  });
  return { ...played, unit: "sequence", reading: [READING, ...reasons].join(" ") };
}

const READING =
  "Carried: an episode starts from the memory that the one before it in its sequence left; fresh: from an empty one, in the same game. The seed is the " +
  "position. A failed episode has no score and ends a carried sequence, whose later positions are not played and are in no pair.";

/** Kind of sequence, memory and, where there are several, reader. */
function settingOf({ levels }: PlayedExperiment, { factors: { sequence, memory, reader } }: ExperimentRow): string {
  return [sequence, memory, ...((levels.get("reader")?.length ?? 1) > 1 ? [reader] : [])].join(", ").replace("reader:", "");
}

/**
 * The episodes as pairs: those that start fresh are one condition, those that are carried one for each setting, over all positions after the first and at
 * each of them. A pair has the same sequence, and the same position and setting in its `seed`.
 */
export function inPairs(played: PlayedExperiment): PlayedExperiment {
  const later = (played.levels.get("position") ?? []).map(Number).filter((position) => position > 1);
  const all = `positions ${Math.min(...later)} to ${Math.max(...later)}`;
  return replaceRows(played, (row) => {
    const { position, start } = row.factors;
    if (position === 1) return [];
    const setting = settingOf(played, row);
    const conditions = start === "fresh"
      ? ["fresh"]
      : [...(later.length > 1 ? [all] : []), `position ${position}`].map((at) => `${setting}, ${at}`);
    return conditions.map((condition) => ({ ...row, condition, seed: `${position}, ${setting}` }));
  });
}

/** Everything that is made of sequences. */
export const CARRIED_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const played = readSequences(store, study);
    return [
      meansTable(store, played, { of: ["score", "won", "steps", "tokens"], across: "start", allowIncomplete }),
      ...(["score", "steps", "tokens"] as const).map((of) => differencesTable(store, inPairs(played), { against: "fresh", of })),
    ];
  },
  figures: [({ store, study }) => {
    const played = readSequences(store, study);
    const isOne = (played.levels.get("reader")?.length ?? 1) === 1;
    const lines = replaceRows(played, ({ factors, ...row }) => {
      const { start, reader, memory, sequence } = factors;
      const line = isOne ? `${start}` : `${start}, ${reader}`.replace("reader:", "");
      return [{ ...row, factors: { ...factors, method: line, panel: `${sequence}, ${memory}` } }];
    });
    return (["score", "steps", "tokens"] as const).map((y) =>
      curveFigure(store, lines, { x: "position", y, by: "method", panel: "panel" })
    );
  }],
};
