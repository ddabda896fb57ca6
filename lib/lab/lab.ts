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
import { studyModels, type StudyModelsOptions } from "./models.ts";
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
 * for what it does and throws.
 *
 * @example A memory of one's own
 * ```ts ignore
 * const study: Study = {
 *   id: "mine", title: "My memory in the hunt", models: { "*": "offline" },
 *   lanes: matrixLanes({
 *     worlds: [{ world: "textworld/hunt" }],
 *     conditions: [{ method: "ariadne", memory: "arigraph" }, { method: "ariadne", memory: { id: "mine", version: "1", create: (context) => … } }],
 *     attempts: 3,
 *   }),
 * };
 * using store = openStore("mine.sqlite");
 * const { completed, planned } = await playStudy(study, { store });
 * ```
 */
export async function playStudy(study: Study, options: PlayStudyOptions): Promise<StudyResult> {
  const { store, worlds = connectWorlds(options.signal ? { signal: () => options.signal } : {}), clock = systemClock } = options;
  try {
    return await runStudy(study, { store, worlds, clock, models: studyModels(study, options), embedder: await embedderOf(study) }, {
      ...options,
      recorded: options.cacheMode !== "off",
    });
  } finally {
    if (!options.worlds) await worlds.close();
  }
}

/** The embedder that a study names. */
export async function embedderOf({ embedder = "lexical" }: Study): Promise<Embedder> {
  return typeof embedder === "string" ? await openEmbedder(embedder) : embedder;
}
