import assert from "node:assert/strict";
import { beliefsOf } from "../../../lib/lab/truth/beliefs.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { type GraphChangeRow, putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../store/samples.ts";

const HUNTS = { tellsNext: true };

type Row = readonly [string, string, string];

/** Two rooms; the key is where it is told, and the treasure in a locked box in the attic. */
function truth(location: string, key: string): Readonly<Record<string, unknown>> {
  const exits = [{ from: "Hall", direction: "north", to: "Attic", door: null }, {
    from: "Attic",
    direction: "south",
    to: "Hall",
    door: null,
  }];
  const facts: Row[] = [["Key", "in", key], ["Key", "unlocks", "Box"], ["Box", "in", "Attic"], [
    "Box",
    "is",
    "locked",
  ], ["Treasure", "in", "Box"]];
  return { rooms: ["Attic", "Hall"], exits, location, facts };
}

interface Step {
  readonly truth?: Readonly<Record<string, unknown>>;
  readonly changes?: readonly (readonly ["add" | "remove", ...Row])[];
  readonly recalled?: Readonly<Record<string, readonly string[]>>;
  readonly graphSize?: number;
}

/** A store with one episode of these steps, from the reset on. */
function recorded(steps: readonly Step[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 1 });
  putEpisode(store, samplePlan({ id: "e1" }));
  for (const [step, { truth, changes = [], recalled, graphSize }] of steps.entries()) {
    const turn = sampleTurn({
      episode: "e1",
      step,
      frames: [],
      sections: {},
      details: recalled ? { recalled } : {},
      graphSize,
    });
    const rows = changes.map(([op, subject, relation, object], ordinal): GraphChangeRow => (
      { episode: "e1", pass: 0, step, ordinal, op, subject, relation, object }
    ));
    putTurn(store, turn, { changes: rows, truth });
  }
  return store;
}

/**
 * The key is in the hall; the agent takes it at step 2 and goes to the attic at step 3; the memory
 * sees that at step 5.
 */
const HUNT: readonly Step[] = [
  { truth: truth("Hall", "Hall"), graphSize: 0 },
  {
    truth: truth("Hall", "Hall"),
    graphSize: 2,
    changes: [["add", "key", "is in", "hall"], ["add", "hall", "has exit", "north"]],
  },
  { truth: truth("Hall", "inventory"), graphSize: 2 },
  { truth: truth("Attic", "inventory"), graphSize: 2 },
  { truth: truth("Attic", "inventory"), graphSize: 2 },
  {
    truth: truth("Attic", "inventory"),
    graphSize: 3,
    changes: [["remove", "key", "is in", "hall"], ["add", "key", "is in", "inventory"], [
      "add",
      "box",
      "is in",
      "hall",
    ]],
  },
];

Deno.test("beliefsOf() holds each step's memory against the truth that the agent had been shown", () => {
  using store = recorded(HUNT);
  const { precision, recall, stale, steps } = beliefsOf(store, "e1", HUNTS);
  // Step 1 and 2 know the key and the way; step 3 and 4 hold the key for what it was; step 5 has
  // two right ones of three.
  assert.deepEqual(steps.map((step) => step.precision), [1, 1, 1 / 2, 1 / 2, 2 / 3]);
  assert.equal(precision, (1 + 1 + 1 / 2 + 1 / 2 + 2 / 3) / 5);
  // Seen in the hall: the key's place and the exit. The key taken: the same two. In the attic
  // (shown from step 4 on): exit south, both ways, box and its lock, too.
  assert.deepEqual(steps.map((step) => step.recall), [1, 1, 1 / 2, 1 / 5, 2 / 5]);
  assert.equal(typeof recall, "number");
  assert.equal(stale, 2); // after steps 3 and 4
});

Deno.test("beliefsOf() counts the steps of each false belief, one that is held to the end, too, and 0 where none became false", () => {
  using held = recorded(HUNT.slice(0, 5));
  assert.equal(beliefsOf(held, "e1", HUNTS).stale, 2);
  using none = recorded(HUNT.slice(0, 2));
  assert.equal(beliefsOf(none, "e1", HUNTS).stale, 0);
});

Deno.test("beliefsOf() measures needed facts in what was recalled, whatever its form", () => {
  const at = truth("Attic", "Hall"); // the key, which was seen in the hall, is needed in the attic
  const steps = (
    recalled: Step["recalled"],
  ): Step[] => [{ truth: truth("Hall", "Hall") }, { truth: at }, { truth: at, recalled }];
  const needed = (recalled: Step["recalled"]): unknown => {
    using store = recorded(steps(recalled));
    return beliefsOf(store, "e1", HUNTS).needed;
  };
  assert.equal(needed({ triplets: ["key, is in, hall"] }), 1);
  assert.equal(needed({ notes: ["Back in the Hall I saw a Key."] }), 1);
  assert.equal(needed({ triplets: ["key, is in, attic", "hall, has exit, north"] }), 0);
  assert.equal(needed({ notes: ["A keyring lies in the hall."] }), 0);
  assert.equal(needed(undefined), "what it recalls is not on record");
});

Deno.test("beliefsOf() gives reasons in place of numbers where there can be none", () => {
  using plain = recorded(HUNT.map(({ truth }) => ({ truth })));
  const { precision, recall, stale, steps, needed } = beliefsOf(plain, "e1", { tellsNext: false });
  assert.deepEqual([precision, recall, stale, steps], [
    "it keeps no triplets",
    "it keeps no triplets",
    "it keeps no triplets",
    [],
  ]);
  assert.equal(needed, "its world does not tell what the next right action is");
  using beside = recorded(
    HUNT.map(({ truth }, step) => ({
      truth,
      graphSize: step,
      changes: [["add", "mood", "is", `${step}`]],
    })),
  );
  assert.equal(
    beliefsOf(beside, "e1", HUNTS).recall,
    "nothing of it can be compared with the world",
  );
  using blind = recorded(HUNT.map(({ graphSize }) => ({ graphSize })));
  assert.equal(beliefsOf(blind, "e1", HUNTS).precision, "no truth was recorded");
  using other = recorded(HUNT.map(() => ({ truth: { score: 3 }, graphSize: 1 })));
  assert.equal(beliefsOf(other, "e1", HUNTS).recall, "its world's truth is no map of triplets");
});
