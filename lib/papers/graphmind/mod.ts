/**
 * GraphMind (Shin et al. 2026): its studies, tables, figures and ledger.
 *
 * @module
 */

export { graphmindPlans, PLAN_COLUMNS, type PlanMap, type PlanRow } from "./plans.ts";
export { graphmindReport } from "./report.ts";
export { graphmindStudy, type GraphMindStudyOptions } from "./study.ts";
export type { ModuleTokens, RepeatedCharacters } from "./tokens.ts";
export { type GridPose, type GridStep, gridSteps, wholePath } from "./trace.ts";
export { type GraphMindTrial, graphmindTrials } from "./trials.ts";
export { graphErrorOf, measures, MEASURES_COLUMNS, plans, PLANS_COLUMNS, transitions, TRANSITIONS_COLUMNS } from "./frames.ts";
export { GRID_COLOURS, GRID_MAP_COLUMNS, GRID_SHAPES, gridMap, type GridPanel } from "./grid-map.ts";
export { GRAPHMIND_MODULES } from "./tokens.ts";
