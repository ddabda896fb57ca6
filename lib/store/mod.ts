/**
 * The record of truth: one SQLite file with every episode, turn, change of a graph, call and reply.
 *
 * @module
 */
export * from "./artefacts.ts";
export * from "./calls.ts";
export * from "./canonical.ts";
export * from "./episodes.ts";
export * from "./errors.ts";
export * from "./lock.ts";
export * from "./open.ts";
export * from "./replies.ts";
export * from "./turns.ts";
