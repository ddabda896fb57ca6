/**
 * Methods: whole ways of working in a world. A new one is one file and one line in the registry below.
 *
 * @module
 */
export * from "./method.ts";
export * from "./ariadne.ts";
export * from "./ariadne.prompts.ts";
export * from "./go-to.ts";
export * from "./match-action.ts";
export * from "./random.ts";
export * from "./registry.ts";
