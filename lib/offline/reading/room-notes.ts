/**
 * Reading notes about numbered rooms: what they contain and which doors lead where.
 *
 * @module
 */

/** A room as the notes tell of it. */
export interface KnownRoom {
  readonly number: number;
  /** What it contains, with the compass direction where one is told. */
  readonly entities: readonly { readonly name: string; readonly direction?: string }[];
  /** Doors that were passed. */
  readonly exits: readonly { readonly door: string; readonly direction?: string; readonly to: number }[];
}

/** The rooms that lines like `Room 2 contains red key (north). Passed doors: red door (west) to room 1.` tell of; of equal numbers the last. */
export function readRooms(text: string): KnownRoom[] {
  const lines = text.matchAll(/^Room (\d+)(?: \([^)]*\))? contains (.*?)\. Passed doors: (.*?)\./gm);
  const rooms = new Map<number, KnownRoom>();
  for (const [, number, things = "", doors = ""] of lines) {
    rooms.set(Number(number), {
      number: Number(number),
      entities: parts(things).map((part) => {
        const [, name = part, direction] = part.match(/^(.*?)(?: \((.*)\))?$/) ?? [];
        return { name, ...(direction ? { direction } : {}) };
      }),
      exits: parts(doors).flatMap((part) => {
        const [, door, direction, to] = part.match(/^(.*? door)(?: \((\w+)\))? to room (\d+)$/) ?? [];
        return door ? [{ door, ...(direction ? { direction } : {}), to: Number(to) }] : [];
      }),
    });
  }
  return [...rooms.values()];
}

function parts(list: string): string[] {
  return list === "none known" ? [] : list.split(", ");
}
