import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { graphLog, HALL } from "../replay/sample-log.ts";
import { lab } from "./captured.ts";
import { wantsSlow } from "../../slow.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

const fresh = ["hall, has exit, east"];
const LOG = graphLog([{ observation: HALL, fresh, graph: fresh, action: "look" }], [0]);

async function inFolder(
  files: Readonly<Record<string, string>>,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
  await test(folder);
}

Deno.test("replay arigraph --json prints one JSON value with the tallies of each log of a folder, in order", () =>
  inFolder({ "b.txt": LOG, "a.txt": LOG, "notes.md": "no log" }, async (folder) => {
    const { status, out } = await lab("replay", "arigraph", folder, "--json");
    assert.equal(status, 0);
    const { logs } = JSON.parse(out);
    assert.deepEqual(logs.map(({ file }: { file: string }) => file), ["a.txt", "b.txt"]);
    const { file, game, attempts, steps, misses, ...tallies } = logs[0];
    assert.deepEqual({ file, game, attempts, steps, misses }, {
      file: "a.txt",
      game: "",
      attempts: 1,
      steps: 1,
      misses: [],
    });
    assert.deepEqual(tallies.graph, { matched: 1, total: 1 });
    for (
      const what of [
        ..."exits path actions observation macro inventory reward recalled".split(" "),
      ]
    ) {
      assert.deepEqual(tallies[what], { matched: 0, total: 0 }, what);
    }
  }));

Deno.test("replay arigraph prints a log in words", () =>
  inFolder({ "a.txt": LOG.replace("Graph: ['hall", "Graph: ['attic") }, async (folder) => {
    const { status, out, err } = await lab("replay", "arigraph", join(folder, "a.txt"));
    assert.equal(status, 0);
    assert.match(
      out,
      /^a\.txt {2}no game, 1 attempt \(graph\), 1 step\n {2}graph {7}0 of 1 {8}1 unexplained\n/,
    );
    assert.match(err, /a\.txt: attempt 1 of 1 replayed/);
  }));

Deno.test("replay goes on after a log that is none, names it, and ends with 1", () =>
  inFolder({ "a.txt": "Dear diary\n", "b.txt": LOG, "c.txt": "" }, async (folder) => {
    const { status, out, err } = await lab("replay", "arigraph", folder, "--json");
    assert.equal(status, 1);
    assert.equal(JSON.parse(out).logs.length, 1);
    assert.match(err, /lab: cannot replay a\.txt: line 1 is "Dear diary"/);
    assert.match(err, /lab: cannot replay c\.txt: it is empty/);
  }));

Deno.test({
  name: "replay names each log whose world cannot be had, and goes on",
  ignore: !wantsSlow("a replay without worlds"), // the lab waits half a minute for a sign of life
  fn: () =>
    inFolder({ "a.txt": LOG, "b.txt": LOG, "game.z8": "" }, async (folder) => {
      using _worlds = withVariables({ LAB_WORLDS: "tcp://127.0.0.1:9" });
      {
        const { status, out, err } = await lab(
          "replay",
          "arigraph",
          folder,
          "--games",
          folder,
          "--json",
        );
        assert.deepEqual([status, JSON.parse(out).logs], [1, []]);
        for (const file of ["a.txt", "b.txt"]) {
          assert.match(
            err,
            new RegExp(`lab: cannot replay ${file}: the world server at .* gives no sign of life`),
          );
        }
      }
    }),
});

Deno.test("replay refuses bad input with one line and status 2", () =>
  inFolder({ "a.txt": LOG, "none.txt": "" }, async (folder) => {
    await mkdir(join(folder, "empty"));
    const cases: [string[], RegExp][] = [
      [
        ["arigrap", folder],
        /no system "arigrap"; did you mean "arigraph"/,
      ],
      [[], /missing required argument 'system'; see \.\/lab replay --help/],
      [["arigraph"], /missing required argument 'files'/],
      [
        ["arigraph", join(folder, "nowhere")],
        /nowhere: no such file or folder; name the authors' logs/,
      ],
      [
        ["arigraph", join(folder, "a.tx")],
        /a\.tx: no such file or folder; did you mean "a\.txt"\?; name the authors' logs/,
      ],
      [["arigraph", join(folder, "empty")], /empty: no \.txt file in it/],
      [
        ["arigraph", join(folder, "none.txt")],
        /cannot replay none\.txt: it is empty; give a run log/,
      ],
      [
        ["arigraph", join(folder, "a.txt"), "--games", join(folder, "nowhere")],
        /cannot read the games in .*nowhere: there is no such folder/,
      ],
      [
        ["arigraph", join(folder, "a.txt"), "--games", join(folder, "empty")],
        /cannot find a game in .*empty: wanted \.json or \.z8/,
      ],
    ];
    for (const [args, message] of cases) {
      const { status, out, err } = await lab("replay", ...args);
      assert.deepEqual([status, out, err.trim().split("\n").length], [2, "", 1], err);
      assert.match(err, message);
    }
  }));

Deno.test("./lab replay arigraph tells of a log that cannot be read and of one that is empty, each in a line", () =>
  inFolder({}, async (folder) => {
    await mkdir(join(folder, "folder.txt"));
    await writeFile(join(folder, "empty.txt"), "\n");
    const { status, err } = await lab("replay", "arigraph", folder);
    assert.equal(status, 1, err);
    assert.match(
      err,
      /^lab: cannot replay \S+folder\.txt: EISDIR[^\n]*; name a log file$/m,
    );
    assert.match(err, /^lab: cannot replay empty\.txt: it is empty/m);
  }));
