import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { ChatModel } from "../../../lib/core/llm/chat-model.ts";
import { createLimiter } from "../../../lib/core/llm/limit.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { ask } from "./asking.ts";
import {
  completion,
  failure,
  failureOf,
  fakeClock,
  type FakeEndpoint,
  startFakeEndpoint,
} from "./fake-endpoint.ts";

/** A model at an endpoint, with the lab's own retries. */
function modelAt(store: Store, { baseUrl }: FakeEndpoint, clock = fakeClock()): ChatModel {
  return createModels({ map: { "*": { model: "m", baseUrl } }, store, codeVersion: "1", clock });
}

Deno.test("createModels() gives a dead endpoint up within a minute, for all calls, and tries it again after one", async () => {
  using store = openStore(":memory:");
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => failure(500, "dead"));
  const clock = fakeClock();
  const model = modelAt(store, endpoint, clock);
  const began = clock.now();
  const errors = await Promise.all([1, 2, 3].map((step) => failureOf(model.chat(ask(step)))));
  assert.ok(clock.now() - began <= 60_000, `${clock.now() - began} ms`);
  for (const error of errors) {
    assert.equal(error.kind, "no-endpoint");
    assert.match(
      error.message,
      /^127\.0\.0\.1:\d+ is given up after \d+ failures in a row within \d+ s \(.*500 dead\): repair the endpoint/,
    );
  }
  const sent = endpoint.asked.length;
  assert.equal((await failureOf(model.chat(ask(4)))).kind, "no-endpoint");
  assert.equal(endpoint.asked.length, sent, "nothing is sent to it");

  await clock.sleep(60_000);
  endpoint.behave(() => completion("alive"));
  assert.equal((await model.chat(ask(5))).choices[0].text, "alive");
  endpoint.behave(() => failure(500, "again"), () => completion("alive"));
  assert.equal((await model.chat(ask(6))).choices[0].text, "alive", "one failure is no death");
});

Deno.test("createModels() gives up one question that is never answered, and the endpoint only with the next that fails", async () => {
  using store = openStore(":memory:");
  await using endpoint = startFakeEndpoint();
  const clock = fakeClock();
  const model = modelAt(store, endpoint, clock);
  endpoint.behave(({ body }) =>
    body.messages[0]?.content === "Step 1" ? failure(500, "poison") : completion("alive")
  );
  for (
    const [wanted, question] of [["server", 1], ["alive", 2], ["server", 1], ["alive", 3]] as const
  ) {
    const began = clock.now();
    const said = await model.chat(ask(question)).then(
      ({ choices: [{ text }] }) => text,
      (error) => error.kind,
    );
    assert.deepEqual([said, clock.now() - began <= 60_000], [wanted, true]);
  }
  endpoint.behave(() => failure(500, "dead"));
  const began = clock.now();
  const errors = [await failureOf(model.chat(ask(4))), await failureOf(model.chat(ask(5)))];
  assert.match(errors[0]?.message ?? "", /500 dead; gave up this call after \d attempts$/);
  assert.deepEqual(errors.map(({ kind }) => kind), ["server", "no-endpoint"]);
  assert.ok(
    clock.now() - began <= 60_000,
    "one question at a time, a dead endpoint is still given up within a minute",
  );
});

Deno.test("createModels() does not give an endpoint up that limits the rate or says when to come back", async () => {
  for (
    const refusal of [
      () => failure(429, "slow"),
      () => failure(503, "busy", { headers: { "retry-after": "20" } }),
    ]
  ) {
    using store = openStore(":memory:");
    await using endpoint = startFakeEndpoint();
    endpoint.behave(...Array.from({ length: 7 }, () => refusal), () => completion("at last"));
    const model = modelAt(store, endpoint);
    assert.equal((await model.chat(ask(1))).choices[0].text, "at last");
  }
});

Deno.test("createLimiter() halves the requests in flight after a rate limit, and raises them by one a round", async () => {
  const clock = fakeClock();
  const limiter = createLimiter({ concurrency: 8 }, clock);
  const inFlight = async (): Promise<number> => {
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => limiter.run(work)));
    return most;
  };
  assert.equal(await inFlight(), 8);
  limiter.heard("rate-limited");
  limiter.heard("rate-limited"); // of the same moment
  assert.equal(await inFlight(), 4);
  for (let n = 0; n < 5; n++) limiter.heard("answered");
  assert.equal(await inFlight(), 5);
  for (let n = 0; n < 6; n++) {
    await clock.sleep(1000);
    limiter.heard("rate-limited");
  }
  assert.equal(await inFlight(), 1);
  for (let n = 0; n < 100; n++) limiter.heard("answered");
  assert.equal(await inFlight(), 8, "never more than was asked for");
});
