/**
 * GraphMind (Shin et al. 2026): its studies, tables, figures and ledger.
 *
 * @module
 */

export { graphmindPlans, PLAN_COLUMNS, type PlanMap, type PlanRow } from "./plans.ts";
export { graphmindReport } from "./report.ts";
export { graphmindStudy, type GraphMindStudyOptions } from "./study.ts";
export type { ModuleTokens, RepeatedCharacters } from "./tokens.ts";
export { type GridStep, gridSteps } from "./trace.ts";
export { graphErrorOf, type GraphMindTrial, graphmindTrials } from "./trials.ts";
