/** The closing word of the commands that play. */

import assert from "node:assert/strict";
import { shortfall } from "../../lib/cli/run-study.ts";
import type { StudyResult } from "../../lib/lab/runner.ts";

/** A result of this many completed episodes, and failed ones with these messages. */
function result(completed: number, failures: readonly string[]): StudyResult {
  const common = { id: "", study: "mine", ordinal: 0, identity: {}, world: "lever", worldParams: {}, method: "act", memory: "" };
  const row = { ...common, condition: "act", backbone: "offline", attempt: 1, seed: 1 };
  const episodes = [
    ...Array.from({ length: completed }, (_, k) => ({ ...row, lane: `c${k}`, status: "completed" as const })),
    ...failures.map((failureMessage, k) => ({ ...row, lane: `f${k}`, status: "failed" as const, failureKind: "bad-game", failureMessage })),
  ];
  return { study: "mine", planned: episodes.length, completed, failed: failures.length, parked: 0, episodes };
}

Deno.test("shortfall() names each failure once, of many the first three", () => {
  assert.equal(shortfall(result(2, [])), undefined);
  assert.equal(
    shortfall(result(2, ["a is cut; mend a", "b is empty; mend b", "a is cut; mend a"])),
    "2 of 5 episodes are completed; 3 failed (bad-game: a is cut; mend a) (bad-game: b is empty; mend b): add --retry to play them again",
  );
  assert.equal(
    shortfall(result(0, ["a", "b", "c", "d", "e"])),
    "0 of 5 episodes are completed; " +
      "5 failed (bad-game: a) (bad-game: b) (bad-game: c) (and 2 more): add --retry to play them again",
  );
});
