import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Connection } from "../../../lib/core/env/connection.ts";
import type { MeasuredEnvironment } from "../../../lib/core/env/environment.ts";
import { Supervisor } from "../../../lib/core/env/server.ts";
import { openSession } from "../../../lib/core/env/session.ts";
import { isLocalEndpoint } from "../../../lib/core/env/worker-line.ts";
import { isOfKind } from "./conformance.ts";
import { descendants, until } from "./processes.ts";
import { proxiedServer } from "./proxied-server.ts";
import { ownFolder } from "../../folder.ts";

const { endpoint, proxied } = await proxiedServer();

/** Plays some steps, and asks all that can be asked. */
async function play(env: MeasuredEnvironment, actions: readonly string[]): Promise<unknown[]> {
  const told: unknown[] = [await env.reset()];
  for (const action of actions) {
    told.push(
      await env.step(action).catch((error: Error) => error.message),
      await env.validActions(),
    );
  }
  return [...told, await env.truth()];
}

Deno.test("openSession() shows the same turns and pictures by the direct way, past the server", async () => {
  await proxied(async (proxy, connection) => {
    const plays = [
      {
        world: "textworld/hunt",
        params: { stepLimit: 4 },
        actions: ["take Key 1", "fly", "look", "go west", "inventory", "look"],
      },
      {
        world: "babyai",
        params: { image: true },
        actions: ["turn left", "go forward", "turn right"],
      },
    ];
    for (const { world, params, actions } of plays) {
      const [through, direct] = [
        await openSession(connection, world, params),
        await openSession(connection, world, params, { direct: true }),
      ];
      const wanted = await play(through, actions);
      proxy.requests.length = 0;
      assert.deepEqual(await play(direct, actions), wanted);
      assert.deepEqual(proxy.requests, [], "the server has seen none of it");
      await Promise.all([through.close(), direct.close()]);
    }
  });
});

Deno.test("a socket that breaks under a step: the step is taken once, and the game goes on through the server", async () => {
  using own = ownFolder();
  const folder = own.path;
  let cut = false;
  const open: Socket[] = [];
  let path = "";
  const relay = createServer((near) => { // passes requests on to the worker, and cuts its answer off when told
    const far = connect(path);
    open.push(near, far);
    near.on("data", (data) => far.write(data)).on("error", () => {});
    far.on("data", (data: Buffer) => {
      if (cut) near.end(data.subarray(0, data.length >> 1), () => far.destroy());
      else near.write(data);
    });
  }).listen(join(folder, "relay"));
  try {
    await proxied(async (proxy, connection) => {
      proxy.fate = (frames) => {
        const reply = JSON.parse(Buffer.from(frames[0] ?? []).toString());
        if (reply.ok?.path === undefined) return frames;
        path = reply.ok.path;
        return [Buffer.from(JSON.stringify({ ...reply, ok: { path: join(folder, "relay") } }))];
      };
      const env = await openSession(connection, "textworld/hunt", { stepLimit: 2 }, {
        direct: true,
      });
      await env.reset();
      cut = true;
      proxy.requests.length = 0;
      assert.equal((await env.step("take Key 1")).score, 1);
      assert.deepEqual(
        proxy.requests,
        ["step"],
        "the server was asked for the answer that was cut off",
      );
      const last = await env.step("inventory");
      assert.deepEqual(
        [last.end, /Key 1/.test(last.observation)],
        ["limit", true],
        "two steps have been taken",
      );
      await env.close();
    });
  } finally {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => relay.close(resolve));
  }
});

Deno.test("an interrupted direct step made again is the same step; another action comes after it", async () => {
  const connection = new Connection({ endpoint });
  let controller = new AbortController();
  const { pid } = (await connection.call("hello", {})).ok;
  const others = new Set(descendants(pid));
  const env = await openSession(connection, "textworld/hunt", { stepLimit: 3 }, {
    signal: () => controller.signal,
    direct: true,
  });
  const worker = descendants(pid).find((below) => !others.has(below)) ?? assert.fail("no worker");
  await env.reset();
  for (const action of ["take Key 1", "drop Key 1"]) {
    process.kill(worker, "SIGSTOP"); // so that there is no answer yet
    const step = env.step(action);
    await setTimeout(50); // it has been sent
    controller.abort(new DOMException("stop", "AbortError"));
    await assert.rejects(step, { name: "AbortError" });
    controller = new AbortController();
    process.kill(worker, "SIGCONT");
    if (action === "take Key 1") assert.equal((await env.step(action)).score, 1);
  }
  const last = await env.step("inventory");
  assert.deepEqual([last.end, /carrying nothing/.test(last.observation)], ["limit", true]);
  await env.close();
  connection.close();
});

Deno.test("a process waits for the answers of its direct session, and for nothing more", async () => {
  using own = ownFolder();
  const folder = own.path;
  const turn = {
    goal: "g",
    observation: "late",
    sections: {},
    frames: [],
    score: 0,
    maxScore: 1,
    end: null,
    image: null,
  };
  const worker = createServer((socket) =>
    socket.on("data", async (data: Buffer) => {
      const reply = Buffer.from(
        JSON.stringify({ v: 1, id: JSON.parse(data.subarray(8).toString()).id, ok: turn }),
      );
      await setTimeout(300);
      socket.write(Buffer.concat([Buffer.from(new Uint32Array([1, reply.length]).buffer), reply]));
    }).on("error", () => {})
  ).listen(join(folder, "worker"));
  try {
    const script = join(import.meta.dirname ?? "", "one_call.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [
      "run",
      "-A",
      "--no-check",
      script,
      join(folder, "worker"),
    ], {
      timeout: 60_000,
    });
    assert.equal(stdout, "late");
  } finally {
    await new Promise((resolve) => worker.close(resolve));
  }
});

Deno.test("a killed worker is a typed error to its direct session, a killed server to all of them", async () => {
  const supervisor = new Supervisor();
  const connection = await supervisor.connection();
  const { pid } = (await connection.call("hello", {})).ok;
  const spared = await openSession(connection, "textworld/hunt", {}, { direct: true });
  await spared.reset();
  const others = new Set(descendants(pid));
  const struck = await openSession(connection, "textworld/hunt", {}, { direct: true });
  await struck.reset();
  const worker = descendants(pid).find((below) => !others.has(below)) ?? assert.fail("no worker");
  process.kill(worker, "SIGSTOP"); // so that the step is surely under way
  const step = struck.step("look");
  await setTimeout(50);
  process.kill(worker, "SIGKILL");
  await assert.rejects(
    step,
    (error: Error) => isOfKind("worker-died")(error) && /SIGKILL/.test(error.message),
  );
  assert.equal((await spared.step("take Key 1")).score, 1);
  process.kill(pid, "SIGKILL");
  await assert.rejects(async () => {
    for (;;) await spared.step("look");
  }, isOfKind("worker-died"));
  await Promise.all([spared.close(), struck.close()]);
  assert.ok(await until(() => descendants(pid).length === 0));
  await supervisor.stop();
});

Deno.test("isLocalEndpoint() holds of this machine's addresses alone", () => {
  const local = [
    "tcp://127.0.0.1:5555",
    "tcp://localhost:1",
    "tcp://[::1]:5555",
    "ipc:///tmp/worlds",
  ];
  const far = [
    "tcp://10.0.0.7:5555",
    "tcp://127.0.0.1.example.org:5555",
    "tcp://worlds:5555",
    "tcp://[fe80::1]:5555",
  ];
  assert.deepEqual(local.filter((endpoint) => !isLocalEndpoint(endpoint)), []);
  assert.deepEqual(far.filter(isLocalEndpoint), []);
});
