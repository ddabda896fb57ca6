/**
 * The policy of Ariadne's actor in TextWorld: serves a goal on the spot, else travels to where one
 * can be served, else explores.
 */

import type { Draw } from "../../core/random.ts";
import type { Action } from "../reading/descriptions.ts";
import type { Belief } from "../reading/belief.ts";
import { OPPOSITE, TREATMENTS } from "../reading/lexicon.ts";
import { headWord, isKey } from "../reading/noun-phrases.ts";
import { breadthFirst } from "./breadth-first.ts";
import { type Goal, goalsFor, isReadable, mealIsReady } from "./goals.ts";

export interface Situation {
  readonly belief: Belief;
  readonly goals: readonly Goal[];
  readonly actions: readonly Action[];
  readonly observation: string;
  readonly draw: Draw;
}
export interface Choice {
  readonly action: string;
  readonly reason: string;
}

/**
 * Chooses one of the actions for a goal in words.
 * @throws {RangeError} if there is none.
 */
export function play(
  { goal, ...given }: Omit<Situation, "goals"> & { readonly goal: string },
): Choice {
  const { belief, actions } = given;
  for (const { direction } of actions) {
    if (direction !== undefined && belief.here !== undefined) belief.exit(belief.here, direction);
  }
  return choose({ ...given, goals: goalsFor(goal, belief) });
}

function choose(situation: Situation): Choice {
  const hopeful = situation.actions.filter((action) => !isFutile(action, situation.belief));
  const open: Situation = {
    ...situation,
    actions: hopeful.length > 0 ? hopeful : situation.actions,
  };
  for (const goal of open.goals) {
    const action = makeRoom(goal, open) ?? serve(goal, open);
    if (action) return { action: action.text, reason: `${goal.text} ${goal.reason}` };
  }
  const lucky = open.actions.find((action) => action.verb === "unlock");
  if (lucky) return { action: lucky.text, reason: "A carried key fits here." };
  if (open.belief.here === undefined && !open.actions.some((action) => action.destination)) {
    const look = open.actions.find((action) => action.verb === "look" && action.thing === "");
    if (look) return { action: look.text, reason: "It is not clear what this place is." };
  }
  for (const goal of open.goals) {
    const room = roomFor(goal, open.belief);
    const action = room === undefined || room === open.belief.here ? undefined : travel(room, open);
    if (action) {
      return {
        action: action.text,
        reason: `${goal.text} ${goal.reason} The way leads to the ${room}.`,
      };
    }
    if (goal.kind === "find") break; // later goals may need it: nobody walks to a lock before its key is found
  }
  const doors = new Set(open.belief.doors.values());
  const container = open.actions.find((action) =>
    action.verb === "open" && !doors.has(action.thing) && !isTool(action.thing)
  );
  if (container) {
    return { action: container.text, reason: "It is closed, and what is needed may be behind it." };
  }
  const action = explore(open);
  return { action: action.text, reason: "What is needed is in none of the places known so far." };
}

function serve(goal: Goal, { actions, belief }: Situation): Action | undefined {
  const of = (verbs: string, thing: string): Action | undefined =>
    actions.find((action) =>
      verbs.split(" ").includes(action.verb) &&
      (action.thing === thing || (action.thing !== "" && headWordOnly(thing, action.thing)))
    );
  switch (goal.kind) {
    case "find":
      if (isReadable(goal.thing)) return undefined;
    // falls through: what is found is taken
    case "take":
      return of("take get pick grab", goal.thing) ??
        (belief.places.has(goal.thing)
          ? of("open", belief.places.get(goal.thing) as string)
          : undefined);
    case "unlock":
    case "open":
    case "eat":
      return of(goal.kind, goal.thing);
    case "read":
      return of("read", goal.thing) ?? of("examine", goal.thing) ??
        (belief.carries(goal.thing) ? of("drop", goal.thing) : undefined);
    case "treat":
      return of(goal.by ?? "", goal.thing);
    case "prepare":
      return mealIsReady(belief) ? of("prepare make", goal.thing) : undefined;
    case "place":
      return actions.find((action) =>
        (action.verb === "put" || action.verb === "insert") && action.thing === goal.thing &&
        action.other === goal.by
      ) ??
        of("open", goal.by ?? "");
    case "explore":
      return undefined;
  }
}

/** Whether a goal names only a sort of thing and the name is of it: "knife", "bread knife". */
function headWordOnly(wanted: string, name: string): boolean {
  return !wanted.includes(" ") && headWord(name) === wanted && !isKey(name);
}

function roomFor(goal: Goal, belief: Belief): string | undefined {
  switch (goal.kind) {
    case "take":
    case "unlock":
    case "open":
    case "read":
      return belief.roomOf(goal.thing);
    case "place":
      return belief.roomOf(goal.by ?? "");
    case "treat":
      return belief.carries(goal.thing)
        ? belief.roomOf(goal.text.match(/ with the (.+)\.$/)?.[1] ?? "")
        : undefined;
    case "prepare":
      return mealIsReady(belief) ? belief.mealPlace ?? belief.roomOf("cookbook") : undefined;
    default:
      return undefined;
  }
}

