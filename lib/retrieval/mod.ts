/** @module */
export * from "./embedder.ts";
