/**
 * Replaying published runs of AriGraph, one log after another, with the same worlds and games.
 *
 * @module
 */

import type { Worlds } from "../env/worlds.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { gameFilesIn, Games } from "./games.ts";
import { replayLog } from "./replay.ts";
import type { Replay } from "./report.ts";

/** What logs are replayed with. */
export interface ReplayerOptions {
  /** Where games are played. */
  readonly worlds: Worlds;
  /** Folders of game files; of the games in them each attempt takes the one that fits. Without any, only memory and meter are held. */
  readonly games?: readonly string[];
  /** Recall by search is repeated with it, and its overlap with the logged one reported. */
  readonly embedder?: Embedder;
  /** Told after each attempt: `number` from 1, `of` how many the log has. */
  readonly onAttempt?: (attempt: { readonly file: string; readonly number: number; readonly of: number }) => void;
}

/** Replays logs. */
export interface Replayer {
  /**
   * Replays one log.
   *
   * @param text The log.
   * @param file Its name, for messages and the report.
   * @throws {UsageError} if the text is no such log, with file, line and remedy.
   * @throws {WorldError} if the worlds are lost.
   */
  replay(text: string, file: string): Promise<Replay>;
}

/**
 * A replayer of the runs that the authors of AriGraph (Anokhin et al. 2024, arXiv 2407.04363) published: all versions of their game logs, and
 * their logs of questions.
 *
 * @throws {UsageError} if a folder of games is missing or holds none.
 *
 * @example
 * ```ts
 * import { connectWorlds } from "labyrinth/env";
 * import { createReplayer } from "labyrinth/replay";
 * import assert from "node:assert/strict";
 *
 * const log = [
 *   "New triplets: ['ada lovelace, born in, london', 'london, capital of, england']",
 *   "QUESTION: In which country was Ada Lovelace born?",
 *   "CRUCIAL ITEMS: {'Ada Lovelace': 1}",
 *   "ASSOCIATED SUBGRAPH: ['ada lovelace, born in, london', 'london, is, big']",
 * ].join("\n");
 * const { report } = await createReplayer({ worlds: connectWorlds() }).replay(log, "run.txt");
 * assert.deepEqual(report.recalled, { matched: 0, total: 1 });
 * assert.equal(report.misses[0]?.expected, "london, is, big does not stand");
 * ```
 */
export function createReplayer({ worlds, games = [], embedder, onAttempt }: ReplayerOptions): Replayer {
  const files = gameFilesIn(games);
  const options = {
    ...(files.length > 0 ? { games: new Games(worlds, files) } : {}),
    ...(embedder ? { embedder } : {}),
    ...(onAttempt ? { onAttempt } : {}),
  };
  return { replay: (text, file) => replayLog(text, file, options) };
}
