/**
 * The macro "go to <place>": many primitive steps of the world inside one agent step (AriGraph,
 * arXiv 2407.04363, §3).
 */

import type { Frame, Turn } from "../env/environment.ts";
import type { Navigation } from "../memory/memory.ts";
import type { Rollout } from "./rollout.ts";

/**
 * How a macro ended. `stopped`: a move changed nothing, or the episode ended. `refused`: no step
 * was taken, and the turn says why.
 */
export type GoToResult = "arrived" | "stopped" | "refused";

export function destinationOf(action: string): string | undefined {
  return action.match(/^\s*go to\s+(.+?)\s*$/i)?.[1];
}

export function goToActions(navigation: Navigation, which?: "reachable" | "known"): string[] {
  return navigation.destinations(which).map((place) => `go to ${place}`);
}

/**
 * Walks the shortest known path. Each move is sent as `go <direction>` and kept as a frame of the
 * resulting turn. The walk ends early when the episode does.
 */
export async function goTo(
  destination: string,
  { rollout, navigation, stopsAtDoors }: {
    readonly rollout: Rollout;
    readonly navigation: Navigation;
    /**
     * Whether the walk ends at the first move that leaves the agent where it was, such as one into
     * a closed door.
     */
    readonly stopsAtDoors: boolean;
  },
): Promise<GoToResult> {
  const route = navigation.route(destination);
  if (!route?.length) {
    const observation = route
      ? `You are at "${destination}" already.`
      : `There is no known way to "${destination}". Walk step by step, one direction at a time.`;
    rollout.turn = { ...rollout.turn, observation, frames: [] };
    return "refused";
  }
  const frames: Frame[] = [];
  let result: GoToResult = "arrived";
  for (const move of route) {
    rollout.episode.signal?.throwIfAborted();
    const action = `go ${move}`;
    const before = rollout.turn.sections["location"];
    const turn = await rollout.send(action);
    frames.push(frameOf(action, turn));
    rollout.turn = { ...turn, frames };
    const isLast = frames.length === route.length;
    if (turn.end && !isLast || turn.sections["location"] === before) result = "stopped";
    if (turn.end || stopsAtDoors && result === "stopped") break;
  }
  return result;
}

export function frameOf(action: string, { observation, sections, image }: Turn): Frame {
  return { action, observation, sections, image };
}
