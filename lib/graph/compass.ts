/**
 * The four compass words and what relations say with them.
 *
 * @module
 */

/** A compass word. */
export type Compass = "north" | "east" | "south" | "west";

/** The compass words in the order in which an action is searched for them. */
export const COMPASS: readonly Compass[] = ["north", "east", "south", "west"];

/**
 * The way back.
 *
 * @example
 * ```ts
 * import { opposite } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(opposite("north"), "south");
 * ```
 */
export function opposite(direction: Compass): Compass {
  return OPPOSITE[direction];
}

/** The compass words that stand in the text as whole words, each once, in the order of the text. */
export function compassWords(text: string): Compass[] {
  return [...new Set(text.toLowerCase().match(/\b(?:north|east|south|west)\b/g) as Compass[] | null)];
}

/**
 * The move that a relation between two places tells of, from the first place to the second; `undefined` where it names no direction.
 *
 * "a, is north of, b" places a to the north, so that b is reached by going south; "a, has exit north to, b" names the move itself.
 *
 * @example
 * ```ts
 * import { moveOf } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(moveOf("is north of"), "south");
 * assert.equal(moveOf("has exit north to"), "north");
 * assert.equal(moveOf("contains"), undefined);
 * ```
 */
export function moveOf(relation: string): Compass | undefined {
  const [direction] = compassWords(relation);
  if (!direction) return undefined;
  return /\bof$/.test(relation) ? opposite(direction) : direction;
}

const OPPOSITE: Readonly<Record<Compass, Compass>> = { north: "south", east: "west", south: "north", west: "east" };
