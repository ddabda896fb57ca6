import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAPERS } from "../../lib/papers/studies.ts";
import { listEpisodes } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { lab } from "./captured.ts";

Deno.test("reproduce wese asks real pages, prints its table beside the paper's, and writes table, costs and growth, and no ledger of the stand-in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-wese-"));
  try {
    const places = ["--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const { status, out, err } = await lab("reproduce", "wese", "--only", "fever,act,act-wese", ...places);
    assert.equal(status, 0, err);
    assert.match(out, /\| Act-WESE \| \d\.\d\d \[[\d., ]+\] \| 0\.62 \|/);
    const names = new Set(readdirSync(join(folder, "figures")).map((name) => name.replace(/-offline\+offline-weak\.\w+$/, "")));
    assert.deepEqual([...names].sort(), [
      "README.md",
      "wese-cost4",
      "wese-growth",
      "wese-table4",
    ]);
    using store = openStore(join(folder, "lab.sqlite"), { create: false });
    const explored = listEpisodes(store).filter(({ condition }) => condition === "act-wese");
    assert.ok(explored.length > 0 && explored.every(({ passes }) => passes?.map(({ kind }) => kind).join() === "explore,exploit"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("--full plays the tables and the studies of the weak model, whose last part draws the frontier", () => {
  const ids = (full: boolean, only?: string[]): string[] => (PAPERS["wese"]?.({ full, only }) ?? []).map(({ study }) => study.id);
  const weak = (form: string): string[] =>
    [25, 50, 75].map((q) => `wese-weak-${form}-q${q}@offline+offline-r${q}-p${q}`).concat(`wese-weak-${form}-q100@offline`);
  assert.deepEqual(ids(false), ["wese-quick@offline+offline-weak"]);
  assert.deepEqual(ids(true), ["wese-full@offline+offline-weak", ...weak("full")]);
  assert.deepEqual(ids(false, ["weak-models"]), weak("quick"));
});

Deno.test("reproduce wese refuses what it cannot do in one line", async () => {
  for (
    const [words, message] of [
      [["--only", "elephant"], /--only elephant names neither a world nor a condition/],
      [["--games", "games"], /leave out --games, or say --games official/],
      [["--attempts", "2"], /leave out --attempts/],
      [["--only", "weak-models", "--models", "gpt-4o"], /leave out --models/],
    ] as const
  ) {
    const { status, err } = await lab("reproduce", "wese", ...words);
    assert.equal(status, 2, err);
    assert.match(err, message);
    assert.equal(err.trim().split("\n").length, 1);
  }
});
