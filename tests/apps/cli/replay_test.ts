import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphLog, HALL } from "../replay/sample-log.ts";
import { lab } from "./captured.ts";
import { wantsSlow } from "../../slow.ts";
import { withVariables } from "../../environment.ts";

const fresh = ["hall, has exit, east"];
const LOG = graphLog([{ observation: HALL, fresh, graph: fresh, action: "look" }], [0]);

async function inFolder(
  files: Readonly<Record<string, string>>,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "labyrinth-replay-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), content);
    }
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
        "exits",
        "path",
        "actions",
        "observation",
        "macro",
        "inventory",
        "reward",
        "recalled",
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
        ["scienceworlds", folder],
        /no system "scienceworlds"; did you mean "scienceworld"\?; there are arigraph, scienceworld/,
      ],
      [[], /missing required argument 'system'; see \.\/lab replay --help/],
      [["arigraph"], /missing required argument 'files'/],
      [
        ["arigraph", join(folder, "nowhere")],
        /nowhere: there is no such file or folder; give the authors' logs/,
      ],
      [
        ["arigraph", join(folder, "a.tx")],
        /a\.tx: there is no such file or folder; did you mean "a\.txt"\?; give the authors' logs/,
      ],
      [
        ["arigraph", join(folder, "nowhere"), "--embedder", "lexcal"],
        /no embedder "lexcal"; did you mean "lexical"/,
      ],
      [["arigraph", join(folder, "empty")], /empty: the folder holds no \.txt file/],
      [
        ["arigraph", join(folder, "none.txt")],
        /cannot replay none\.txt: it is empty; give a run log/,
      ],
      [
        ["arigraph", join(folder, "a.txt"), "--games", join(folder, "nowhere")],
        /cannot read the games in .*nowhere: there is no such folder/,
      ],
      [
        ["arigraph", join(folder, "a.txt"), "--embedder", "contriever"],
        /there is no embedder "contriever"; choose hub.*, lexical, minilm, openai/,
      ],
      [
        ["arigraph", join(folder, "a.txt"), "--games", join(folder, "empty")],
        /cannot find a game in .*empty: wanted \.json or \.z8/,
      ],
      [["scienceworld"], /missing required argument 'files'/],
      [
        ["scienceworld", join(folder, "nowhere")],
        /nowhere: there is no such file or folder; give recorded runs of ScienceWorld/,
      ],
      [["scienceworld", join(folder, "empty")], /empty: the folder holds no \.json file/],
      [
        ["scienceworld", join(folder, "a.txt")],
        /cannot replay a\.txt: invalid JSON; give a file of recorded runs/,
      ],
      [
        ["scienceworld", join(folder, "a.txt"), "--games", folder],
        /cannot replay scienceworld with --games, which is for arigraph/,
      ],
    ];
    for (const [args, message] of cases) {
      const { status, out, err } = await lab("replay", ...args);
      assert.deepEqual([status, out, err.trim().split("\n").length], [2, "", 1], err);
      assert.match(err, message);
    }
  }));

/** A record of one action that no version of the world knows. */
function record(task: string, variation: number, observation: string): string {
  const step = {
    score: "0.0",
    isCompleted: "false",
    freelook: "",
    inventory: "In your inventory, you see:\n\tan orange\n",
  };
  const history = [{ ...step, action: "look around", observation: "" }, {
    ...step,
    action: "fly",
    observation,
  }];
  return JSON.stringify({
    [variation]: { history: { taskName: task, variationIdx: variation, history } },
  });
}

Deno.test("replay scienceworld --json prints tallies and differences of each episode, and names what it cannot replay", () =>
  inFolder({
    "a.json": record("boil", 21, "No known action\tmatches that input. "),
    "b.json": record("boil", 30, "…"),
    "c.json": "[1]",
  }, async (folder) => {
    const { status, out, err } = await lab("replay", "scienceworld", folder, "--json");
    assert.equal(status, 1);
    const { files, totals } = JSON.parse(out);
    assert.deepEqual(files.map(({ file, task }: { file: string; task: string }) => [file, task]), [[
      "a.json",
      "boil",
    ]]);
    const [
      {
        variation,
        steps,
        observation,
        look,
        inventory,
        score,
        done,
        final,
        reached,
        causes,
        first,
      },
    ] = files[0].variations;
    assert.deepEqual({ variation, steps, reached, final }, {
      variation: 21,
      steps: 1,
      reached: true,
      final: { logged: 0, ours: 0 },
    });
    assert.deepEqual([observation, look], [{ matched: 1, sorted: 1, total: 1 }, {
      matched: 0,
      sorted: 0,
      total: 1,
    }]);
    assert.deepEqual([inventory, score, done], [{ matched: 1, sorted: 1, total: 1 }, {
      matched: 1,
      total: 1,
    }, { matched: 1, total: 1 }]);
    assert.deepEqual(causes, { "object-order": 0, physics: 0, other: 1 });
    assert.deepEqual([first.step, first.action, first.what], [1, "fly", "look"]);
    assert.deepEqual([totals.episodes, totals.steps, totals.reached], [1, 1, 1]);
    assert.match(err, /lab: cannot replay b\.json, boil 30: .*boil has 30 variations/);
    assert.match(err, /lab: cannot replay c\.json: /);
  }));

Deno.test("replay scienceworld tells files of one name apart, and what cannot be read as a file in a line", () =>
  inFolder({}, async (folder) => {
    const of = (...names: string[]): string => join(folder, ...names);
    for (const path of [of("a"), of("b"), of("c"), of("c", "task.json")]) await mkdir(path);
    await writeFile(of("a", "task.json"), record("boil", 21, "You fly."));
    await writeFile(of("b", "task.json"), record("boil", 22, "You fly."));
    const { status, out, err } = await lab(
      "replay",
      "scienceworld",
      of("a"),
      of("b"),
      of("c"),
      "--json",
    );
    assert.equal(status, 1, err);
    const { files } = JSON.parse(out) as {
      files: { file: string; episodes: number; variations: { variation: number }[] }[];
    };
    assert.deepEqual(
      files.map(({ file, episodes, variations }) => [file, episodes, variations[0]?.variation]),
      [
        ["task.json", 1, 21],
        ["task.json", 1, 22],
      ],
    );
    assert.match(
      err,
      /^lab: cannot replay \S+task\.json: EISDIR[^\n]*; give a file of recorded runs of ScienceWorld$/m,
    );
  }));

Deno.test("./lab replay arigraph tells of a log that cannot be read and of one that is empty, each in a line", () =>
  inFolder({}, async (folder) => {
    await mkdir(join(folder, "folder.txt"));
    await writeFile(join(folder, "empty.txt"), "\n");
    const { status, err } = await lab("replay", "arigraph", folder);
    assert.equal(status, 1, err);
    assert.match(
      err,
      /^lab: cannot replay \S+folder\.txt: EISDIR[^\n]*; give a file of the authors' logs$/m,
    );
    assert.match(err, /^lab: cannot replay empty\.txt: it is empty/m);
  }));
