/**
 * The models of a study: its role map over the stack, with the offline backbone and a budget.
 *
 * @module
 */

import type { Cap } from "../llm/budget.ts";
import { createBudget } from "../llm/budget.ts";
import type { CacheMode } from "../llm/cache.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { createOfflineBackbone, type Knobs, type Responder } from "../llm/offline/backbone.ts";
import { offlineKnobs } from "../llm/offline/settings.ts";
import { offlineProvider, type Provider } from "../llm/providers.ts";
import { createModels, type ModelsOptions } from "../llm/stack.ts";
import { systemClock } from "../platform.ts";
import { totalCalls } from "../store/calls.ts";
import type { Store } from "../store/open.ts";
import { codeVersion } from "./code-version.ts";
import { offlineResponders } from "./offline.ts";
import type { Study } from "./study.ts";

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
  /** Answers of the offline backbone to roles of one's own. */
  readonly responders?: readonly Responder[];
}

/**
 * Gives each episode of the study its models. The offline backbone's seed is the episode's attempt, so that attempts differ; its other knobs
 * are the study's, but for those that the model's name sets (`offline-weak`).
 *
 * @example
 * ```ts
 * import { openStore, studyModels } from "labyrinth";
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
  const { store, cap, providers = [], responders = [], clock = systemClock, retries, cacheMode, limits, onCall } = options;
  const { paid, wasted } = totalCalls(store, study.id);
  const budget = cap && createBudget(cap, { dollars: paid.dollars + wasted.dollars, tokens: paid.tokens + wasted.tokens });

  return ({ id, attempt }) => {
    const knobsOf = (model: string): Knobs => offlineKnobs(model, { ...study.knobs, seed: attempt });
    const offline = offlineProvider(
      (model) => createOfflineBackbone({ responders: [...offlineResponders, ...responders], knobs: knobsOf(model) }),
      knobsOf,
    );
    return createModels({
      map: study.models,
      store,
      clock,
      codeVersion: codeVersion(),
      episode: id,
      attempt,
      providers: [...providers, offline],
      ...(budget ? { budget } : {}),
      ...(retries ? { retry: retries } : {}),
      ...(cacheMode ? { cacheMode } : {}),
      ...(limits ? { limits } : {}),
      ...(onCall ? { onCall } : {}),
    });
  };
}
