/** @module */
export * from "./environment.ts";
