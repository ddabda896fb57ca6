/**
 * Evidence: studies that belong to no single paper. They hold the memories of all four against one another.
 *
 * @module
 */
import "../../offline/mod.ts"; // studies play offline unless told otherwise

export { attributionFigure, type AttributionOptions, attributionStudies, attributionTable } from "./attribution.ts";
export { carriedStudy } from "./carried.ts";
export { dialogueStudy } from "./dialogues.ts";
export { dungeonStudy } from "./dungeon.ts";
export { explorationStudies } from "./exploration.ts";
export { memoryLengthStudy, paperAdvantages } from "./memory-length.ts";
export { matrixStudy } from "./matrix.ts";
export { chosenReader, readerChoiceStudy, readerChoiceTable, type Spread } from "./reader-choice.ts";
export { evidenceReport } from "./report.ts";
export { roomErrorStudies } from "./room-errors.ts";
export { roomSizesStudy } from "./room-sizes.ts";
export { stepStudy } from "./step-losses.ts";
export { sweepStudies } from "./sweeps.ts";
export { worldModelStudy } from "./world-model.ts";
