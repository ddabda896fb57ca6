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

export { createStandIn, OFFLINE_RULES } from "./stand-in.ts";
export type { OfflineAnswer, OfflineOptions, OfflinePrompt, Responder } from "./stand-in.ts";
export type { ErrorRates, Errs } from "./errors.ts";
export { type PlayerProfile, simulatedPlayers } from "./profiles.ts";
