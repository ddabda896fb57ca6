/**
 * Methods: whole ways of working in a world. A new one is one file and one line in the registry below.
 *
 * @module
 */
export * from "./method.ts";
export { type AnswerOptions, createAnswer } from "./answer.ts";
export * from "./answer.prompts.ts";
export { ARIADNE_PAPER, type AriadneOptions } from "./ariadne-options.ts";
export { ariadnePrompts, createAriadne } from "./ariadne.ts";
export * from "./match-action.ts";
export { createRandomWalk, type RandomWalkOptions } from "./random-walk.ts";
export { createReflexion, REFLEXION_PAPER, type ReflexionOptions, reflexionPrompts } from "./reflexion.ts";
export { createRandom, type RandomOptions } from "./random.ts";
export * from "./registry.ts";
