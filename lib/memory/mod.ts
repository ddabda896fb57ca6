/** @module */
export * from "./memory.ts";
