import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { Connection } from "../../../lib/core/env/connection.ts";
import { openSession } from "../../../lib/core/env/session.ts";
import { Wire } from "../../../lib/core/env/wire.ts";
import { UsageError, WorldError } from "../../../lib/core/errors.ts";
import { proxiedServer } from "./proxied-server.ts";
import type { Fate } from "./proxy.ts";

const { endpoint, proxied } = await proxiedServer({ silence: 5000 }); // a server on a busy machine is silent for a second, too

/** The kind of error that a promise ends with. */
async function failure(promise: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof WorldError, String(error));
  assert.doesNotMatch(error.message, /\n/);
  return error;
}

const parsed = (frames: readonly Uint8Array[]): { id: string; ok?: Record<string, unknown> } =>
  JSON.parse(Buffer.from(frames[0] ?? []).toString());

Deno.test("call() answers 3,000 calls at once, each with its own answer", async () => {
  const connection = new Connection({ endpoint });
  const kinds = Array.from({ length: 3000 }, (_, i) => i % 3);
  const answers = await Promise.all(
    kinds.map((kind) =>
      kind === 0
        ? connection.call("ping", {})
        : kind === 1
        ? connection.call("hello", {})
        : failure(connection.call("reset", { session: "none" }))
    ),
  );
  connection.close();
  const keys = answers.map((answer) =>
    "ok" in answer ? Object.keys(answer.ok).length : answer.kind
  );
  assert.deepEqual(keys, kinds.map((kind) => [1, 6, "unknown-session"][kind]));
});

Deno.test("a step whose reply is lost is asked for again and taken once", async () => {
  await proxied(async (proxy, connection) => {
    const env = await openSession(connection, "textworld/hunt", { stepLimit: 2 });
    const undisturbed = await openSession(connection, "textworld/hunt", { stepLimit: 2 });
    await undisturbed.reset();
    const wanted = [await undisturbed.step("take Key 1"), await undisturbed.step("look")];
    await env.reset();
    const seen: string[] = [];
    const loseFirst: Fate = (frames) => {
      const { id, ok } = parsed(frames);
      if (!ok || !("goal" in ok)) return frames;
      seen.push(id);
      return seen.length <= 2 ? undefined : frames;
    };
    proxy.fate = loseFirst;
    const before = proxy.requests.filter((method) => method === "step").length;
    assert.deepEqual(await env.step("take Key 1"), wanted[0]);
    assert.ok(proxy.requests.filter((method) => method === "step").length - before >= 3);
    assert.equal(new Set(seen).size, 1);
    assert.deepEqual(await env.step("look"), wanted[1]);
    assert.equal(wanted[1]?.end, "limit");
    await Promise.all([env.close(), undisturbed.close()]);
  });
});

Deno.test("an interrupted step made again is the same step; another action comes after it", async () => {
  await proxied(async (proxy, connection) => {
    let controller = new AbortController();
    const env = await openSession(connection, "textworld/hunt", { stepLimit: 3 }, {
      signal: () => controller.signal,
    });
    await env.reset();
    const interrupted = async (action: string): Promise<void> => {
      controller = new AbortController();
      const { promise: taken, resolve } = Promise.withResolvers<void>();
      proxy.fate = (frames) => {
        if (!("goal" in (parsed(frames).ok ?? {}))) return frames;
        resolve();
        return undefined;
      };
      const step = env.step(action);
      await taken; // the server has taken it, the answer is lost
      controller.abort(new DOMException("stop", "AbortError"));
      await assert.rejects(step, { name: "AbortError" });
      controller = new AbortController();
      proxy.fate = (frames) => frames;
    };
    await interrupted("take Key 1");
    assert.equal((await env.step("take Key 1")).score, 1);
    await interrupted("drop Key 1");
    // Two steps have been taken and this is the third: the limit says so.
    const last = await env.step("inventory");
    assert.match(last.observation, /carrying nothing/);
    assert.equal(last.end, "limit");
    await env.close();
  });
});

Deno.test("an interrupted opening leaves no session behind", async () => {
  const connection = new Connection({ endpoint });
  const before = (await connection.call("ping", {})).ok.sessions;
  const opening = openSession(connection, "textworld/hunt", {}, {
    signal: () => AbortSignal.timeout(5),
  });
  await assert.rejects(opening, { name: "TimeoutError" });
  const end = performance.now() + 120_000;
  while ((await connection.call("ping", {})).ok.sessions !== before && performance.now() < end) {
    await setTimeout(20);
  }
  assert.equal((await connection.call("ping", {})).ok.sessions, before);
  connection.close();
});

