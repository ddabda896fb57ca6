/**
 * Reads the notes of GraphMind's memory about numbered rooms: what they contain and where their doors lead.
 *
 * @module
 */

/** A room as the notes describe it. Directions are compass words, absent where the notes name none. */
export interface KnownRoom {
  readonly number: number;
  readonly entities: readonly { readonly name: string; readonly direction?: string }[];
  /** Doors that were passed. */
  readonly exits: readonly { readonly door: string; readonly direction?: string; readonly to: number }[];
}

/** Reads lines like `Room 2 contains red key (north). Passed doors: red door (west) to room 1.`; of equal numbers the last one counts. */
export function readRooms(text: string): KnownRoom[] {
  const lines = text.matchAll(/^Room (\d+)(?: \([^)]*\))? contains (.*?)\. Passed doors: (.*?)\./gm);
  const rooms = new Map<number, KnownRoom>();
  for (const [, digits, things, doors] of lines) {
    const number = Number(digits);
    const entities = namesOf(things).map((part) => {
      const [, name = part, direction] = part.match(/^(.*?)(?: \((.*)\))?$/) ?? [];
      return { name, direction };
    });
    const exits = namesOf(doors).flatMap((part) => {
      const [, door, direction, to] = part.match(/^(.*? door)(?: \((\w+)\))? to room (\d+)$/) ?? [];
      return door ? [{ door, direction, to: Number(to) }] : [];
    });
    rooms.set(number, { number, entities, exits });
  }
  return [...rooms.values()];
}

/** The names of a list such as `red key, blue door`, of which "none" and "none known" are empty. */
export function namesOf(list = ""): string[] {
  return ["", "none", "none known"].includes(list) ? [] : list.split(", ");
}
