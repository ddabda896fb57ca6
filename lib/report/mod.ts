/**
 * Tables, figures and files out of the record of truth.
 *
 * @module
 */

export * from "./answers.ts";
export {
  bestMeasure,
  deviationMeasure,
  type IntervalKind,
  meanMeasure,
  type Measure,
  type Measurement,
  ratioMeasure,
  statisticMeasure,
  type Trial,
} from "./estimate.ts";
export {
  type CaptionFacts,
  createStudyReader,
  type Exhibit,
  type Line,
  type PaperNumber,
  type StudyRead,
  type StudyReader,
} from "./exhibit.ts";
export { ledgerOf } from "./exhibit-ledger.ts";
export { type ExhibitRow, exhibitRows, tableOf, type TableOptions } from "./exhibit-table.ts";
export * from "./export.ts";
export * from "./figure.ts";
export { gameMapFigure, type GameTruth, isGameTruth } from "./figures/game-map.ts";
export { gridMapFigure, type GridMapOptions, type GridPanel, type GridPose } from "./figures/grid-map.ts";
export * from "./figures/memory-graph.ts";
export * from "./frame.ts";
export { conditionName, gameName } from "./names.ts";
export * from "./ledger.ts";
export * from "./paper.ts";
export * from "./report.ts";
export * from "./summary.ts";
export { type Cell, type Table, tableView, toCsv, toLatex, toMarkdown } from "./table.ts";
export * from "./tables/comparisons.ts";
export * from "./tokens.ts";
export { type Trials } from "./trials.ts";
