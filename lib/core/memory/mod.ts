/**
 * Memories: what an agent keeps of its observations. A new one is one file, and one line in
 * `memory-list.ts`.
 *
 * @module
 */
export * from "./memory.ts";
export { Navigator } from "./navigator.ts";
export { A_MEM_PAPER, type AMemOptions, createAMem } from "./others/a-mem.ts";
export { ARIGRAPH_PAPER, type AriGraphOptions } from "./arigraph-options.ts";
export { createAriGraph } from "./arigraph.ts";
export { createFullHistory } from "./full-history.ts";
export { createGraphiti } from "./others/graphiti.ts";
export { type GraphitiOptions } from "./others/graphiti-options.ts";
export { createGraphRag } from "./others/graphrag.ts";
export { GRAPHRAG_PAPER, type GraphRagOptions } from "./others/graphrag-options.ts";
export { createHippoRag, type HippoRagOptions } from "./others/hipporag.ts";
export type { ModuleOptions } from "./modules.ts";
export { createMem0, MEM0_PAPER, type Mem0Options } from "./others/mem0.ts";
export { createMemGpt, MEMGPT_PAPER, type MemGptOptions } from "./others/memgpt.ts";
export { createNoMemory } from "./none.ts";
export type { PromptOrder } from "./observation.ts";
export { createPassages, type PassagesOptions } from "./passages.ts";
export { createPlainNotes, type PlainNotesOptions } from "./plain-notes.ts";
export { createRag, RAG_PAPER, type RagOptions } from "./rag.ts";
export { createRoomGraph } from "./room-graph.ts";
export { type RoomGraphOptions } from "./room-graph-options.ts";
export { createSimulacra, SIMULACRA_PAPER, type SimulacraOptions } from "./simulacra.ts";
export { createStacked, type StackedOptions } from "./stacked.ts";
export { createSummary, SUMMARY_PAPER, type SummaryOptions } from "./summary.ts";
export type { Transition } from "./transition-votes.ts";
export {
  createTemporalGraph,
  type TemporalGraphOptions,
  temporalGraphPrompts,
} from "./temporal-graph.ts";
export { type Experience, type WorldModel, type WorldModelAnswer } from "./world-model.ts";
export * from "./registry.ts";
export {
  entitiesPaperPrompt,
  explorePrompt,
  extractParagraphPrompt,
  extractPrompt,
  outdatePrompt,
  questionEntitiesPrompt,
} from "./arigraph.prompts.ts";
export {
  entitiesForm,
  parseEntities,
  parseExplore,
  parseExtract,
  parseOutdateOf,
  type StaleAnswer,
} from "./arigraph-replies.ts";
export { formatObservation, type Observed } from "./observation.ts";
export { isRelocation } from "./temporal-graph.ts";
/** The prompts of the temporal knowledge graph and their parsers. */
export * as worldModelPrompts from "./temporal-graph.prompts.ts";
export { locateForm, ROOM_GRAPH_PROMPTS } from "./room-graph.prompts.ts";
export {
  parseExtracted as parseExtractedRoom,
  parseNode,
  parseUpdated as parseUpdatedRoom,
  parseVote,
  roomNumbers,
} from "./room-graph-replies.ts";
export { describeContents, describeRoom, roomGraphTools } from "./room-graph-text.ts";
export { tallyVotes } from "./transition-votes.ts";
export { describeTrajectory, describeView, stepsOf } from "./view.ts";
export type { ReadContents, TransitionVote } from "./room-graph-replies.ts";
export type { Seen, SeenStep } from "./view.ts";
export type { LocateSection } from "./room-graph.prompts.ts";
