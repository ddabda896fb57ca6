/** Playing and pricing a study with the worlds, models and embedder at hand. */

import { connectWorlds, isConnected, type Worlds } from "../core/env/worlds.ts";
import { systemClock } from "../core/platform.ts";
import type { Embedder, EmbedderContext } from "../core/retrieval/embedder.ts";
import { openEmbedder } from "../core/retrieval/embedders.ts";
import { checkKeys, checkName } from "../core/text/did-you-mean.ts";
import { cellView } from "./cell-view.ts";
import { type Estimate, estimateStudy } from "./estimate.ts";
import {
  checkModels,
  ineffectiveParameters,
  studyModels,
  type StudyModelsOptions,
} from "./models.ts";
import { withRecordedGames } from "./enter.ts";
import { resolveStudy } from "./plan.ts";
import type { RunOptions } from "./run-options.ts";
import { runStudy, type StudyResult } from "./runner.ts";
import { sourceHash } from "./source.ts";
import type { Study } from "./study.ts";

/** Options of `playStudy`. */
export interface PlayStudyOptions extends RunOptions, StudyModelsOptions {
  /**
   * The worlds, which are left open.
   * @default those of the world server, connected for this study and closed after it
   */
  readonly worlds?: Worlds;
  /**
   * Whether a cell shows a bar that moves.
   * @default where JupyterLab runs the notebook, not where nobody looks on
   */
  readonly progress?: boolean;
}

/**
 * Plays a study, or continues it. Completed episodes are kept; paused and killed ones are resumed;
 * failed ones are played again with `retry`.
 *
 * Resuming is replaying: the method starts again and is answered from the record, while each turn
 * is compared with the recorded one. An error of a world, a model or the budget ends its episode as
 * `failed` or `paused`, and is never a score. An error that every episode would meet (no endpoint,
 * an empty budget) leaves the others as planned.
 *
 * @throws {UsageError} for a study that cannot be carried out, or a model that cannot be called,
 *   before any episode is played.
 * @throws {StoreError} `locked` while another run writes to the store, `conflict` if the study was
 *   edited under its episodes, `disk` if the disk is full.
 * @throws {WorldError} if a world cannot be opened at all, or no game of the study.
 *
 * @example A user-defined world
 * ```ts
 * import { listTurns, matrixChains, openStore, playStudy } from "labyrinth";
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
 *   chains: matrixChains({ worlds: [{ world: "lever" }], conditions: [{ method: "random" }], attempts: 2 }),
 * };
 * using store = openStore(":memory:");
 * const worlds = { list: async () => [], open: async () => lever, close: async () => {} }; // by default: those of the world server
 * const { completed, episodes } = await playStudy(study, { store, worlds });
 * assert.equal(completed, 2);
 * assert.deepEqual(listTurns(store, episodes[0]?.id ?? "").map((turn) => turn.action), [undefined, "pull"]);
 * ```
 */
export async function playStudy(study: Study, options: PlayStudyOptions): Promise<StudyResult> {
  checkKeys("playStudy()", options, KNOWN);
  checkName("cacheMode", options.cacheMode ?? "record", ["record", "replay", "off"]);
  const view = cellView(study.id, {
    progress: options.progress,
    clock: options.clock ?? systemClock,
  });
  let result: StudyResult | undefined;
  try {
    return result = await playWithPorts(study, { ...view, ...options });
  } finally {
    await view?.end(result);
  }
}

/** The options of `playStudy`: in a cell no type checker sees them. */
const KNOWN = Object.keys(
  {
    store: true,
    worlds: true,
    progress: true,
    concurrency: true,
    signal: true,
    retry: true,
    fresh: true,
    shard: true,
    recorded: true,
    retryPasses: true,
    onDelay: true,
    onNotice: true,
    onFailure: true,
    onProgress: true,
    onCall: true,
    cacheMode: true,
    keepCalls: true,
    limits: true,
    providers: true,
    clock: true,
    cap: true,
    retries: true,
    inFlight: true,
  } satisfies Record<keyof PlayStudyOptions, true>,
);

async function playWithPorts(study: Study, options: PlayStudyOptions): Promise<StudyResult> {
  checkModels(study, options);
  for (const line of await ineffectiveParameters(study, options)) options.onNotice?.(line);
  const { store, signal, onDelay, clock = systemClock } = options;
  const worlds = options.worlds
    ? withSource(options.worlds)
    : connectWorlds({ signal: signal && (() => signal), onDelay });
  const { models, embeddings, chains } = studyModels(study, options);
  try {
    return await runStudy(study, {
      store,
      worlds,
      clock,
      models,
      embedder: await embedderOf(study, { embeddings }),
      providers: options.providers,
    }, {
      ...options,
      concurrency: options.concurrency ?? chains,
      recorded: options.cacheMode !== "off",
    });
  } finally {
    if (!options.worlds) await worlds.close();
  }
}

/**
 * The source of user-defined worlds joins their versions, so that an edit reruns their episodes.
 */
function withSource(worlds: Worlds): Worlds {
  if (isConnected(worlds)) return worlds;
  return {
    list: () => worlds.list(),
    close: () => worlds.close(),
    open: async (id, params) => {
      const env = await worlds.open(id, params);
      const source = await sourceHash([worlds.open, env.reset, env.step, env.validActions], {
        closures: false,
      }); // a world's closures hold its state
      return {
        spec: { ...env.spec, version: `${env.spec.version}+source ${source}` },
        reset: () => env.reset(),
        step: (action) => env.step(action),
        validActions: () => env.validActions(),
        truth: () => env.truth(),
        close: () => env.close(),
      };
    },
  };
}

/**
 * Estimates the cost of a study before it is played, by the recorded episodes: see `Estimate`.
 * Nothing is written and no model is called.
 *
 * @throws {UsageError} for a study that cannot be carried out, {@linkcode WorldError} for a world
 *   that cannot be opened.
 *
 * @example
 * ```ts
 * import { matrixChains, openStore, priceStudy } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const chains = matrixChains({ worlds: [{ world: "questions/encyclopedia" }], conditions: [{ method: "random" }], attempts: 2 });
 * using store = openStore(":memory:");
 * const { toPlay, unknown } = await priceStudy({ id: "mine", title: "Mine", models: { "*": "gpt-4o" }, chains }, { store });
 * assert.deepEqual([toPlay, unknown], [2, 2]); // no recorded episode compares: play it offline first, which is free
 * ```
 */
export async function priceStudy(
  study: Study,
  options: Pick<PlayStudyOptions, "store" | "worlds" | "onDelay" | "providers">,
): Promise<Estimate> {
  const { store, onDelay, providers } = options;
  const worlds = options.worlds ? withSource(options.worlds) : connectWorlds({ onDelay });
  try {
    const chains = await resolveStudy(study, {
      worlds,
      embedder: await embedderOf(study),
      onDelay,
      providers,
    });
    return estimateStudy(store, study, withRecordedGames(store, study, chains).flat());
  } finally {
    if (!options.worlds) await worlds.close();
  }
}

export async function embedderOf(
  { embedder = "lexical" }: Study,
  context: EmbedderContext = {},
): Promise<Embedder> {
  return typeof embedder === "string" ? await openEmbedder(embedder, context) : embedder;
}
