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
export { graphmindGrowthFigure, successBySizeFigure } from "./figures/graphmind.ts";
export { gedFigure, successByGedFigure } from "./figures/graphmind-ged.ts";
export { gridMapFigure, type GridMapOptions, type GridPanel, type GridPose } from "./figures/grid-map.ts";
export { graphGrowthFigure } from "./figures/graph-growth.ts";
export * from "./figures/memory-graph.ts";
export { observationFigure } from "./figures/observation.ts";
export { randomWalkFigure } from "./figures/random-walk.ts";
export { type RlBar, rlBenchmarkFigure } from "./figures/rl-benchmark.ts";
export { scoreStepsFigure } from "./figures/score-steps.ts";
export * from "./figures/scores.ts";
export * from "./frame.ts";
export { graphmindReport, writeGraphmindReport } from "./graphmind.ts";
export { graphmindCases } from "./graphmind-cases.ts";
export { type CellMean, graphmindMean, type GraphMindMeasure } from "./graphmind-measures.ts";
export { graphmindTokensFrame, graphmindTrajectories, type ModuleTokens, type TrajectoryTokens } from "./graphmind-tokens.ts";
export { type GridStep, gridSteps } from "./graphmind-trace.ts";
export { transitionsTable } from "./graphmind-transitions.ts";
export { graphErrorOf, type GraphMindTrial, graphmindTrialsFrame } from "./graphmind-trials.ts";
export { conditionName, gameName } from "./names.ts";
export * from "./ledger.ts";
export { arigraphLedger } from "./ledger-arigraph.ts";
export { reasonPlannerLedger } from "./ledger-reasonplanner.ts";
export { trainingGrowthFigure, trajectoriesFigure } from "./figures/reasonplanner.ts";
export { reasonPlannerCostsTable } from "./tables/reasonplanner-costs.ts";
export { planningTable } from "./tables/reasonplanner-planning.ts";
export { reasonPlannerScoresTable, type ReasonPlannerTableOptions, worldModelTable } from "./tables/reasonplanner-scores.ts";
export { graphmindLedger } from "./ledger-graphmind.ts";
export { type DungeonScreen, dungeonStripFigure } from "./figures/dungeon-strip.ts";
export { nethackGrowthFigure, nethackProgressFigure, type NetHackStep, nethackStepsFrame } from "./figures/nethack.ts";
export { nethackReport, writeNethackReport } from "./nethack.ts";
export { type NetHackRun, nethackRunsFrame } from "./nethack-runs.ts";
export { nethackTable } from "./tables/nethack-scores.ts";
export * from "./paper.ts";
export * from "./report.ts";
export * from "./reasonplanner.ts";
export * from "./summary.ts";
export { type Cell, type Table, tableView, toCsv, toLatex, toMarkdown } from "./table.ts";
export * from "./tables/comparisons.ts";
export { costsTable, type CostsTableOptions } from "./tables/costs.ts";
export type { GraphMindTableName } from "./tables/graphmind-paper.ts";
export { graphmindTable, type GraphMindTableOptions } from "./tables/graphmind-scores.ts";
export { graphmindPrefixTable, graphmindTokensTable, graphmindTrajectoryTable, type TokenSide } from "./tables/graphmind-tokens.ts";
export { questionsTable } from "./tables/questions.ts";
export * from "./tables/textworld-scores.ts";
export * from "./tokens.ts";
export { type Trials } from "./trials.ts";
export { type WeakStudyTrials, weseFrontierFigure } from "./figures/wese-frontier.ts";
export { weseGrowthFigure } from "./figures/wese-growth.ts";
export { weseTypesFigure } from "./figures/wese-types.ts";
export { weseLedger } from "./ledger-wese.ts";
export { weseCostTables, weseEffectTables, type WeseTableOptions } from "./tables/wese.ts";
export { weseFrontierReport, weseReport, writeWeseFrontier, writeWeseReport } from "./wese.ts";
export { alfworldTaskOf, type WeseTrial, weseTrialsFrame } from "./wese-trials.ts";
