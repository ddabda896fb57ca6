/**
 * The offline backbone: a rule-based reader of English in place of a language model. Importing this module registers it, so that role maps may name
 * `offline`.
 *
 * @module
 */

import { registerProvider } from "../llm/providers.ts";
import { createOfflineProvider } from "./provider.ts";

registerProvider(createOfflineProvider());

export { createOfflineBackbone, OFFLINE_RULES } from "./backbone.ts";
export type { OfflineAnswer, OfflineOptions, OfflinePrompt, Responder } from "./backbone.ts";
export { createOfflineProvider, offlineSettings, WEAK_KNOBS } from "./provider.ts";
export { offlineResponders } from "./responders/mod.ts";
