/** @module */
export * from "./sections.ts";
