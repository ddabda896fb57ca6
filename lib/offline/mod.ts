/**
 * The stand-in: a rule-based player in place of a language model, and simulated players. Importing
 * this module registers them, so that role maps may name
 * `offline`, `sim:99` and the like.
 *
 * @module
 */

import { registerProvider } from "../core/llm/providers.ts";
import { createOfflineProvider, createSimulatedProvider } from "./provider.ts";

registerProvider(createOfflineProvider());
registerProvider(createSimulatedProvider());

export { createOfflineBackbone, OFFLINE_RULES } from "./backbone.ts";
export type { OfflineAnswer, OfflineOptions, OfflinePrompt, Responder } from "./backbone.ts";
export type { ErrorRates, Errs } from "./errors.ts";
export { type PlayerProfile, simulatedPlayers } from "./profiles.ts";
