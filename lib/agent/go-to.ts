/**
 * The macro "go to <place>": many real steps of the world inside one step of the agent (AriGraph, arXiv 2407.04363, §3).
 *
 * @module
 */

import type { Environment, Frame, Turn } from "../env/environment.ts";
import type { Navigation } from "../memory/memory.ts";

/** What came of a macro. */
export type GoToResult =
  /** The agent is there. */
  | { readonly kind: "arrived"; readonly turn: Turn }
  /** A move changed nothing (a closed door), or the episode ended on the way: it stands where it got to. */
  | { readonly kind: "stopped"; readonly turn: Turn }
  /** No step was taken; the turn says why in place of an observation. */
  | { readonly kind: "refused"; readonly turn: Turn };

/** The place that an action of the form "go to <place>" names, if it is one. */
export function destinationOf(action: string): string | undefined {
  return action.match(/^\s*go to\s+(.+?)\s*$/i)?.[1];
}

/** The macros that are possible now, as actions. */
export function goToActions(navigation: Navigation): string[] {
  return navigation.destinations().map((place) => `go to ${place}`);
}

/**
 * Walks the shortest known way. Each move is sent as `go <direction>` and kept as a frame of the resulting turn; walking ends early when the
 * episode does, or when a move leaves the agent where it was.
 */
export async function goTo(
  destination: string,
  ports: { readonly world: Environment; readonly navigation: Navigation; readonly turn: Turn; readonly signal?: AbortSignal },
): Promise<GoToResult> {
  const { world, navigation, signal } = ports;
  let { turn } = ports;
  const route = navigation.route(destination);
  if (!route) return refused(turn, `There is no known way to "${destination}". Walk step by step, one direction at a time.`);
  if (route.length === 0) return refused(turn, `You are at "${destination}" already.`);

  const frames: Frame[] = [];
  for (const move of route) {
    signal?.throwIfAborted();
    const action = `go ${move}`;
    const before = turn.sections["location"];
    turn = await world.step(action);
    frames.push({ action, observation: turn.observation, sections: turn.sections, ...(turn.image ? { image: turn.image } : {}) });
    const isLast = frames.length === route.length;
    if (turn.end && !isLast || turn.sections["location"] === before) return { kind: "stopped", turn: { ...turn, frames } };
  }
  return { kind: "arrived", turn: { ...turn, frames } };
}

function refused(turn: Turn, why: string): GoToResult {
  return { kind: "refused", turn: { ...turn, observation: why, frames: [] } };
}
