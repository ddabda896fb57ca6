import assert from "node:assert/strict";
import { UsageError } from "../../../lib/core/errors.ts";
import { replayLog } from "../../../lib/apps/replay/replay.ts";
import type { LogReport, Miss } from "../../../lib/apps/replay/report.ts";
import { graphLog, HALL, KITCHEN, newestLog, type SampleStep } from "./sample-log.ts";

const inHall = ["hall, has exit, east", "key, is in, hall"];
const passages = ["kitchen, is east of, hall", "hall, is west of, kitchen"];
/** The hall, the key taken, the kitchen, and back by macro. */
const STEPS: readonly SampleStep[] = [
  { observation: HALL, fresh: inHall, graph: inHall, action: "take key" },
  {
    observation: "You take the key.\n",
    fresh: ["key, is in, inventory"],
    outdated: "[[key, is in, hall -> key, is in, inventory]]",
    graph: ["hall, has exit, east", "key, is in, inventory"],
    action: "go east",
  },
  {
    observation: KITCHEN,
    fresh: ["kitchen, has exit, west"],
    graph: [
      "hall, has exit, east",
      "key, is in, inventory",
      "kitchen, has exit, west",
      ...passages,
    ],
    action: "go to hall",
    frames: [HALL],
  },
  {
    observation: HALL,
    fresh: [],
    graph: [
      "hall, has exit, east",
      "key, is in, inventory",
      "kitchen, has exit, west",
      ...passages,
    ],
    action: "look",
  },
];
const REWARDS = [1, 1, 1, 1];

async function report(text: string): Promise<LogReport> {
  return await replayLog(text, "run.txt");
}

function told(misses: readonly Miss[]): string[] {
  return misses.map(({ step, what, cause }) => `${step} ${what} ${cause}`);
}

/** The steps with one of them changed. */
function changed(number: number, change: Partial<SampleStep>): SampleStep[] {
  return STEPS.map((step, index) => index === number - 1 ? { ...step, ...change } : step);
}

Deno.test("replayLog() finds nothing amiss in a log that our memory would have written", async () => {
  const { misses, ...found } = await report(graphLog(STEPS, REWARDS));
  assert.deepEqual(misses, []);
  assert.deepEqual([found.attempts, found.steps, found.versions], [1, 4, ["graph"]]);
  assert.deepEqual(found.graph, { matched: 4, total: 4 });
  assert.deepEqual(found.path, { matched: 1, total: 1 });
  assert.deepEqual(found.stale, { matched: 1, total: 1 });
  assert.deepEqual(found.observation, { matched: 0, total: 0 }); // no game was given
});

Deno.test("replayLog() loses no attempt to a byte order mark", async () => {
  const log = graphLog(STEPS, REWARDS);
  const { attempts, steps, misses } = await report(`\uFEFF${log}\n${log}`);
  assert.deepEqual([attempts, steps, misses], [2, 8, []]);
});

Deno.test("replayLog() misses a graph that differs by a triplet or the order, and goes on", async () => {
  const more = changed(1, { graph: [...inHall, "hall, is, bare"] });
  const { misses, graph } = await report(graphLog(more, REWARDS));
  // the logged graph is taken over, so that the next one, which lacks the triplet, is missed as
  // well
  assert.deepEqual(told(misses), ["1 graph unexplained", "2 graph unexplained"]);
  assert.deepEqual(graph, { matched: 2, total: 4 });
  const turned = await report(graphLog(changed(1, { graph: inHall.toReversed() }), REWARDS));
  assert.equal(told(turned.misses)[0], "1 graph unexplained");
});

Deno.test("replayLog() misses a known new triplet, a longer path, an unreadable plan", async () => {
  const again = changed(3, { fresh: ["kitchen, has exit, west", "hall, has exit, east"] });
  assert.deepEqual(told((await report(graphLog(again, REWARDS))).misses), ["3 fresh unexplained"]);
  const far = changed(3, { frames: [KITCHEN, HALL] });
  assert.deepEqual(told((await report(graphLog(far, REWARDS))).misses), ["3 path unexplained"]);
  const log = graphLog(STEPS, REWARDS);
  assert.deepEqual(told((await report(log.replace('"plan_steps": [{', '"plan": [{'))).misses), [
    "1 parsing unexplained",
  ]);
});

