/** The closing word of the commands that play. */

import assert from "node:assert/strict";
import { studyChoices } from "../../../lib/apps/cli/run-options.ts";
import { shortfall } from "../../../lib/apps/cli/shortfall.ts";
import type { StudyResult } from "../../../lib/lab/runner.ts";

function result(completed: number, failures: readonly string[]): StudyResult {
  const common = {
    id: "",
    study: "mine",
    ordinal: 0,
    identity: {},
    world: "lever",
    worldParams: {},
    method: "act",
    memory: "",
  };
  const row = { ...common, condition: "act", backbone: "offline", attempt: 1, seed: 1 };
  const episodes = [
    ...Array.from(
      { length: completed },
      (_, k) => ({ ...row, chain: `c${k}`, status: "completed" as const }),
    ),
    ...failures.map((failureMessage, k) => ({
      ...row,
      chain: `f${k}`,
      status: "failed" as const,
      failureKind: "bad-game",
      failureMessage,
    })),
  ];
  return {
    study: "mine",
    planned: episodes.length,
    completed,
    failed: failures.length,
    paused: 0,
    episodes,
  };
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

Deno.test("studyChoices() refuses a file that binds a role that nothing asks in", () => {
  const file = Deno.makeTempFileSync({ suffix: ".json" });
  const choose = () =>
    studyChoices({ models: file, replies: "record", retry: false, fresh: false }).models;
  Deno.writeTextFileSync(file, '{"*": "gpt-4o", "wese/explor": "gpt-4o-mini"}');
  assert.throws(choose, {
    name: "UsageError",
    message:
      /"wese\/explor" of the role map .*json; did you mean "wese\/explore"\?; there are wese\/explore,/,
  });
  Deno.writeTextFileSync(file, '{"*": "gpt-4o", "wese/explore": "gpt-4o-mini"}');
  assert.deepEqual(choose(), { "*": "gpt-4o", "wese/explore": "gpt-4o-mini" });
  Deno.removeSync(file);
});

Deno.test("studyChoices() refuses a parameter of a role that nothing asks in, and names the roles of its family", () => {
  const choose = (...param: string[]) =>
    studyChoices({ models: "gpt-4o", param, replies: "record", retry: false, fresh: false }).models;
  assert.throws(() => choose("wese/explor.maxTokens=20"), {
    name: "UsageError",
    message: /"wese\/explor" of --param; did you mean "wese\/explore"\?; there are wese\/explore,/,
  });
  assert.throws(() => choose("nobody/*.maxTokens=20"), /there are act\/\*,/);
  assert.deepEqual(choose("wese/*.maxTokens=20"), {
    "*": "gpt-4o",
    "wese/*": { model: "gpt-4o", maxTokens: 20 },
  });
  assert.ok(
    Object.hasOwn(
      studyChoices({ models: "paper", replies: "record", retry: false, fresh: false }).models ?? {},
      "full-history/*",
    ),
  );
});
