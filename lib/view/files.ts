/**
 * The files of an exported page: each is a script that hands over one value, because a browser reads no other file from disk.
 *
 * @module
 */

import type { StepPlace } from "./record.ts";

/** The name that the scripts call: `labyrinth("study-x", {…})`. */
export const HAND_OVER = "labyrinth";

/** The mark in the document by which a page knows that it was exported: the name of a `meta` element. */
export const EXPORTED = "labyrinth-export";

/** Number of steps in one file. */
const CHUNK = 10;

/** The address of the file that holds a step; the file maps each place, e.g. `0.12`, to its step. */
export function chunkOf(episode: string, { pass, step }: StepPlace): string[] {
  return ["steps", episode, `${pass}.${Math.floor(step / CHUNK) * CHUNK}`];
}

/** The name of the file of an address, without folder and ending: letters, digits, `-`, `.`, and all else as `_` with its bytes in hex. */
export function fileName(path: readonly string[]): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
  return path.map(encodeURIComponent).join("-").replaceAll(/[!~*'()_]/g, hex).replaceAll("%", "_"); // encodeURIComponent leaves those
}
