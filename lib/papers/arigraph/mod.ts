/**
 * AriGraph and Ariadne (Anokhin et al. 2024, arXiv 2407.04363): its studies, tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { type ArigraphQuestionsOptions, arigraphQuestionsStudy } from "./questions-study.ts";
export { arigraphStudy, type ArigraphStudyOptions } from "./textworld-study.ts";
export { nethackStudy, type NetHackStudyOptions } from "./nethack-study.ts";
export { randomWalkStudy, type RandomWalkStudyOptions } from "./random-walk-study.ts";
export { type RlBenchmarkOptions, rlBenchmarkStudy } from "./rl-benchmark-study.ts";
export * from "./textworld-report.ts";
export * from "./questions-report.ts";
export { randomWalkReport, rlBenchmarkReport } from "./side-reports.ts";
export { averageFigure } from "./figures/average.ts";
export { graphGrowthFigure } from "./figures/graph-growth.ts";
export { randomWalkFigure } from "./figures/random-walk.ts";
export { type RlBar, rlBenchmarkFigure } from "./figures/rl-benchmark.ts";
export { scoreStepsFigure } from "./figures/score-steps.ts";
export * from "./figures/scores.ts";
export { arigraphLedger } from "./ledger.ts";
export { type DungeonScreen, dungeonStripFigure } from "./figures/dungeon-strip.ts";
export { nethackGrowthFigure, nethackProgressFigure, type NetHackStep, nethackStepsFrame } from "./figures/nethack.ts";
export { nethackReport, writeNethackReport } from "./nethack-report.ts";
export { type NetHackRun, nethackRunsFrame } from "./nethack-runs.ts";
export { nethackTable } from "./tables/nethack-scores.ts";
export { costsTable, type CostsTableOptions } from "./tables/costs.ts";
export { questionsTable } from "./tables/questions.ts";
export * from "./tables/textworld-scores.ts";
