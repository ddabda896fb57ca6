/**
 * Tidying up by common sense: what stands where it does not belong, and where it belongs.
 *
 * @module
 */

import type { Belief } from "../reading/belief.ts";
import { COMMON_WORDS, HOUSEHOLD, type Household } from "../reading/lexicon.ts";
import type { Goal } from "./situation.ts";

/** What to carry home and what to pick up, as far as the belief and common sense tell. */
export function tidyingGoals(belief: Belief): Goal[] {
  const found: Goal[] = [];
  for (const { name } of belief.carried) {
    const home = bestHome(name, belief);
    if (home === undefined) {
      const where = homeWords(name);
      found.push({
        kind: "find",
        thing: name,
        text: `Find the place where the ${name} belongs${where}.`,
        reason: "It is carried and has no place yet.",
      });
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
  const suits = (words: readonly string[], name: string): number => Number(words.some((word) => fits(word, name)));
  return suits(sort.furniture, furniture) + suits(sort.rooms, room ?? "");
}

function isMisplaced(thing: string, place: string, belief: Belief): boolean {
  if (belief.onFloor.has(thing)) return true;
  if (belief.rooms.has(place)) return false;
  return sortOf(thing) !== undefined && affinity(thing, place, belief.roomOf(place)) === 0;
}

/** The known furniture that fits a thing best, if any is of the right sort in the right room; a lesser fit waits for a better one. */
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

/** The sort whose longest word ends the name, else stands in it. */
function sortOf(thing: string): Household | undefined {
  let best: { readonly sort: Household; readonly length: number } | undefined;
  for (const sort of HOUSEHOLD) {
    for (const word of sort.things) {
      const length = thing === word || thing.endsWith(` ${word}`)
        ? word.length + 100
        : ` ${thing} `.includes(` ${word} `)
        ? word.length
        : 0;
      if (length > (best?.length ?? 0)) best = { sort, length };
    }
  }
  return best?.sort;
}

function telling(name: string): string[] {
  return name.split(" ").filter((word) => !COMMON_WORDS.includes(word));
}

function fits(word: string, name: string): boolean {
  return ` ${name} `.includes(` ${word} `);
}
