/**
 * The cooking levels on which AriGraph is set beside agents trained by reinforcement learning (Anokhin et al. 2024, arXiv 2407.04363, Fig. 4 and
 * App. F; levels of Adhikari et al. 2021).
 *
 * | paper | here |
 * |---|---|
 * | 4 levels of difficulty | `level` |
 * | 3 games a level | `game` |
 * | Ariadne, GPT-4 with full history | the conditions `arigraph`, `full-history`; the others of Table 4 where they are named |
 *
 * Adhikari et al. made their games with every door and container open, the authors of AriGraph with closed ones: both variants are played.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { matrixLanes, type Options, type Study } from "../../lab/study.ts";
import { chooseGamesAndConditions, conditionOfStudy } from "./conditions.ts";
import { findGameFiles, MOVES_A_STEP, rlLevelOf, STEP_LIMITS } from "./game-files.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** Which form of the study. */
export interface RlBenchmarkOptions extends StudyOptions {
  /** Folder with the authors' game files (`cook_1_1_cut` …) to play in place of our own. */
  readonly games?: string;
  /** Names of games (`rl-1-0`, `rl-1-0-open`, … or of the files), methods or groups of methods to keep. */
  readonly only?: readonly string[];
  /** Attempts of each game, ≥ 1. @default {1} */
  readonly attempts?: number;
}

interface Game {
  /** `rl-<level>-<game>`, with `-open` where everything stands open; `rl-<level>-<file>` of the authors' files. */
  readonly name: string;
  readonly world: string;
  readonly params: Options;
}

/** The paper's methods, and the floor. */
const USUAL = ["arigraph", "full-history", "random"];

/** Games of a level. */
const GAMES_A_LEVEL = 3;

/**
 * The study, as data.
 *
 * @throws {UsageError} if the folder holds none of the authors' files, or `only` names something that there is not.
 *
 * @example
 * ```ts
 * import { rlBenchmarkStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(rlBenchmarkStudy().lanes.length, 4 * 3 * 2 * 3); // levels, games, variants, methods
 * assert.equal(rlBenchmarkStudy({ only: ["rl-4-2-open", "rag"] }).lanes[0]?.id, "rl-4-2-open|rag|1");
 * ```
 */
export function rlBenchmarkStudy(options: RlBenchmarkOptions = {}): Study {
  const { only = [], attempts = 1 } = options;
  const all = options.games === undefined ? madeGames() : authorsGames(options.games);
  const { games, conditions } = chooseGamesAndConditions(only, { games: all, usual: USUAL });
  return paperStudy("arigraph-rl-benchmark", options, 1, {
    title: "AriGraph, Figure 4: the cooking levels of the RL benchmark",
    lanes: matrixLanes({
      worlds: games.map(({ world, params, name }) => ({ world, params, label: name })),
      conditions: conditions.map((condition) => conditionOfStudy(condition, STEP_LIMITS.cooking)),
      attempts,
    }),
  });
}

function madeGames(): Game[] {
  return [false, true].flatMap((open) =>
    [1, 2, 3, 4].flatMap((level) =>
      Array.from({ length: GAMES_A_LEVEL }, (_, game) => ({
        name: `rl-${level}-${game}${open ? "-open" : ""}`,
        world: "textworld/rl-benchmark",
        params: { level, game, open, stepLimit: STEP_LIMITS.cooking * MOVES_A_STEP },
      }))
    )
  );
}

function authorsGames(folder: string): Game[] {
  const found = findGameFiles(folder).flatMap(({ name, path }) => {
    const level = rlLevelOf(name);
    if (level === undefined) return [];
    return [{ name: `rl-${level}-${name}`, world: "textworld/file", params: { path, stepLimit: STEP_LIMITS.cooking * MOVES_A_STEP } }];
  });
  if (found.length === 0) {
    throw new UsageError(
      `the folder ${folder} holds no game of the RL benchmark: put the authors' folders cook_1_1_cut, cook_1_1_full, cook_1_9, cook_3_6_1 there`,
    );
  }
  return found.sort((a, b) => a.name < b.name ? -1 : 1);
}
