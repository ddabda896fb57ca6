/** Recorded gold runs of ScienceWorld. LAB_SLOW=1 replays all that are at hand; else two. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import {
  readScienceworldLog,
  type RecordedEpisode,
  type RecordedStep,
} from "../../../lib/apps/replay/scienceworld-log.ts";
import {
  causeOfTexts,
  replayScienceworld,
  sameItems,
  sameText,
  sumScienceworld,
} from "../../../lib/apps/replay/scienceworld.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { wantsSlow } from "../../slow.ts";

const shipped = join(checkoutRoot(), "..", "shared", "datasets", "scienceworld-oracle");
const ignore = !existsSync(shipped);
if (ignore) process.stdout.write("skipped: the recorded runs of ScienceWorld are not at hand\n");

const entry = {
  action: "look around",
  observation: "A hall.",
  score: "0.0",
  isCompleted: "false",
  freelook: "A hall.\n",
  inventory: "Nothing.",
};

function fileOf(...history: object[]): string {
  return JSON.stringify({
    21: {
      episodeIdx: 21,
      history: { taskName: "boil", variationIdx: 21, fold: "test", history },
      notes: {},
    },
  });
}

Deno.test("readScienceworldLog() leaves the first entry out and reads scores as 0–100", () => {
  const text = fileOf(entry, { ...entry, action: "0", score: "0.783", isCompleted: "true" }, {
    ...entry,
    action: "wait1",
    score: "-1.0",
  });
  const step = { observation: "A hall.", look: "A hall.\n", inventory: "Nothing." };
  assert.deepEqual(readScienceworldLog(text, "a.json"), [{
    task: "boil",
    variation: 21,
    steps: [
      { ...step, action: "0", score: 78, done: true },
      { ...step, action: "wait1", score: -100, done: false },
    ],
  }]);
});

Deno.test("readScienceworldLog() names the file and the place of what is wrong", () => {
  const cases: [string, RegExp][] = [
    ["", /cannot replay a\.json: invalid JSON; give/],
    ["{}", /cannot replay a\.json: it holds no episode/],
    ["[]", /at its top/],
    [fileOf(), /at 21\.history\.history/],
    ...["much", "", " ", null, true, "2"].map((score): [string, RegExp] => [
      fileOf({ ...entry, score }),
      /at 21\.history\.history\.0\.score/,
    ]),
    [
      fileOf({ ...entry, action: "open door" }, entry),
      /at 21\.history\.history it .*its first action is not look around/,
    ],
    [fileOf({ ...entry, isCompleted: "maybe" }), /at 21\.history\.history\.0\.isCompleted/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => readScienceworldLog(text, "a.json"), (error: unknown) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
});

const ROOM =
  "This room is called the kitchen. In it, you see: \n\tthe agent\n\ta table. On the table is: a bowl, a cup.\nYou also see:\n\tA door to the hallway (that is open)";

Deno.test("texts are the same but for white space, or but for the order of what they list", () => {
  assert.ok(sameText("a  b\n", " a\tb"));
  assert.ok(!sameText("a b", "b a"));
  const shuffled = ROOM.replace("\n\tthe agent", "").replace("a bowl, a cup.", "a cup, a bowl.")
    .replace(
      "\nYou also",
      "\n\tthe agent\nYou also",
    );
  assert.ok(!sameText(ROOM, shuffled));
  assert.ok(sameItems(ROOM.replaceAll(".", ""), shuffled.replaceAll(".", "")));
  assert.ok(!sameItems(ROOM, ROOM.replace("a cup", "a mug")));
});

Deno.test("causeOfTexts() tells order, physics and wording apart", () => {
  const cases: [string, string, string][] = [
    [
      "0:\tlook in kitchen\n1:\tlook in hallway",
      "0:\tlook in hallway\n1:\tlook in kitchen",
      "object-order",
    ],
    [
      "a thermometer, currently reading a temperature of 29 degrees celsius",
      "a thermometer, currently reading a temperature of 31 degrees celsius",
      "physics",
    ],
    ["a buzzer, which is off", "a buzzer, which is on", "physics"],
    ["a liquid lead", "a gaseous lead", "physics"],
    ["a apple tree in the seedling stage", "a apple tree in the adult stage", "physics"],
    [ROOM, ROOM.replace("\tthe agent", "\tthe agent\n\ta bee"), "physics"],
    [ROOM, ROOM.replace("kitchen", "hallway"), "other"],
    ["You mix the paint.", "You stir the paint.", "other"],
    [ROOM, "No known action matches that input.", "other"],
  ];
  for (const [logged, ours, cause] of cases) {
    assert.equal(causeOfTexts(logged, ours), cause, `${logged} | ${ours}`);
  }
});

Deno.test("replayScienceworld() compares with the world what was before and after each action", async () => {
  const worlds = connectWorlds();
  try {
    const hands = "In your inventory, you see:\n\tan orange\n";
    const step = (
      action: string,
      observation: string,
      rest: Partial<RecordedStep> = {},
    ): RecordedStep => ({
      action,
      observation,
      look: "",
      inventory: hands,
      score: 0,
      done: false,
      ...rest,
    });
    const episode: RecordedEpisode = {
      task: "lifespan-longest-lived",
      variation: 93,
      steps: [
        step("open door to outside", "The door is already open."),
        step("go to outside", "You move to the outside.", { score: 100 }), // in the world 50, and 100 one step later
        step("focus on crocodile", "You focus on the crocodile egg.", { score: 100, done: true }),
        step("fly", "You fly.", {
          score: 100,
          done: true,
          inventory: "In your inventory, you see:\n\tnothing",
        }),
      ],
    };
    const report = await replayScienceworld(episode, worlds);
    assert.deepEqual(
      [report.observation, report.inventory, report.score, report.done].map((
        { matched, total },
      ) => [matched, total]),
      [[3, 4], [3, 4], [3, 4], [4, 4]],
    );
    assert.deepEqual(report.final, { logged: 100, ours: 100 });
    assert.ok(report.reached);
    const told = report.differences.filter(({ what }) => what !== "look").map((
      { step, what, cause },
    ) => [step, what, cause]);
    assert.deepEqual(told, [[2, "score", "physics"], [4, "inventory", "physics"], [
      4,
      "observation",
      "other",
    ]]);
    assert.deepEqual(sumScienceworld([report, report]).observation, {
      matched: 6,
      sorted: 6,
      total: 8,
    });
    const below = await replayScienceworld(
      { ...episode, steps: [step("fly", "…", { score: 8 })] },
      worlds,
    );
    assert.deepEqual([below.reached, below.final], [false, { logged: 8, ours: 0 }]);
    assert.deepEqual(below.differences.find(({ what }) => what === "score")?.cause, "other");
  } finally {
    await worlds.close();
  }
});

Deno.test({
  name: "recorded gold runs reach their scores, and nearly all of their texts are ours",
  ignore,
  async fn(): Promise<void> {
    const files = readdirSync(shipped).filter((name) => name.endsWith(".json"));
    assert.ok(files.length > 0);
    const recorded = files.flatMap((file) =>
      readScienceworldLog(readFileSync(join(shipped, file), "utf8"), file)
    );
    const [one, two] = [
      recorded.find(({ task }) => task === "power-component"),
      recorded.find(({ task }) => task === "find-plant"),
    ];
    assert.ok(one && two);
    const worlds = connectWorlds();
    try {
      const reports = [];
      for (
        const episode of wantsSlow("all but two recorded runs of ScienceWorld")
          ? recorded
          : [one, two]
      ) {
        reports.push(await replayScienceworld(episode, worlds));
      }
      const sums = sumScienceworld(reports);
      assert.equal(
        sums.reached,
        reports.length,
        JSON.stringify(reports.filter(({ reached }) => !reached)),
      );
      for (const what of ["observation", "look", "inventory"] as const) {
        assert.ok(sums[what].sorted >= 0.95 * sums[what].total, what);
      }
      for (const what of ["score", "done"] as const) {
        assert.ok(sums[what].matched >= 0.95 * sums[what].total, what);
      }
      assert.equal(sums.causes.other, 0);
    } finally {
      await worlds.close();
    }
  },
});
