/**
 * AriGraph's studies in TextWorld (Anokhin et al. 2024, arXiv 2407.04363): the games of Table 4 and
 * Figures 3, 5 and 14; the cooking levels on which it is compared with agents trained by
 * reinforcement learning (Fig. 4, App. F; levels of Adhikari et al. 2021); and the graph during
 * random walks (Fig. 6, App. C).
 *
 * | paper | here |
 * |---|---|
 * | at most 60 steps in Cooking, 150 elsewhere (§4) | `steps`, counted in agent steps |
 * | 5 runs, mean of the best 3 (§5) | `attempts` |
 * | the methods of Table 4 but for human players | `conditions.ts` |
 * | Fig. 4: 4 levels of difficulty, 3 games a level | `level`, `game` of `textworld/rl-benchmark` |
 */

import { UsageError } from "../../core/errors.ts";
import { matrixChains, type Options, type Study } from "../../lab/study.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";
import { chooseGamesAndConditions, conditionOfStudy } from "./conditions.ts";
import { findGameFiles, rlLevelOf, STEP_LIMITS } from "./game-files.ts";

/**
 * The moves of a "go to" count as one agent step, so a world's own limit, which counts moves,
 * stands well above.
 */
const MOVES_A_STEP = 20;

/** A game as a study plays it. */
interface Game {
  readonly name: string;
  readonly world: string;
  readonly params?: Options;
  /** Its label in tables. @default the id of the world */
  readonly label?: string;
  readonly steps: number;
  readonly onRequest?: boolean;
}

/** The seven games of Table 4. */
const GAMES: readonly Game[] = [
  { name: "hunt", world: "textworld/hunt", steps: STEP_LIMITS.other },
  { name: "hunt-hard", world: "textworld/hunt-hard", steps: STEP_LIMITS.other, onRequest: true },
  {
    name: "hunt-hardest",
    world: "textworld/hunt-hardest",
    steps: STEP_LIMITS.other,
    onRequest: true,
  },
  { name: "cooking", world: "textworld/cooking", steps: STEP_LIMITS.cooking },
  {
    name: "cooking-hard",
    world: "textworld/cooking-hard",
    steps: STEP_LIMITS.cooking,
    onRequest: true,
  },
  {
    name: "cooking-hardest",
    world: "textworld/cooking-hardest",
    steps: STEP_LIMITS.cooking,
    onRequest: true,
  },
  { name: "cleaning", world: "textworld/cleaning", steps: STEP_LIMITS.other },
];

/** Attempts of the presets quick (ours) and full (§5). */
const ATTEMPTS = { quick: 2, full: 5 } as const;

/**
 * The study of the text games, as data. Preset quick has Treasure Hunt, Cooking and Cleaning with
 * 2 attempts of each, the full one all seven games with 5. `games` is a folder of game files
 * (`.json`, `.z8`) that replace them; those of the RL benchmark are left to its own study.
 * `only` names games, methods or groups of methods (`ablations`, `authors`, `baselines`).
 *
 * @throws {UsageError} if the folder holds no game, or `only` names something unknown.
 *
 * @example
 * ```ts
 * import { arigraphStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(arigraphStudy().id, "arigraph-quick@offline");
 * assert.equal(arigraphStudy({ full: true }).chains.length, 7 * 9 * 5);
 * assert.equal(arigraphStudy({ only: ["cooking", "arigraph"], attempts: 1 }).chains[0]?.id, "textworld/cooking|arigraph|1");
 * ```
 */
export function arigraphStudy(options: PartChoices = {}): Study {
  const { full = false, games: folder } = options;
  const form = full ? "full" : "quick";
  const games = folder === undefined
    ? GAMES.map((game) => full ? { ...game, onRequest: false } : game)
    : gamesOfFolder(folder);
  return gameStudy(`arigraph-${form}`, options, {
    title: "AriGraph, Table 4 and Figures 3, 5 and 14: text games with every memory of the paper",
    games,
    usualAttempts: ATTEMPTS[form],
    truth: true, // the maps of Figures 7 to 12 are drawn from it
  });
}

/** The files of a folder; those of the RL benchmark are played only where they are named. */
function gamesOfFolder(folder: string): Game[] {
  return findGameFiles(folder).map(({ name, path, steps }) => ({
    ...{ name, world: "textworld/file", params: { path }, label: name, steps },
    onRequest: rlLevelOf(name) !== undefined,
  }));
}

