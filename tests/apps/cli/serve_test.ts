import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { main as makeKeys } from "../../../lib/apps/cli/keys.ts";
import { main as serve } from "../../../lib/apps/cli/serve.ts";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { keepServer } from "../../../lib/core/env/worlds.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { isOfKind } from "../../core/env/conformance.ts";
import { descendants, isRunning, until } from "../../core/env/processes.ts";
import { withVariables } from "../../environment.ts";

const folder = mkdtempSync(join(tmpdir(), "labyrinth-keys-"));
const [mine, others] = [join(folder, "mine"), join(folder, "others")];
const lab = ["run", "-A", "--no-check", join(checkoutRoot(), "lib", "apps", "cli", "main.ts")];
for (const keys of [mine, others]) {
  assert.equal(spawnSync(process.execPath, [...lab, "keys", keys]).status, 0);
}

const served = spawn(process.execPath, [...lab, "serve", "--keys", mine], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface({ input: served.stdout }), "line") as [string];
const endpoint = line.match(/tcp:\/\/127\.0\.0\.1:\d+/)?.[0] ?? assert.fail(line);
Deno.test.afterAll(() => {
  served.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

Deno.test("keys writes private files for their owner alone, and never over others", async () => {
  for (const name of ["server.key_secret", "client.key_secret"]) {
    assert.equal(statSync(join(mine, name)).mode & 0o077, 0, name);
  }
  await assert.rejects(
    makeKeys([mine]),
    (error) => error instanceof UsageError && /already/.test(error.message),
  );
  await assert.rejects(
    makeKeys([join(folder, "x".repeat(3000))]),
    (error) => error instanceof UsageError && !/Traceback/.test(error.message),
  );
});

Deno.test("serve refuses what it cannot serve by, before it starts anything", async () => {
  for (
    const [option, wrong] of [["--bind", "here"], ["--lease", "soon"], ["--max-sessions", "1.5"], [
      "--games",
      "/nosuch",
    ]] as const
  ) {
    await assert.rejects(
      serve([`${option}=${wrong}`]),
      (error) => error instanceof UsageError && error.message.startsWith(option),
    );
  }
});

Deno.test({
  name: "serve ends, and its server with it, where its address cannot be written",
  ignore: !existsSync("/dev/full"),
  fn: () => {
    const words = ["-c", 'exec "$@" >/dev/full', "sh", process.execPath, ...lab, "serve"];
    const { status, stderr } = spawnSync("/bin/sh", words, { encoding: "utf8", timeout: 120_000 });
    assert.equal(status, 1);
    assert.match(stderr, /^lab: No space left on device[^\n]*\n$/);
  },
});

Deno.test("an episode is played through CURVE on a server started apart", async () => {
  const worlds = connectWorlds({ endpoint, keys: mine });
  const env = await worlds.open("textworld/hunt", { stepLimit: 3 });
  assert.match((await env.reset()).observation, /Key 1/);
  assert.equal((await env.step("take Key 1")).score, 1);
  assert.ok((await env.validActions())?.includes("drop Key 1"));
  await env.step("look");
  assert.equal((await env.step("look")).end, "limit");
  await worlds.close();
});

Deno.test("LAB_WORLDS and LAB_WORLDS_KEYS lead there too", async () => {
  using _place = withVariables({ LAB_WORLDS: endpoint, LAB_WORLDS_KEYS: mine });
  const worlds = connectWorlds();
  assert.ok((await worlds.list()).some(({ id }) => id === "textworld/hunt"));
  await worlds.close();
});

Deno.test("a wrong key, and none, get no answer, and are told that the key may be why", async () => {
  for (const options of [{ keys: others }, {}]) {
    const worlds = connectWorlds({ endpoint, silence: 500, ...options });
    const isTold = (error: Error): boolean =>
      isOfKind("unreachable")(error) && error.message.includes(endpoint) &&
      /key/.test(error.message);
    await assert.rejects(worlds.list(), isTold);
    await worlds.close();
  }
});

Deno.test("SIGINT ends the server in order", async () => {
  const closed = once(served, "close");
  served.kill("SIGINT");
  assert.deepEqual(await closed, [0, null]);
});

Deno.test("keepServer() keeps one server for catalogues that are opened one after the other, and stops it", async () => {
  const before = new Set(descendants(process.pid));
  const server = keepServer();
  const seen: number[][] = [];
  for (const _ of ["first", "second"]) {
    await using worlds = connectWorlds();
    await (await worlds.open("textworld/hunt")).close();
    seen.push(descendants(process.pid).filter((pid) => !before.has(pid)));
  }
  const kept = seen[0]?.filter((pid) => seen[1]?.includes(pid)) ?? [];
  assert.ok(kept.some(isRunning), `${seen.map((pids) => pids.join(" ")).join("; ")}`);
  await server[Symbol.asyncDispose]();
  assert.ok(await until(() => !kept.some(isRunning)), `left behind: ${kept.filter(isRunning)}`);
});
