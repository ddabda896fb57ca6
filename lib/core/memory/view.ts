/** The agent's view as text: the observation, and below it the direction that the agent faces. */

import type { Perception } from "./memory.ts";

/** A view, as a perception or a frame holds it. */
export interface Seen {
  /** The view in words. */
  readonly observation: string;
  /** Named parts of the observation; only `facing` is read. */
  readonly sections?: Readonly<Record<string, string>>;
}

/**
 * The observation and, if the world reports it, the line "You are facing north.".
 *
 * @example
 * ```ts
 * import { describeView } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const text = describeView({ observation: "Wall; Agent", sections: { facing: "north" } });
 * assert.equal(text, "Wall; Agent\nYou are facing north.");
 * ```
 */
export function describeView({ observation, sections }: Seen): string {
  return [observation.trim(), facingLine(sections)].filter((line) => line !== "").join("\n");
}

function facingLine(sections: Readonly<Record<string, string>> = {}): string {
  const facing = sections["facing"]?.trim() ?? "";
  return /^\w+$/.test(facing) ? `You are facing ${facing}.` : facing;
}

/** One primitive step: an action, and the view after it. */
export interface SeenStep extends Seen {
  /** The primitive action. */
  readonly action: string;
  /** The view as a picture (PNG). */
  readonly image?: Uint8Array;
}

/**
 * The primitive steps from one view to the next: the frames or, where the world gives none, the
 * action as a single step. There are none if the view did not change.
 *
 * @example
 * ```ts
 * import { stepsOf } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const steps = stepsOf({ observation: "Wall" }, { observation: "Empty", action: "left" });
 * assert.deepEqual(steps, [{ action: "left", observation: "Empty" }]);
 * ```
 */
export function stepsOf(
  last: Seen,
  { frames = [], action = "", ...seen }:
    & Seen
    & Partial<Pick<Perception, "frames" | "action" | "image">>,
): SeenStep[] {
  if (frames.length > 0) return [...frames];
  return describeView(last) === describeView(seen) ? [] : [{ action, ...seen }];
}

/**
 * A trajectory as text: the first view, then each action with the view after it, numbered.
 *
 * @param pictures number of an observation, from 0 → number of the picture that shows it, from 1
 *
 * @example
 * ```ts
 * import { describeTrajectory } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const text = describeTrajectory({ observation: "Wall" }, [{ action: "left", observation: "Empty" }]);
 * assert.equal(text, "Observation 0\nWall\n\nAction 1: left\n\nObservation 1\nEmpty");
 * ```
 */
export function describeTrajectory(
  first: Seen,
  steps: readonly SeenStep[],
  pictures: ReadonlyMap<number, number> = new Map(),
): string {
  const heading = (index: number): string =>
    `Observation ${index}${pictures.has(index) ? ` (picture ${pictures.get(index)})` : ""}`;
  return [
    `${heading(0)}\n${describeView(first)}`,
    ...steps.map((step, index) =>
      `Action ${index + 1}: ${step.action}\n\n${heading(index + 1)}\n${describeView(step)}`
    ),
  ].join("\n\n");
}