/**
 * The study of the RL benchmark, as data: AriGraph, full history and random actions, other methods
 * where `only` names them. The authors of AriGraph made their games with every door and container
 * open, Adhikari et al. (GATA) with closed ones: both variants are played. `games` is a folder with
 * the authors' files (`cook_1_1_cut`, …) that replace them.
 *
 * @throws {UsageError} if the folder holds none of the authors' files, or `only` names something
 *   unknown.
 *
 * @example
 * ```ts
 * import { rlBenchmarkStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(rlBenchmarkStudy().chains.length, 4 * 3 * 2 * 3); // levels, games, variants, methods
 * assert.equal(rlBenchmarkStudy({ only: ["rl-4-2-gata", "rag"] }).chains[0]?.id, "rl-4-2-gata|rag|1");
 * ```
 */
export function rlBenchmarkStudy(options: PartChoices = {}): Study {
  return gameStudy("arigraph-rl-benchmark", options, {
    title: "AriGraph, Figure 4: the cooking levels of the RL benchmark",
    games: options.games === undefined ? madeLevels() : authorsLevels(options.games),
    usual: ["arigraph", "full-history", "random"],
    usualAttempts: 1,
  });
}

function madeLevels(): Game[] {
  return [false, true].flatMap((gata) =>
    // the generator's option `open` is of its player: doors have to be opened
    [1, 2, 3, 4].flatMap((level) =>
      [0, 1, 2].map((game) =>
        rlGame(`rl-${level}-${game}${gata ? "-gata" : ""}`, "textworld/rl-benchmark", {
          level,
          game,
          open: gata,
        })
      )
    )
  );
}

function authorsLevels(folder: string): Game[] {
  const found = findGameFiles(folder).flatMap(({ name, path }) => {
    const level = rlLevelOf(name);
    return level === undefined ? [] : [rlGame(`rl-${level}-${name}`, "textworld/file", { path })];
  });
  if (found.length === 0) {
    const wanted =
      "put the authors' folders cook_1_1_cut, cook_1_1_full, cook_1_9, cook_3_6_1 there";
    throw new UsageError(`the folder ${folder} holds no game of the RL benchmark: ${wanted}`);
  }
  return found.sort((a, b) => a.name < b.name ? -1 : 1);
}

function rlGame(name: string, world: string, params: Options): Game {
  return { name, world, params, label: name, steps: STEP_LIMITS.cooking };
}

/** A study of games and conditions, as far as `only` names them. */
function gameStudy(
  form: string,
  options: PartChoices,
  parts: Pick<Study, "title" | "truth"> & {
    readonly games: readonly Game[];
    /**
     * Conditions that are played where none is named.
     * @default all but those that are played on request
     */
    readonly usual?: readonly string[];
    readonly usualAttempts: number;
  },
): Study {
  const { usualAttempts, title, truth, ...from } = parts;
  const { only = [], attempts = usualAttempts } = options;
  const { games, conditions } = chooseGamesAndConditions(only, from);
  const chains = games.flatMap(({ world, params, label, steps }) =>
    matrixChains({
      worlds: [{ world, params: { ...params, stepLimit: steps * MOVES_A_STEP }, label }],
      conditions: conditions.map((condition) => conditionOfStudy(condition, steps)),
      attempts,
    })
  );
  const attemptOf = ({ episodes }: Study["chains"][number]): number => episodes[0]?.attempt ?? 0;
  // attempt by attempt, so that an interrupted study has whole rounds
  return paperStudy(form, options, usualAttempts, {
    title,
    truth,
    chains: chains.sort((a, b) => attemptOf(a) - attemptOf(b)),
  });
}

/** Walks of the study of random walks. The paper gives no number. */
const WALKS = 5;

/**
 * The study of random walks, as data: AriGraph learns while the actions are random, in Cleaning,
 * which has many things and cannot be lost. Run it with one model after another, into one store:
 * the figure shows all that are there.
 *
 * @example
 * ```ts
 * import { randomWalkStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(randomWalkStudy({ models: { "*": "gpt-4o" } }).id, "arigraph-random-walk@gpt-4o");
 * ```
 */
export function randomWalkStudy(options: PartChoices = {}): Study {
  const methodOptions = { method: { maxSteps: STEP_LIMITS.other } };
  return paperStudy("arigraph-random-walk", options, WALKS, {
    title: "AriGraph, Figure 6: the graph during a random walk",
    chains: matrixChains({
      worlds: [{ world: "textworld/cleaning", params: { stepLimit: STEP_LIMITS.other } }],
      conditions: [{
        method: "random-walk",
        memory: "arigraph",
        condition: "random-walk",
        options: methodOptions,
      }],
      attempts: options.attempts ?? WALKS,
    }),
  });
}