function makeRoom(
  goal: Goal,
  { actions, belief, observation, goals }: Situation,
): Action | undefined {
  if (
    (goal.kind !== "take" && goal.kind !== "find") ||
    !handsAreFull(goal.thing, observation, actions, belief)
  ) return undefined;
  const needed = new Set(goals.flatMap((each) => [each.thing, each.by ?? ""]));
  const untreated = (food: string): boolean =>
    [...belief.treatments.get(food) ?? []].some((state) => !belief.is(food, state));
  const cutting = [...belief.ingredients].some((food) =>
    goals.some((each) =>
      each.kind === "treat" && each.thing === food && TREATMENTS[each.by ?? ""]?.cut
    )
  );
  const order = [
    (name: string): boolean =>
      !belief.ingredients.has(name) && !needed.has(name) && !(cutting && isTool(name)),
    (name: string): boolean =>
      cutting && belief.ingredients.has(name) && !untreated(name) && name !== goal.thing,
    (name: string): boolean => !belief.ingredients.has(name),
  ];
  for (const fits of order) {
    const drop = actions.find((action) =>
      action.verb === "drop" && belief.carries(action.thing) && fits(action.thing)
    );
    if (drop) return drop;
  }
  return undefined;
}

function handsAreFull(
  thing: string,
  observation: string,
  actions: readonly Action[],
  belief: Belief,
): boolean {
  const refused = /too many|carry(?:ing)? any ?more|hands are full/i.test(observation);
  if (refused) return actions.some((action) => action.verb === "take" && action.thing === thing);
  const holder = belief.places.get(thing) ?? "";
  const shut = belief.is(holder, "closed") || belief.is(holder, "locked");
  const lies = belief.here !== undefined && belief.roomOf(thing) === belief.here && !shut &&
    belief.things.has(thing);
  return lies && belief.carried.length > 1 && !actions.some((action) => action.verb === "take");
}

function isTool(name: string): boolean {
  return Object.values(TREATMENTS).some(({ on }) => headWord(name) === on);
}

/** Whether an action was tried here twice lately (a "go to" three times anywhere). */
function isFutile(action: Action, belief: Belief): boolean {
  if (action.direction !== undefined) return false;
  const same = belief.tried.slice(-6).filter((tried) => tried.action === action.text.toLowerCase());
  if (action.destination !== undefined) return same.length > 3;
  return same.filter((tried) => tried.room === belief.here).length >= 2;
}

/** The next action on the way to a room: "go to" if offered, else the first move of a path. */
function travel(room: string, { actions, belief }: Situation): Action | undefined {
  const jump = actions.find((action) => action.destination === room);
  if (jump || belief.here === undefined) return jump;
  const first = paths(belief, belief.here).get(room)?.[0];
  return first === undefined ? undefined : step(first, actions, belief);
}

function explore(situation: Situation): Action {
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
    .filter((room) =>
      room !== here && unexplored(room, situation).length > 0 &&
      !(jumps.length > 0 && wasSeenOfLate(room, situation))
    )
    .map((room) => ({ room, length: known.get(room)?.length ?? Infinity, tie: draw.next() }))
    .sort((a, b) => (a.length === b.length ? 0 : a.length - b.length) || a.tie - b.tie);
  for (const { room } of frontier) {
    const action = travel(room, situation);
    if (action) return action;
  }

  const door = actions.find((action) => action.verb === "open");
  if (door) return door;
  const elsewhere = jumps.filter(({ destination }) => !wasSeenOfLate(destination ?? "", situation));
  return elsewhere.length > 0
    ? draw.pick(elsewhere)
    : wander(moves, situation) ?? harmless(situation);
}

/** Whether the history shows a room while the prompt lists no unexplored exits. */
function wasSeenOfLate(room: string, { belief }: Situation): boolean {
  return belief.frontier === undefined && belief.tried.some((tried) => tried.room === room);
}

/** The exits that lead to no known room; a list in the prompt takes precedence. */
function unexplored(room: string, { belief }: Situation): string[] {
  if (belief.frontier) return belief.frontier.get(room)?.filter((exit) => exit !== "none") ?? [];
  return [...belief.exits.get(room) ?? []].filter(([, there]) => there === undefined).map((
    [direction],
  ) => direction);
}

function step(direction: string, actions: readonly Action[], belief: Belief): Action | undefined {
  const move = actions.find((action) => action.direction === direction);
  if (move) return move;
  const door = belief.doors.get(`${belief.here}/${direction}`);
  return actions.find((action) => action.verb === "open" && action.thing === door);
}

function paths(belief: Belief, start: string): Map<string, readonly string[]> {
  const rooms = breadthFirst(
    start,
    (room) =>
      [...belief.exits.get(room) ?? []].flatMap(([direction, there]) =>
        there === undefined ? [] : [[direction, there] as const]
      ),
  );
  return new Map(rooms.map(({ node, path }) => [node, path]));
}

function wander(moves: readonly Action[], { belief, draw }: Situation): Action | undefined {
  const last = belief.tried.at(-1)?.action.match(/(\w+)$/)?.[1] ?? "";
  const weighed = moves.map((action) => ({
    action,
    weight:
      belief.tried.filter((tried) =>
        tried.room === belief.here && tried.action === action.text.toLowerCase()
      ).length +
      (action.direction === OPPOSITE[last] ? 0.5 : 0) + draw.next() * 0.4,
  }));
  return weighed.sort((a, b) => a.weight - b.weight)[0]?.action;
}

function harmless({ actions, draw }: Situation): Action {
  const look = actions.find((action) => action.verb === "look");
  const safe = actions.filter((action) => /^(?:look|examine|inventory|wait)$/.test(action.verb));
  return look ?? draw.pick(safe.length > 0 ? safe : actions);
}
