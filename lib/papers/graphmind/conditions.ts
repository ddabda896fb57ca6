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
  "kg-neighbours": "KG, paper's locator",
  "kg-llm-actor": "KG, LLM as actor",
  "kg-text": "KG, text only",
  "random-dsl": "Random DSL",
  oracle: "Oracle",
};

/** Compares sizes of maps: `2x2` comes before `3x3`. */
export function byRooms(a: { readonly rooms: string }, b: { readonly rooms: string }): number {
  return roomsOrder(a.rooms) - roomsOrder(b.rooms);
}

/** The place of a size (or of a layout, by its size) among sizes. */
export function roomsOrder(rooms: string): number {
  return Number.parseInt(rooms) || Infinity;
}
