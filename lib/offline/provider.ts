/**
 * The offline backbone as a provider of models.
 *
 * @module
 */

import type { Provider, ProviderContext } from "../llm/provider.ts";
import { isOffline } from "../llm/prices.ts";
import { createOfflineBackbone, OFFLINE_RULES, type OfflineOptions, type Responder } from "./backbone.ts";
import { offlineResponders } from "./responders/mod.ts";
import { offlineSettings } from "./settings.ts";

/**
 * Creates the provider of `offline` and its weaker forms (see `offlineSettings`). The seed of an episode's model is its attempt, so that attempts
 * differ; the study's knobs hold but for those that the model's name sets.
 *
 * @param options `responders` answer roles of user-defined memories and methods, before the built-in ones
 *
 * @example
 * ```ts
 * import { createOfflineProvider } from "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * const echo = { role: "demo/echo", answer: ({ sections }: { sections: Record<string, string> }) => sections["Said"] ?? "" };
 * const { model } = createOfflineProvider({ responders: [echo] }).open("offline", {}, { attempt: 1 });
 * const reply = await model.chat({ role: "demo/echo", messages: [{ role: "user", content: "### Said\nhello" }] });
 * assert.equal(reply.choices[0].text, "hello");
 * ```
 */
export function createOfflineProvider(options: { readonly responders?: readonly Responder[] } = {}): Provider {
  const responders = [...offlineResponders, ...options.responders ?? []];
  const settingsOf = (model: string, { attempt, knobs }: ProviderContext): OfflineOptions =>
    offlineSettings(model, { ...knobs, seed: attempt });
  return {
    id: "offline",
    serves: isOffline,
    open: (model, _endpoint, context) => {
      const settings = settingsOf(model, context);
      const backbone = createOfflineBackbone({ responders, knobs: settings });
      return {
        model: { id: model, chat: (request) => backbone.chat(request) },
        identity: `${model} ${JSON.stringify(settings)}`,
        pure: true,
      };
    },
    check: (model, _endpoint, context) => void settingsOf(model, context),
    identity: ({ knobs }) => ({ knobs: knobs ?? {}, offlineRules: OFFLINE_RULES }),
  };
}
