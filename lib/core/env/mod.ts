/**
 * Worlds: the port that methods play through, and the client of the world server.
 *
 * @module
 */
export * from "./alfworld.ts";
export * from "./environment.ts";
export { connectWorlds, type Worlds, type WorldsOptions } from "./worlds.ts";
export * from "./questions/mod.ts";
export {
  SCIENCEWORLD_TASKS,
  type ScienceWorldSplit,
  type ScienceWorldTask,
  type VariationRange,
} from "./scienceworld.ts";
