/**
 * Where does a graph memory pay? Every memory on the same planner in hunts of growing size, by readers of NoLiMa's table.
 *
 * | here | why |
 * |---|---|
 * | `rooms` 12, 16, 36 | those of AriGraph's Treasure Hunt, Hard and Hardest (§4), so that its own numbers stand in the diagram |
 * | 3 spare keys, shuffled notes | what is read is needed long after, and some of it never |
 * | step limit of 4 shortest solutions | between the 2.5 and the 4.8 that the paper's 150 steps are in its hunts |
 */

import { experiment } from "../../lab/experiment.ts";
import type { Study } from "../../lab/study.ts";
import type { ReportedAdvantage } from "../../report/figures/phase.ts";
import { paperTable } from "../../report/paper.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";

/** The readers of the studies: of the means of NoLiMa's rows the highest, the upper median and the lowest. */
export const READERS = ["reader:gpt-4o", "reader:claude-3.5-sonnet", "reader:llama-3.1-8b"] as const;

const MEMORIES = ["arigraph", "full-history", "summary", "rag"] as const;

/** Rooms and games of the quick form and of the full one, which has all memories of the paper. */
export const FORMS = {
  quick: { rooms: [12, 16, 36], games: 4, memories: MEMORIES },
  full: { rooms: [9, 12, 16, 25, 36, 49], games: 12, memories: [...MEMORIES, "simulacra", "none"] },
} as const;

/** Hunts in which a full history comes near the 128,000 tokens of a reader's window, and beyond them. */
const LARGE = {
  quick: [{ rooms: 100, games: 4 }, { rooms: 225, games: 2 }],
  full: [{ rooms: 100, games: 12 }, { rooms: 225, games: 12 }],
} as const;

/** Agent steps that no hunt of these sizes reaches: the world's own limit ends an episode. */
const STEPS = 500;

/**
 * The study *memory × reader × length*, as data, with the models given. `only` names memories; `attempts` is the number of games.
 *
 * @throws {UsageError} if `only` names no memory of the study.
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
export function memoryLengthStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { rooms, games, memories } = FORMS[form];
  const { only = [], attempts = games } = options;
  checkNames(only, memories, "no memory of this study");
  const lanes = lanesOf(rooms, attempts, only.length > 0 ? only : memories, STEPS);
  return paperStudy(`evidence-length-${form}`, options, games, { title: "Where does a graph memory pay? Memory × reader × length", lanes });
}

/** The same in hunts whose history outgrows a window, by fewer games. `only` names memories; `attempts` is the number of games of each size. */
export function largeHuntStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { only = [], attempts } = options;
  checkNames(only, MEMORIES, "no memory of this study");
  const memories = only.length > 0 ? only : MEMORIES;
  const lanes = LARGE[form].flatMap(({ rooms, games }) => lanesOf([rooms], attempts ?? games, memories, 4 * STEPS));
  return paperStudy(`evidence-large-${form}`, options, LARGE[form][0].games, { title: "Hunts that outgrow a window", lanes });
}

function lanesOf(rooms: readonly number[], games: number, memories: readonly string[], steps: number): Study["lanes"] {
  const worlds = rooms.map((size) => ({
    world: "textworld/long-hunt",
    label: `${size} rooms`,
    params: { rooms: size, spareKeys: 3, shuffledNotes: true },
    factors: { rooms: size },
  }));
  return experiment({ id: "lanes", worlds, games, memories, steps }).lanes;
}

/** Rooms → column of AriGraph's Table 4. */
const PAPER_GAMES = { 12: "treasure_hunt", 16: "treasure_hunt_hard", 36: "treasure_hunt_hardest" } as const;

/**
 * AriGraph minus the other memories in the paper's own hunts (Table 4, gpt-4-0125-preview, best 3 of 5), where it reports both.
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
export function paperAdvantages(): ReportedAdvantage[] {
  const table = paperTable("arigraph_table4_textworld");
  const scoreOf = (method: string, column: string): number => Number(table.find((row) => row["method"] === method)?.[column] || NaN);
  const others = { "full-history": "Full History", summary: "Summary", rag: "RAG" };
  return Object.entries(PAPER_GAMES).flatMap(([rooms, column]) =>
    Object.entries(others).flatMap(([than, method]) => {
      const mean = scoreOf("AriGraph", column) - scoreOf(method, column);
      return Number.isNaN(mean) ? [] : [{ than, x: Number(rooms), y: "paper (gpt-4)", mean }];
    })
  );
}
