/**
 * Tables, figures and files out of the record of truth. A result is stated once, as an `Exhibit`; its table and its ledger lines are read from it.
 *
 * @module
 */

export {
  type IntervalKind,
  type MaybeInterval,
  meanMeasure,
  type Measure,
  type Measurement,
  type MeasureOptions,
  type Trial,
  type ValueOf,
} from "./estimate.ts";
export type { PaperSetting, Setting } from "../lab/settings.ts";
export {
  type CaptionFacts,
  type CellResult,
  createStudyReader,
  type Exhibit,
  type Line,
  type Origin,
  type PaperNumber,
  type StudyRead,
  type StudyReader,
  type TrialCounts,
} from "./exhibit.ts";
export { tableOf, type TableOptions } from "./exhibit-table.ts";
export { nethackProgression, publicScoresTable, type TalesRun, type TalesScore, talesScore } from "./public-scores.ts";
export {
  type CommonMeasure,
  experimentFrame,
  type ExperimentRow,
  type MeasureInfo,
  type MeasureName,
  type PlayedExperiment,
  type StudyIds,
} from "./experiment.ts";
export { exportFigure, type ExportOptions, exportTable } from "./export.ts";
export { type Figure, figureView, type Preset } from "./figure.ts";
export { curveFigure, type CurveOptions, heatFigure, type HeatOptions, tokensFigure, type TokensOptions } from "./figures/experiment.ts";
export { breakEvenFigure, breakEvenTable, phaseFigure } from "./figures/phase.ts";
export type { Advantage, AdvantageOptions, Lead } from "./advantage.ts";
export { gameMapFigure, type GameTruth } from "./figures/game-map.ts";
export { memoryGraphFigure, type MemoryGraphOptions } from "./figures/memory-graph.ts";
export {
  ANSWER_COLUMNS,
  type AnswerRow,
  answersFrame,
  type ColumnTypes,
  costsFrame,
  type DataFrame,
  EPISODE_COLUMNS,
  type EpisodeRow,
  episodesFrame,
  frameOf,
  type FrameSchema,
  type RowOf,
  rowsOf,
  STEP_COLUMNS,
  type StepRow,
  stepsFrame,
} from "./frame.ts";
export { toLatex } from "./latex.ts";
export { type LedgerEntry, ledgerOf, type OurNumber, type ReportedNumber, summariseLedger, type Verdict } from "./ledger.ts";
export { paperTable } from "./paper.ts";
export type { DrawFigures, MakeReport, PaperLedger, Report, ReportInput, StudyReport, WrittenReport } from "./study-report.ts";
export type { PaperIds } from "./studies-beside.ts";
export { type Provenance, provenanceOf, type StudyProvenance } from "./provenance.ts";
export { PALETTE } from "./styles.ts";
export { type Cell, type Table, tableView, toMarkdown } from "./table.ts";
export { comparisonsTable } from "./tables/comparisons.ts";
export { type DifferencesOptions, differencesTable, type MeansOptions, meansTable, stepTokensTable } from "./tables/experiment.ts";
