/**
 * Tables, figures and files out of the record of truth.
 *
 * @module
 */

export * from "./answers.ts";
export * from "./arigraph.ts";
export * from "./arigraph-questions.ts";
export { randomWalkReport, rlBenchmarkReport } from "./arigraph-parts.ts";
export * from "./export.ts";
export * from "./figure.ts";
export { attemptFigure, type AttemptFigureOptions } from "./figures/attempt.ts";
export { averageFigure } from "./figures/average.ts";
export { gameMapFigure, type GameTruth, isGameTruth } from "./figures/game-map.ts";
export { graphGrowthFigure } from "./figures/graph-growth.ts";
export * from "./figures/memory-graph.ts";
export { randomWalkFigure } from "./figures/random-walk.ts";
export { type RlBar, rlBenchmarkFigure } from "./figures/rl-benchmark.ts";
export { scoreStepsFigure } from "./figures/score-steps.ts";
export * from "./figures/scores.ts";
export * from "./frame.ts";
export { conditionName, gameName } from "./names.ts";
export * from "./ledger.ts";
export { arigraphLedger } from "./ledger-arigraph.ts";
export * from "./paper.ts";
export * from "./report.ts";
export * from "./summary.ts";
export { type Cell, type Table, tableView, toCsv, toLatex, toMarkdown } from "./table.ts";
export * from "./tables/comparisons.ts";
export { costsTable, type CostsTableOptions } from "./tables/costs.ts";
export { questionsTable } from "./tables/questions.ts";
export * from "./tables/textworld-scores.ts";
export * from "./tokens.ts";
