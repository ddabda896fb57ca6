import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { openStore } from "../../lib/store/open.ts";
import { startEndpoint } from "./endpoint.ts";
import { playHunt } from "./play_child.ts";

const STEPS = 6;
process.env.OPENAI_API_KEY ??= "none";

// One world server serves all that is played in this process.
const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());

Deno.test("runStudy() resumes a killed run without lost steps, repeated calls or changed rows", () =>
  inFolder(async (folder) => {
    await using endpoint = await startEndpoint();
    const undisturbed = join(folder, "undisturbed.sqlite");
    assert.equal((await playHunt(undisturbed, endpoint.baseUrl, STEPS, "arigraph")).completed, 1);
    const needed = endpoint.answered.splice(0);
    assert.ok(needed.length > 3 * STEPS, "a step asks several questions");

    const killed = join(folder, "killed.sqlite");
    const at = Math.floor(needed.length / 2);
    const child = start(killed, endpoint.baseUrl, STEPS, "arigraph");
    // In the middle of a step: this question is asked and never answered.
    endpoint.onRequest = (answered) => answered < at || (child.kill("SIGKILL"), false);
    await once(child, "exit");
    assert.equal(endpoint.answered.length, at, "play was cut off");
    const finished = rowsOf(killed).turns;
    assert.ok(finished.length > 1 && finished.length < STEPS + 1, `some steps were finished, not all: ${finished.length}`);

    endpoint.onRequest = () => true;
    assert.equal((await playHunt(killed, endpoint.baseUrl, STEPS, "arigraph")).completed, 1);
    assert.deepEqual(endpoint.answered, needed, "every call was answered once, and in the same order");
    assert.deepEqual(rowsOf(killed).turns.slice(0, finished.length), finished, "steps finished before the kill stand");
    assert.deepEqual(rowsOf(killed), rowsOf(undisturbed));
  }));

Deno.test("runStudy() gives the same 100 steps in two processes and in another order of lanes", () =>
  inFolder(async (folder) => {
    const [here, there] = [join(folder, "here.sqlite"), join(folder, "there.sqlite")];
    const child = start(there, "offline", 100, "wander,arigraph");
    await playHunt(here, "offline", 100, "arigraph,wander");
    if (child.exitCode === null) await once(child, "exit");
    assert.deepEqual(rowsOf(there), rowsOf(here));
    assert.ok(rowsOf(here).turns.length > 101 + 20, "100 random steps, and those of the hunt");
  }));

interface Rows {
  readonly turns: unknown[];
  readonly episodes: unknown[];
  readonly changes: unknown[];
  readonly events: unknown[];
}

/** All that decides tables and figures, without times. */
function rowsOf(path: string): Rows {
  using store = openStore(path);
  const all = (sql: string): unknown[] => store.prepare(sql).all().map((row) => ({ ...row }));
  return {
    episodes: all("select id, lane, identity, status, score, max_score, ended, steps, passes, artefact_out from episodes order by id"),
    turns: all("select * from turns order by episode, pass, step"),
    changes: all("select * from graph_changes order by episode, pass, step, ordinal"),
    events: all("select * from events order by episode, pass, step, ordinal"),
  };
}

function start(...args: [store: string, baseUrl: string, steps: number, lanes: string]): ChildProcess {
  const script = fileURLToPath(new URL("play_child.ts", import.meta.url));
  return spawn(process.execPath, ["run", "-A", "--no-check", script, ...args.map(String)], { stdio: ["ignore", "ignore", "inherit"] });
}

/** A folder of the test's own. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-resume-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
