/** @module */
export * from "./backbone.ts";
export * from "./draw.ts";
export * from "./settings.ts";
