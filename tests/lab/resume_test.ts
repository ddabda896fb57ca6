import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { playHunt } from "./play_child.ts";
import { rowsOf, startChild } from "./played.ts";

// One world server serves all that is played in this process.
const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());

Deno.test("runStudy() gives the same 100 steps in two processes and in another order of lanes", () =>
  inFolder(async (folder) => {
    const [here, there] = [join(folder, "here.sqlite"), join(folder, "there.sqlite")];
    const child = startChild(there, "offline", 100, "wander,arigraph");
    await playHunt(here, "offline", 100, "arigraph,wander");
    if (child.exitCode === null) await once(child, "exit");
    assert.deepEqual(rowsOf(there), rowsOf(here));
    assert.ok(rowsOf(here).turns.length > 101 + 20, "100 random steps, and those of the hunt");
  }));

/** A folder of the test's own. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-resume-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
