/**
 * Labyrinth: memory, retrieval and agent modules for language-model agents that remember with
 * graphs, and the laboratory that plays them.
 *
 * What most notebooks need is exported here, in at most 90 names. Everything public of a folder is
 * at its own path (`labyrinth/graph`, `/text`,
 * `/stats`, `/store`, `/retrieval`, `/llm`, `/env`, `/memory`, `/agent`, `/lab`); what is built on
 * it is at `labyrinth/view`, `labyrinth/offline` and `labyrinth/papers/<paper>`. Nothing heavy
 * (Vega, Polars, ZeroMQ, OpenAI, PDF, transformers) is loaded before it is used.
 *
 * @example
 * ```ts
 * import { MEMORIES } from "labyrinth/memory";
 * import { METHODS } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.ok("arigraph" in MEMORIES && "ariadne" in METHODS);
 * ```
 *
 * @module
 */

export * from "./core/errors.ts";
export {
  type Clock,
  display,
  displaySymbol,
  type MimeBundle,
  useCheckout,
} from "./core/platform.ts";
export { createDraw, type Draw } from "./core/random.ts";

export {
  formatTriplet,
  graphEditDistance,
  graphFromJson,
  graphToJson,
  KnowledgeGraph,
  parseTriplets,
  RoomGraph,
  shortestPath,
  snapshotAt,
  TemporalFacts,
} from "./core/graph/mod.ts";
export {
  getEpisode,
  listCalls,
  listEpisodes,
  listEvents,
  listGraphChanges,
  listStudies,
  listTurns,
  openStore,
} from "./lab/store/mod.ts";
export { createLexicalEmbedder, openEmbedder } from "./core/retrieval/mod.ts";
export {
  createAsker,
  createOpenAIModel,
  listPrices,
  localProvider,
  parseRoleMap,
  registerProvider,
  renderPrompt,
  ROLE_MAPS,
  scripted,
} from "./core/llm/mod.ts";
export { createEncyclopedia } from "./core/env/questions/encyclopedia.ts";
export { openQuestion } from "./core/env/questions/world.ts";
export { connectWorlds } from "./core/env/worlds.ts";
export {
  createAMem,
  createAriGraph,
  createFullHistory,
  createGraphiti,
  createGraphRag,
  createHippoRag,
  createMem0,
  createMemGpt,
  createNoMemory,
  createPassages,
  createPlainNotes,
  createRag,
  createRoomGraph,
  createSimulacra,
  createStacked,
  createSummary,
  createTemporalGraph,
  MEMORIES,
} from "./core/memory/mod.ts";
export {
  createAct,
  createAnswer,
  createAriadne,
  createConverse,
  createCot,
  createGoldWalk,
  createGraphMind,
  createNetPlay,
  createRandom,
  createReact,
  createReactReflexion,
  createReasonPlanner,
  createReflexion,
  createSaycan,
  createWese,
  METHODS,
} from "./core/agent/mod.ts";
export {
  ask,
  createBudget,
  createModels,
  experiment,
  graphPicture,
  matrixChains,
  playStudy,
  priceStudy,
  resultOf,
  tripletsAfter,
} from "./lab/mod.ts";
export { frameOf, rowsOf } from "./lab/frame-of.ts";

export type * from "./core/graph/mod.ts";
export type * from "./core/text/mod.ts";
export type * from "./core/stats/mod.ts";
export type { meanInterval } from "./core/stats/mod.ts"; // the one of frames is at labyrinth/lab
export type { parseEntities } from "./core/memory/mod.ts"; // WESE's is at labyrinth/agent
export type * from "./lab/store/mod.ts";
export type * from "./core/retrieval/mod.ts";
export type * from "./core/llm/mod.ts";
export type * from "./core/env/mod.ts";
export type * from "./core/memory/mod.ts";
export type * from "./core/agent/mod.ts";
export type * from "./lab/mod.ts";
