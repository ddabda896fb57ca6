/**
 * From a belief and wants to one of the possible actions: what serves a want here, else the way to where it is served, else the unknown.
 *
 * @module
 */

import type { Action } from "../reading/actions.ts";
import type { Belief } from "../reading/belief.ts";
import { TREATMENTS } from "../reading/lexicon.ts";
import type { Situation, Want } from "./situation.ts";
import { explore, travel } from "./navigation.ts";
import { isReadable, mealIsReady } from "./goals.ts";
import { headWord, isKey } from "../reading/noun-phrases.ts";

/** An action and why it is taken. */
export interface Choice {
  readonly action: string;
  readonly reason: string;
}

/** Chooses. @throws {RangeError} if there is no action to choose from. */
export function choose(situation: Situation): Choice {
  const hopeful = situation.actions.filter((action) => !isFutile(action, situation.belief));
  const open: Situation = { ...situation, actions: hopeful.length > 0 ? hopeful : situation.actions };
  for (const want of open.wants) {
    const action = makeRoom(want, open) ?? serve(want, open);
    if (action) return { action: action.text, reason: `${want.text} ${want.reason}` };
  }
  const lucky = open.actions.find((action) => action.verb === "unlock");
  if (lucky) return { action: lucky.text, reason: "A carried key fits here." };
  if (open.belief.here === undefined && !open.actions.some((action) => action.destination)) {
    const look = open.actions.find((action) => action.verb === "look" && action.thing === "");
    if (look) return { action: look.text, reason: "It is not clear what this place is." };
  }
  for (const want of open.wants) {
    const goal = site(want, open);
    const action = goal === undefined ? undefined : travel(goal, open);
    if (action) return { action: action.text, reason: `${want.text} ${want.reason} The way leads to the ${goal}.` };
    if (want.kind === "find") break; // what comes after may need it: no walking to a lock before its key is found
  }
  const doors = new Set(open.belief.doors.values());
  const container = open.actions.find((action) => action.verb === "open" && !doors.has(action.thing) && !isTool(action.thing));
  if (container) return { action: container.text, reason: "It is closed, and what is needed may be behind it." };
  const action = explore(open);
  return { action: action.text, reason: "What is needed is in none of the places known so far." };
}

/** The action that serves a want on the spot. */
function serve(want: Want, { actions, belief }: Situation): Action | undefined {
  const of = (verbs: string, thing: string): Action | undefined =>
    actions.find((action) =>
      verbs.split(" ").includes(action.verb) && (action.thing === thing || (action.thing !== "" && headWordOnly(thing, action.thing)))
    );
  switch (want.kind) {
    case "find":
      if (isReadable(want.thing)) return undefined;
    // falls through: what is found is taken
    case "take":
      return of("take get pick grab", want.thing) ??
        (belief.places.has(want.thing) ? of("open", belief.places.get(want.thing) as string) : undefined);
    case "unlock":
      return of("unlock", want.thing);
    case "open":
      return of("open", want.thing);
    case "read":
      return of("read", want.thing) ?? of("examine", want.thing) ?? (belief.carries(want.thing) ? of("drop", want.thing) : undefined);
    case "treat":
      return of(want.by ?? "", want.thing);
    case "prepare":
      return mealIsReady(belief) ? of("prepare make", want.thing) : undefined;
    case "eat":
      return of("eat", want.thing);
    case "place":
      return actions.find((action) =>
        (action.verb === "put" || action.verb === "insert") && action.thing === want.thing && action.other === want.by
      ) ??
        of("open", want.by ?? "");
    case "explore":
      return undefined;
  }
}

/** "knife" names "bread knife" where nothing else is asked for than a sort of thing. */
function headWordOnly(wanted: string, name: string): boolean {
  return !wanted.includes(" ") && headWord(name) === wanted && !isKey(name);
}

/** Where a want can be served, where that is known and not here. */
function site(want: Want, { belief }: Situation): string | undefined {
  const room = where(want, belief);
  return room === belief.here ? undefined : room;
}

function where(want: Want, belief: Belief): string | undefined {
  switch (want.kind) {
    case "take":
    case "unlock":
    case "open":
    case "read":
      return belief.roomOf(want.thing);
    case "place":
      return belief.roomOf(want.by ?? "");
    case "treat":
      return belief.carries(want.thing) ? belief.roomOf(want.text.match(/ with the (.+)\.$/)?.[1] ?? "") : undefined;
    case "prepare":
      return mealIsReady(belief) ? belief.mealPlace ?? belief.roomOf("cookbook") : undefined;
    default:
      return undefined;
  }
}

/** Full hands: before a wanted thing is taken, what is least needed is put down. */
function makeRoom(want: Want, { actions, belief, observation, wants }: Situation): Action | undefined {
  if ((want.kind !== "take" && want.kind !== "find") || !handsAreFull(want.thing, observation, actions, belief)) return undefined;
  const needed = new Set(wants.flatMap((each) => [each.thing, each.by ?? ""]));
  const untreated = (food: string): boolean => [...belief.treatments.get(food) ?? []].some((state) => !belief.is(food, state));
  const cutting = [...belief.ingredients].some((food) =>
    wants.some((each) => each.kind === "treat" && each.thing === food && TREATMENTS[each.by ?? ""]?.cut)
  );
  const order = [
    (name: string): boolean => !belief.ingredients.has(name) && !needed.has(name) && !(cutting && isTool(name)),
    (name: string): boolean => cutting && belief.ingredients.has(name) && !untreated(name) && name !== want.thing,
    (name: string): boolean => !belief.ingredients.has(name),
  ];
  for (const fits of order) {
    const drop = actions.find((action) => action.verb === "drop" && belief.carries(action.thing) && fits(action.thing));
    if (drop) return drop;
  }
  return undefined;
}

/** Told so, or shown by a thing that lies open here and cannot be taken. */
function handsAreFull(thing: string, observation: string, actions: readonly Action[], belief: Belief): boolean {
  const refused = /too many|carry(?:ing)? any ?more|hands are full/i.test(observation);
  if (refused) return actions.some((action) => action.verb === "take" && action.thing === thing);
  const holder = belief.places.get(thing) ?? "";
  const shut = belief.is(holder, "closed") || belief.is(holder, "locked");
  const lies = belief.here !== undefined && belief.roomOf(thing) === belief.here && !shut && belief.things.has(thing);
  return lies && belief.carried.length > 1 && !actions.some((action) => action.verb === "take");
}

function isTool(name: string): boolean {
  return Object.values(TREATMENTS).some(({ on }) => headWord(name) === on);
}

/** What was tried here twice of late, or refused just now, is not tried again. */
function isFutile(action: Action, belief: Belief): boolean {
  if (action.direction !== undefined) return false;
  const same = belief.tried.slice(-6).filter((tried) => tried.action === action.text.toLowerCase());
  if (action.destination !== undefined) return same.length > 3;
  return same.filter((tried) => tried.room === belief.here).length >= 2;
}
