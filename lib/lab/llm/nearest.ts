/** Explains a cache miss: the nearest recorded request, and the fields in which it differs. */

import type { Store } from "../store/open.ts";
import { type KeyedRequest, listReplies } from "../store/replies.ts";

/** A field in which two requests differ, as JSON text; absent where one has no such field. */
interface Difference {
  readonly path: string;
  readonly recorded?: string;
  readonly asked?: string;
}

/** Requests of the role that are compared, latest first. */
const LOOKED_AT = 2000;
/** Differences in the message. */
const SHOWN = 4;
/** Characters of a field that is shown whole. */
const SHORT = 60;

export function describeMiss(store: Store, asked: KeyedRequest): string {
  const leaves = leavesOf(asked);
  let best: { readonly key: string; readonly differences: Difference[]; cost: number } | undefined;
  for (const { key, request } of listReplies(store, asked.role, { limit: LOOKED_AT })) {
    const recorded = leavesOf(request);
    const differences = [...new Set([...leaves.keys(), ...recorded.keys()])]
      .map((path) => ({ path, recorded: recorded.get(path), asked: leaves.get(path) }))
      .filter((one) => one.recorded !== one.asked);
    const cost = differences.reduce((sum, difference) => sum + costOf(difference), 0);
    if (!best || cost < best.cost) best = { key, differences, cost };
  }
  const start = `no recorded reply of ${asked.model} for ${asked.role} at ${
    JSON.stringify(asked.sample)
  } in replay mode`;
  const remedy = "run once in record mode to add it";
  if (!best) return `${start}: nothing is recorded for this role; ${remedy}`;
  const { key, differences } = best;
  const more = differences.length > SHOWN ? ` and ${differences.length - SHOWN} more` : "";
  const fields = differences.slice(0, SHOWN).map(show).join(", ") + more;
  return `${start}: the nearest recorded request, ${
    key.slice(0, 16)
  }, differs in ${fields}; ${remedy}`;
}

/** 1 for a missing field, 0.5 for a short one, 1.25 less the shared beginning for a text. */
function costOf({ recorded, asked }: Difference): number {
  if (recorded === undefined || asked === undefined) return 1;
  const longest = Math.max(recorded.length, asked.length);
  return longest <= SHORT ? 0.5 : 1.25 - sharedLength(recorded, asked) / longest;
}

function show({ path, recorded = "nothing", asked = "nothing" }: Difference): string {
  const from = Math.max(0, sharedLength(recorded, asked) - 10);
  if (Math.max(recorded.length, asked.length) <= SHORT) {
    return `${path} (recorded ${recorded}, asked ${asked})`;
  }
  const [one, other] = [recorded, asked].map((text) => JSON.stringify(text.slice(from, from + 40)));
  return `${path} (from character ${from}: recorded ${one}, asked ${other})`;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** A request as path → JSON text, e.g. `messages.1.content`; tools and schema are one field each. */
function leavesOf(
  value: unknown,
  path = "",
  into = new Map<string, string>(),
): Map<string, string> {
  if (typeof value === "object" && value !== null && path !== "schema" && path !== "tools") {
    for (const [name, member] of Object.entries(value)) {
      leavesOf(member, path ? `${path}.${name}` : name, into);
    }
  } else into.set(path, JSON.stringify(value));
  return into;
}
