/**
 * What there is to do: from the goal's words and a belief to an ordered list of wants. The planner writes them down as sub-goals, the actor
 * looks for an action that serves one.
 *
 * @module
 */

import type { Belief } from "../reading/belief.ts";
import { READABLES, TREATMENTS } from "../reading/lexicon.ts";
import { tidyWants } from "./tidying.ts";
import type { Want } from "./situation.ts";
import { headWord, isKey, isName, named } from "../reading/noun-phrases.ts";

/** The wants that a goal and a belief give rise to, most pressing first; never empty. */
export function wants(goal: string, belief: Belief): Want[] {
  const task = goal.toLowerCase();
  const found: Want[] = [];
  if (/\b(?:recipe|cookbook|meal|cook)\b/.test(task)) found.push(...cookingWants(belief));
  else if (/\b(?:clean|tidy|out of place|misplaced)\b/.test(task)) found.push(...tidyWants(belief));
  else found.push(...huntWants(targets(task), belief));
  found.push({
    kind: "explore",
    thing: "",
    text: "Explore the places that have not been visited yet.",
    reason: "What is still needed may be there.",
  });
  const seen = new Set<string>();
  return found.filter((want) => !seen.has(want.text) && seen.add(want.text));
}

/** The things that a goal's words ask for: "Find the treasure" → treasure. */
function targets(task: string): string[] {
  return [
    ...task.matchAll(
      /\b(?:find|get|take|retrieve|obtain|bring|fetch|collect|reach)\b (?:an?|the) ([\w' -]+?)(?=[.,;!?]|$| and | in | from | that | which )/g,
    ),
  ]
    .map((match) => named(match[1] ?? "").name)
    .filter((name) => isName(name) && !isKey(name));
}

/** Keys open locked things, notes tell which, and the target is behind one of them. */
function huntWants(targets: readonly string[], belief: Belief): Want[] {
  const found: Want[] = [];
  for (const target of targets) {
    if (!belief.places.has(target) || belief.carries(target)) continue;
    const holder = belief.places.get(target) as string;
    if (!belief.is(holder, "locked") && (belief.is(holder, "open") || belief.rooms.has(holder))) {
      found.push(take(target, belief, "It is the goal."));
    }
  }
  for (const key of [...belief.things].filter(isKey)) {
    const holder = belief.places.get(key);
    const spent = belief.is(belief.locks.get(key) ?? "", "open");
    if (!belief.carries(key) && holder !== undefined && !spent) found.push(take(key, belief, "Keys open what is locked."));
  }
  const puzzling = belief.carried.some(({ name }) => isKey(name) && !belief.locks.has(name));
  for (const thing of belief.things) {
    if (isReadable(thing) && !wasRead(thing, belief) && (puzzling || belief.places.get(thing) === belief.here)) {
      found.push({ kind: "read", thing, text: `Read the ${thing}.`, reason: "It may say what to do next." });
    }
  }
  const carriedLast = [...belief.locks].sort(([a], [b]) => Number(belief.carries(b)) - Number(belief.carries(a)));
  for (const [key, lock] of carriedLast) {
    if (belief.is(lock, "open")) continue;
    const unlocked = belief.is(lock, "unlocked") || belief.is(lock, "closed");
    if (unlocked) found.push({ kind: "open", thing: lock, text: `Open the ${lock}.`, reason: "It is no longer locked." });
    else if (!belief.carries(key)) {
      if (!belief.places.has(key)) {
        found.push({ kind: "find", thing: key, text: `Find the ${key}.`, reason: `The ${key} unlocks the ${lock}.` });
      }
    } else {
      const reason = `The ${key} unlocks the ${lock}.`;
      if (belief.roomOf(lock) === undefined) found.push({ kind: "find", thing: lock, text: `Find the ${lock}.`, reason });
      found.push({ kind: "unlock", thing: lock, by: key, text: `Unlock the ${lock} with the ${key}.`, reason });
    }
  }
  for (const target of targets) {
    if (belief.carries(target)) continue;
    if (belief.places.has(target)) found.push(take(target, belief, "It is the goal."));
    else found.push({ kind: "find", thing: target, text: `Find the ${target}.`, reason: "It is the goal." });
  }
  return found;
}

/** The recipe first; then every ingredient fetched and treated; then the meal. */
function cookingWants(belief: Belief): Want[] {
  const carriesMeal = belief.carries("meal");
  if (carriesMeal) return [{ kind: "eat", thing: "meal", text: "Eat the meal.", reason: "It is ready." }];
  const found: Want[] = [];
  const book = [...belief.things].find((thing) => thing.endsWith("cookbook")) ?? "cookbook";
  if (belief.ingredients.size === 0) {
    const known = belief.roomOf(book) !== undefined || belief.carries(book);
    if (!known) found.push({ kind: "find", thing: book, text: `Find the ${book}.`, reason: "It holds the recipe." });
    found.push({ kind: "read", thing: book, text: `Read the ${book}.`, reason: "The recipe says what the meal needs." });
    return found;
  }
  const inHand = [...belief.ingredients].filter((food) => belief.carries(food));
  const missing = [...belief.ingredients].filter((food) => !belief.carries(food));
  found.push(...inHand.flatMap((food) => treatmentWants(food, belief)));
  found.push(...missing.map((food) => fetch(food, belief, "The recipe requires it.")));
  found.push(...missing.flatMap((food) => treatmentWants(food, belief)));
  found.push({ kind: "prepare", thing: "meal", text: "Prepare the meal.", reason: "All that the recipe requires will be at hand." });
  found.push({ kind: "eat", thing: "meal", text: "Eat the meal.", reason: "That ends the task." });
  return found;
}

/** What a food still needs, and the tool for it. */
function treatmentWants(food: string, belief: Belief): Want[] {
  const found: Want[] = [];
  for (const state of belief.treatments.get(food) ?? []) {
    const [verb, treatment] = Object.entries(TREATMENTS).find(([, { state: left }]) => left === state) ?? [];
    if (verb === undefined || treatment === undefined || belief.is(food, state)) continue;
    const tool = treatment.cut ? treatment.on : belief.appliances.get(treatment.gerund) ?? treatment.on;
    if (treatment.cut && !belief.carried.some(({ name }) => headWord(name) === tool)) found.push(fetch(tool, belief, "Cutting needs it."));
    else if (!treatment.cut && belief.roomOf(tool) === undefined) {
      found.push({ kind: "find", thing: tool, text: `Find the ${tool}.`, reason: `${capital(treatment.gerund)} is done with it.` });
    }
    found.push({
      kind: "treat",
      thing: food,
      by: verb,
      text: `${capital(verb)} the ${food} with the ${tool}.`,
      reason: "The recipe says so.",
    });
  }
  return found;
}

/** Whether everything that the recipe wants is carried and treated. */
export function mealIsReady(belief: Belief): boolean {
  return belief.ingredients.size > 0 &&
    [...belief.ingredients].every((food) =>
      belief.carries(food) && [...belief.treatments.get(food) ?? []].every((state) => belief.is(food, state))
    );
}

/** Whether a thing is of a kind that carries text. */
export function isReadable(thing: string): boolean {
  return READABLES.includes(headWord(thing));
}

/** Whether the prompt tells that a thing was read. */
export function wasRead(thing: string, belief: Belief): boolean {
  return belief.tried.some(({ action }) =>
    /^(?:examine|read|look at) /.test(action) && named(action.replace(/^(?:examine|read|look at) /, "")).name === thing
  );
}

function fetch(thing: string, belief: Belief, reason: string): Want {
  return belief.roomOf(thing) === undefined
    ? { kind: "find", thing, text: `Find the ${thing} and take it.`, reason }
    : take(thing, belief, reason);
}

function take(thing: string, belief: Belief, reason: string): Want {
  const place = belief.places.get(thing);
  return { kind: "take", thing, text: place === undefined ? `Take the ${thing}.` : `Take the ${thing} from the ${place}.`, reason };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
