/**
 * WESE (Huang et al. 2024, arXiv 2404.07456): its studies, tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { weakModelStudies, weseStudy, type WeseStudyOptions } from "./study.ts";
export { type WeakStudyTrials, weseFrontierFigure } from "./figures/frontier.ts";
export { weseGrowthFigure } from "./figures/growth.ts";
export { weseTypesFigure } from "./figures/task-types.ts";
export { weseLedger } from "./ledger.ts";
export { weseCostTables, weseEffectTables, type WeseTableOptions } from "./tables.ts";
export { weseFrontierReport, weseReport, writeWeseFrontier, writeWeseReport } from "./report.ts";
export { alfworldTaskOf, type WeseTrial, weseTrialsFrame } from "./trials.ts";
