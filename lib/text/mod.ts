/** @module */
export * from "./sections.ts";
export * from "./json.ts";
export * from "./tokens.ts";
