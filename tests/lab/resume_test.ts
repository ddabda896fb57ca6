import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { startEndpoint } from "./endpoint.ts";
import { playHunt } from "./play_child.ts";
import { rowsOf, startChild } from "./played.ts";
import { inFolder } from "../folder.ts";

// One world server serves all that is played in this process.
const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());

Deno.test("runStudy() gives the same 100 steps in two processes and in another order of chains", () =>
  inFolder(async (folder) => {
    const [here, there] = [join(folder, "here.sqlite"), join(folder, "there.sqlite")];
    const child = startChild(there, "offline", 100, "wander,arigraph");
    await playHunt(here, "offline", 100, "arigraph,wander");
    if (child.exitCode === null) await once(child, "exit");
    assert.deepEqual(rowsOf(there), rowsOf(here));
    assert.ok(rowsOf(here).turns.length > 101 + 20, "100 random steps, and those of the hunt");
  }));

Deno.test("runStudy() plays a damaged episode again from its replies, and asks nothing", () =>
  inFolder(async (folder) => {
    const path = join(folder, "lab.sqlite");
    await using endpoint = await startEndpoint();
    await playHunt(path, endpoint.baseUrl, 6, "arigraph");
    const [wanted, requests] = [rowsOf(path), endpoint.requests];
    for (
      const damage of [
        "update packed_turns set score = 9 where step = 3",
        "update graph_changes set object = 'nowhere' where step = 2",
        "update episodes set score = 9",
        "update episodes set status = 'running', passes = null; delete from events; update packed_turns set details = '{}' where step = 1",
      ]
    ) {
      {
        using store = openStore(path);
        store.database.exec(damage);
      }
      assert.notDeepEqual(rowsOf(path), wanted);
      assert.equal((await playHunt(path, endpoint.baseUrl, 6, "arigraph")).completed, 1);
      assert.deepEqual(rowsOf(path), wanted, damage);
    }
    assert.equal(endpoint.requests, requests);
  }));
