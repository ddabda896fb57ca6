/**
 * Labyrinth: a laboratory for language-model agents that remember with graphs.
 *
 * @module
 */

export * from "./errors.ts";
export * from "./graph/mod.ts";
export * from "./text/mod.ts";
export * from "./store/mod.ts";
export * from "./retrieval/mod.ts";
export * from "./llm/mod.ts";
export * from "./env/mod.ts";
export * from "./memory/mod.ts";
export * from "./agent/mod.ts";
export * from "./lab/mod.ts";
export * from "./report/mod.ts";
export * from "./stats/mod.ts";
export * from "./random.ts";
export * from "./offline/mod.ts";
export * from "./replay/mod.ts";
export * from "./papers/mod.ts";
export { type Clock, display, displaySymbol, type MimeBundle, systemClock } from "./platform.ts";
