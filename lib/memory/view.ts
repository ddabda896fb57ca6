/**
 * How what the agent sees is written for the modules that read views: the observation, and below it the way that the agent faces.
 *
 * @module
 */

import type { Perception } from "./memory.ts";

/** What was seen at one moment, as a perception or a frame holds it. */
export interface Seen {
  readonly observation: string;
  /** `facing` is read. */
  readonly sections?: Readonly<Record<string, string>>;
}

/** The observation and, where the world tells it, "You are facing north.". */
export function describeView({ observation, sections }: Seen): string {
  return [observation.trim(), facingLine(sections)].filter((line) => line !== "").join("\n");
}

/** "You are facing north."; empty where the world does not tell. */
export function facingLine(sections: Readonly<Record<string, string>> = {}): string {
  const facing = sections["facing"]?.trim() ?? "";
  return /^\w+$/.test(facing) ? `You are facing ${facing}.` : facing;
}

/** One primitive step: what was done and what was seen then. */
export interface SeenStep extends Seen {
  readonly action: string;
  /** PNG. */
  readonly image?: Uint8Array;
}

/**
 * The primitive steps from one perception to the next: its frames; where the world gives none, the action as one step; none where nothing
 * was done that changed what is seen.
 */
export function stepsOf(
  last: Seen,
  { frames = [], action = "", ...seen }: Seen & Partial<Pick<Perception, "frames" | "action" | "image">>,
): SeenStep[] {
  if (frames.length > 0) return [...frames];
  return describeView(last) === describeView(seen) ? [] : [{ action, ...seen }];
}

/** A trajectory: the first view, then each action and the view after it, numbered. */
export function describeTrajectory(first: Seen, steps: readonly SeenStep[]): string {
  return [
    `Observation 0\n${describeView(first)}`,
    ...steps.map((step, index) => `Action ${index + 1}: ${step.action}\n\nObservation ${index + 1}\n${describeView(step)}`),
  ].join("\n\n");
}
