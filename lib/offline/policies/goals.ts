/**
 * The goals of a task, in order: keys, recipes, and what is out of place. Ariadne's planner writes
 * them as sub-goals, which the actor and the next plan read.
 */

import { memoize } from "../../core/text/memoize.ts";
import type { Belief } from "../reading/belief.ts";
import {
  COMMON_WORDS,
  HOUSEHOLD,
  type Household,
  READABLES,
  TREATMENTS,
} from "../reading/lexicon.ts";
import { capitalised } from "../../core/text/capitalised.ts";
import { headWord, isKey, isName, named } from "../reading/noun-phrases.ts";

export interface Goal {
  readonly kind:
    | "take"
    | "unlock"
    | "open"
    | "read"
    | "treat"
    | "prepare"
    | "eat"
    | "place"
    | Search;
  readonly thing: string;
  readonly by?: string;
  readonly text: string;
  readonly reason: string;
}
type Search = "find" | "explore";

function goal(kind: Goal["kind"], thing: string, text: string, reason: string, by?: string): Goal {
  return { kind, thing, text, reason, by };
}

export function goalsFor(task: string, belief: Belief): Goal[] {
  const text = task.toLowerCase();
  const found = /\b(?:recipe|cookbook|meal|cook)\b/.test(text)
    ? cookingGoals(belief)
    : /\b(?:clean|tidy|out of place|misplaced|where (?:it|they) belongs?)\b/.test(text)
    ? tidyingGoals(belief)
    : huntGoals(targets(text), belief);
  const unvisited = "Explore the places that have not been visited yet.";
  found.push(goal("explore", "", unvisited, "What is still needed may be there."));
  const seen = new Set<string>();
  return found.filter((goal) => !seen.has(goal.text) && seen.add(goal.text));
}

function targets(task: string): string[] {
  return [
    ...task.matchAll(
      /\b(?:find|get(?: hold of)?|take|retrieve|obtain|bring|fetch|collect|reach|locate|seek|(?:search|look|hunt) for)\b (?:an?|the) ([\w' -]+?)(?=[.,;!?]|$| and | in | from | that | which )/g,
    ),
  ]
    .map((match) => named(match[1] ?? "").name)
    .filter((name) => isName(name) && !isKey(name));
}

function huntGoals(targets: readonly string[], belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const target of targets) {
    const holder = belief.places.get(target);
    if (holder === undefined || belief.carries(target)) continue;
    if (!belief.is(holder, "locked") && (belief.is(holder, "open") || belief.rooms.has(holder))) {
      found.push(take(target, belief, "It is the goal."));
    }
  }
  for (const key of [...belief.things].filter(isKey)) {
    const isSpent = belief.is(belief.locks.get(key) ?? "", "open");
    if (!belief.carries(key) && belief.places.has(key) && !isSpent) {
      found.push(take(key, belief, "Keys open what is locked."));
    }
  }
  const hasStrangeKey = belief.carried.some(({ name }) => isKey(name) && !belief.locks.has(name));
  for (const thing of belief.things) {
    if (
      isReadable(thing) && !wasRead(thing, belief) &&
      (hasStrangeKey || belief.places.get(thing) === belief.here)
    ) {
      found.push(read(thing, "It may say what to do next."));
    }
  }
  const carriedFirst = [...belief.locks].sort(([a], [b]) =>
    Number(belief.carries(b)) - Number(belief.carries(a))
  );
  for (const [key, lock] of carriedFirst) found.push(...lockGoals(key, lock, belief));
  for (const target of targets) {
    if (belief.carries(target)) continue;
    found.push(
      belief.places.has(target)
        ? take(target, belief, "It is the goal.")
        : find(target, "It is the goal."),
    );
  }
  return found;
}

function lockGoals(key: string, lock: string, belief: Belief): Goal[] {
  if (belief.is(lock, "open")) return [];
  if (belief.is(lock, "unlocked") || belief.is(lock, "closed")) {
    return [goal("open", lock, `Open the ${lock}.`, "It is no longer locked.")];
  }
  const reason = `The ${key} unlocks the ${lock}.`;
  if (!belief.carries(key)) return belief.places.has(key) ? [] : [find(key, reason)];
  const unlock = goal("unlock", lock, `Unlock the ${lock} with the ${key}.`, reason, key);
  return belief.roomOf(lock) === undefined ? [find(lock, reason), unlock] : [unlock];
}

function cookingGoals(belief: Belief): Goal[] {
  if (belief.carries("meal")) {
    return [goal("eat", "meal", "Eat the meal.", "It is ready.")];
  }
  if (belief.ingredients.size === 0) {
    const book = [...belief.things].find((thing) => thing.endsWith("cookbook")) ?? "cookbook";
    const isKnown = belief.roomOf(book) !== undefined || belief.carries(book);
    return [
      ...(isKnown ? [] : [find(book, "It holds the recipe.")]),
      read(book, "The recipe says what the meal needs."),
    ];
  }
  const inHand = [...belief.ingredients].filter((food) => belief.carries(food));
  const missing = [...belief.ingredients].filter((food) => !belief.carries(food));
  return [
    ...inHand.flatMap((food) => treatmentGoals(food, belief)),
    ...missing.map((food) => fetch(food, belief, "The recipe requires it.")),
    ...missing.flatMap((food) => treatmentGoals(food, belief)),
    goal("prepare", "meal", "Prepare the meal.", "All that the recipe requires will be at hand."),
    goal("eat", "meal", "Eat the meal.", "That ends the task."),
  ];
}

function treatmentGoals(food: string, belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const state of belief.treatments.get(food) ?? []) {
    const [verb, treatment] = Object.entries(TREATMENTS).find(([, { state: left }]) =>
      left === state
    ) ?? [];
    if (verb === undefined || treatment === undefined || belief.is(food, state)) continue;
    const tool = treatment.cut
      ? treatment.on
      : belief.appliances.get(treatment.gerund) ?? treatment.on;
    if (treatment.cut && !belief.carried.some(({ name }) => headWord(name) === tool)) {
      found.push(
        fetch(tool, belief, "Cutting needs it."),
      );
    } else if (!treatment.cut && belief.roomOf(tool) === undefined) {
      found.push(find(tool, `${capitalised(treatment.gerund)} is done with it.`));
    }
    const text = `${capitalised(verb)} the ${food} with the ${tool}.`;
    found.push(goal("treat", food, text, "The recipe says so.", verb));
  }
  return found;
}

