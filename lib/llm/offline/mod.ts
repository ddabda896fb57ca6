/** @module */
export * from "./backbone.ts";
export * from "./draw.ts";
