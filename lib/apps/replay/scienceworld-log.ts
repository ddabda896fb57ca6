/**
 * Reads recorded runs of ScienceWorld as SwiftSage publishes those of the gold paths (github.com/yuchenlin/SwiftSage, `analysis/oracle_log`):
 * each file is one JSON object from variation to episode.
 */

import { z } from "zod";
import { UsageError } from "../../core/errors.ts";

/** A recorded action with its result. */
export interface RecordedStep {
  /** The action as it was sent; a bare number answers a question of the world. */
  readonly action: string;
  /** The world's answer to it. */
  readonly observation: string;
  /** The score after the action, 0–100, rounded; it is negative for a lost episode. */
  readonly score: number;
  /** Whether the task was completed after the action. */
  readonly done: boolean;
  /** The text of the room before the action. */
  readonly look: string;
  /** The text of the inventory before the action. */
  readonly inventory: string;
}

/** A recorded episode. */
export interface RecordedEpisode {
  /** The task's name. */
  readonly task: string;
  /** Number of the variation. */
  readonly variation: number;
  /** The steps in order, without the record's first entry, the `look around` of the start. */
  readonly steps: readonly RecordedStep[];
}

/** The action of a record's first entry. */
const START = "look around";

const entry = z.object({
  action: z.string(),
  observation: z.string(),
  score: z.union([z.number(), z.string().regex(/\d/).transform(Number)]).pipe(z.number().min(-1).max(1)), // of no digit, Number() makes 0
  isCompleted: z.enum(["true", "false"]),
  freelook: z.string(),
  inventory: z.string(),
}).transform(({ score, isCompleted, freelook, ...step }): RecordedStep => ({
  ...step,
  score: Math.round(100 * score),
  done: isCompleted === "true",
  look: freelook,
}));

const run = z.object({
  taskName: z.string(),
  variationIdx: z.int().min(0),
  history: z.array(entry).min(1).refine(([start]) => start?.action === START, `its first action is not ${START}`),
}).transform(({ taskName, variationIdx, history }): RecordedEpisode => ({
  task: taskName,
  variation: variationIdx,
  steps: history.slice(1),
}));

const file = z.record(z.string(), z.object({ history: run }));

/**
 * Reads a file of recorded episodes.
 *
 * @param name of the file, for messages
 * @throws {UsageError} if it is no such file
 *
 * @example
 * ```ts
 * import { readScienceworldLog } from "labyrinth/replay";
 * import assert from "node:assert/strict";
 *
 * const start = { action: "look around", observation: "A hall.", score: "0.0", isCompleted: "false", freelook: "A hall.", inventory: "Nothing." };
 * const focus = { ...start, action: "focus on door", observation: "You focus on the door.", score: "1.0", isCompleted: "true" };
 * const file = JSON.stringify({ 7: { history: { taskName: "find-plant", variationIdx: 7, history: [start, focus] } } });
 * const [episode] = readScienceworldLog(file, "task8.json");
 * assert.deepEqual(episode?.steps.map(({ action, score, done }) => [action, score, done]), [["focus on door", 100, true]]);
 * ```
 */
export function readScienceworldLog(text: string, name: string): RecordedEpisode[] {
  const wanted = "give a file of recorded runs of ScienceWorld, as SwiftSage's oracle_log holds them";
  const refused = (problem: string): UsageError => new UsageError(`cannot replay ${name}: ${problem}; ${wanted}`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw refused("it is no JSON");
  }
  const read = file.safeParse(data);
  const [issue] = read.error?.issues ?? [];
  if (!read.success) throw refused(`at ${issue?.path.join(".") || "its top"} it is not as wanted (${issue?.message})`);
  const episodes = Object.values(read.data).map(({ history }) => history);
  if (episodes.length === 0) throw refused("it holds no episode");
  return episodes;
}
