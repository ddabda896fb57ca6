/**
 * The laboratory with everything in it, for the command line and for notebooks.
 *
 * @module
 */

import { connectWorlds, type Worlds } from "../env/worlds.ts";
import { systemClock } from "../platform.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { openEmbedder } from "../retrieval/embedders.ts";
import type { Store } from "../store/open.ts";
import { type Estimate, estimateStudy } from "./estimate.ts";
import { checkModels, studyModels, type StudyModelsOptions } from "./models.ts";
import { resolveStudy, withRecordedGames } from "./plan.ts";
import { type RunOptions, runStudy, type StudyResult } from "./runner.ts";
import type { Study } from "./study.ts";

/** What a study is played with, where it is not the ordinary. */
export interface PlayStudyOptions extends RunOptions, Omit<StudyModelsOptions, "store"> {
  /** Where everything is recorded. */
  readonly store: Store;
  /** Kept open; left out: worlds are connected for this study and closed after it. */
  readonly worlds?: Worlds;
}

/**
 * Plays a study, or continues it, with the models that its map names, the embedder that it names and the worlds at hand. See `runStudy`
 * for what it does and throws; before any episode it throws what `checkModels` does.
 *
 * @example A world of one's own
 * ```ts
 * import { listTurns, openStore } from "labyrinth/store";
 * import { matrixLanes, playStudy } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "Win.", observation: "There is a lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const lever = {
 *   spec: { id: "lever", version: "1", parameters: {}, sections: [], actions: [], fallback: "pull", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async () => ({ ...seen, score: 1, end: "won" as const }),
 *   validActions: async () => ["pull"],
 *   truth: async () => ({}),
 *   close: async () => {},
 * };
 * const study = {
 *   id: "mine",
 *   title: "A lever, pulled at random",
 *   models: { "*": "offline" },
 *   lanes: matrixLanes({ worlds: [{ world: "lever" }], conditions: [{ method: "random" }], attempts: 2 }),
 * };
 * using store = openStore(":memory:");
 * const worlds = { list: async () => [], open: async () => lever, close: async () => {} }; // left out: those of the world server
 * const { completed, episodes } = await playStudy(study, { store, worlds });
 * assert.equal(completed, 2);
 * assert.deepEqual(listTurns(store, episodes[0]?.id ?? "").map((turn) => turn.action), [undefined, "pull"]);
 * ```
 */
export async function playStudy(study: Study, options: PlayStudyOptions): Promise<StudyResult> {
  checkModels(study, options);
  const { store, signal, onDelay, clock = systemClock } = options;
  const worlds = options.worlds ?? connectWorlds({ ...(signal && { signal: () => signal }), ...(onDelay && { onDelay }) });
  try {
    return await runStudy(study, {
      store,
      worlds,
      clock,
      models: studyModels(study, options),
      embedder: await embedderOf(study),
      providers: options.providers,
    }, {
      ...options,
      recorded: options.cacheMode !== "off",
    });
  } finally {
    if (!options.worlds) await worlds.close();
  }
}

/**
 * Prices a study before it is played, by the episodes on record: see `Estimate`. Nothing is written and no model is asked.
 *
 * @throws {UsageError} for a study that cannot be carried out, {@linkcode WorldError} for a world that cannot be opened.
 *
 * @example
 * ```ts
 * import { matrixLanes, priceStudy } from "labyrinth/lab";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * const lanes = matrixLanes({ worlds: [{ world: "questions/encyclopedia" }], conditions: [{ method: "random" }], attempts: 2 });
 * using store = openStore(":memory:");
 * const { toPlay, unknown } = await priceStudy({ id: "mine", title: "Mine", models: { "*": "gpt-4o" }, lanes }, { store });
 * assert.deepEqual([toPlay, unknown], [2, 2]); // nothing on record compares with them: play it offline first, which is free
 * ```
 */
export async function priceStudy(
  study: Study,
  options: Pick<PlayStudyOptions, "store" | "worlds" | "onDelay" | "providers">,
): Promise<Estimate> {
  const { store, onDelay, providers, worlds = connectWorlds(onDelay && { onDelay }) } = options;
  try {
    const episodes = await resolveStudy(study, { worlds, embedder: await embedderOf(study), onDelay, providers });
    return estimateStudy(store, study, withRecordedGames(store, study, episodes).flat());
  } finally {
    if (!options.worlds) await worlds.close();
  }
}

/** The embedder that a study names. */
export async function embedderOf({ embedder = "lexical" }: Study): Promise<Embedder> {
  return typeof embedder === "string" ? await openEmbedder(embedder) : embedder;
}
