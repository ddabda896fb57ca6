/**
 * The record of truth: one SQLite file that holds every episode, turn, graph change, call and
 * reply.
 *
 * @module
 */
export { getArtefact, type StoredArtefact } from "./artefacts.ts";
export { type CallRow, type CallTotals, listCalls, totalCalls } from "./calls.ts";
export { type AnsweredTokens, type EpisodeCost, episodeCosts } from "./costs.ts";
export {
  endEpisode,
  type EpisodeEnd,
  type EpisodePlan,
  type EpisodeRecord,
  type EpisodeStatus,
  getEpisode,
  listEpisodes,
  type PassRow,
  putEpisode,
} from "./episodes.ts";
export { getStudy, listStudies, putStudy } from "./studies.ts";
export { openStore, type OpenStoreOptions, type Store } from "./open.ts";
export { getReplyRow, type KeyedRequest, listReplies, type ReplyRow } from "./replies.ts";
export { type EventRow, listEvents } from "./events.ts";
export {
  type GraphChangeRow,
  listGraphChanges,
  listTruths,
  listTurns,
  observationHash,
  putTurn,
  type StepId,
  type TruthRow,
  type TurnRow,
} from "./turns.ts";
export {
  type CheckedEpisode,
  type EpisodeState,
  type Verification,
  verifyStore,
} from "./verify.ts";
export { getRequest } from "./replies.ts";
