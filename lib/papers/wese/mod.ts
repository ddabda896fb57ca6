/**
 * WESE (Huang et al. 2024, arXiv 2404.07456): its studies, and the measures that only it has.
 *
 * @module
 */

export { weakModelStudies, weseStudy, type WeseStudyOptions } from "./study.ts";
export { WESE_MEASURES, WESE_TASK_COLUMNS, weseTasks } from "./tasks.ts";
export { WESE_METHODS, type WeseMethod, type WeseVariant } from "./worlds.ts";
