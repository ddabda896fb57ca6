/**
 * The models of a study: its role map over the stack, with a budget.
 *
 * @module
 */

import { ModelError, UsageError } from "../errors.ts";
import type { Cap } from "../llm/budget.ts";
import { createBudget } from "../llm/budget.ts";
import type { CacheMode } from "../llm/cache.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { checkModel, type Provider } from "../llm/providers.ts";
import { bindingOf } from "../llm/roles.ts";
import { createModels, type ModelsOptions } from "../llm/stack.ts";
import { systemClock } from "../platform.ts";
import { totalCalls } from "../store/calls.ts";
import { listEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { rolesOf } from "./choices.ts";
import { codeVersion } from "./code-version.ts";
import type { RunOptions } from "./runner.ts";
import type { Lane, Study } from "./study.ts";

/** How a study's models are made. */
export interface StudyModelsOptions extends Pick<ModelsOptions, "limits" | "clock" | "onCall"> {
  /** Where replies and calls are recorded. */
  readonly store: Store;
  /** How the record of replies is used. @default {"record"} */
  readonly cacheMode?: CacheMode;
  /** The most that the study may spend, earlier runs included. */
  readonly cap?: Cap;
  /** How often and how long a refused call is tried again. */
  readonly retries?: NonNullable<ModelsOptions["retry"]>;
  /** Asked before the built-in ones: models made in a notebook. */
  readonly providers?: readonly Provider[];
}

/**
 * Gives each episode of the study its models: each role's by the study's map, from the providers handed in or registered.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { studyModels } from "labyrinth/lab";
 * import "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const models = studyModels({ id: "mine", title: "Mine", lanes: [], models: { "*": "offline" } }, { store });
 * const plan = { role: "user" as const, content: "### Plan\nFind the key." };
 * const reply = await models({ id: "e1", attempt: 1 }).chat({ role: "arigraph/explore", messages: [plan] });
 * assert.equal(reply.choices[0].text, "True");
 * ```
 */
export function studyModels(
  study: Study,
  options: StudyModelsOptions,
): (episode: { readonly id: string; readonly attempt: number }) => ChatModel {
  const { store, cap, clock = systemClock, retries, cacheMode, limits, onCall } = options;
  const { paid, wasted } = totalCalls(store, study.id);
  const budget = cap && createBudget(cap, { dollars: paid.dollars + wasted.dollars, tokens: paid.tokens + wasted.tokens });

  return ({ id, attempt }) => {
    return createModels({
      map: study.models,
      store,
      clock,
      codeVersion: codeVersion(),
      episode: id,
      attempt,
      ...(options.providers ? { providers: options.providers } : {}),
      ...(study.knobs ? { knobs: study.knobs } : {}),
      ...(budget ? { budget } : {}),
      ...(retries ? { retry: retries } : {}),
      ...(cacheMode ? { cacheMode } : {}),
      ...(limits ? { limits } : {}),
      ...(onCall ? { onCall } : {}),
    });
  };
}

/**
 * Refuses a study before it is played if its models could answer nothing as things stand: a role that the map does not bind, an offline model
 * that there is not, and, unless the record of replies is to answer, a model without a key or an address. Nothing is sent. What is completed
 * needs no model, nor what waits for a retry, so that a study that is over is shown anywhere.
 *
 * @throws {UsageError} with the model or role and the remedy.
 *
 * @example
 * ```ts
 * import { checkModels, matrixLanes } from "labyrinth/lab";
 * import "labyrinth/offline";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const lanes = matrixLanes({ worlds: [{ world: "textworld/hunt" }], conditions: [{ method: "act" }], attempts: 1 });
 * checkModels({ id: "mine", title: "Mine", lanes, models: { "act/*": "offline" } }, { store });
 * const other = { id: "mine", title: "Mine", lanes, models: { "react/*": "offline" } };
 * assert.throws(() => checkModels(other, { store }), { name: "UsageError", message: /no model is bound to the role act\/act/ });
 * ```
 */
export function checkModels(
  study: Study,
  options: Pick<StudyModelsOptions, "store" | "cacheMode" | "providers"> & Pick<RunOptions, "retry">,
): void {
  const episodes = lanesToPlay(study, options).flatMap((lane) => lane.episodes);
  const context = { attempt: 1, ...(study.knobs ? { knobs: study.knobs } : {}) };
  try {
    const bindings = new Set([...new Set(episodes.flatMap(rolesOf))].map((role) => bindingOf(study.models, role)));
    if (options.cacheMode === "replay") return;
    for (const binding of bindings) {
      const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
      checkModel(model, endpoint, options.providers, context);
    }
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    throw new UsageError(`cannot play the study ${study.id}: ${error.message}`, { cause: error });
  }
}

/** The lanes of which something would be played now: no completed one, and without a retry none that has failed, or that waits for one that has. */
function lanesToPlay(
  { id, lanes }: Study,
  { store, retry = false }: Pick<StudyModelsOptions, "store"> & Pick<RunOptions, "retry">,
): Lane[] {
  const rows = Map.groupBy(listEpisodes(store, { study: id }), ({ lane }) => lane);
  const stuck = new Set<string>();
  return lanes.filter((lane) => {
    const played = rows.get(lane.id) ?? [];
    const isOver = played.filter(({ status }) => status === "completed").length >= lane.episodes.length;
    const isStuck = !retry && (played.some(({ status }) => status === "failed") || (lane.after !== undefined && stuck.has(lane.after)));
    if (isStuck) stuck.add(lane.id);
    return !isOver && !isStuck;
  });
}
