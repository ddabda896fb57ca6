import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphLog, HALL } from "../lab/replay/sample-log.ts";
import { lab } from "./captured.ts";

const fresh = ["hall, has exit, east"];
const LOG = graphLog([{ observation: HALL, fresh, graph: fresh, action: "look" }], [0]);

async function inFolder(files: Readonly<Record<string, string>>, test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "labyrinth-replay-"));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    await test(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

Deno.test("replay arigraph --json prints one JSON value with the tallies of each log of a folder, in order", () =>
  inFolder({ "b.txt": LOG, "a.txt": LOG, "notes.md": "no log" }, async (folder) => {
    const { status, out } = await lab("replay", "arigraph", folder, "--json");
    assert.equal(status, 0);
    const { logs } = JSON.parse(out);
    assert.deepEqual(logs.map(({ file }: { file: string }) => file), ["a.txt", "b.txt"]);
    const { file, game, attempts, steps, misses, ...tallies } = logs[0];
    assert.deepEqual({ file, game, attempts, steps, misses }, { file: "a.txt", game: "", attempts: 1, steps: 1, misses: [] });
    assert.deepEqual(tallies.graph, { matched: 1, total: 1 });
    for (const what of ["exits", "path", "actions", "observation", "macro", "inventory", "reward", "recalled"]) {
      assert.deepEqual(tallies[what], { matched: 0, total: 0 }, what);
    }
  }));

Deno.test("replay arigraph prints a log in words and draws each attempt", () =>
  inFolder({ "a.txt": LOG.replace("Graph: ['hall", "Graph: ['attic") }, async (folder) => {
    const { status, out, err } = await lab("replay", "arigraph", join(folder, "a.txt"), "--figures", join(folder, "figures"));
    assert.equal(status, 0);
    assert.match(out, /^a\.txt {2}no game, 1 attempt \(graph\), 1 step\n {2}graph {7}0 of 1 {8}1 unexplained\n/);
    assert.match(err, /a\.txt: attempt 1 of 1 replayed/);
    const pictures = await readdir(join(folder, "figures"));
    assert.ok(pictures.includes("attempt-a-1.svg"), pictures.join());
  }));

Deno.test("replay goes on after a log that is none, names it, and ends with 1", () =>
  inFolder({ "a.txt": "Dear diary\n", "b.txt": LOG, "c.txt": "" }, async (folder) => {
    const { status, out, err } = await lab("replay", "arigraph", folder, "--json");
    assert.equal(status, 1);
    assert.equal(JSON.parse(out).logs.length, 1);
    assert.match(err, /lab: cannot replay a\.txt: line 1 is "Dear diary"/);
    assert.match(err, /lab: cannot replay c\.txt: it is empty/);
  }));

Deno.test("replay refuses bad input with one line and status 2", () =>
  inFolder({ "a.txt": LOG, "none.txt": "" }, async (folder) => {
    await mkdir(join(folder, "empty"));
    const cases: [string[], RegExp][] = [
      [["scienceworlds", folder], /cannot replay "scienceworlds"; the systems are arigraph/],
      [[], /a word is missing; usage: \.\/lab replay arigraph/],
      [["arigraph"], /a log is missing; usage/],
      [["arigraph", join(folder, "nowhere")], /nowhere: there is no such file or folder; give the authors' logs/],
      [["arigraph", join(folder, "empty")], /empty: the folder holds no \.txt file/],
      [["arigraph", join(folder, "none.txt")], /cannot replay none\.txt: it is empty; give a run log/],
      [
        ["arigraph", join(folder, "a.txt"), "--games", join(folder, "nowhere")],
        /cannot read the games in .*nowhere: there is no such folder/,
      ],
      [["arigraph", join(folder, "a.txt"), "--embedder", "contriever"], /there is no embedder "contriever"; choose lexical, minilm or/],
      [["arigraph", join(folder, "a.txt"), "--games", join(folder, "empty")], /cannot find a game in .*empty: wanted \.json or \.z8/],
    ];
    for (const [args, message] of cases) {
      const { status, out, err } = await lab("replay", ...args);
      assert.deepEqual([status, out, err.trim().split("\n").length], [2, "", 1], err);
      assert.match(err, message);
    }
  }));
