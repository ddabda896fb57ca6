/**
 * Text in and out of models: named sections of prompts, JSON out of replies, counts of tokens.
 *
 * @module
 */
export * from "./reply-length.ts";
export * from "./sections.ts";
export * from "./json.ts";
export * from "./tokens.ts";
export * from "./qa-scores.ts";
