/**
 * The four papers: their studies, tables, figures and ledgers.
 *
 * @module
 */
export {
  type ArigraphQuestionsOptions,
  arigraphQuestionsStudy,
  arigraphStudy,
  type ArigraphStudyOptions,
  findStudy,
  graphmindStudy,
  type GraphMindStudyOptions,
  lookAheadStudy,
  nethackStudy,
  type NetHackStudyOptions,
  randomWalkStudy,
  type RandomWalkStudyOptions,
  reasonPlannerStudy,
  type ReasonPlannerStudyOptions,
  type RlBenchmarkOptions,
  rlBenchmarkStudy,
  STUDIES,
  type StudyChoices,
  type StudyEntry,
  type StudyOptions,
  weakModelStudies,
  weseStudy,
  type WeseStudyOptions,
} from "./studies.ts";
export * from "./arigraph/textworld-report.ts";
export * from "./arigraph/questions-report.ts";
export { randomWalkReport, rlBenchmarkReport } from "./arigraph/side-reports.ts";
export { averageFigure } from "./arigraph/figures/average.ts";
export { graphmindGrowthFigure, successBySizeFigure } from "./graphmind/figures/success-and-growth.ts";
export { gedFigure, successByGedFigure } from "./graphmind/figures/edit-distance.ts";
export { graphGrowthFigure } from "./arigraph/figures/graph-growth.ts";
export { observationFigure } from "./graphmind/figures/observation.ts";
export { randomWalkFigure } from "./arigraph/figures/random-walk.ts";
export { type RlBar, rlBenchmarkFigure } from "./arigraph/figures/rl-benchmark.ts";
export { scoreStepsFigure } from "./arigraph/figures/score-steps.ts";
export * from "./arigraph/figures/scores.ts";
export { graphmindReport, writeGraphmindReport } from "./graphmind/report.ts";
export { graphmindCases } from "./graphmind/cases.ts";
export { type CellMean, graphmindMean, type GraphMindMeasure } from "./graphmind/measures.ts";
export { graphmindTokensFrame, graphmindTrajectories, type ModuleTokens, type TrajectoryTokens } from "./graphmind/tokens.ts";
export { type GridStep, gridSteps } from "./graphmind/trace.ts";
export { transitionsTable } from "./graphmind/transitions.ts";
export { graphErrorOf, type GraphMindTrial, graphmindTrialsFrame } from "./graphmind/trials.ts";
export { arigraphLedger } from "./arigraph/ledger.ts";
export { reasonPlannerLedger } from "./reasonplanner/ledger.ts";
export { trainingGrowthFigure, trajectoriesFigure } from "./reasonplanner/figures.ts";
export { reasonPlannerCostsTable } from "./reasonplanner/tables/costs.ts";
export { planningTable } from "./reasonplanner/tables/planning.ts";
export { reasonPlannerScoresTable, type ReasonPlannerTableOptions, worldModelTable } from "./reasonplanner/tables/scores.ts";
export { graphmindLedger } from "./graphmind/ledger.ts";
export { type DungeonScreen, dungeonStripFigure } from "./arigraph/figures/dungeon-strip.ts";
export { nethackGrowthFigure, nethackProgressFigure, type NetHackStep, nethackStepsFrame } from "./arigraph/figures/nethack.ts";
export { nethackReport, writeNethackReport } from "./arigraph/nethack-report.ts";
export { type NetHackRun, nethackRunsFrame } from "./arigraph/nethack-runs.ts";
export { nethackTable } from "./arigraph/tables/nethack-scores.ts";
export * from "./reasonplanner/report.ts";
export { costsTable, type CostsTableOptions } from "./arigraph/tables/costs.ts";
export type { GraphMindTableName } from "./graphmind/tables/paper.ts";
export { graphmindTable, type GraphMindTableOptions } from "./graphmind/tables/scores.ts";
export { graphmindPrefixTable, graphmindTokensTable, graphmindTrajectoryTable, type TokenSide } from "./graphmind/tables/tokens.ts";
export { questionsTable } from "./arigraph/tables/questions.ts";
export * from "./arigraph/tables/textworld-scores.ts";
export { type WeakStudyTrials, weseFrontierFigure } from "./wese/figures/frontier.ts";
export { weseGrowthFigure } from "./wese/figures/growth.ts";
export { weseTypesFigure } from "./wese/figures/task-types.ts";
export { weseLedger } from "./wese/ledger.ts";
export { weseCostTables, weseEffectTables, type WeseTableOptions } from "./wese/tables.ts";
export { weseFrontierReport, weseReport, writeWeseFrontier, writeWeseReport } from "./wese/report.ts";
export { alfworldTaskOf, type WeseTrial, weseTrialsFrame } from "./wese/trials.ts";
