/**
 * Notes: writes what a belief holds as triplet lines, few enough for a summary, which are read again as triplets.
 *
 * @module
 */

import type { Belief } from "./belief.ts";
import { formatFact, RELATION } from "./facts.ts";
import { OPPOSITE } from "./lexicon.ts";

/** What `writeNotes` writes. */
export interface NotesOptions {
  /** Number of lines of each of the three paragraphs, at most; the last ones are kept. */
  readonly most: number;
  /** Thing → where it is, in place of what the belief says. */
  readonly places?: ReadonlyMap<string, string>;
}

/** Up to three paragraphs of triplet lines: what the task needs, how the rooms lie, and where things are. */
export function writeNotes(belief: Belief, { most, places = belief.places }: NotesOptions): string {
  const paragraphs = [needs(belief), passages(belief), contents(belief, places)];
  return paragraphs.map((lines) => lines.slice(-most).join("\n")).filter((paragraph) => paragraph !== "").join("\n\n");
}

function line(subject: string, relation: string, object: string): string {
  return formatFact({ subject, relation, object });
}

function needs(belief: Belief): string[] {
  return [
    ...[...belief.appliances].map(([gerund, appliance]) => line(appliance, RELATION.appliance, gerund)),
    ...(belief.mealPlace === undefined ? [] : [line("meal", RELATION.prepared, belief.mealPlace)]),
    ...[...belief.locks].map(([key, lock]) => line(key, RELATION.unlocks, lock)),
    ...[...belief.ingredients].map((food) => line("recipe", RELATION.requires, food)),
    ...[...belief.treatments].flatMap(([food, states]) => [...states].map((state) => line(food, RELATION.treated, state))),
  ];
}

/** Each passage once, and each exit that leads to no known room. */
function passages(belief: Belief): string[] {
  const seen = new Set<string>();
  return [...belief.exits].flatMap(([room, exits]) =>
    [...exits].flatMap(([direction, there]) => {
      if (there === undefined) return [line(room, RELATION.exit, direction)];
      if (seen.has(`${there}/${OPPOSITE[direction]}`)) return [];
      seen.add(`${room}/${direction}`);
      return [line(there, `is ${direction} of`, room)];
    })
  );
}

function contents(belief: Belief, places: ReadonlyMap<string, string>): string[] {
  return [
    ...[...places].filter(([, place]) => place !== "inventory").map(([thing, place]) => line(thing, RELATION.in, place)),
    ...[...belief.states].filter(([thing]) => places.get(thing) !== "inventory")
      .flatMap(([thing, states]) => [...states].map((state) => line(thing, RELATION.state, state))),
  ];
}
