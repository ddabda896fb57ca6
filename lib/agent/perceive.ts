/**
 * From what a world shows to what a memory is told.
 *
 * @module
 */

import type { Turn } from "../env/environment.ts";
import type { Perception } from "../memory/memory.ts";

/** A turn as a memory is told of it. */
export function perceive(turn: Turn, step: number): Perception {
  const { inventory, location } = turn.sections;
  return {
    step,
    goal: turn.goal,
    observation: turn.observation,
    ...(inventory === undefined ? {} : { inventory }),
    ...(location === undefined ? {} : { location }),
    sections: turn.sections,
    ...(turn.frames.length > 0 ? { frames: turn.frames } : {}),
    ...(turn.image ? { image: turn.image } : {}),
  };
}
