/**
 * The files of an exported page: each is a script that hands over one value, because a browser
 * reads no other file from disk.
 */

import { brief } from "./brief.ts";
import type { StepPlace } from "./record.ts";

/**
 * The name that the scripts call: `labyrinth("study-x", "eJy…")`, with the value as deflated JSON
 * in base64.
 */
export const HAND_OVER = "labyrinth";

/**
 * The mark in the document by which a page knows that it was exported: the name of a `meta`
 * element; its content is `page` or `view`.
 */
export const EXPORTED = "labyrinth-export";

/** Number of steps in one file. */
const CHUNK = 10;

/** The kinds of data that there is of each step of an episode. */
export const STEP_KINDS = ["step", "truth"] as const;

/**
 * The address of the file that holds what there is of a kind of a step; the file maps each place,
 * e.g. `0.12`, to it.
 */
export function chunkOf(
  kind: typeof STEP_KINDS[number],
  episode: string,
  { pass, step }: StepPlace,
): string[] {
  return [`${kind}s`, episode, `${pass}.${Math.floor(step / CHUNK) * CHUNK}`];
}

/** Most characters of a file's name: file systems take 255, with the ending. */
const LONGEST = 200;

/**
 * The name of the file of an address, without folder and ending: letters, digits, `-`, `.`, and all
 * else as `_` with its bytes in hex.
 */
export function fileName(path: readonly string[]): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
  const name = path.map(encodeURIComponent).join("-").replaceAll(/[!~*'()_]/g, hex).replaceAll(
    "%",
    "_",
  ); // encodeURIComponent leaves those
  return brief(name, LONGEST).replace("… ", "-");
}
