/**
 * GraphMind (Shin et al. 2026): its studies, tables, figures and ledger.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { graphmindStudy, type GraphMindStudyOptions } from "./study.ts";
export { graphmindGrowthFigure, successBySizeFigure } from "./figures/success-and-growth.ts";
export { gedFigure, successByGedFigure } from "./figures/edit-distance.ts";
export { observationFigure } from "./figures/observation.ts";
export { graphmindReport, writeGraphmindReport } from "./report.ts";
export { graphmindCases } from "./cases.ts";
export { type CellMean, graphmindMean, type GraphMindMeasure } from "./measures.ts";
export { graphmindTokensFrame, graphmindTrajectories, type ModuleTokens, type TrajectoryTokens } from "./tokens.ts";
export { type GridStep, gridSteps } from "./trace.ts";
export { transitionsTable } from "./transitions.ts";
export { graphErrorOf, type GraphMindTrial, graphmindTrialsFrame } from "./trials.ts";
export { graphmindLedger } from "./ledger.ts";
export type { GraphMindTableName } from "./tables/paper.ts";
export { graphmindTable, type GraphMindTableOptions } from "./tables/scores.ts";
export { graphmindPrefixTable, graphmindTokensTable, graphmindTrajectoryTable, type TokenSide } from "./tables/tokens.ts";