Deno.test("pictures of 10 MB come through, in their places", async () => {
  await proxied(async (proxy, connection) => {
    const env = await openSession(connection, "textworld/hunt", {});
    const pictures = [1, 2].map((fill) => new Uint8Array(10_000_000).fill(fill));
    proxy.fate = (frames) => {
      const reply = parsed(frames);
      if (!reply.ok || !("goal" in reply.ok)) return frames;
      const frame = { action: "look", observation: "", sections: {}, image: 0 };
      return [
        Buffer.from(JSON.stringify({ ...reply, ok: { ...reply.ok, image: 1, frames: [frame] } })),
        ...pictures,
      ];
    };
    const turn = await env.reset();
    assert.deepEqual([turn.frames[0]?.image?.length, turn.frames[0]?.image?.at(-1)], [
      10_000_000,
      1,
    ]);
    assert.deepEqual([turn.image?.length, turn.image?.at(-1)], [10_000_000, 2]);
    proxy.fate = (frames) => frames;
    await env.close();
  });
});

Deno.test("an answer of another shape or version is an error that says so", async () => {
  await proxied(async (proxy, connection) => {
    for (const change of [{ ok: { sessions: 1, more: 1 } }, { v: 2 }, { ok: "text" }]) {
      proxy.fate = (frames) => [Buffer.from(JSON.stringify({ ...parsed(frames), ...change }))];
      const { kind, message } = await failure(connection.call("ping", {}));
      assert.equal(kind, "version");
      assert.match(message, /same release/);
    }
    proxy.fate = () => [Buffer.from("{")]; // belongs to no call: lost
    const impatient = new Connection({ endpoint: proxy.endpoint, timeout: 100 });
    assert.equal((await failure(impatient.call("ping", {}))).kind, "unreachable");
    impatient.close();
  });
});

Deno.test("no server at the endpoint is `unreachable`, by name; a text that is no endpoint is the user's mistake", async () => {
  const connection = new Connection({ endpoint: "tcp://127.0.0.1:1", silence: 200 });
  const [first, second] = await Promise.all([
    failure(connection.call("ping", {})),
    failure(connection.call("hello", {})),
  ]);
  assert.deepEqual([first.kind, second.kind], ["unreachable", "unreachable"]);
  assert.match(first.message, /tcp:\/\/127\.0\.0\.1:1 /);
  await assert.rejects(new Connection({ endpoint: "somewhere" }).call("ping", {}), UsageError);
});

Deno.test("a call outlives the time of silence while the server gives signs of life", async () => {
  await proxied(async (proxy, connection) => {
    let held = true;
    proxy.fate = (frames) =>
      held && "leaseSeconds" in (parsed(frames).ok ?? {}) ? undefined : frames;
    const slow = connection.call("hello", {});
    await setTimeout(11_000); // twice the silence
    held = false;
    assert.equal((await slow).ok.protocol, 1);
  }, { silence: 5000 }); // below it, a busy machine would be silent, too
});

Deno.test("bad bytes on the wire are answered, and the server lives on", async () => {
  const answers: { id: string | null; error: { code: string } }[] = [];
  const wire = new Wire(endpoint, undefined, {
    receive: (frames) => answers.push(JSON.parse(Buffer.from(frames[0] ?? []).toString())),
    waiting: () => ({ calls: 3 - answers.length, usual: 0 }),
    broken: (cause) => assert.fail(String(cause)),
  });
  const send = (request: unknown): void =>
    wire.queue(
      String(request),
      Buffer.from(typeof request === "string" ? request : JSON.stringify(request)),
    );
  send("{not JSON");
  send(JSON.stringify({ v: 2, id: "request-1", method: "ping" }));
  send(JSON.stringify({ v: 1, id: "request-2", method: "fly" }));
  const end = performance.now() + 120_000;
  while (answers.length < 3 && performance.now() < end) await setTimeout(5);
  wire.close();
  assert.deepEqual(answers.map(({ id, error }) => [id, error.code]), [[null, "bad-request"], [
    "request-1",
    "version",
  ], [
    "request-2",
    "bad-request",
  ]]);
  const connection = new Connection({ endpoint });
  assert.equal((await connection.call("hello", {})).ok.protocol, 1);
  connection.close();
});
