/**
 * Recorded runs of ScienceWorld, as SwiftSage publishes those of the gold paths (github.com/yuchenlin/SwiftSage, `analysis/oracle_log`):
 * one JSON object a file, variation → episode.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";

/** One logged action and what it led to. */
export interface RecordedStep {
  /** As it was sent; a bare number answers a question of the world. */
  readonly action: string;
  /** What the world said to it. */
  readonly observation: string;
  /** After the action, 0–100, rounded; negative for a lost episode. */
  readonly score: number;
  /** Whether the task was completed after the action. */
  readonly done: boolean;
  /** The room as it was before the action. */
  readonly look: string;
  /** What was carried before the action. */
  readonly inventory: string;
}

/** One recorded episode. */
export interface RecordedEpisode {
  /** The task's name. */
  readonly task: string;
  /** Number of the variation. */
  readonly variation: number;
  /** In order. The first entry of a record is the `look around` of the start; it is left out. */
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
});

const file = z.record(
  z.string(),
  z.object({
    history: z.object({
      taskName: z.string(),
      variationIdx: z.int().min(0),
      history: z.array(entry).min(1).refine(([start]) => start?.action === START, `its first action is not ${START}`),
    }),
  }),
);

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
  const refuse = (problem: string): never => {
    throw new UsageError(
      `cannot replay ${name}: ${problem}; give a file of recorded runs of ScienceWorld, as SwiftSage's oracle_log holds them`,
    );
  };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    refuse("it is no JSON");
  }
  const read = file.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuse(`at ${issue?.path.join(".") || "its top"} it says otherwise than wanted (${issue?.message})`);
  }
  const episodes = Object.values(read.data).map(({ history }) => ({
    task: history.taskName,
    variation: history.variationIdx,
    steps: history.history.slice(1).map(({ action, observation, score, isCompleted, freelook, inventory }) => ({
      action,
      observation,
      score: Math.round(100 * score),
      done: isCompleted === "true",
      look: freelook,
      inventory,
    })),
  }));
  return episodes.length > 0 ? episodes : refuse("it holds no episode");
}
