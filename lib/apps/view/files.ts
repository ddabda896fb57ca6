/** The files of an exported page: scripts that each hand over one value. */

import { brief } from "./brief.ts";
import type { StepPlace } from "./record.ts";

/** The function that the scripts call with a name and deflated JSON in base64. */
export const HAND_OVER = "labyrinth";

/** The name of the `meta` element of an exported page; its content is `page` or `view`. */
export const EXPORTED = "labyrinth-export";

/** Number of steps in one file. */
const CHUNK = 10;

export const STEP_KINDS = ["step", "truth"] as const;

/** The address of the file with a step; the file maps places, e.g. `0.12`, to their data. */
export function chunkOf(
  kind: typeof STEP_KINDS[number],
  episode: string,
  { pass, step }: StepPlace,
): string[] {
  return [`${kind}s`, episode, `${pass}.${Math.floor(step / CHUNK) * CHUNK}`];
}

/** Most characters of a file's name: file systems take 255, with the ending. */
const LONGEST = 200;

/** The file name of an address: letters, digits, `-` and `.`; all else as `_` and hex. */
export function fileName(path: readonly string[]): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
  const name = path.map(encodeURIComponent).join("-").replaceAll(/[!~*'()_]/g, hex).replaceAll(
    "%",
    "_",
  ); // encodeURIComponent leaves those
  return brief(name, LONGEST).replace("… ", "-");
}