export function mealIsReady(belief: Belief): boolean {
  return belief.ingredients.size > 0 &&
    [...belief.ingredients].every((food) =>
      belief.carries(food) &&
      [...belief.treatments.get(food) ?? []].every((state) => belief.is(food, state))
    );
}

export function isReadable(thing: string): boolean {
  return READABLES.includes(headWord(thing));
}

function wasRead(thing: string, belief: Belief): boolean {
  const reading = /^(?:examine|read|look at) /;
  return belief.tried.some(({ action }) =>
    reading.test(action) && named(action.replace(reading, "")).name === thing
  );
}

function fetch(thing: string, belief: Belief, reason: string): Goal {
  return belief.roomOf(thing) === undefined
    ? goal("find", thing, `Find the ${thing} and take it.`, reason)
    : take(thing, belief, reason);
}

function take(thing: string, belief: Belief, reason: string): Goal {
  const place = belief.places.get(thing);
  const from = place === undefined ? "" : ` from the ${place}`;
  return goal("take", thing, `Take the ${thing}${from}.`, reason);
}

function find(thing: string, reason: string): Goal {
  return goal("find", thing, `Find the ${thing}.`, reason);
}

function read(thing: string, reason: string): Goal {
  return goal("read", thing, `Read the ${thing}.`, reason);
}

function tidyingGoals(belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const { name } of belief.carried) {
    const home = bestHome(name, belief);
    const text = `Find the place where the ${name} belongs${homeWords(name)}.`;
    found.push(
      home === undefined
        ? goal("find", name, text, "It is carried and has no place yet.")
        : goal("place", name, `Put the ${name} on the ${home}.`, "It belongs there.", home),
    );
  }
  for (const [thing, place] of belief.places) {
    if (place === "inventory" || belief.rooms.has(thing) || !isMisplaced(thing, place, belief)) {
      continue;
    }
    const from = belief.onFloor.has(thing) ? "floor" : place;
    found.push(
      goal("take", thing, `Take the ${thing} from the ${from}.`, "It is out of place there."),
    );
  }
  return found;
}

/**
 * How well a thing fits on furniture in a room: 3 if they share a word ("towel rack"), 2 if
 * furniture and room both keep such things, 1 if one does, else 0.
 */
function affinity(thing: string, furniture: string, room: string | undefined): number {
  const rest = telling(furniture);
  if (telling(thing).some((word) => word.length > 2 && rest.includes(word))) return 3;
  const sort = sortOf(thing);
  if (sort === undefined) return 0;
  const suits = (words: readonly string[], name: string): number =>
    Number(words.some((word) => hasWord(name, word)));
  return suits(sort.furniture, furniture) + suits(sort.rooms, room ?? "");
}

function isMisplaced(thing: string, place: string, belief: Belief): boolean {
  if (belief.onFloor.has(thing)) return true;
  if (belief.rooms.has(place)) return false;
  return sortOf(thing) !== undefined && affinity(thing, place, belief.roomOf(place)) === 0;
}

/** The known furniture that fits best (affinity 2 or 3); of equal ones, one that is here. */
function bestHome(thing: string, belief: Belief): string | undefined {
  let best: { readonly place: string; readonly score: number } | undefined;
  for (const [place, holder] of belief.places) {
    if (
      holder === "inventory" || !belief.rooms.has(holder) || belief.carries(place) ||
      belief.onFloor.has(place)
    ) continue;
    const score = affinity(thing, place, holder);
    const isNearer = holder === belief.here && belief.places.get(best?.place ?? "") !== belief.here;
    if (score >= 2 && (score > (best?.score ?? 0) || (score === best?.score && isNearer))) {
      best = { place, score };
    }
  }
  return best?.place;
}

function homeWords(thing: string): string {
  const sort = sortOf(thing);
  return sort === undefined ? "" : `, such as a ${sort.furniture[0]} in the ${sort.rooms[0]}`;
}

const sortOf = memoize((thing: string): Household | undefined => {
  let best: { readonly sort: Household; readonly length: number } | undefined;
  for (const sort of HOUSEHOLD) {
    for (const word of sort.things) {
      const length = !hasWord(thing, word)
        ? 0
        : ` ${thing}`.endsWith(` ${word}`)
        ? word.length + 100
        : word.length;
      if (length > (best?.length ?? 0)) best = { sort, length };
    }
  }
  return best?.sort;
});

function telling(name: string): string[] {
  return name.split(" ").filter((word) => !COMMON_WORDS.includes(word));
}

function hasWord(name: string, word: string): boolean {
  return ` ${name} `.includes(` ${word} `);
}
