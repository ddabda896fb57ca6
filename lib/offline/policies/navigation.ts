/**
 * Ways: to a known room, and into the unknown.
 *
 * @module
 */

import type { Action } from "../reading/actions.ts";
import type { Belief } from "../reading/belief.ts";
import { OPPOSITE } from "../reading/lexicon.ts";
import type { Situation } from "./situation.ts";

/** The next action on the way to a room: "go to" where that is possible, else a step on the shortest believed way. */
export function travel(room: string, { actions, belief }: Situation): Action | undefined {
  const jump = actions.find((action) => action.destination === room);
  if (jump || belief.here === undefined) return jump;
  const first = paths(belief, belief.here).get(room)?.[0];
  return first === undefined ? undefined : step(first, actions, belief);
}

/** An action that leads somewhere new; where nothing new is known of, any move, else any action that harms nothing. */
export function explore(situation: Situation): Action {
  const { actions, belief, draw } = situation;
  const moves = actions.filter((action) => action.direction !== undefined);
  const jumps = actions.filter((action) => action.destination !== undefined);
  const here = belief.here;
  const fresh = here === undefined ? [] : unexplored(here, situation)
    .map((direction) => step(direction, actions, belief))
    .filter((action) => action !== undefined);
  if (fresh.length > 0) return draw.pick(fresh);

  const known = here === undefined ? new Map<string, string[]>() : paths(belief, here);
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

/** Whether the history tells of a room while no list of unexplored exits says that there is more to it: a recalled map has gaps. */
function wasSeenOfLate(room: string, { belief, frontier }: Situation): boolean {
  return frontier === undefined && belief.tried.some((tried) => tried.room === room);
}

/** Exits of a room that are believed to lead nowhere known; where the prompt lists such exits, its list counts. */
function unexplored(room: string, { belief, frontier }: Situation): string[] {
  const listed = frontier?.get(room);
  if (frontier) return [...listed ?? []];
  return [...belief.exits.get(room) ?? []].filter(([, there]) => there === undefined).map(([direction]) => direction);
}

/** The move in a direction, or the opening of the door that stands in its way. */
function step(direction: string, actions: readonly Action[], belief: Belief): Action | undefined {
  const move = actions.find((action) => action.direction === direction);
  if (move) return move;
  const door = belief.doors.get(`${belief.here}/${direction}`);
  return actions.find((action) => action.verb === "open" && action.thing === door);
}

/** Room → directions of a shortest believed way from `start`. */
function paths(belief: Belief, start: string): Map<string, string[]> {
  const found = new Map<string, string[]>([[start, []]]);
  const queue = [start];
  for (let room = queue.shift(); room !== undefined; room = queue.shift()) {
    for (const [direction, there] of belief.exits.get(room) ?? []) {
      if (there === undefined || found.has(there)) continue;
      found.set(there, [...found.get(room) ?? [], direction]);
      queue.push(there);
    }
  }
  return found;
}

/** Any move, rather not straight back, rather one that was taken seldom. */
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
