/**
 * What a world shows, as memories and macros take it in.
 *
 * @module
 */

import type { Frame, Turn } from "../env/environment.ts";
import type { Perception } from "../memory/memory.ts";

/** A turn as a memory perceives it. An inventory that the observation shows under a heading of its own is not given a second time. */
export function perceive({ goal, observation, sections, frames, image }: Turn, step: number): Perception {
  const { location, inventory } = sections;
  const alreadyInObservation = inventory !== undefined && observation.includes(`Inventory:\n${inventory}`);
  return {
    step,
    goal,
    observation,
    inventory: alreadyInObservation ? undefined : inventory,
    location,
    sections,
    frames: frames.length > 0 ? frames : undefined,
    image,
  };
}

/** A primitive step and what the world showed after it, as a frame of a macro's turn. */
export function frameOf(action: string, { observation, sections, image }: Turn): Frame {
  return { action, observation, sections, image };
}
