/**
 * AriGraph and Ariadne (Anokhin et al. 2024, arXiv 2407.04363): its studies, and their tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { type AttributionOptions, attributionStudy } from "./attribution.ts";
export { type ArigraphQuestionsOptions, arigraphQuestionsStudy } from "./questions.ts";
export { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./textworld-study.ts";
export { nethackStudy, type NetHackStudyOptions, type NetHackTrial, nethackTrials } from "./nethack.ts";
export { arigraphReport } from "./report.ts";
