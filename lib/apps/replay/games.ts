/** Finds the game that an attempt was played in by the game's texts, not by names. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import type { Worlds } from "../../core/env/worlds.ts";
import { UsageError } from "../../core/errors.ts";
import { headersIn, isCooking, isUncut, textAfterStep, worldText } from "./texts.ts";
import type { Attempt } from "./steps.ts";

/** A step limit that no published run reaches. */
const NO_LIMIT = 100_000;

/**
 * Lists the game files below some folders, sorted: each `.json`, and each `.z8` without one.
 *
 * @throws {UsageError} if a folder is missing or none of them holds a game.
 */
export function gameFilesIn(folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) => {
    if (!existsSync(folder)) {
      throw new UsageError(
        `cannot read the games in ${folder}: there is no such folder; give that of the authors' games`,
      );
    }
    if (!statSync(folder).isDirectory()) return [folder];
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name)
    );
  });
  const games = [...new Set(files)].filter((file) =>
    file.endsWith(".json") || file.endsWith(".z8") && !files.includes(file.replace(/z8$/, "json"))
  );
  if (folders.length > 0 && games.length === 0) {
    throw new UsageError(
      `cannot find a game in ${
        folders.join(", ")
      }: wanted .json or .z8 files made with TextWorld; give the folder of the authors' games`,
    );
  }
  return games.sort();
}

/** The available games; each is opened once to read its beginning. */
export class Games {
  readonly #worlds: Worlds;
  readonly #files: readonly string[];
  readonly #beginnings = new Map<string, Promise<Turn | undefined>>();

  /** Opens nothing yet. `files` are as {@linkcode gameFilesIn} lists them. */
  constructor(worlds: Worlds, files: readonly string[]) {
    this.#worlds = worlds;
    this.#files = files;
  }

  /** Returns the games that begin as the attempt does. */
  async fitting(attempt: Attempt): Promise<string[]> {
    const [first] = attempt.steps;
    if (!first) return [];
    const fitting: string[] = [];
    const room = headersIn(first.observation).at(-1)?.toLowerCase().replace(
      "living room",
      "livingroom",
    );
    for (const file of this.#files) {
      if (room !== undefined && !this.#speaksOf(file, room)) continue;
      const turn = await this.#beginnings.getOrInsertComputed(file, () => this.#look(file));
      if (
        turn && textAfterStep(first.observation, 1).startsWith(worldText(turn, isUncut(attempt)))
      ) fitting.push(file);
    }
    return fitting;
  }

  /** Opens a game in the form in which the attempt was played. */
  async open(file: string, attempt: Attempt): Promise<MeasuredEnvironment> {
    const rewards = attempt.rewards ?? [];
    // a step is worth more than one point only where the game's own points were counted: the
    // treasure
    const counted = rewards.some((sum, index) => sum - (rewards[index - 1] ?? 0) > 1)
      ? "game"
      : "paper";
    const parameters = {
      path: resolve(file),
      rewards: counted,
      verbatim: true,
      stepLimit: NO_LIMIT,
    };
    const world = await this.#worlds.open("textworld/file", parameters);
    if (attempt.rules.version === "newest" || !isCooking(world)) return world;
    await world.close(); // the other versions show cooking's commands as the game has them
    return await this.#worlds.open("textworld/file", { ...parameters, kind: "plain" });
  }

  /** Whether a game file contains the words at all, which is quick to check. */
  #speaksOf(file: string, words: string): boolean {
    return !file.endsWith(".json") || readFileSync(file, "utf8").toLowerCase().includes(words);
  }

  async #look(file: string): Promise<Turn | undefined> {
    try {
      const world = await this.#worlds.open("textworld/file", {
        path: resolve(file),
        verbatim: true,
      });
      const turn = await world.reset();
      await world.close();
      return turn;
    } catch (error) {
      if ((error as { kind?: unknown }).kind === "bad-game") return undefined; // some other file
      throw error;
    }
  }
}
