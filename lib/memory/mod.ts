/**
 * Memories: what an agent keeps of what it saw. A new one is one file and one line in the registry below.
 *
 * @module
 */
export * from "./memory.ts";
export * from "./observation.ts";
export * from "./navigator.ts";
export { ARIGRAPH_PAPER, type AriGraphOptions } from "./arigraph-options.ts";
export { arigraphPrompts, createAriGraph } from "./arigraph.ts";
export { createFullHistory } from "./full-history.ts";
export { createNoMemory } from "./none.ts";
export { createPassages, type PassagesOptions } from "./passages.ts";
export { createRag, RAG_PAPER, type RagOptions } from "./rag.ts";
export { createRoomGraph, ROOM_GRAPH_PAPER, type RoomGraphOptions, roomGraphPrompts } from "./room-graph.ts";
export { createSimulacra, SIMULACRA_PAPER, type SimulacraOptions, simulacraPrompts } from "./simulacra.ts";
export { createStacked, type StackedOptions, stackedPrompts } from "./stacked.ts";
export type { Transition } from "./transition-votes.ts";
export { createSummary, SUMMARY_PAPER, type SummaryOptions, summaryPrompts } from "./summary.ts";
export {
  createTemporalGraph,
  type Experience,
  isRelocation,
  type TemporalGraphOptions,
  temporalGraphPrompts,
  type WorldModel,
  type WorldModelAnswer,
} from "./temporal-graph.ts";
export * from "./registry.ts";
