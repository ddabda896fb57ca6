/**
 * AriGraph's text games (Anokhin et al. 2024, arXiv 2407.04363): Table 4 and Figures 3, 5 and 14.
 *
 * | paper | here |
 * |---|---|
 * | at most 60 steps in Cooking, 150 elsewhere (§4) | `steps`, counted in agent steps |
 * | 5 runs, mean of the best 3 (§5) | `attempts`, `meanOfBest` |
 * | the methods of Table 4 but for human players | `conditions.ts` |
 *
 * @module
 */

import { matrixLanes, type PlannedEpisode, type Study } from "../../lab/study.ts";
import { chooseGamesAndConditions, conditionOfStudy } from "./conditions.ts";
import { findGameFiles, MOVES_A_STEP, rlLevelOf, STEP_LIMITS } from "./game-files.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** A game as the study plays it. */
interface Game {
  /** What `--only` calls it. */
  readonly name: string;
  readonly world: string;
  readonly path?: string;
  /** The most agent steps. */
  readonly steps: number;
  /** Left out of the quick form unless it is named. */
  readonly onRequest?: boolean;
}

/** The seven games of Table 4. */
const GAMES: readonly Game[] = [
  { name: "hunt", world: "textworld/hunt", steps: STEP_LIMITS.other },
  { name: "hunt-hard", world: "textworld/hunt-hard", steps: STEP_LIMITS.other, onRequest: true },
  { name: "hunt-hardest", world: "textworld/hunt-hardest", steps: STEP_LIMITS.other, onRequest: true },
  { name: "cooking", world: "textworld/cooking", steps: STEP_LIMITS.cooking },
  { name: "cooking-hard", world: "textworld/cooking-hard", steps: STEP_LIMITS.cooking, onRequest: true },
  { name: "cooking-hardest", world: "textworld/cooking-hardest", steps: STEP_LIMITS.cooking, onRequest: true },
  { name: "cleaning", world: "textworld/cleaning", steps: STEP_LIMITS.other },
];

/** Attempts of the quick form (ours) and of the full one (§5). */
const ATTEMPTS = { quick: 2, full: 5 } as const;

/** Which form of the study. */
export interface ArigraphStudyOptions extends StudyOptions {
  /** All seven games, 5 attempts of each; else Treasure Hunt, Cooking and Cleaning, 2 attempts of each. @default {false} */
  readonly full?: boolean;
  /** Folder with game files (`.json`, `.z8`) to play in place of our own; folders in it are searched. Those of the RL benchmark are left to its study. */
  readonly games?: string;
  /** Names of games, methods or groups of methods (`ablations`, `baselines`) to keep. */
  readonly only?: readonly string[];
  /** Attempts of each game, ≥ 1. @default 2 in the quick form, 5 in the full one */
  readonly attempts?: number;
}

/**
 * The study, as data. Its id tells its form and backbone apart, so that each is a study of its own in the store.
 *
 * @throws {UsageError} if the folder holds no game, or `only` names something that there is not.
 *
 * @example
 * ```ts
 * import { arigraphStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(arigraphStudy().id, "arigraph-quick@offline");
 * assert.equal(arigraphStudy({ full: true }).lanes.length, 7 * 9 * 5);
 * assert.equal(arigraphStudy({ only: ["cooking", "arigraph"], attempts: 1 }).lanes[0]?.id, "textworld/cooking|arigraph|1");
 * ```
 */
export function arigraphStudy(options: ArigraphStudyOptions = {}): Study {
  const { full = false, games: folder, only = [] } = options;
  const usual = full ? ATTEMPTS.full : ATTEMPTS.quick;
  const { attempts = usual } = options;
  const all: readonly Game[] = folder === undefined ? GAMES.map((game) => full ? { ...game, onRequest: false } : game) : filesOf(folder);
  const { games, conditions } = chooseGamesAndConditions(only, { games: all });

  const lanes = games.flatMap((game) =>
    conditions.flatMap((condition) =>
      matrixLanes({ worlds: [worldOf(game)], conditions: [conditionOfStudy(condition, game.steps)], attempts })
    )
  );
  return paperStudy(`arigraph-${full ? "full" : "quick"}`, options, usual, {
    title: "AriGraph, Table 4 and Figures 3, 5 and 14: text games with every memory of the paper",
    // attempt by attempt, so that an interrupted study has whole rounds
    lanes: lanes.sort((a, b) => attemptOf(a) - attemptOf(b)),
    truth: true, // the maps of Figures 7 to 12 are drawn from it
  });
}

/** The files of a folder; those of the RL benchmark only where they are named. */
function filesOf(folder: string): Game[] {
  return findGameFiles(folder).map((file) => ({ ...file, world: "textworld/file", onRequest: rlLevelOf(file.name) !== undefined }));
}

function worldOf({ world, path, name, steps }: Game): Pick<PlannedEpisode, "world" | "params" | "label"> {
  const params = { ...(path === undefined ? {} : { path }), stepLimit: steps * MOVES_A_STEP };
  return { world, params, label: path === undefined ? undefined : name };
}

function attemptOf({ episodes }: Study["lanes"][number]): number {
  return episodes[0]?.attempt ?? 0;
}
