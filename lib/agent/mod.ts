/** @module */
export * from "./method.ts";
