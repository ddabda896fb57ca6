/**
 * Text of prompts and replies: named sections, JSON, token counts, scores of short answers.
 *
 * @module
 */
export { nearestName } from "./did-you-mean.ts";
export { readSections, renderSections } from "./sections.ts";
export { type ParsedJson, parseJson, type Schema, type SchemaError } from "./json.ts";
export type { TokenCounter } from "./tokens.ts";
export { type ContainedScore, containedScore, type LocomoCategory, locomoScore } from "./dialogue-scores.ts";
export { type AnswerScore, countWords, hotpotScore, musiqueScore, type PooledScore, pooledScore, type WordCounts } from "./qa-scores.ts";
export type { Registry } from "./registry.ts";
