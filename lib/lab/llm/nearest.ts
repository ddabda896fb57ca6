/**
 * Explains a cache miss: the recorded request nearest to a missing one, and the fields in which
 * they differ.
 */

import type { Store } from "../store/open.ts";
import { type KeyedRequest, listReplies } from "../store/replies.ts";

interface Difference {
  readonly path: string;
  readonly recorded: string | undefined;
  readonly asked: string | undefined;
}

/** Number of requests of the role that are compared, latest first. */
const LOOKED_AT = 2000;
/** Maximum number of differences in the message. */
const SHOWN = 4;
/** Maximum length in characters of a field that is shown whole. */
const SHORT = 60;

/**
 * Describes in one line a request that is not recorded: the nearest recorded request of its role,
 * and the fields that differ.
 */
export function describeMiss(store: Store, asked: KeyedRequest): string {
  const leaves = leavesOf(asked);
  let best:
    | { readonly key: string; readonly differences: Difference[]; readonly cost: number }
    | undefined;
  for (const { key, request } of listReplies(store, asked.role, { limit: LOOKED_AT })) {
    const differences = compare(leavesOf(request), leaves);
    const cost = differences.reduce((sum, difference) => sum + costOf(difference), 0);
    if (!best || cost < best.cost) best = { key, differences, cost };
  }
  const start = `no recorded reply of ${asked.model} for ${asked.role} at ${
    JSON.stringify(asked.sample)
  } in replay mode`;
  const remedy = "run once in record mode to add it";
  if (!best) return `${start}: nothing is recorded for this role; ${remedy}`;
  const more = best.differences.length > SHOWN
    ? ` and ${best.differences.length - SHOWN} more`
    : "";
  const fields = best.differences.slice(0, SHOWN).map(show).join(", ");
  return `${start}: the nearest recorded request, ${
    best.key.slice(0, 16)
  }, differs in ${fields}${more}; ${remedy}`;
}

function compare(recorded: Map<string, string>, asked: Map<string, string>): Difference[] {
  return [...new Set([...asked.keys(), ...recorded.keys()])]
    .map((path) => ({ path, recorded: recorded.get(path), asked: asked.get(path) }))
    .filter((difference) => difference.recorded !== difference.asked);
}

/**
 * The cost of a difference: 1 for a missing field, 0.5 for a short one, 1.25 − (shared prefix +
 * shared suffix) / length for a text.
 */
function costOf({ recorded, asked }: Difference): number {
  if (recorded === undefined || asked === undefined) return 1;
  const longest = Math.max(recorded.length, asked.length);
  if (longest <= SHORT) return 0.5;
  const start = sharedLength(recorded, asked);
  const end = sharedLength(reversed(recorded.slice(start)), reversed(asked.slice(start)));
  return 1.25 - (start + end) / longest;
}

function reversed(text: string): string {
  return text.split("").reverse().join("");
}

function show({ path, recorded, asked }: Difference): string {
  const from = recorded !== undefined && asked !== undefined
    ? Math.max(0, sharedLength(recorded, asked) - 10)
    : 0;
  const long = Math.max(recorded?.length ?? 0, asked?.length ?? 0) > SHORT;
  const excerpt = (text: string | undefined): string => {
    if (text === undefined) return "nothing";
    return long ? JSON.stringify(text.slice(from, from + 40)) : text;
  };
  return `${path} (${long ? `from character ${from}: ` : ""}recorded ${excerpt(recorded)}, asked ${
    excerpt(asked)
  })`;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/**
 * Flattens a request: path → JSON text, e.g. `messages.1.content` → `"Where?"`; tools and schema
 * are one field each.
 */
function leavesOf(
  value: unknown,
  path = "",
  into: Map<string, string> = new Map(),
): Map<string, string> {
  if (typeof value === "object" && value !== null && path !== "schema" && path !== "tools") {
    for (const [name, member] of Object.entries(value)) {
      leavesOf(member, path ? `${path}.${name}` : name, into);
    }
  } else {
    into.set(path, JSON.stringify(value));
  }
  return into;
}
