import { createDraw } from "../../core/random.ts";

/** Characters that are shown of a name or an action: a line of a megabyte would stop the page. */
const MOST = 300;

/** A name or an action as it is shown; a long one is cut and marked by a hash of the whole. */
export function brief(text: string, most = MOST): string {
  if (text.length <= most) return text;
  const mark = Math.floor(createDraw(text).next() * 2 ** 32).toString(16).padStart(8, "0");
  return `${text.slice(0, most - 10)}… ${mark}`;
}
