/**
 * MiniHack, TextWorld-Express and Jericho in studies: the memory `arigraph` and `full-history` play
 * 20 steps of each with the stand-in.
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { experiment, playStudy } from "../../../lib/lab/mod.ts";
import "../../../lib/offline/mod.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { checkEnd, checkWorld } from "./conformance.ts";
import { ownFolder } from "../../folder.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

/**
 * A story file: the hunt that TextWorld compiles for the lab, without the file beside it that says
 * what is in it.
 */
async function withStory(work: (path: string) => Promise<void>): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  const hunt = await worlds.open("textworld/hunt");
  const cache = join(checkoutRoot(), ".lab", "games");
  const [name = ""] = readdirSync(cache).filter((name) =>
    name.startsWith(hunt.spec.identity.slice(0, 16))
  );
  await hunt.close();
  const story = join(folder, "hunt.z8");
  await Deno.copyFile(join(cache, name, "game.z8"), story);
  await work(story);
}

const GAMES = [
  { world: "minihack", params: { level: "Corridor-R3", seed: 1 } },
  { world: "textworld-express", params: { game: "mapreader", fold: "test", seed: 3 } },
];

async function play(world: string, params: Readonly<Record<string, unknown>>): Promise<void> {
  using store = openStore(":memory:");
  const study = experiment({
    id: "more-worlds",
    worlds: [{ world, params }],
    memories: ["arigraph", "full-history"],
    steps: 20,
  });
  const { completed } = await playStudy(study, { store, worlds });
  assert.equal(completed, 2);
  const steps = store.prepare(
    "select steps, score, max_score as most from episodes order by condition",
  ).all();
  for (const { steps: taken, score, most } of steps) {
    assert.ok(Number(taken) >= 1 && Number(taken) <= 20, `${taken} steps`);
    assert.ok(Number(score) >= 0 && Number(score) <= Number(most), `${score} of ${most}`);
  }
  assert.equal(
    Number(
      store.prepare("select count(*) as n from events where kind = 'malformed-reply'").get()?.["n"],
    ),
    0,
  );
  assert.ok(
    Number(store.prepare("select count(*) as n from graph_changes").get()?.["n"]) > 0,
    "arigraph has learnt something",
  );
}

for (const { world, params } of GAMES) {
  Deno.test(`arigraph and full-history play 20 steps of ${world}`, () => play(world, params));
}

Deno.test("a story file keeps to what every world keeps to, and is played by arigraph and full-history", () =>
  withStory(async (path) => {
    await checkWorld(worlds, "jericho", { path });
    await play("jericho", { path });
  }));

Deno.test("TextWorld-Express ends at its limit and starts anew", () =>
  checkEnd(worlds, "textworld-express"));
