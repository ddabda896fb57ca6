/**
 * Retrieval: embedders, exact nearest neighbours, and each paper's search as a pure function.
 *
 * @module
 */
export * from "./embedder.ts";
export { EMBEDDERS, openEmbedder } from "./embedders.ts";
export { createLexicalEmbedder } from "./lexical.ts";
export { createTransformersEmbedder, type TransformersOptions } from "./transformers.ts";
export * from "./bm25.ts";
export * from "./vector-index.ts";
export * from "./one-hop.ts";
export * from "./triplet-index.ts";
export { type Query, type RetrieveTriplets, semanticSearch } from "./semantic-search.ts";
export { episodicSearch, type EpisodicSearchOptions, HyperEdges } from "./episodic-search.ts";
export * from "./temporal-search.ts";
export { unexploredExits } from "./unexplored-exits.ts";
export { VectorCache } from "./vector-cache.ts";
