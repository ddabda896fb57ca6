import assert from "node:assert/strict";
import { ModelError } from "../../lib/core/errors.ts";
import type { RunOptions } from "../../lib/lab/run-options.ts";
import { runStudy, type StudyResult } from "../../lib/lab/runner.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import {
  countingModels,
  countingStudy,
  countingWorld,
  noEmbedder,
  tickingClock,
} from "./doubles.ts";

function run(
  store: Store,
  attempts: number,
  answer: (asked: number) => string,
  options: RunOptions = {},
): Promise<StudyResult> {
  const { models } = countingModels(store, answer);
  const ports = {
    store,
    worlds: countingWorld(),
    models,
    embedder: noEmbedder,
    clock: tickingClock(),
  };
  return runStudy(countingStudy({ attempts }), ports, { concurrency: 1, ...options });
}

function failing(
  kind: ModelError["kind"],
  isDown: (asked: number) => boolean,
): (asked: number) => string {
  return (asked) => {
    if (isDown(asked)) throw new ModelError(kind, "down");
    return "add 2";
  };
}

Deno.test("runStudy() plays episodes again that the infrastructure failed, once at the end of the study", async () => {
  for (const kind of ["server", "protocol"] as const) {
    using store = openStore(":memory:");
    const healed = await run(store, 3, failing(kind, (asked) => asked === 2 || asked === 5));
    assert.deepEqual([healed.completed, healed.failed, healed.paused], [3, 0, 0]);
  }
  using store = openStore(":memory:");
  let calls = 0;
  const { failed, paused } = await run(store, 3, failing("protocol", () => ++calls > 0));
  assert.deepEqual([failed, paused, calls], [3, 0, 6], "each is played twice");
});

Deno.test("runStudy() plays no episode again that failed by itself", async () => {
  using store = openStore(":memory:");
  let calls = 0;
  const { failed } = await run(store, 2, failing("refused", () => ++calls > 0));
  assert.deepEqual([failed, calls], [2, 2]);
});

Deno.test("runStudy() begins no further episode after 20 that the infrastructure ended in a row", async () => {
  using store = openStore(":memory:");
  let calls = 0;
  const { paused, planned } = await run(store, 30, failing("server", () => ++calls > 0));
  assert.deepEqual([planned, paused, calls], [30, 20, 20]);
});

Deno.test("runStudy() plays what an endpoint stopped before after all else, so that no question keeps the others waiting for ever", async () => {
  using store = openStore(":memory:");
  const poisoned = failing("no-endpoint", (asked) => asked === 1); // the first question of each run ends it
  const counts: number[] = [];
  for (let n = 0; n < 3; n++) counts.push((await run(store, 3, poisoned)).completed);
  assert.deepEqual(counts, [0, 0, 0]);
  const first = await run(store, 4, failing("no-endpoint", (asked) => asked === 7));
  assert.deepEqual([first.completed, first.paused], [1, 3], "the fourth chain had its turn first");
});
