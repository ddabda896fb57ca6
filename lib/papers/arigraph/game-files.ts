/** Game files of a user or of the authors, and the paper's limits of steps for them. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { UsageError } from "../../core/errors.ts";

/** AriGraph's limits, agent steps (§4). */
export const STEP_LIMITS = { cooking: 60, other: 150 } as const;

/** A game file. */
export interface GameFile {
  readonly name: string;
  readonly path: string;
  readonly steps: number;
}

/**
 * The game files of a folder and its folders, by path. Of a game in both forms the `.json` is
 * taken; one called `game` has its folder's name; of equal names each has its path below the
 * folder.
 *
 * @throws {UsageError} if the folder cannot be read or holds no game.
 */
export function findGameFiles(folder: string): GameFile[] {
  let files: string[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch (error) {
    throw new UsageError(
      `cannot read the folder of games ${folder}: ${
        (error as Error).message
      }; name a folder with .json or .z8 files`,
    );
  }
  const paths = files.map((file) => resolve(join(folder, file))).filter((file) =>
    [".json", ".z8"].includes(extname(file))
  );
  const found = paths.filter((path) =>
    extname(path) === ".json" || !paths.includes(path.replace(/\.z8$/, ".json"))
  );
  if (found.length === 0) {
    throw new UsageError(
      `the folder ${folder} holds no game: put .json or .z8 files of TextWorld there`,
    );
  }
  const names = found.map((path) => stem(path) === "game" ? basename(dirname(path)) : stem(path));
  return found.map((path, i) => {
    const name = names[i] as string;
    const clash = names.indexOf(name) !== names.lastIndexOf(name);
    const place = relative(folder, path);
    return {
      name: clash ? place.slice(0, place.length - extname(place).length) : name,
      path,
      steps: stepsOf(path),
    };
  });
}

/**
 * The level of the RL benchmark, 1 … 4, that one of the authors' files belongs to, by its name; of
 * another file `undefined`.
 */
export function rlLevelOf(name: string): number | undefined {
  const level = RL_FILES.findIndex((files) => files.test(name));
  return level < 0 ? undefined : level + 1;
}

/** By level: the authors' folders, three each. */
const RL_FILES = [
  /^cook_1_1_cut(_\d)?$/,
  /^cook_1_1_full(_\d)?$/,
  /^cook_1_9(_\d)?$/,
  /^cook_(3_6_\d|rl_baseline)$/,
];

/**
 * The paper's limit for a game file; tw-cooking writes the recipe into its games. A file that
 * cannot be read is for the world to refuse.
 */
function stepsOf(path: string): number {
  try {
    const { metadata } = JSON.parse(readFileSync(path.replace(/\.z8$/, ".json"), "utf8")) as {
      metadata?: GameMetadata;
    };
    return metadata?.recipe !== undefined || metadata?.labyrinth?.kind === "cooking"
      ? STEP_LIMITS.cooking
      : STEP_LIMITS.other;
  } catch {
    return STEP_LIMITS.other;
  }
}

interface GameMetadata {
  readonly recipe?: unknown;
  readonly labyrinth?: { readonly kind?: string };
}

function stem(path: string): string {
  return basename(path, extname(path));
}