Deno.test("replayLog() holds exits of every known place as sets, and recall by its invariants", async () => {
  const steps = changed(3, {
    exits: { hall: [], kitchen: [] },
    recalled: ["key, is in, inventory"],
  }).map((step, index) => index === 0 ? { ...step, exits: { hall: ["east"] } } : step);
  const { misses, exits, recalled, episodes } = await report(newestLog(steps));
  assert.deepEqual(misses, []);
  assert.deepEqual([exits.total, recalled.total, episodes.total], [3, 4, 4]);
  const wrong = changed(3, {
    exits: { hall: ["east"] },
    recalled: ["kitchen, has exit, west", "key, is in, hall"],
  });
  // the deletion of step 2 is held to be none, for the triplet is recalled before it is new again
  assert.deepEqual(told((await report(newestLog(wrong))).misses).sort(), [
    "2 stale reextracted",
    "3 exits unexplained",
    "3 exits unexplained",
    "3 recalled unexplained",
  ]);
});

Deno.test("replayLog() keeps a room's raw name where the log's recall shows that it was kept", async () => {
  const living = "-= Living room =-\nA sofa. An exit leads east.\n";
  const steps: SampleStep[] = [
    {
      observation: living,
      fresh: ["sofa, is in, living room"],
      recalled: [
        "living room, can be achieved from, livingroom",
        "livingroom, can be achieved from, living room",
      ],
      action: "go east",
    },
    { observation: KITCHEN, fresh: [], action: "go to living room" }, // refused: no way leads to the room under its new name
    { observation: "You can't navigate now.\n", fresh: [], action: "go west" },
    {
      observation: living,
      fresh: [],
      recalled: ["kitchen, is east of, livingroom", "livingroom, is west of, kitchen"],
      action: "look",
    },
    {
      observation: living,
      fresh: [],
      recalled: ["living room, is west of, kitchen", "kitchen, is east of, living room"],
      action: "go to kitchen",
      frames: [KITCHEN],
    },
  ];
  // the way back keeps the new name: its place is where the agent arrives
  assert.deepEqual((await report(newestLog(steps))).misses, []);
  const plain = steps.map((step, index) =>
    index === 3
      ? { ...step, recalled: ["kitchen, is east of, living room"] }
      : index === 0
      ? { ...step, recalled: [] }
      : step
  );
  assert.deepEqual(told((await report(newestLog(plain))).misses), ["2 path unexplained"]);
});

Deno.test("replayLog() says where a log is cut, whatever the place, and blames nothing else", async () => {
  for (const whole of [graphLog(STEPS, REWARDS), newestLog(STEPS)]) {
    const log = `${whole}\n${whole}`;
    let blamed = 0;
    for (let end = log.indexOf("Step: 2"); end < log.length; end += 13) {
      const { misses } = await report(log.slice(0, end));
      assert.deepEqual(
        misses.filter(({ cause }) => cause !== "truncated-log"),
        [],
        log.slice(end - 40, end),
      );
      blamed += misses.length;
    }
    assert.ok(blamed > 0);
  }
});

Deno.test("replayLog() pairs exchanged lists of rewards by their length", async () => {
  const [first, second] = [graphLog(STEPS.slice(0, 2), [1, 1, 1, 1]), graphLog(STEPS, [1, 1])];
  const { misses } = await report(`${first}\n${second}`);
  assert.deepEqual(misses.map(({ attempt, cause }) => [attempt, cause]), [
    [1, "exchanged-rewards"],
    [2, "exchanged-rewards"],
  ]);
});

Deno.test("replayLog() refuses what is no such log in one line with file, line and remedy", async () => {
  const bad: [string, RegExp][] = [
    ["", /^cannot replay run\.txt: it is empty; give a run log/],
    ["\n  \n", /it is empty/],
    ["\nHello.\nWorld.\n", /^cannot replay run\.txt: line 2 is "Hello\.", wanted "Attempt: 1"/],
    [
      "Attempt: 1\nObservation: You win.\nAction: look\n",
      /the step at line 2 has the fields of no known version \(newest, /,
    ],
    [
      graphLog(STEPS, REWARDS).replace("New triplets: ['key", "New triplets: [key"),
      /the step at line \d+: line \d+ cannot be read: wanted a value/,
    ],
    [
      graphLog(STEPS, REWARDS).replace(/Outdated triplets: \[\]\n/, ""),
      /the step at line 4: it lacks Outdated triplets; give the log as published/,
    ],
  ];
  for (const [text, message] of bad) {
    await assert.rejects(
      report(text),
      (error: unknown) =>
        error instanceof UsageError && message.test(error.message) && !error.message.includes("\n"),
    );
  }
});
