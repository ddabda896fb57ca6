/**
 * Where does a graph memory pay? Every memory on the same planner in worlds of growing size, by readers of NoLiMa's table. A world is one entry of
 * `SIZED_WORLDS`, played by `./lab reproduce evidence --only <its name>`.
 *
 * | hunts here | why |
 * |---|---|
 * | `rooms` 12, 16, 36 | those of AriGraph's Treasure Hunt, Hard and Hardest (§4), so that its own numbers stand in the diagram |
 * | 3 spare keys, shuffled notes | what is read is needed long after, and some of it never |
 * | step limit of 4 shortest solutions; a "go to" is one step (D17) | between the 2.5 and the 4.8 that the paper's 150 steps are in its hunts |
 *
 * | houses here | why |
 * |---|---|
 * | `rooms` 9, 16 | 9 are those of AriGraph's Cleaning |
 * | something is moved every 5 steps | a solution takes 3 to 4 for each thing: where it puts three right, two are moved |
 * | step limit of 3 solutions | the paper's 150 steps are 3.7 of its house's |
 */

import { experiment, type ExperimentWorld } from "../../lab/experiment.ts";
import type { Options, Study } from "../../lab/study.ts";
import type { ReportedAdvantage } from "../../report/figures/paper-order.ts";
import { paperTable } from "../../report/paper.ts";
import { MOVES_A_STEP } from "../arigraph/textworld-study.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";

/** The readers of the studies: of the means of NoLiMa's rows the highest, the upper median and the lowest. */
export const READERS = ["reader:gpt-4o", "reader:claude-3.5-sonnet", "reader:llama-3.1-8b"] as const;

/** The reader that `docs/offline.md` takes where one stands for all. */
export const CALIBRATED = "reader:command-r-plus";

const MEMORIES = ["arigraph", "full-history", "summary", "rag"];

/** All memories of AriGraph's paper, which the full forms play. */
export const ALL_MEMORIES = [...MEMORIES, "simulacra", "none"];

/** A world that is made in any size. */
export interface SizedWorld {
  /** Title of its study. */
  readonly title: string;
  /** Id of the world, whose parameter `seed` numbers the games from 0. */
  readonly world: string;
  /** The factor along the x axis: what its sizes are numbers of. */
  readonly size: string;
  /** Parameters of a game of a size. */
  readonly params: (size: number) => Options;
  /** Another factor, whose levels are played at every size: level → parameters. @default none */
  readonly varied?: { readonly factor: string; readonly levels: Readonly<Record<string, Options>> };
  /** Agent steps that no game has: the limit that its world states ends an episode. */
  readonly steps: number;
  /** Its readers; then it is played where it is named. @default {READERS} */
  readonly readers?: readonly string[];
  /** Differences that a paper reports in the same games, of those rows of a diagram that are played as there. @default none */
  readonly reported?: (rows: readonly string[]) => readonly ReportedAdvantage[];
  readonly quick: SizedForm;
  readonly full: SizedForm;
}

/** How much of it is played. */
interface SizedForm {
  /** The sizes, those that are played side by side together, and the games of each. */
  readonly blocks: readonly { readonly sizes: readonly number[]; readonly games: number }[];
  /** @default {MEMORIES} */
  readonly memories?: readonly string[];
}

/** Parameters of the hunts of all studies, in so many rooms. A walk of many moves is one step of the agent, as in AriGraph's paper. */
export function longHunt(rooms: number): Options {
  return { rooms, spareKeys: 3, shuffledNotes: true, movesAStep: MOVES_A_STEP };
}

const HUNT = {
  world: "textworld/long-hunt",
  size: "rooms",
  params: longHunt,
  reported: () => paperAdvantages("hunt"),
};

/** The worlds by the name that `--only` takes. */
export const SIZED_WORLDS: Readonly<Record<string, SizedWorld>> = {
  length: {
    ...HUNT,
    title: "Where does a graph memory pay? Memory × reader × length",
    steps: 500,
    quick: { blocks: [{ sizes: [12, 16, 36], games: 4 }] },
    full: { blocks: [{ sizes: [9, 12, 16, 25, 36, 49], games: 12 }], memories: ALL_MEMORIES },
  },
  large: { // a full history comes near the 128,000 tokens of a reader's window, and beyond them
    ...HUNT,
    title: "Hunts that outgrow a window",
    steps: 2000,
    readers: [CALIBRATED],
    quick: { blocks: [{ sizes: [100], games: 4 }, { sizes: [225], games: 2 }] },
    full: { blocks: [{ sizes: [100], games: 12 }, { sizes: [225], games: 6 }] },
  },
  cleaning: {
    title: "Tidying houses of growing size, with and without somebody who moves things meanwhile",
    world: "textworld/long-cleaning",
    size: "rooms",
    params: (rooms) => ({ rooms, effort: 3, movesAStep: MOVES_A_STEP }),
    reported: (rows) => paperAdvantages("cleaning", rows.filter((row) => row.endsWith(", moved never"))),
    varied: { factor: "moved", levels: { never: {}, "every 5 steps": { movedEvery: 5 } } },
    steps: 5000,
    readers: READERS,
    quick: { blocks: [{ sizes: [9, 16], games: 4 }] },
    full: { blocks: [{ sizes: [9, 16, 25], games: 6 }] },
  },
};

