/**
 * GraphMind (Shin et al. 2026): its study, and the measures that only it has.
 *
 * @module
 */

export {
  graphErrorOf,
  measures,
  MEASURES_COLUMNS,
  plans,
  PLANS_COLUMNS,
  transitions,
  TRANSITIONS_COLUMNS,
} from "./frames.ts";
export { GRID_MAP_COLUMNS, gridMap, type GridPanel } from "./grid-map.ts";
export { GRAPHMIND_MODULES, graphmindStudy, type GraphMindStudyOptions } from "./study.ts";
export { type GridPose, type GridStep, gridSteps, wholePath } from "./trace.ts";
