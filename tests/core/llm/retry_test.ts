import assert from "node:assert/strict";
import { ModelError, type ModelErrorKind } from "../../../lib/core/errors.ts";
import { createLimiter } from "../../../lib/core/llm/limit.ts";
import { type Attempt, parseRetryAfter, withRetries } from "../../../lib/core/llm/retry.ts";
import { scripted, type ScriptedReply } from "../../../lib/core/llm/scripted.ts";
import { fakeClock } from "./fake-endpoint.ts";

const request = { role: "demo/ask", messages: [{ role: "user" as const, content: "Hi" }] };

function fail(kind: ModelErrorKind, retryAfterMs?: number): ScriptedReply {
  return () => {
    throw new ModelError(
      kind,
      `failed: ${kind}`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  };
}

Deno.test("withRetries() retries after transient errors and reports each attempt", async () => {
  const clock = fakeClock();
  const attempts: Attempt[] = [];
  const model = scripted([
    fail("rate-limit"),
    fail("server"),
    fail("timeout"),
    fail("protocol"),
    "at last",
  ]);
  const reply = await withRetries(model, { clock, onAttempt: (attempt) => attempts.push(attempt) })
    .chat(request);
  assert.equal(reply.choices[0].text, "at last");
  assert.equal(reply.latencyMs, 0); // the clock stands while the model answers: waiting is not counted
  assert.deepEqual(
    attempts.map(({ number, error }) => [number, (error as ModelError | undefined)?.kind]),
    [
      [1, "rate-limit"],
      [2, "server"],
      [3, "timeout"],
      [4, "protocol"],
      [5, undefined],
    ],
  );
  clock.slept.forEach((wait, index) => {
    const whole = 1000 * 2 ** index;
    assert(
      wait >= whole / 2 && wait <= whole,
      `wait ${index} of ${wait} ms, wanted ${whole / 2} to ${whole}`,
    );
  });
  assert.equal(clock.slept.length, 4);
});

Deno.test("withRetries() gives up after 8 attempts and keeps the kind", async () => {
  const clock = fakeClock();
  const model = scripted(Array.from({ length: 9 }, () => fail("server")));
  await assert.rejects(withRetries(model, { clock }).chat(request), (error: ModelError) => {
    assert.equal(error.kind, "server");
    assert.match(error.message, /^failed: server; gave up after attempt 8 and \d+ s of waiting$/);
    return true;
  });
  assert.equal(model.requests.length, 8);
});

Deno.test("withRetries() does not retry after an error that is not transient", async () => {
  const kinds: ModelErrorKind[] = [
    "no-endpoint",
    "authentication",
    "quota",
    "refused",
    "context-length",
    "bad-request",
    "cache-miss",
  ];
  for (const kind of kinds) {
    const model = scripted([fail(kind), "never"]);
    await assert.rejects(withRetries(model, { clock: fakeClock() }).chat(request), {
      kind,
      message: `failed: ${kind}`,
    });
    assert.equal(model.requests.length, 1);
  }
  const broken = scripted([() => {
    throw new TypeError("a bug");
  }, "never"]);
  await assert.rejects(withRetries(broken, { clock: fakeClock() }).chat(request), TypeError);
});

Deno.test("withRetries() waits as long as the endpoint asks, at most 15 minutes a call", async () => {
  const clock = fakeClock();
  const patient = scripted([fail("rate-limit", 0), fail("rate-limit", 899_000), "at last"]);
  assert.equal((await withRetries(patient, { clock }).chat(request)).choices[0].text, "at last");
  assert.deepEqual(clock.slept, [0, 899_000]);

  const greedy = scripted([fail("rate-limit", 600_000), fail("rate-limit", 300_001), "never"]);
  await assert.rejects(withRetries(greedy, { clock: fakeClock() }).chat(request), {
    kind: "rate-limit",
    message: /after attempt 2 and 600 s of waiting; the next attempt would have to wait 300 s more/,
  });
});

Deno.test("parseRetryAfter() parses seconds and dates, and returns undefined for anything else", () => {
  assert.equal(parseRetryAfter("0", 5), 0);
  assert.equal(parseRetryAfter("1.5", 5), 1500);
  assert.equal(
    parseRetryAfter("Wed, 21 Oct 2015 07:28:00 GMT", Date.UTC(2015, 9, 21, 7, 27, 30)),
    30_000,
  );
  assert.equal(parseRetryAfter("Wed, 21 Oct 2015 07:28:00 GMT", Date.UTC(2016, 0)), 0);
  for (const header of [null, undefined, "", " ", "-3", "soon"]) {
    assert.equal(parseRetryAfter(header, 0), undefined);
  }
  assert.equal(parseRetryAfter("Wed, 21 Oct 2015 07:28:00 GMT", NaN), undefined);
});

Deno.test("createLimiter() starts no more than its limit within any 60 s", async () => {
  const clock = fakeClock(0);
  const limiter = createLimiter({ concurrency: 10, perMinute: 3 }, clock);
  const starts: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, () => limiter.run(() => Promise.resolve(starts.push(clock.now())))),
  );
  assert.deepEqual(starts, [0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000]);
});
