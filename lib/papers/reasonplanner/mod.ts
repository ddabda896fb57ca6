/**
 * ReasonPlanner (Pham-Dinh et al. 2024, arXiv 2410.09252): its studies, tables, figures and ledger.
 *
 * @module
 */

export { reasonPlannerReport } from "./report.ts";
export { lookAheadStudy, reasonPlannerStudy, type ReasonPlannerStudyOptions } from "./study.ts";
export { type ReasonPlannerTrial, reasonPlannerTrials } from "./trials.ts";
