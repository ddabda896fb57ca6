/**
 * Reads recorded runs of ScienceWorld as SwiftSage publishes those of the gold paths
 * (github.com/yuchenlin/SwiftSage, `analysis/oracle_log`).
 */

import { z } from "zod";
import { UsageError } from "../../core/errors.ts";

/** The action of a record's first entry. */
const START = "look around";

const step = z.object({
  action: z.string(), // a bare number answers a question of the world
  observation: z.string(),
  score: z.union([z.number(), z.string().regex(/\d/).transform(Number)]).pipe(
    z.number().min(-1).max(1),
  ), // of no digit, Number() makes 0
  isCompleted: z.enum(["true", "false"]),
  freelook: z.string(),
  inventory: z.string(),
}).transform(({ action, observation, score, isCompleted, freelook, inventory }) => ({
  /**
   * The world's answer to the action; score (0–100, negative for a lost episode) and completion are
   * those after it.
   */
  ...{ action, observation, score: Math.round(100 * score), done: isCompleted === "true" },
  /** The texts of the room and of the inventory before the action. */
  ...{ look: freelook, inventory },
}));

const episode = z.object({
  taskName: z.string(),
  variationIdx: z.int().min(0),
  history: z.array(step).min(1).refine(
    ([start]) => start?.action === START,
    `its first action is not ${START}`,
  ),
}).transform(({ taskName, variationIdx, history }) => ({
  task: taskName,
  variation: variationIdx,
  steps: history.slice(1),
}));

/** A recorded action with its result. */
export type RecordedStep = Readonly<z.infer<typeof step>>;

/** A recorded episode, without the record's first entry, the `look around` of the start. */
export type RecordedEpisode = Readonly<z.infer<typeof episode>>;

/**
 * Reads a file of recorded episodes; `name` is for messages.
 * @throws {UsageError} if it is no such file
 */
export function readScienceworldLog(text: string, name: string): RecordedEpisode[] {
  const refused = (problem: string): UsageError =>
    new UsageError(
      `cannot replay ${name}: ${problem}; give a file of recorded runs of ScienceWorld, as SwiftSage's oracle_log holds them`,
    );
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw refused("invalid JSON");
  }
  const read = z.record(z.string(), z.object({ history: episode })).safeParse(data);
  const [issue] = read.error?.issues ?? [];
  if (!read.success) {
    throw refused(
      `at ${issue?.path.join(".") || "its top"} it is not as wanted (${issue?.message})`,
    );
  }
  const episodes = Object.values(read.data).map(({ history }) => history);
  if (episodes.length === 0) throw refused("it holds no episode");
  return episodes;
}
