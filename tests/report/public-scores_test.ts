/** Scores as TALES and BALROG state them, against cases worked by hand. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { experiment, playStudy } from "../../lib/lab/mod.ts";
import "../../lib/offline/mod.ts";
import { nethackProgression, publicScoresTable, talesScore } from "../../lib/report/mod.ts";
import { highscores, nethackProgressions } from "../../lib/report/public-scores.ts";
import { openStore } from "../../lib/lab/store/open.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

Deno.test("the score of TALES is the mean over seeds of the mean over games", () => {
  // Seed 1: (1 + 0.5 + 0) / 3 = 0.5; seed 2: (0.2 + 0) / 2 = 0.1; mean 0.3, standard deviation √(2 · 0.2² / 1).
  const runs = [...[1, 0.5, 0].map((score) => ({ seed: "1", score })), ...[0.2, 0].map((score) => ({ seed: "2", score }))];
  const { value, deviation = NaN } = talesScore(runs);
  assert.ok(Math.abs(value - 0.3) < 1e-12 && Math.abs(deviation - 0.2 * Math.SQRT2) < 1e-12, `${value} ± ${deviation}`);
  assert.deepEqual(talesScore([{ seed: "1", score: 0.25 }]), { value: 0.25 });
  assert.throws(() => talesScore([]), { name: "RangeError", message: /no run; play one/ });
});

Deno.test("progression is the greater share of dungeon level and experience level, in percent", () => {
  const cases = [[1, 1, "0.000"], [2, 1, "1.539"], [1, 2, "1.848"], [10, 9, "12.559"], [4, 14, "49.404"], [50, 1, "80.680"], [
    53,
    1,
    "80.680",
  ]];
  for (const [depth, level, shown] of cases) assert.equal(nethackProgression(Number(depth), Number(level)).toFixed(3), shown);
});

Deno.test("a played study has a column for each framework, for all of them, and for BALROG's progression", async () => {
  using store = openStore(":memory:");
  const games = [
    { world: "textworld/hunt" },
    { world: "scienceworld", params: { task: "find-plant", split: "test" } },
    { world: "textworld-express", params: { game: "coin" } },
    { world: "minihack", params: { level: "Room-5x5" } },
    { world: "minihack", params: { level: "KeyRoom-S5", maxCalls: 1 } },
    { world: "nethack", params: { seed: 5 } },
  ];
  const study = experiment({ id: "public", worlds: games, memories: ["full-history"], steps: 6 });
  assert.equal((await playStudy(study, { store, worlds })).completed, 6);
  const { columns, rows: [row = []] } = publicScoresTable(store, "public");
  const names = [
    "TextWorld",
    "TextWorldExpress",
    "ScienceWorld",
    "TALES",
    "MiniHack progression, %",
    "NetHack score",
    "NetHack progression, %",
  ];
  assert.deepEqual(columns, ["condition", ...names]);
  const values = row.slice(1).map((cell) => cell && typeof cell === "object" && "value" in cell ? cell.value : NaN);
  const [text = NaN, express = NaN, science = NaN, tales = NaN, minihack, , progression] = values;
  assert.ok(Math.abs(tales - (text + express + science) / 3) < 1e-12, "each game weighs the same");
  assert.ok(text > 0, `${text}`);
  assert.deepEqual([minihack, progression], [50, 0], "one task of two is solved");
});

Deno.test("highscores and progressions are those of the whole episode, whatever was lost again", () => {
  using store = new DatabaseSync(":memory:");
  store.exec("create table episodes (id, study, world); create table turns (episode, score, sections)");
  store.exec("insert into episodes values ('a', 's', 'nethack'), ('b', 's', 'jericho'), ('c', 'other', 'nethack')");
  const add = store.prepare("insert into turns values (?, ?, ?)");
  const sections = (deepest: number, level: number): string =>
    JSON.stringify({ deepest: String(deepest), stats: `Depth 1, turn 9\nExperience level ${level} with 40 points\nState: normal` });
  add.run("a", 10, sections(1, 1));
  add.run("a", 90, sections(3, 8)); // level 8 is 7.45 %, depth 3 is 1.75 %
  add.run("a", 40, sections(4, 6)); // a level drained: 3.69 %, and depth 4, 2.12 %
  add.run("b", -5, "{}");
  add.run("b", -10, "{}");
  add.run("c", 7, sections(10, 1));
  assert.deepEqual([...highscores(store, "s")].sort(), [["a", 90], ["b", 0]]);
  const [[episode, percent] = ["", 0], ...more] = nethackProgressions(store, "s");
  assert.deepEqual([episode, percent.toFixed(2), more], ["a", "7.45", []]);
});
