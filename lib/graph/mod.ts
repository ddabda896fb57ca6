/**
 * The knowledge graph: triplets, their history, ways, growth, snapshots, GraphML.
 *
 * @module
 */
export * from "./triplet.ts";
export * from "./knowledge-graph.ts";
export { type Compass, moveOf, opposite } from "./compass.ts";
export * from "./paths.ts";
export * from "./growth.ts";
export * from "./snapshot.ts";
export * from "./graphml.ts";
