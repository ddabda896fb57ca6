/**
 * Finding in memory: embedders, exact nearest neighbours, and each paper's search as a pure function.
 *
 * @module
 */
export * from "./embedder.ts";
export * from "./embedders.ts";
export { createLexicalEmbedder } from "./lexical.ts";
export { createTransformersEmbedder, type TransformersOptions } from "./transformers.ts";
export * from "./bm25.ts";
export * from "./vector-index.ts";
export * from "./one-hop.ts";
export * from "./triplet-index.ts";
export * from "./semantic-search.ts";
export * from "./episodic-search.ts";
export * from "./memory-stream-search.ts";
export * from "./temporal-search.ts";
export * from "./unexplored-exits.ts";
export * from "./graph-tools.ts";
