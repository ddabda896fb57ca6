/**
 * Tidying a house in TextWorld by common sense: which things are misplaced, and where they belong.
 *
 * @module
 */

import type { Belief } from "../reading/belief.ts";
import { COMMON_WORDS, HOUSEHOLD, type Household } from "../reading/lexicon.ts";
import type { Goal } from "./situation.ts";

/** The goals of tidying: carried things are put where they belong, misplaced ones are taken. */
export function tidyingGoals(belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const { name } of belief.carried) {
    const home = bestHome(name, belief);
    if (home === undefined) {
      const text = `Find the place where the ${name} belongs${homeWords(name)}.`;
      found.push({ kind: "find", thing: name, text, reason: "It is carried and has no place yet." });
    } else found.push({ kind: "place", thing: name, by: home, text: `Put the ${name} on the ${home}.`, reason: "It belongs there." });
  }
  for (const [thing, place] of belief.places) {
    if (place === "inventory" || belief.rooms.has(thing) || !isMisplaced(thing, place, belief)) continue;
    const from = belief.onFloor.has(thing) ? "floor" : place;
    found.push({ kind: "take", thing, text: `Take the ${thing} from the ${from}.`, reason: "It is out of place there." });
  }
  return found;
}

/**
 * How well a thing fits on a piece of furniture in a room: 3 where the furniture's name shares a telling word with the thing ("towel rack"), 2 where
 * furniture and room are both of the sort that keeps such things, 1 where only one of them is, 0 otherwise.
 */
export function affinity(thing: string, furniture: string, room: string | undefined): number {
  const rest = telling(furniture);
  if (telling(thing).some((word) => word.length > 2 && rest.includes(word))) return 3;
  const sort = sortOf(thing);
  if (sort === undefined) return 0;
  const suits = (words: readonly string[], name: string): number => Number(words.some((word) => hasWord(name, word)));
  return suits(sort.furniture, furniture) + suits(sort.rooms, room ?? "");
}

function isMisplaced(thing: string, place: string, belief: Belief): boolean {
  if (belief.onFloor.has(thing)) return true;
  if (belief.rooms.has(place)) return false;
  return sortOf(thing) !== undefined && affinity(thing, place, belief.roomOf(place)) === 0;
}

/** The known furniture that fits a thing best, among those of affinity 2 or 3; a thing with a lesser fit is kept until a better one is found. */
function bestHome(thing: string, belief: Belief): string | undefined {
  let best: { readonly place: string; readonly score: number } | undefined;
  for (const [place, holder] of belief.places) {
    if (holder === "inventory" || !belief.rooms.has(holder) || belief.carries(place) || belief.onFloor.has(place)) continue;
    const score = affinity(thing, place, holder);
    if (score >= 2 && score > (best?.score ?? 0)) best = { place, score };
  }
  return best?.place;
}

function homeWords(thing: string): string {
  const sort = sortOf(thing);
  return sort === undefined ? "" : `, such as a ${sort.furniture[0]} in the ${sort.rooms[0]}`;
}

/** The sort whose longest word ends the name, else is contained in it. */
function sortOf(thing: string): Household | undefined {
  let best: { readonly sort: Household; readonly length: number } | undefined;
  for (const sort of HOUSEHOLD) {
    for (const word of sort.things) {
      const length = !hasWord(thing, word) ? 0 : ` ${thing}`.endsWith(` ${word}`) ? word.length + 100 : word.length;
      if (length > (best?.length ?? 0)) best = { sort, length };
    }
  }
  return best?.sort;
}

/** The words of a name that tell what it is for. */
function telling(name: string): string[] {
  return name.split(" ").filter((word) => !COMMON_WORDS.includes(word));
}

function hasWord(name: string, word: string): boolean {
  return ` ${name} `.includes(` ${word} `);
}
