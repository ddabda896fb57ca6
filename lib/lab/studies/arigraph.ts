/**
 * AriGraph's text games (Anokhin et al. 2024, arXiv 2407.04363): Table 4 and Figures 3, 5 and 14.
 *
 * | paper | here |
 * |---|---|
 * | at most 60 steps in Cooking, 150 elsewhere (§4) | `steps`, counted in agent steps |
 * | 5 runs, mean of the best 3 (§5) | `attempts`, `meanOfBest` |
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import type { PromptBook } from "../../llm/prompt.ts";
import { backboneOf, ROLE_MAPS, type RoleMap } from "../../llm/roles.ts";
import { hashOf, sha256 } from "../../store/canonical.ts";
import { matrixLanes, type PlannedEpisode, type Study } from "../study.ts";

/** A game as the study plays it. */
interface Game {
  /** What `--only` calls it. */
  readonly name: string;
  readonly world: string;
  readonly path?: string;
  /** The most agent steps. */
  readonly steps: number;
  /** Whether the quick form plays it. */
  readonly quick?: boolean;
}

const COOKING_STEPS = 60;
const STEPS = 150;

/** The seven games of Table 4. */
const GAMES: readonly Game[] = [
  { name: "hunt", world: "textworld/hunt", steps: STEPS, quick: true },
  { name: "hunt-hard", world: "textworld/hunt-hard", steps: STEPS },
  { name: "hunt-hardest", world: "textworld/hunt-hardest", steps: STEPS },
  { name: "cooking", world: "textworld/cooking", steps: COOKING_STEPS, quick: true },
  { name: "cooking-hard", world: "textworld/cooking-hard", steps: COOKING_STEPS },
  { name: "cooking-hardest", world: "textworld/cooking-hardest", steps: COOKING_STEPS },
  { name: "cleaning", world: "textworld/cleaning", steps: STEPS, quick: true },
];

/** Memories under the same planner and actor. */
const MEMORIES = ["arigraph", "full-history"] as const;

const ATTEMPTS = 5;

/** The moves of a "go to" count as one agent step, so the world's own limit, which counts moves, stands well above. */
const MOVES_A_STEP = 20;

/** Which form of the study. */
export interface ArigraphStudyOptions {
  /** All seven games; else Treasure Hunt, Cooking and Cleaning. @default {false} */
  readonly full?: boolean;
  /** Folder with game files (`.json`, `.z8`) to play in place of our own; folders in it are searched. */
  readonly games?: string;
  /** Names of games or memories to keep. */
  readonly only?: readonly string[];
  /** Role → model. @default {ROLE_MAPS.offline} */
  readonly models?: RoleMap;
  /** Attempts of each game. @default {5} */
  readonly attempts?: number;
  /** Name of an embedder. @default {"lexical"} */
  readonly embedder?: string;
  /** A user's own wording by role. */
  readonly book?: PromptBook;
}

/**
 * The study, as data. Its id tells its form and backbone apart, so that each is a study of its own in the store.
 *
 * @throws {UsageError} if the folder holds no game, or `only` names something that there is not.
 *
 * @example
 * ```ts
 * import { arigraphStudy } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(arigraphStudy().id, "arigraph-quick@offline");
 * assert.equal(arigraphStudy({ full: true }).lanes.length, 7 * 2 * 5);
 * assert.equal(arigraphStudy({ only: ["cooking", "arigraph"], attempts: 1 }).lanes[0]?.id, "textworld/cooking|arigraph|1");
 * ```
 */
