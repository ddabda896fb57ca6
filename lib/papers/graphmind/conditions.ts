/**
 * The conditions of GraphMind's studies as tables and figures name them, and the order of its sizes.
 *
 * @module
 */

/** Condition → its name, in the order of the paper. */
export const GRAPHMIND_CONDITIONS: Readonly<Record<string, string>> = {
  kg: "KG",
  sm: "SM",
  none: "w/o Memory",
  "kg-static": "KG, static",
  "kg-neighbours": "KG, paper's localiser",
  "kg-llm-actor": "KG, LLM as actor",
  "kg-text": "KG, text only",
  "random-dsl": "Random DSL",
  oracle: "Oracle",
};

/** The sizes of maps that tables have rows for. */
export const SIZES: readonly string[] = Array.from({ length: 9 }, (_, index) => `${index + 2}x${index + 2}`);

/** Compares sizes of maps: `2x2` comes before `3x3`. */
export function byRooms(a: { readonly rooms: string }, b: { readonly rooms: string }): number {
  return roomsOrder(a.rooms) - roomsOrder(b.rooms);
}

/** The rank of a size, or of a layout by its size. */
export function roomsOrder(rooms: string): number {
  return Number.parseInt(rooms) || Infinity;
}
