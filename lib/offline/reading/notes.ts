/**
 * Notes: what a belief holds, written in as few lines as a summary has, and read again as triplets.
 *
 * @module
 */

import type { Belief } from "./belief.ts";
import { RELATION } from "./facts.ts";
import { OPPOSITE } from "./lexicon.ts";

/** What is written. */
export interface NotesOptions {
  /** Lines of each of the three paragraphs; of more the first ones are left out. */
  readonly most: number;
  /** Thing → where it is, in place of what the belief says. */
  readonly places?: ReadonlyMap<string, string>;
}

/** Up to three paragraphs of `s, r, o` lines: what the task needs, how the rooms lie, where things are. */
export function writeNotes(belief: Belief, { most, places = belief.places }: NotesOptions): string {
  const paragraphs = [needs(belief), ways(belief), whereabouts(belief, places)];
  return paragraphs.map((lines) => lines.slice(-most).join("\n")).filter((paragraph) => paragraph !== "").join("\n\n");
}

function needs(belief: Belief): string[] {
  return [
    ...[...belief.appliances].map(([gerund, appliance]) => `${appliance}, ${RELATION.appliance}, ${gerund}`),
    ...(belief.mealPlace === undefined ? [] : [`meal, ${RELATION.prepared}, ${belief.mealPlace}`]),
    ...[...belief.locks].map(([key, lock]) => `${key}, ${RELATION.unlocks}, ${lock}`),
    ...[...belief.ingredients].map((food) => `recipe, ${RELATION.requires}, ${food}`),
    ...[...belief.treatments].flatMap(([food, states]) => [...states].map((state) => `${food}, ${RELATION.treated}, ${state}`)),
  ];
}

/** Each way once, and each exit that leads nowhere known. */
function ways(belief: Belief): string[] {
  const seen = new Set<string>();
  return [...belief.exits].flatMap(([room, exits]) =>
    [...exits].flatMap(([direction, there]) => {
      if (there === undefined) return [`${room}, ${RELATION.exit}, ${direction}`];
      if (seen.has(`${there}/${OPPOSITE[direction]}`)) return [];
      seen.add(`${room}/${direction}`);
      return [`${there}, is ${direction} of, ${room}`];
    })
  );
}

function whereabouts(belief: Belief, places: ReadonlyMap<string, string>): string[] {
  return [
    ...[...places].filter(([, place]) => place !== "inventory").map(([thing, place]) => `${thing}, ${RELATION.in}, ${place}`),
    ...[...belief.states].flatMap(([thing, states]) =>
      places.get(thing) === "inventory" ? [] : [...states].map((state) => `${thing}, ${RELATION.state}, ${state}`)
    ),
  ];
}
