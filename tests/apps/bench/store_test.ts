import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillStore } from "../../../lib/apps/bench/store.ts";
import { listEpisodes } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listTurns } from "../../../lib/lab/store/turns.ts";

Deno.test("fillStore() leaves what a study leaves: complete episodes of so many steps", () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-filled-"));
  using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const path = join(folder, "lab.sqlite");
  const { study, characters, ...rows } = fillStore(path, { episodes: 80, steps: 3 });
  using store = openStore(path);
  const episodes = listEpisodes(store, { study });
  assert.ok(
    episodes.length === 80 &&
      episodes.every(({ id, status }) =>
        status === "completed" && listTurns(store, id).length === 4
      ),
  );
  assert.deepEqual(rows, { turns: 80 * 4, calls: 80 * 3 * 5, changes: 30 * 4 * 4 }); // three of eight conditions keep a graph
  assert.ok(characters / rows.turns > 15_000, "prompts, replies and truths are as long as in play");
  const replies = store.prepare(
    "select count(*) as count, min(length(request)) as least from replies where reply like '%finish%'",
  ).get();
  assert.equal(replies?.["count"], 80 * 3 * 5);
  assert.ok(Number(replies?.["least"]) > 3000, "prompts can be read, also those that were copied");
});