export function arigraphStudy(options: ArigraphStudyOptions = {}): Study {
  const { full = false, games: folder, only = [], models = ROLE_MAPS.offline, attempts = ATTEMPTS, embedder = "lexical", book } = options;
  const all = folder === undefined ? GAMES.filter((game) => full || game.quick || only.includes(game.name)) : findGames(folder);
  const { games, memories } = choose(all, only);
  const form = [
    full ? "full" : "quick",
    ...(folder === undefined ? [] : [`games-${sha256(resolve(folder)).slice(0, 8)}`]),
    ...[...only].sort(),
    ...(attempts === ATTEMPTS ? [] : [`x${attempts}`]),
    ...(embedder === "lexical" ? [] : [`embedder-${sha256(embedder).slice(0, 8)}`]),
    ...(book ? [`prompts-${hashOf(book).slice(0, 8)}`] : []),
  ].join("-");

  const lanes = games.flatMap((game) =>
    memories.map((memory) =>
      matrixLanes({
        worlds: [worldOf(game)],
        conditions: [{ method: "ariadne", memory, options: { method: { maxSteps: game.steps } } }],
        attempts,
      })
    )
  ).flat();
  return {
    id: `arigraph-${form}@${backboneOf(models)}`,
    title: "AriGraph, Table 4 and Figure 5: text games with a graph memory and with the full history",
    // attempt by attempt, so that an interrupted study has whole rounds
    lanes: lanes.sort((a, b) => attemptOf(a) - attemptOf(b)),
    models,
    embedder,
    ...(book ? { book } : {}),
  };
}

function worldOf({ world, path, name, steps }: Game): Pick<PlannedEpisode, "world" | "params" | "label"> {
  const params = { ...(path === undefined ? {} : { path }), stepLimit: steps * MOVES_A_STEP };
  return { world, params, ...(path === undefined ? {} : { label: name }) };
}

function attemptOf({ episodes }: Study["lanes"][number]): number {
  return episodes[0]?.attempt ?? 0;
}

function choose(games: readonly Game[], only: readonly string[]): { games: readonly Game[]; memories: readonly string[] } {
  const known = [...games.map((game) => game.name), ...MEMORIES];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown} names neither a game nor a memory of this study; there are ${known.join(", ")}`);
  }
  const wantedGames = games.filter((game) => only.includes(game.name));
  const wantedMemories = MEMORIES.filter((memory) => only.includes(memory));
  return { games: wantedGames.length > 0 ? wantedGames : games, memories: wantedMemories.length > 0 ? wantedMemories : MEMORIES };
}

/** The game files of a folder and its folders, by path. Of a game in both forms the `.json` is taken; one called `game` has its folder's name. */
function findGames(folder: string): Game[] {
  let files: string[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch (error) {
    throw new UsageError(`cannot read the folder of games ${folder}: ${(error as Error).message}; name a folder with .json or .z8 files`);
  }
  const paths = files.map((file) => resolve(join(folder, file))).filter((file) => [".json", ".z8"].includes(extname(file)));
  const found = paths.filter((path) => extname(path) === ".json" || !paths.includes(path.replace(/\.z8$/, ".json")));
  if (found.length === 0) throw new UsageError(`the folder ${folder} holds no game: put .json or .z8 files of TextWorld there`);
  const names = found.map((path) => stem(path) === "game" ? basename(dirname(path)) : stem(path));
  return found.map((path, i) => {
    const name = names[i] as string;
    const clash = names.indexOf(name) !== names.lastIndexOf(name);
    return { name: clash ? `${basename(dirname(path))}/${name}` : name, world: "textworld/file", path, steps: stepsOf(path) };
  });
}

/** The paper's limit for a game file; tw-cooking writes the recipe into its games. A file that cannot be read is for the world to refuse. */
function stepsOf(path: string): number {
  try {
    const { metadata } = JSON.parse(readFileSync(path.replace(/\.z8$/, ".json"), "utf8")) as { metadata?: GameMetadata };
    return metadata?.recipe !== undefined || metadata?.labyrinth?.kind === "cooking" ? COOKING_STEPS : STEPS;
  } catch {
    return STEPS;
  }
}

interface GameMetadata {
  readonly recipe?: unknown;
  readonly labyrinth?: { readonly kind?: string };
}

function stem(path: string): string {
  return basename(path, extname(path));
}
