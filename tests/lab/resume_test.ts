import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openStore, type Store } from "../../lib/store/open.ts";
import { startEndpoint } from "./endpoint.ts";

const STEPS = 6;

Deno.test("a run killed in mid-episode goes on: no finished step lost, no answered call asked twice, the same rows as undisturbed", () =>
  inFolder(async (folder) => {
    await using endpoint = await startEndpoint();
    const undisturbed = join(folder, "undisturbed.sqlite");
    assert.match(await play(undisturbed, endpoint.baseUrl), /arigraph completed/);
    const needed = endpoint.answered.splice(0);
    assert.ok(needed.length > 3 * STEPS, "a step asks several questions");

    const killed = join(folder, "killed.sqlite");
    let finished: unknown[] = [];
    for (const at of [Math.floor(needed.length / 3), Math.floor(needed.length * 2 / 3)]) {
      const child = start(killed, endpoint.baseUrl);
      // In the middle of a step: this question is asked and never answered.
      endpoint.onRequest = (answered) => answered < at || (child.kill("SIGKILL"), false);
      await once(child, "exit");
      assert.equal(endpoint.answered.length, at, "play was cut off");
      using store = openStore(killed);
      const turns = rows(store).turns;
      assert.deepEqual(turns.slice(0, finished.length), finished, "steps finished before an earlier kill still stand");
      assert.ok(turns.length > finished.length && turns.length < STEPS + 1, `some steps were finished, not all: ${turns.length}`);
      finished = turns;
    }
    endpoint.onRequest = () => true;
    assert.match(await play(killed, endpoint.baseUrl), /arigraph completed/);

    assert.deepEqual(endpoint.answered, needed, "every call was answered once, and in the same order");
    using one = openStore(undisturbed);
    using other = openStore(killed);
    assert.deepEqual(rows(other), rows(one));
  }));

Deno.test("the same identity gives the same 100 steps in two processes and in another order of lanes", () =>
  inFolder(async (folder) => {
    const paths = [join(folder, "one.sqlite"), join(folder, "two.sqlite")] as const;
    assert.match(await play(paths[0], "offline", 100, "arigraph,full-history"), /arigraph completed/);
    assert.match(await play(paths[1], "offline", 100, "full-history,arigraph"), /arigraph completed/);
    using one = openStore(paths[0]);
    using two = openStore(paths[1]);
    assert.deepEqual(rows(two), rows(one));
    assert.ok(rows(one).turns.length > 100);
  }));

/** All that decides tables and figures, without times. */
function rows(store: Store): { turns: unknown[]; episodes: unknown[]; changes: unknown[]; events: unknown[] } {
  const all = (sql: string): unknown[] => store.prepare(sql).all().map((row) => ({ ...row }));
  return {
    episodes: all("select id, lane, identity, status, score, max_score, ended, steps, passes, artefact_out from episodes order by id"),
    turns: all("select * from turns order by episode, pass, step"),
    changes: all("select * from graph_changes order by episode, pass, step, ordinal"),
    events: all("select * from events order by episode, pass, step, ordinal"),
  };
}

function start(store: string, baseUrl: string, steps = STEPS, lanes = "arigraph"): ChildProcess {
  const script = fileURLToPath(new URL("play_child.ts", import.meta.url));
  const env = { ...process.env, OPENAI_API_KEY: "none" };
  return spawn(process.execPath, ["run", "-A", "--no-check", script, store, baseUrl, String(steps), lanes], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
}

async function play(...args: Parameters<typeof start>): Promise<string> {
  const child = start(...args);
  let output = "";
  child.stdout?.on("data", (chunk) => output += chunk);
  const [code] = await once(child, "close");
  assert.equal(code, 0, output);
  return output;
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-resume-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
