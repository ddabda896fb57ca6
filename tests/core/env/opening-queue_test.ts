import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { createOpeningQueue } from "../../../lib/core/env/opening-queue.ts";
import { WorldError } from "../../../lib/core/errors.ts";
import { fakeClock } from "../llm/fake-endpoint.ts";

/** A server that takes so many sessions. */
function full(
  places: number,
): { open: () => Promise<number>; close: () => void; held: () => number } {
  let held = 0;
  return {
    open: () =>
      held < places
        ? Promise.resolve(++held)
        : Promise.reject(new WorldError("too-many-sessions", "the server is full")),
    close: () => void held--,
    held: () => held,
  };
}

Deno.test("createOpeningQueue() opens a world of a full server when one is closed, and says why it waits", async () => {
  const server = full(2);
  const delays: string[] = [];
  const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
  const queue = createOpeningQueue({
    held: server.held,
    signal: () => undefined,
    onDelay: (what) => delays.push(what),
    clock,
  });
  const opened: number[] = [];
  const all = Promise.all(
    [1, 2, 3, 4].map(() => queue.run(server.open).then((session) => opened.push(session))),
  );
  await setImmediate();
  assert.deepEqual([opened.length, delays.length], [2, 2]);
  assert.match(delays[0] ?? "", /the server is full; waiting/);
  for (let n = 0; n < 2; n++) {
    server.close();
    queue.closed();
    await setImmediate();
  }
  await all;
});

Deno.test("createOpeningQueue() gives up a server that others fill, after ten minutes, and lets other errors pass", async () => {
  const clock = fakeClock();
  const queue = createOpeningQueue({ held: () => 0, signal: () => undefined, clock });
  const began = clock.now();
  await assert.rejects(queue.run(full(0).open), { kind: "too-many-sessions" });
  assert.equal(clock.now() - began, 600_000);
  await assert.rejects(queue.run(() => Promise.reject(new WorldError("bad-game", "broken"))), {
    kind: "bad-game",
  });
});
