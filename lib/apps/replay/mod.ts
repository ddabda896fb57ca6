/**
 * Replays published runs: compares our memory, worlds and meter with what the authors' agents logged.
 *
 * @module
 */
export {
  COMPARED,
  type Compared,
  type LogReport,
  type Miss,
  type MissCause,
  type Overlap,
  type Replay,
  type Tally,
  type TracePoint,
} from "./report.ts";
export { createReplayer, type Replayer, type ReplayerOptions } from "./replay.ts";
export {
  replayScienceworld,
  SCIENCEWORLD_COMPARED,
  type ScienceworldCause,
  type ScienceworldCompared,
  type ScienceworldDifference,
  type ScienceworldReport,
  type ScienceworldSums,
  type ScienceworldTallies,
  sumScienceworld,
  type TextTally,
} from "./scienceworld.ts";
export { readScienceworldLog, type RecordedEpisode, type RecordedStep } from "./scienceworld-log.ts";
