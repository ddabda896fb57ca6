/**
 * From what a world shows to what a memory is told.
 *
 * @module
 */

import type { Turn } from "../env/environment.ts";
import type { Perception } from "../memory/memory.ts";

/** A turn as a memory is told of it. An inventory that the observation tells under a heading of its own is not told a second time. */
export function perceive(turn: Turn, step: number): Perception {
  const { location } = turn.sections;
  const carried = turn.sections["inventory"];
  const inventory = carried !== undefined && turn.observation.includes(`Inventory:\n${carried}`) ? undefined : carried;
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
