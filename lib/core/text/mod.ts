/**
 * Text of prompts and replies: named sections, JSON, token counts, scores of short answers.
 *
 * @module
 */
export { nearestName } from "./did-you-mean.ts";
export { readSections, renderSections } from "./sections.ts";
export { parseJson, type Schema, type SchemaError } from "./json.ts";
export { readCall, type WrittenCall } from "./read-calls.ts";
export { namesIn, numberIn } from "./read-lists.ts";
export {
  completeLines,
  reader,
  type ReaderOptions,
  type Reading,
  readText,
  refined,
  type ReplyParser,
  type ReplyText,
  replyText,
} from "./reply-text.ts";
export { loadTokenCounter, type TokenCounter } from "./tokens.ts";
export { type ContainedScore, containedScore, type LocomoCategory, locomoScore } from "./dialogue-scores.ts";
export { type AnswerScore, countWords, hotpotScore, musiqueScore, type PooledScore, pooledScore, type WordCounts } from "./qa-scores.ts";
export type { Registry } from "./registry.ts";
export { hideSecrets } from "./secrets.ts";
