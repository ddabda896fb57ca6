/** @module */
export * from "./statistics.ts";
