/**
 * The knowledge graph: triplets, their history, ways, growth, snapshots, GraphML; graphs of rooms and objects and their edit distance.
 *
 * @module
 */
export * from "./triplet.ts";
export * from "./knowledge-graph.ts";
export { type Compass, moveOf, opposite } from "./compass.ts";
export * from "./paths.ts";
export * from "./growth.ts";
export * from "./snapshot.ts";
export * from "./temporal-facts.ts";
export * from "./graphml.ts";
export { asBabyAiTruth, babyAiRoomAt, type BabyAiTruth, babyAiTruthGraph, type TruthGraphOptions } from "./babyai-truth.ts";
export { parseRoomObjectGraph, type RoomObjectEdge, type RoomObjectGraph, type RoomObjectNode } from "./room-object-graph.ts";
export {
  bareName,
  type Room,
  type RoomContents,
  type RoomDistance,
  type RoomEntity,
  type RoomExit,
  RoomGraph,
  roomObjectGraphOf,
  type RoomPassage,
  roomsOf,
} from "./room-graph.ts";
export { type EditCosts, UNIFORM_EDIT_COSTS } from "./edit-costs.ts";
export { applyEdits, type GraphEdit, type NodeMatch } from "./edit-script.ts";
export { type EditDistanceOptions, type GraphEditDistance, graphEditDistance } from "./edit-distance.ts";
