/**
 * The goals that a task and a belief give rise to, in order: keys, recipes, and what common sense
 * finds out of place. Ariadne's planner writes them down as sub-goals, which the actor and the next
 * plan read again.
 */

import { memoize } from "../../core/text/memoize.ts";
import type { Errs } from "../errors.ts";
import type { Belief } from "../reading/belief.ts";
import { readScene } from "../reading/descriptions.ts";
import { RELATION } from "../reading/facts.ts";
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
    | "find"
    | "explore";
  readonly thing: string;
  readonly by?: string;
  readonly text: string;
  readonly reason: string;
}

export function goalsFor(task: string, belief: Belief): Goal[] {
  const text = task.toLowerCase();
  const found = /\b(?:recipe|cookbook|meal|cook)\b/.test(text)
    ? cookingGoals(belief)
    : /\b(?:clean|tidy|out of place|misplaced|where (?:it|they) belongs?)\b/.test(text)
    ? tidyingGoals(belief)
    : huntGoals(targets(text), belief);
  found.push({
    kind: "explore",
    thing: "",
    text: "Explore the places that have not been visited yet.",
    reason: "What is still needed may be there.",
  });
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
    return [{
      kind: "open",
      thing: lock,
      text: `Open the ${lock}.`,
      reason: "It is no longer locked.",
    }];
  }
  const reason = `The ${key} unlocks the ${lock}.`;
  if (!belief.carries(key)) return belief.places.has(key) ? [] : [find(key, reason)];
  const unlock: Goal = {
    kind: "unlock",
    thing: lock,
    by: key,
    text: `Unlock the ${lock} with the ${key}.`,
    reason,
  };
  return belief.roomOf(lock) === undefined ? [find(lock, reason), unlock] : [unlock];
}

function cookingGoals(belief: Belief): Goal[] {
  if (belief.carries("meal")) {
    return [{ kind: "eat", thing: "meal", text: "Eat the meal.", reason: "It is ready." }];
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
    {
      kind: "prepare",
      thing: "meal",
      text: "Prepare the meal.",
      reason: "All that the recipe requires will be at hand.",
    },
    { kind: "eat", thing: "meal", text: "Eat the meal.", reason: "That ends the task." },
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
    found.push({ kind: "treat", thing: food, by: verb, text, reason: "The recipe says so." });
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
    ? { kind: "find", thing, text: `Find the ${thing} and take it.`, reason }
    : take(thing, belief, reason);
}

function take(thing: string, belief: Belief, reason: string): Goal {
  const place = belief.places.get(thing);
  return {
    kind: "take",
    thing,
    text: place === undefined ? `Take the ${thing}.` : `Take the ${thing} from the ${place}.`,
    reason,
  };
}

function find(thing: string, reason: string): Goal {
  return { kind: "find", thing, text: `Find the ${thing}.`, reason };
}

function read(thing: string, reason: string): Goal {
  return { kind: "read", thing, text: `Read the ${thing}.`, reason };
}

function tidyingGoals(belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const { name } of belief.carried) {
    const home = bestHome(name, belief);
    if (home === undefined) {
      const text = `Find the place where the ${name} belongs${homeWords(name)}.`;
      found.push({
        kind: "find",
        thing: name,
        text,
        reason: "It is carried and has no place yet.",
      });
    } else {found.push({
        kind: "place",
        thing: name,
        by: home,
        text: `Put the ${name} on the ${home}.`,
        reason: "It belongs there.",
      });}
  }
  for (const [thing, place] of belief.places) {
    if (place === "inventory" || belief.rooms.has(thing) || !isMisplaced(thing, place, belief)) {
      continue;
    }
    const from = belief.onFloor.has(thing) ? "floor" : place;
    found.push({
      kind: "take",
      thing,
      text: `Take the ${thing} from the ${from}.`,
      reason: "It is out of place there.",
    });
  }
  return found;
}

/**
 * How well a thing fits on a piece of furniture in a room: 3 where the furniture's name shares a
 * telling word with the thing ("towel rack"), 2 where furniture and room are both of the sort that
 * keeps such things, 1 where only one of them is, 0 otherwise.
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

/**
 * The known furniture that fits a thing best, among those of affinity 2 or 3, of equal ones one
 * that is here before others; a thing with a lesser fit is kept until a better one is found.
 */
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

export function withWrongSteps(
  goals: readonly Goal[],
  things: readonly string[],
  errs: Errs,
): Goal[] {
  return goals.map((goal) => {
    const others = goal.thing === "" ? [] : things.filter((thing) => thing !== goal.thing);
    const thing = others.length > 0 ? errs("wrongPlanStep", goal.text)?.pick(others) : undefined;
    return thing === undefined
      ? goal
      : { ...goal, thing, text: goal.text.replace(goal.thing, thing) };
  });
}

/** Number of sub-goals of a plan, at most: a language model's plans have about as many. */
const LONGEST_PLAN = 12;

export function writePlan(task: string, goals: readonly Goal[]): string {
  const steps = goals.slice(0, LONGEST_PLAN).map((goal, index) => ({
    [`sub_goal_${index + 1}`]: goal.text,
    reason: goal.reason,
  }));
  const searching = goals[0]?.kind === "find" || goals[0]?.kind === "explore";
  return JSON.stringify({
    main_goal: task.trim(),
    plan_steps: steps,
    your_emotion: {
      your_current_emotion: searching ? "curious" : "confident",
      reason_behind_emotion: searching
        ? "Something needed has yet to be found."
        : "The next thing to do is known.",
    },
  });
}

export function subGoals(plan: string): string[] {
  const found = [...plan.matchAll(/"sub_goal_\d+"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map((match) =>
    match[1] ?? ""
  );
  return found.length > 0
    ? found
    : plan.split("\n").map((line) => line.replace(/^[\s\d.)*-]+/, "").trim()).filter((line) =>
      line !== ""
    );
}

/**
 * Adds to a belief what a plan says about the world: where things are, what opens what, what the
 * recipe requires.
 */
export function learnPlan(plan: string, belief: Belief): void {
  for (const goal of subGoals(plan)) {
    const sentence = goal.toLowerCase().replace(/\.$/, "");
    const taken = sentence.match(/^take the (.+?) from the (.+)$/);
    if (taken?.[1] && taken[2] && !belief.places.has(taken[1])) {
      belief.learn({ subject: taken[1], relation: RELATION.in, object: taken[2] });
    }
    const treated = sentence.match(/^(\w+) the (.+) with the (.+)$/);
    const treatment = TREATMENTS[treated?.[1] ?? ""];
    if (treated?.[2] && treatment) {
      belief.learn({ subject: treated[2], relation: RELATION.treated, object: treatment.state });
      belief.learn({ subject: "recipe", relation: RELATION.requires, object: treated[2] });
      continue;
    }
    for (const fact of readScene(goal).facts) {
      if (fact.relation === RELATION.unlocks) belief.learn(fact);
    }
  }
}
