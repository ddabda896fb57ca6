/**
 * Finding the way in TextWorld: to a known room, and to rooms not visited yet.
 *
 * @module
 */

import type { Action } from "../reading/actions.ts";
import type { Belief } from "../reading/belief.ts";
import { OPPOSITE } from "../reading/lexicon.ts";
import { breadthFirst } from "./breadth-first.ts";
import type { Situation } from "./situation.ts";

/** The next action on the way to a room: "go to" where it is offered, else the first move of a shortest path as far as believed. */
export function travel(room: string, { actions, belief }: Situation): Action | undefined {
  const jump = actions.find((action) => action.destination === room);
  if (jump || belief.here === undefined) return jump;
  const first = paths(belief, belief.here).get(room)?.[0];
  return first === undefined ? undefined : step(first, actions, belief);
}

/** An action that leads to a new place; where no new place is known of, any move, else any harmless action. */
export function explore(situation: Situation): Action {
  const { actions, belief, draw } = situation;
  const moves = actions.filter((action) => action.direction !== undefined);
  const jumps = actions.filter((action) => action.destination !== undefined);
  const here = belief.here;
  const fresh = here === undefined ? [] : unexplored(here, situation)
    .map((direction) => step(direction, actions, belief))
    .filter((action) => action !== undefined);
  if (fresh.length > 0) return draw.pick(fresh);

  const known = here === undefined ? new Map<string, readonly string[]>() : paths(belief, here);
  const frontier = [...belief.rooms]
    .filter((room) => room !== here && unexplored(room, situation).length > 0 && !(jumps.length > 0 && wasSeenOfLate(room, situation)))
    .map((room) => ({ room, length: known.get(room)?.length ?? Infinity, tie: draw.next() }))
    .sort((a, b) => (a.length === b.length ? 0 : a.length - b.length) || a.tie - b.tie);
  for (const { room } of frontier) {
    const action = travel(room, situation);
    if (action) return action;
  }

  const door = actions.find((action) => action.verb === "open");
  if (door) return door;
  const elsewhere = jumps.filter(({ destination }) => !wasSeenOfLate(destination ?? "", situation));
  return elsewhere.length > 0 ? draw.pick(elsewhere) : wander(moves, situation) ?? harmless(situation);
}

/** Whether the history shows a room while the prompt lists no unexplored exits: a recalled map has gaps. */
function wasSeenOfLate(room: string, { belief }: Situation): boolean {
  return belief.frontier === undefined && belief.tried.some((tried) => tried.room === room);
}

/** The exits of a room that lead to no known room; where the prompt lists such exits, its list counts. */
function unexplored(room: string, { belief }: Situation): string[] {
  if (belief.frontier) return belief.frontier.get(room)?.filter((exit) => exit !== "none") ?? [];
  return [...belief.exits.get(room) ?? []].filter(([, there]) => there === undefined).map(([direction]) => direction);
}

/** The move in a direction, or the opening of the door that stands in its way. */
function step(direction: string, actions: readonly Action[], belief: Belief): Action | undefined {
  const move = actions.find((action) => action.direction === direction);
  if (move) return move;
  const door = belief.doors.get(`${belief.here}/${direction}`);
  return actions.find((action) => action.verb === "open" && action.thing === door);
}

/** Room → the directions of a shortest believed path from `start`. */
function paths(belief: Belief, start: string): Map<string, readonly string[]> {
  const rooms = breadthFirst(
    start,
    (room) => [...belief.exits.get(room) ?? []].flatMap(([direction, there]) => there === undefined ? [] : [[direction, there] as const]),
  );
  return new Map(rooms.map(({ node, path }) => [node, path]));
}

/** A move that was seldom taken here and does not lead straight back. */
function wander(moves: readonly Action[], { belief, draw }: Situation): Action | undefined {
  const last = belief.tried.at(-1)?.action.match(/(\w+)$/)?.[1] ?? "";
  const weighed = moves.map((action) => ({
    action,
    weight: belief.tried.filter((tried) => tried.room === belief.here && tried.action === action.text.toLowerCase()).length +
      (action.direction === OPPOSITE[last] ? 0.5 : 0) + draw.next() * 0.4,
  }));
  return weighed.sort((a, b) => a.weight - b.weight)[0]?.action;
}

function harmless({ actions, draw }: Situation): Action {
  const look = actions.find((action) => action.verb === "look");
  const safe = actions.filter((action) => /^(?:look|examine|inventory|wait)$/.test(action.verb));
  return look ?? draw.pick(safe.length > 0 ? safe : actions);
}
