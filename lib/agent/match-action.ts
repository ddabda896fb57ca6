/**
 * Finding the action that a model means among those that are possible.
 *
 * @module
 */

/**
 * The possible action that is written as wanted; else the first that is the same but for case, white space, quotation marks and final dots.
 * Nothing more is guessed: an action that means something else would be worse than none.
 *
 * @example
 * ```ts
 * import { matchAction } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(matchAction("`Take the  key 1`.", ["look", "take the Key 1"]), "take the Key 1");
 * assert.equal(matchAction("take the key", ["look", "take the Key 1"]), undefined);
 * ```
 */
export function matchAction(wanted: string, possible: readonly string[]): string | undefined {
  if (possible.includes(wanted)) return wanted;
  const bare = bareOf(wanted);
  return possible.find((action) => bareOf(action) === bare);
}

function bareOf(action: string): string {
  return action.toLowerCase().replace(/[\s"'`’.]+/g, " ").trim();
}
