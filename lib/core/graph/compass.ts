/** The four compass directions, and the moves that relations describe with them. */

export type Compass = "north" | "east" | "south" | "west";

/** The compass directions in the order in which an action is searched for them. */
export const COMPASS: readonly Compass[] = ["north", "east", "south", "west"];

export function opposite(direction: Compass): Compass {
  return OPPOSITE[direction];
}

export function compassWords(text: string): Compass[] {
  return [
    ...new Set(text.toLowerCase().match(/\b(?:north|east|south|west)\b/g) as Compass[] | null),
  ];
}

/**
 * The move from the first place of a relation to the second; `undefined` without a direction. "a,
 * is north of, b" means south from a to b; "a, has exit north to, b" names the move itself.
 */
export function moveOf(relation: string): Compass | undefined {
  const [direction] = compassWords(relation);
  if (!direction) return undefined;
  return /\bof$/.test(relation) ? opposite(direction) : direction;
}

const OPPOSITE: Readonly<Record<Compass, Compass>> = {
  north: "south",
  east: "west",
  south: "north",
  west: "east",
};
