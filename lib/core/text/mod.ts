/**
 * Text of prompts and replies: named sections, JSON, token counts, scores of short answers.
 *
 * @module
 */
export { readSections, renderSections } from "./sections.ts";
export { parseJson, type Schema, type SchemaError } from "./json.ts";
export {
  reader,
  type ReaderOptions,
  type Reading,
  readText,
  refined,
  type ReplyParser,
} from "./reply-text.ts";
export { loadTokenCounter, type TokenCounter } from "./tokens.ts";
export {
  type AnswerScore,
  countWords,
  hotpotScore,
  musiqueScore,
  type PooledScore,
  pooledScore,
  type WordCounts,
} from "./qa-scores.ts";
export type { Registry } from "./registry.ts";
