/**
 * ReasonPlanner (Pham-Dinh et al. 2024, arXiv 2410.09252): its studies, tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { lookAheadStudy, reasonPlannerStudy, type ReasonPlannerStudyOptions } from "./study.ts";
export { reasonPlannerLedger } from "./ledger.ts";
export { trainingGrowthFigure, trajectoriesFigure } from "./figures.ts";
export { reasonPlannerCostsTable } from "./tables/costs.ts";
export { planningTable } from "./tables/planning.ts";
export { reasonPlannerScoresTable, type ReasonPlannerTableOptions, worldModelTable } from "./tables/scores.ts";
export * from "./report.ts";
