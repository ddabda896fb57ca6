import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { Connection } from "../../../lib/core/env/connection.ts";
import { spawnServer, Supervisor } from "../../../lib/core/env/server.ts";
import { openSession } from "../../../lib/core/env/session.ts";
import { isOfKind } from "./conformance.ts";
import { descendants, isRunning, until } from "./processes.ts";
import { ownFolder } from "../../folder.ts";

/** Starts a lab process; `below` are its world server and all that is below that. */
async function startLab(
  mode: "idle" | "busy",
): Promise<{ lab: ReturnType<typeof spawn>; below: number[] }> {
  const { LAB_WORLDS: _, ...env } = process.env; // it starts a server of its own
  const lab = spawn(process.execPath, [
    "run",
    "-A",
    "--no-check",
    join(import.meta.dirname ?? "", "lab_process.ts"),
    mode,
  ], {
    stdio: ["pipe", "pipe", "inherit"],
    env,
  });
  assert.ok(lab.stdout && lab.pid);
  await once(createInterface({ input: lab.stdout }), "line");
  return { lab, below: descendants(lab.pid) };
}

Deno.test("kill -9 of a lab in mid-game leaves no process behind", async () => {
  const { lab, below } = await startLab("busy");
  assert.ok(below.length >= 3, "a server, the parent of its workers, and a worker");
  const closed = once(lab, "close");
  lab.kill("SIGKILL");
  await closed;
  assert.ok(await until(() => !below.some(isRunning)), `left behind: ${below.filter(isRunning)}`);
});

Deno.test("a lab that has nothing more to do exits although its server runs, and leaves no process behind", async () => {
  const { lab, below } = await startLab("idle");
  assert.ok(below.length >= 1, "a server");
  const closed = once(lab, "close");
  lab.stdin?.end();
  const [status] = await closed;
  assert.equal(status, 0);
  assert.ok(await until(() => !below.some(isRunning)), `left behind: ${below.filter(isRunning)}`);
});

Deno.test("a killed worker is a typed error to its session, a killed server to all; then there is a new server", async () => {
  const supervisor = new Supervisor();
  const connection = await supervisor.connection();
  const { pid } = (await connection.call("hello", {})).ok;
  const spared = await openSession(connection, "textworld/hunt", {});
  await spared.reset();
  const others = new Set(descendants(pid));
  const struck = await openSession(connection, "textworld/hunt", {});
  await struck.reset();
  const worker = descendants(pid).find((below) => !others.has(below)) ?? assert.fail("no worker");

  process.kill(worker, "SIGKILL");
  await assert.rejects(struck.step("look"), isOfKind("worker-died"));
  assert.equal((await spared.step("take Key 1")).score, 1);

  const below = descendants(pid);
  const playing = below.at(-1) ?? assert.fail("no worker");
  process.kill(playing, "SIGSTOP"); // so that the step is surely under way
  const step = spared.step("look");
  await setTimeout(50);
  process.kill(pid, "SIGKILL");
  await assert.rejects(step, isOfKind("worker-died"));
  await assert.rejects(spared.step("look"), isOfKind("worker-died"));
  await spared.close();
  assert.ok(
    await until(() => !below.some(isRunning)),
    "all below it end with the server, stopped or not",
  );

  const again = await openSession(await supervisor.connection(), "textworld/hunt", {});
  assert.match((await again.reset()).observation, /Key 1/);
  const now = (await (await supervisor.connection()).call("hello", {})).ok.pid;
  const belowNow = [now, ...descendants(now)];
  await supervisor.stop();
  assert.ok(
    await until(() => !belowNow.some(isRunning)),
    `left behind: ${belowNow.filter(isRunning)}`,
  );
});

Deno.test("a server elsewhere that is started anew is found again; its old sessions are unknown", async () => {
  const first = spawnServer([]);
  const { endpoint } = await first.ready;
  const connection = new Connection({ endpoint, silence: 240_000 });
  const old = (await connection.call("hello", {})).ok.pid;
  first.child.kill("SIGKILL");
  await first.exited;
  const pending = connection.call("hello", {}); // waits for a server to come
  const second = spawnServer([`--bind=${endpoint}`]);
  await second.ready;
  assert.notEqual((await pending).ok.pid, old);
  await assert.rejects(
    connection.call("reset", { session: "of-the-old-one" }),
    isOfKind("unknown-session"),
  );
  // A second server at the same address says in one line what is wrong.
  const third = spawnServer([`--bind=${endpoint}`]);
  await assert.rejects(
    third.ready,
    (error: Error) => isOfKind("not-started")(error) && /in use/.test(error.message),
  );
  await third.exited;
  connection.close();
  second.child.stdin?.end();
  await second.exited;
});

Deno.test("no Python environment, and one that is broken, are one line each with a remedy or the last words", async () => {
  using own = ownFolder();
  const root = own.path;
  const supervisor = new Supervisor(root);
  const missing = async (): Promise<unknown> => await supervisor.connection();
  await assert.rejects(
    missing,
    (error: Error) => isOfKind("not-started")(error) && /uv sync/.test(error.message),
  );
  const python = join(root, "envs", ".venv", "bin", "python");
  mkdirSync(dirname(python), { recursive: true });
  writeFileSync(python, "#!/bin/sh\necho 'No module named zmq' >&2\nexit 1\n", { mode: 0o755 });
  await assert.rejects(
    missing,
    (error: Error) => isOfKind("not-started")(error) && /No module named zmq/.test(error.message),
  );
  writeFileSync(python, "#!/bin/sh\necho nonsense\ncat\n", { mode: 0o755 });
  await assert.rejects(
    missing,
    (error: Error) => isOfKind("not-started")(error) && /nonsense/.test(error.message),
  );
  await supervisor.stop();
});
