/** The macro "go to <place>": many primitive steps of the world inside one agent step (AriGraph, arXiv 2407.04363, §3). */

import type { Frame, Turn } from "../env/environment.ts";
import type { Navigation } from "../memory/memory.ts";
import type { Rollout } from "./rollout.ts";

/**
 * How a macro ended. `stopped`: a move changed nothing (a closed door) or the episode ended on the way, and the agent is where it got to.
 * `refused`: no step was taken, and the turn says why in place of an observation.
 */
export type GoToResult = "arrived" | "stopped" | "refused";

/** The place that an action of the form "go to <place>" names, if it has that form. */
export function destinationOf(action: string): string | undefined {
  return action.match(/^\s*go to\s+(.+?)\s*$/i)?.[1];
}

/** The macros that are possible now, as actions. */
export function goToActions(navigation: Navigation): string[] {
  return navigation.destinations().map((place) => `go to ${place}`);
}

/**
 * Walks the shortest known path. Each move is sent as `go <direction>` and kept as a frame of the resulting turn. The walk ends early when the
 * episode does, or when a move leaves the agent where it was.
 */
export async function goTo(destination: string, rollout: Rollout, navigation: Navigation): Promise<GoToResult> {
  const route = navigation.route(destination);
  if (!route?.length) {
    const observation = route
      ? `You are at "${destination}" already.`
      : `There is no known way to "${destination}". Walk step by step, one direction at a time.`;
    rollout.turn = { ...rollout.turn, observation, frames: [] };
    return "refused";
  }
  const frames: Frame[] = [];
  for (const move of route) {
    rollout.episode.signal?.throwIfAborted();
    const action = `go ${move}`;
    const before = rollout.turn.sections["location"];
    const turn = await rollout.send(action);
    frames.push(frameOf(action, turn));
    rollout.turn = { ...turn, frames };
    const isLast = frames.length === route.length;
    if (turn.end && !isLast || turn.sections["location"] === before) return "stopped";
  }
  return "arrived";
}

/** A primitive step and what the world showed after it, as a frame of a macro's turn. */
export function frameOf(action: string, { observation, sections, image }: Turn): Frame {
  return { action, observation, sections, image };
}
