/**
 * Graphs: triplets, the knowledge graph with its history, shortest paths, snapshots; graphs of
 * rooms and objects and their exact edit distance.
 *
 * @module
 */
export {
  distinctTriplets,
  formatTriplet,
  normaliseEntity,
  type Triplet,
  tripletKey,
} from "./triplet.ts";
export { parseTriplets } from "./read-triplets.ts";
export { type EpisodicVertex, type GraphChange, KnowledgeGraph } from "./knowledge-graph.ts";
export type { Compass } from "./compass.ts";
export { type Path, type Places, shortestPath } from "./paths.ts";
export { changesOf, graphFromJson, type GraphJson, graphToJson, snapshotAt } from "./snapshot.ts";
export * from "./temporal-facts.ts";
export type { BabyAiArea, BabyAiTruth } from "./babyai-truth.ts";
export type { RoomObjectEdge, RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";
export {
  type Room,
  type RoomContents,
  type RoomEntity,
  type RoomExit,
  RoomGraph,
  roomObjectGraphOf,
} from "./room-graph.ts";
export type { GraphEdit, NodeMatch } from "./edit-script.ts";
export type { EditCosts } from "./edit-costs.ts";
export {
  type EditDistanceOptions,
  type GraphEditDistance,
  graphEditDistance,
} from "./edit-distance.ts";
export { asBabyAiTruth, babyAiTruthGraph } from "./babyai-truth.ts";
