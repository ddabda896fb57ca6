/**
 * WESE (Huang et al. 2024, arXiv 2404.07456): its studies, tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { weseFrontierReport, weseReport } from "./report.ts";
export { weakModelStudies, weseStudy, type WeseStudyOptions } from "./study.ts";
export { type WeseTrial, weseTrials } from "./trials.ts";
export { alfworldTaskOf, WESE_MEASURES, WESE_TASK_COLUMNS, weseTasks } from "./tasks.ts";
export { WESE_METHODS, type WeseMethod } from "./worlds.ts";
