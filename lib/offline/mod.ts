/**
 * The offline backbone: a rule-based reader of English in place of a language model. Importing this module registers it, so that role maps may name
 * `offline`, `reader:gpt-4o` and the like.
 *
 * @module
 */

import { registerProvider } from "../llm/providers.ts";
import { createOfflineProvider, createReaderProvider } from "./provider.ts";

registerProvider(createOfflineProvider());
registerProvider(createReaderProvider());

export { createOfflineBackbone, OFFLINE_RULES } from "./backbone.ts";
export type { OfflineAnswer, OfflineOptions, OfflinePrompt, Responder } from "./backbone.ts";
export type { ErrorRates, Errs } from "./errors.ts";
export { type ReaderProfile, readerProfiles } from "./profiles.ts";
export { createOfflineProvider, createReaderProvider, mayErr, offlineSettings, WEAK_KNOBS } from "./provider.ts";
export { offlineResponders } from "./responders/mod.ts";
