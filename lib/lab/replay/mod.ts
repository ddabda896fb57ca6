/**
 * Published runs replayed: our memory, worlds and meter held against what the authors' agents logged.
 *
 * @module
 */
export { gameFilesIn, Games } from "./games.ts";
export { type LoggedAttempt, type LoggedStep, parseLog } from "./log.ts";
export { isDict, parsePython, type PythonDict, type PythonValue } from "./python-value.ts";
export { replayLog, type ReplayOptions } from "./replay.ts";
export { COMPARED, type Compared, type LogReport, type Miss, type MissCause, type Replay, type Tally, type TracePoint } from "./report.ts";
