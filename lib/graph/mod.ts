/** @module */
export * from "./triplet.ts";
export * from "./knowledge-graph.ts";
