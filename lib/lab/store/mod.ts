/**
 * The record of truth: one SQLite file that holds every episode, turn, graph change, call and
 * reply.
 *
 * @module
 */
export { type CallRow, listCalls } from "./calls.ts";
export {
  type EpisodePlan,
  type EpisodeRecord,
  type EpisodeStatus,
  getEpisode,
  listEpisodes,
  type PassRow,
} from "./episodes.ts";
export { type EventRow, listEvents } from "./events.ts";
export { openStore, type OpenStoreOptions, type Store } from "./open.ts";
export {
  getReplyRow,
  getRequest,
  type KeyedRequest,
  listReplies,
  type ReplyRow,
} from "./replies.ts";
export { listStudies } from "./studies.ts";
export {
  type GraphChangeRow,
  listGraphChanges,
  listTruths,
  listTurns,
  type StepId,
  type TruthRow,
  type TurnRow,
} from "./turns.ts";
