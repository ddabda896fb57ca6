/**
 * How the lab as a process of its own ends: by a signal, and where its output cannot be written.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { listEpisodes } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { ownFolder } from "../../folder.ts";

const LAB = [
  process.execPath,
  "run",
  "-A",
  "--no-check",
  join(checkoutRoot(), "lib", "apps", "cli", "main.ts"),
];

Deno.test("SIGTERM and SIGHUP pause a run as Ctrl-C does, with the status of the signal", async () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    using own = ownFolder();
    const folder = own.path;
    const path = join(folder, "lab.sqlite");
    const args = ["study", "arigraph-random-walk", "--store", path];
    const child = spawn(LAB[0] ?? "", [...LAB.slice(1), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, closed] = [textOf(child), once(child, "close")];
    while (!hasBegun(path) && child.exitCode === null) await setTimeout(50);
    child.kill(signal);
    assert.deepEqual(await closed, [128 + constants.signals[signal], null], said());
    assert.match(
      said(),
      new RegExp(`\\nlab: interrupted by ${signal}; run the same command again to go on\\n$`),
    );
    using store = openStore(path);
    assert.ok(listEpisodes(store).some(({ failureKind }) => failureKind === "interrupted"));
    assert.ok(listEpisodes(store).every(({ status }) => status !== "running"));
  }
});

Deno.test("an output that nobody reads ends a command silently, a full device in one line", () => {
  const run = (line: string): ReturnType<typeof spawnSync> =>
    spawnSync("bash", ["-c", line, "bash", ...LAB], { encoding: "utf8" });
  for (const command of ["--help", "worlds --json"]) {
    const piped = run(`"$@" ${command} | true; exit \${PIPESTATUS[0]}`);
    assert.deepEqual([withoutWarning(piped.stderr), piped.status], ["", 0], command);
    if (!existsSync("/dev/full")) continue;
    const full = run(`"$@" ${command} > /dev/full`);
    assert.match(withoutWarning(full.stderr), /^lab: [^\n]*No space left on device[^\n]*\n$/);
    assert.equal(full.status, 1);
  }
  if (existsSync("/dev/full")) assert.equal(run(`"$@" nothing 2> /dev/full`).status, 2);
});

/**
 * ZeroMQ's client prints this where its threads take more than half a second to end, as on a busy
 * machine, and cannot be told not to.
 */
function withoutWarning(text: unknown): string {
  return String(text).replace(/^\(node:\d+\) WARNING: Waiting for queued ZeroMQ messages.*\n/m, "");
}

function textOf(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk) => text += chunk);
  return () => text;
}

function hasBegun(path: string): boolean {
  try {
    using store = openStore(path, { create: false });
    return listEpisodes(store).some(({ status }) => status === "running");
  } catch {
    return false; // not there yet, or being made
  }
}
