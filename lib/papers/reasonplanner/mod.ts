/**
 * ReasonPlanner (Pham-Dinh et al. 2024, arXiv 2410.09252): its studies. Notebook 05 makes its
 * tables and figures of them.
 *
 * @module
 */

export { lookAheadStudy, reasonPlannerStudy, type ReasonPlannerStudyOptions } from "./study.ts";