/**
 * The study *memory × reader × length* in a world of `SIZED_WORLDS`, as data, with the models given. `only` names memories; `attempts` is the number of
 * games of each size.
 *
 * @throws {UsageError} if `only` names no memory of the study, or `name` no world.
 *
 * @example
 * ```ts
 * import { memoryLengthStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { id, lanes } = memoryLengthStudy({ models: { "*": "reader:llama-3.1-8b" } });
 * assert.equal(id, "evidence-length-quick@reader:llama-3.1-8b");
 * assert.equal(lanes.length, 3 * 4 * 4); // sizes, memories, games
 * ```
 */
export function memoryLengthStudy(options: PartChoices = {}, name = "length"): Study {
  checkNames([name], Object.keys(SIZED_WORLDS), "no world of this study");
  const sized = SIZED_WORLDS[name] as SizedWorld;
  const form = options.full ? "full" : "quick";
  const { blocks, memories = MEMORIES } = sized[form];
  const { only = [], attempts } = options;
  checkNames(only, memories, "no memory of this study");
  const lanes = blocks.flatMap(({ sizes, games }) =>
    experiment({
      id: "lanes",
      worlds: sizes.flatMap((size) => worldsOf(sized, size)),
      games: attempts ?? games,
      memories: only.length > 0 ? only : memories,
      steps: sized.steps,
    }).lanes
  );
  const usual = new Set(blocks.map(({ games }) => games)); // of several, no number of games is the form's own
  return paperStudy(`evidence-${name}-${form}`, options, usual.size === 1 ? Math.max(...usual) : 0, { title: sized.title, lanes });
}

/** The world in one size, at each level of what else is varied. */
function worldsOf({ world, size: factor, params, varied }: SizedWorld, size: number): ExperimentWorld[] {
  const label = `${size} ${factor}`;
  const factors = { [factor]: size };
  if (!varied) return [{ world, label, params: params(size), factors }];
  return Object.entries(varied.levels).map(([level, own]) => ({
    ...{ world, label: `${label}, ${varied.factor} ${level}`, params: { ...params(size), ...own } },
    factors: { ...factors, [varied.factor]: level },
  }));
}

/** Rooms → column of AriGraph's Table 4. */
const PAPER_GAMES = {
  hunt: { 12: "treasure_hunt", 16: "treasure_hunt_hard", 36: "treasure_hunt_hardest" },
  cleaning: { 9: "cleaning" },
} as const;

/**
 * AriGraph minus the other memories in the paper's own hunts or house (Table 4, gpt-4-0125-preview, best 3 of 5), where it reports both; of hunts of
 * 36 rooms its text (Results, TextWorld) tells the order alone. `of` are the rows of the diagram that are played as there, all unless told.
 *
 * @example
 * ```ts
 * import { paperAdvantages } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const [first] = paperAdvantages(); // 12 rooms: 1.0 with the graph, 0.47 with the full history
 * assert.equal(first?.than, "full-history");
 * assert.equal(first?.mean.toFixed(2), "0.53");
 * ```
 */
export function paperAdvantages(games: "hunt" | "cleaning" = "hunt", of?: readonly string[]): ReportedAdvantage[] {
  const table = paperTable("arigraph_table4_textworld");
  const scoreOf = (method: string, column: string): number => Number(table.find((row) => row["method"] === method)?.[column] || NaN);
  const others = { "full-history": "Full History", summary: "Summary", rag: "RAG" };
  const y = "paper (gpt-4)";
  const printed = Object.entries(PAPER_GAMES[games]).flatMap(([rooms, column]) =>
    Object.entries(others).flatMap(([than, method]) => {
      const mean = scoreOf("AriGraph", column) - scoreOf(method, column);
      return Number.isNaN(mean) ? [] : [{ than, x: Number(rooms), y, mean, ...(of && { of }) }];
    })
  );
  const told = Object.keys(others).map((than) => ({ than, x: 36, y, mean: 1, isUnprinted: true }));
  return games === "hunt" ? [...printed, ...told] : printed;
}
