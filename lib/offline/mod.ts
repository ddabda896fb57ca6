/**
 * The offline backbone: a rule-based reader of English in place of a language model. Importing this module registers it, so that role maps may name
 * `offline`.
 *
 * @module
 */

import { registerProvider } from "../llm/providers.ts";
import { createOfflineProvider } from "./provider.ts";

registerProvider(createOfflineProvider());

export * from "./backbone.ts";
export { createOfflineProvider } from "./provider.ts";
export { offlineResponders } from "./responders/mod.ts";
export * from "./settings.ts";
