import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { exportPage } from "../../../lib/apps/view/export.ts";
import { fileName } from "../../../lib/apps/view/files.ts";
import type { StudySummary, StudyView } from "../../../lib/apps/view/studies.ts";
import { createTally } from "../../../lib/apps/view/tally.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { fill } from "./invented.ts";

/** What the script in a file hands over. */
function handedOver<T>(path: string): T {
  let value: unknown;
  new Function("labyrinth", readFileSync(path, "utf8"))((_: string, packed: string) =>
    value = JSON.parse(inflateSync(Uint8Array.fromBase64(packed)).toString())
  );
  return value as T;
}

Deno.test("exportPage() writes each page's data as a script, without the paths of this machine", async () => {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  try {
    using store = openStore(":memory:");
    await fill(store);
    putStudy(store, { id: "mine", spec: {}, createdAt: 1 });
    putEpisode(
      store,
      samplePlan({
        id: "c".repeat(16),
        study: "mine",
        chain: "3",
        worldParams: { path: "/srv/my games/hunt.z8", "look": "/" },
      }),
    );
    putTurn(
      store,
      sampleTurn({
        episode: "c".repeat(16),
        step: 0,
        observation: "no / in /srv/my games/hunt.json",
      }),
    );
    putTurn(
      store,
      sampleTurn({
        episode: "b".repeat(16),
        step: 12,
        observation: `in ${checkoutRoot()}data`,
      }),
    );
    putStudy(store, {
      id: "hunts@mine",
      spec: {},
      createdAt: 0,
    });
    const source = {
      store,
      tally: createTally(store),
      now: () => 3000,
    };
    const page = new Map([["index.html", new TextEncoder().encode("<title>Labyrinth</title>")]]);
    await assert.rejects(exportPage(source, page, { folder, studies: ["none"] }), {
      name: "UsageError",
      message: /there are hunts@mine/,
    });
    const played = mkdtempSync(join(folder, "played-"));
    await exportPage(source, page, { folder: played, studies: ["mine"] });
    const read = <T>(name: string): T => handedOver(join(played, "data", name));
    const { episode } = read<{ episode: { worldParams: unknown } }>(`episode-${"c".repeat(16)}.js`);
    assert.deepEqual(
      episode.worldParams,
      { path: "hunt.z8", look: "/" },
      "nor of a folder of games",
    );
    const { "0.0": reset } = read<Record<string, { turn: { observation: string } }>>(
      `steps-${"c".repeat(16)}-0.0.js`,
    );
    assert.equal(reset?.turn.observation, "no / in hunt.json");
    await assert.rejects(exportPage(source, page, { folder, episodes: ["c"] }), {
      name: "UsageError",
      message: /no episode c/,
    });
    const one = mkdtempSync(join(folder, "one-"));
    assert.equal(
      (await exportPage(source, page, { folder: one, episodes: ["b".repeat(16)] })).episodes,
      1,
    );
    const [summary] = handedOver<StudySummary[]>(join(one, "data", "studies.js"));
    assert.deepEqual([summary?.counts.completed, summary?.counts.running, summary?.spent?.calls], [
      0,
      1,
      0,
    ], "those of the other episode");
    assert.ok(readdirSync(join(one, "data")).includes(`episode-${"b".repeat(16)}.js`));
    await exportPage(source, page, { folder: one, episodes: ["a".repeat(16)] });
    assert.deepEqual(
      readdirSync(join(one, "data")).filter((name) => name.includes("bbb")),
      [],
      "nothing of the export before is left",
    );
    writeFileSync(join(one, "index.html"), "<title>My own page</title>");
    await assert.rejects(exportPage(source, page, { folder: one }), {
      name: "UsageError",
      message: /holds another page/,
    });
    assert.equal(readFileSync(join(one, "index.html"), "utf8"), "<title>My own page</title>");
    const { episodes, files } = await exportPage(source, page, { folder, studies: ["hunts@mine"] });
    assert.equal(episodes, 2);
    const names = readdirSync(join(folder, "data"));
    assert.equal(files, names.length + 1);
    assert.deepEqual(names.filter((name) => /^st/.test(name)), [
      `steps-${"a".repeat(16)}-0.0.js`,
      `steps-${"b".repeat(16)}-0.0.js`,
      `steps-${"b".repeat(16)}-0.10.js`,
      "studies.js",
      "study-hunts_40mine.js",
    ]);
    const shown = new Map<string, Record<string, { turn: { observation: string } }>>();
    for (const name of names) shown.set(name, handedOver(join(folder, "data", name)));
    assert.equal(
      shown.get(`steps-${"b".repeat(16)}-0.10.js`)?.["0.12"]?.turn.observation,
      "in data",
    );
    assert.match(readFileSync(join(folder, "index.html"), "utf8"), /<meta name="labyrinth-export"/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("an export that is cut short shows no page, and the next one leaves nothing of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  try {
    using store = openStore(":memory:");
    await fill(store);
    const source = {
      store,
      tally: createTally(store),
      now: () => 3000,
    };
    const index = ["index.html", new TextEncoder().encode("<title>Labyrinth</title>")] as const;
    await exportPage(source, new Map([index]), { folder });
    await assert.rejects(
      exportPage(source, new Map([index, ["none/page.js", new Uint8Array()]]), { folder }),
      { code: "ENOENT" },
    );
    assert.ok(!readdirSync(folder).includes("index.html"), "neither the page before nor this one");
    writeFileSync(join(folder, "data", "left.js"), "");
    await exportPage(source, new Map([index]), { folder });
    assert.deepEqual(readdirSync(folder).sort(), ["data", "index.html", "pictures"]);
    assert.ok(!readdirSync(join(folder, "data")).includes("left.js"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("an export names an episode that is not as it was recorded, and shows none of its numbers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  try {
    using store = openStore(":memory:");
    await fill(store);
    const source = {
      store,
      tally: createTally(store),
      now: () => 3000,
    };
    const page = new Map([["index.html", new TextEncoder().encode("<title>Labyrinth</title>")]]);
    const id = "a".repeat(16);
    store.prepare("update calls set prompt_tokens = 99 where episode = ?").run(id);
    const { broken } = await exportPage(source, page, { folder });
    assert.match(
      broken.join(),
      /^the episode a{16} is damaged \(its rows are not those that were recorded\)/,
    );
    const { episodes } = handedOver<StudyView>(join(folder, "data", "study-hunts_40mine.js"));
    const { status, failureKind, score, spent } = episodes.find((episode) => episode.id === id) ??
      {};
    assert.deepEqual([status, failureKind, score, spent?.tokens], [
      "failed",
      "damaged",
      undefined,
      0,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("fileName() gives each address a name of its own, which leads to no other folder", () => {
  const names = ["a/../b", "a_b", "a*b", "a!b", "a b", "a%20b", "ä"].map((id) =>
    fileName(["study", id])
  );
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^study-[\w.-]+$/);
});

Deno.test("fileName() fits into a file system, and tells long addresses apart that begin alike", () => {
  const long = ["x".repeat(1000), "é".repeat(400)].flatMap((id) => [id, `${id}y`]);
  const names = long.map((id) => fileName(["study", id]));
  assert.equal(new Set(names).size, 4);
  for (const name of names) assert.match(name, /^study-[\w.-]{1,240}$/);
});
