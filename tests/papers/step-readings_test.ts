/** Steps read out of records whose readings are worked out by hand. */

import assert from "node:assert/strict";
import { lackOf, LACKS, readSteps, type StepReading } from "../../lib/papers/evidence/step-readings.ts";
import { putEpisode } from "../../lib/store/episodes.ts";
import { putEvents } from "../../lib/store/events.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { type GraphChangeRow, putTurn, type TurnRow } from "../../lib/store/turns.ts";
import { samplePlan, sampleTurn } from "../store/samples.ts";

type Row = readonly [string, string, string];

interface Step {
  readonly turn?: Partial<TurnRow>;
  readonly truth: Readonly<Record<string, unknown>>;
  readonly changes?: readonly (readonly ["add" | "remove", ...Row])[];
  /** Kind of an event of the step. */
  readonly event?: string;
}

/** A store with one episode of these passes, each from its reset on. */
function recorded(...passes: readonly (readonly Step[])[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 1 });
  putEpisode(store, samplePlan({ id: "e1" }));
  for (const [pass, steps] of passes.entries()) {
    for (const [step, { turn, truth, changes = [], event }] of steps.entries()) {
      const id = { episode: "e1", pass, step };
      const plain = { action: step === 0 ? undefined : "wait", observation: "", frames: [], sections: {}, details: {} };
      const rows = changes.map(([op, subject, relation, object], ordinal): GraphChangeRow => ({
        ...id,
        ...{ ordinal, op, subject, relation, object },
      }));
      putTurn(store, sampleTurn({ ...plain, ...turn, ...id }), { changes: rows, truth });
      if (event !== undefined) putEvents(store, [{ ...id, ordinal: 0, kind: event, detail: "" }]);
    }
  }
  return store;
}

/** Step and first lack of each decision. */
function lacksOf(steps: readonly StepReading[]): string[] {
  return steps.flatMap(({ step, decision }) => decision ? [`${step} ${lackOf(decision)}`] : []);
}

/** The treasure is in a locked box in the hall, its key in the attic, where it was not at first. */
function hunt(location: string, key = "Attic"): Step["truth"] {
  const exits = [["Hall", "north", "Attic"], ["Attic", "south", "Hall"]].map(([from, direction, to]) => ({
    from,
    direction,
    to,
    door: null,
  }));
  const facts: Row[] = [
    ...[["Key", "in", key], ["Key", "unlocks", "Box"], ["Box", "in", "Hall"], ["Box", "is", "locked"], ["Treasure", "in", "Box"]] as const,
  ];
  return { rooms: ["Attic", "Hall"], exits, location, facts };
}

/** What AriGraph recalls, and plans, at a step. */
function details(recalled: readonly string[], subGoal: string): Partial<TurnRow> {
  return { details: { recalled: { triplets: recalled }, plan: JSON.stringify({ plan_steps: [{ sub_goal_1: subGoal }] }) } };
}

const KNOWN = ["add", "key", "is in", "attic"] as const;
const TAKE = details(["key, is in, attic"], "Take the key from the attic.");

Deno.test("readSteps() finds in a hunt the first stage that each step lacks something of", () => {
  using store = recorded([
    { truth: hunt("Hall", "Hall") },
    { truth: hunt("Attic"), turn: { observation: "A key lies here." } }, // decided in the hall: which key is needed was not told
    { truth: hunt("Attic"), turn: { observation: "The key unlocks the box." }, changes: [KNOWN] },
    { truth: hunt("Hall") }, // decided in the attic, where the key lies: nothing of another place
    { truth: hunt("Hall"), turn: TAKE },
    { truth: hunt("Hall"), turn: details([], "Take the key from the attic.") },
    { truth: hunt("Hall"), turn: TAKE, changes: [["remove", "key", "is in", "attic"]] },
    { truth: hunt("Hall"), turn: TAKE, changes: [["add", "key", "is in", "hall"]] },
    { truth: hunt("Hall"), turn: details(["key, is in, attic"], "Read the note."), changes: [KNOWN] },
    { truth: hunt("Hall"), turn: TAKE, event: "invalid-action" },
  ]);
  const steps = readSteps(store, "e1", "arigraph");
  const stages = ["nothing", "nothing", "nothing", "nothing", "retrieval", "extraction", "staleness", "planning", "acting"];
  assert.deepEqual(lacksOf(steps), stages.map((stage, at) => `${at + 1} ${stage}`));
  assert.deepEqual(new Set(stages).size, LACKS.length - 1); // all but exploring, which is WESE's
  // step 4: the one triplet is right; of two exits, the key, the box and its lock, which were come across, the graph has one
  assert.deepEqual([steps[3]?.precision, steps[3]?.recall], [1, 1 / 5]);
  // step 7: of "in the hall" alone, which was so before
  assert.deepEqual([steps[6]?.precision, steps[6]?.recall], [0, 0]);
  assert.equal(steps[4]?.decision?.need?.isKnown, true);
  assert.equal(steps[0]?.decision?.plan, undefined);
});

/** Two rooms joined by a red door, the ball and the key in the first. */
function rooms(agent: number, wasKeySeen = true): Step["truth"] {
  const thing = { y: 2, seen: true };
  return {
    grid: { size: 2, side: 13, pitch: 6 },
    rooms: [0, 1, 2, 3].map((id) => ({ id, visited: id < 2 })),
    doors: [{ a: 0, b: 1, colour: "red", state: "open", seen: true, x: 6, y: 3 }],
    objects: [
      { ...thing, id: 0, colour: "blue", type: "ball", room: 0, x: 2 },
      { ...thing, id: 1, colour: "green", type: "key", room: 0, x: 3, seen: wasKeySeen },
    ],
    agent: { x: 8, y: 2, direction: "east", room: agent },
    trace: [[8, 2, 0]],
  };
}

Deno.test("readSteps() holds instructions, and the thing that a mission needs next, against the rooms", () => {
  const goal = "Put the blue ball next to the green key.";
  const decided = (instruction: string, planned = true): Partial<TurnRow> => ({ goal, details: { instruction, planned } });
  using store = recorded([
    { truth: rooms(0) },
    { truth: rooms(1), turn: decided("pass_door(red open door)") }, // the ball is here: nothing of another room
    { truth: rooms(1), turn: decided("pick_up_entity(blue ball)") }, // in the other room, and the graph has none of it
    {
      truth: rooms(1),
      turn: decided("find_door()"),
      changes: [
        ["add", "room 1", "is_connected_with red door", "room 2"],
        ["add", "room 1", "contains", "blue ball (room 1)"],
        ["add", "room 1", "contains", "green key (room 1)"],
        ["add", "agent", "is_located_to", "room 2"],
      ],
    },
    { truth: rooms(0), turn: decided("pass_door(red door)") },
    { truth: rooms(1), turn: decided("pass_door(grey door)") },
    { truth: rooms(1, false), turn: decided("pass_door(red door)", false) }, // goes on with a plan: it recalls nothing
    { truth: rooms(1), turn: decided("pass_door(red door)") }, // the key was not seen: exploring on is as right
  ]);
  const found = readSteps(store, "e1", "graphmind");
  assert.deepEqual(found.map(({ decision }) => decision?.plan), [true, false, undefined, true, false, true, true]);
  assert.deepEqual(found.map(({ decision }) => decision?.need?.isKnown), [undefined, false, false, true, ...Array(3).fill(undefined)]);
  assert.deepEqual(lacksOf(found), ["1 nothing", "2 extraction", "3 extraction", "4 retrieval", "5 planning", "6 nothing", "7 nothing"]);
  assert.deepEqual([found[1]?.recall, found[3]?.precision, found[3]?.recall], [0, 3 / 4, 1]); // at step 4 the agent is in room 1 again
});

/** A household in which a soapbar lies in a fridge, which is open or not. */
function household(location: string, soap: string, isOpen = true): Step["truth"] {
  const facts = [["fridge 1", "is", isOpen ? "open" : "closed"], ["soapbar 1", "in", soap], ["mug 1", "on", "shelf 1"]];
  const plan = ["go to fridge 1", "open fridge 1", "take soapbar 1 from fridge 1", "move soapbar 1 to shelf 1"];
  return { receptacles: ["fridge 1", "shelf 1"], location: location === "" ? [] : [location], facts, type: "put", plan };
}

Deno.test("readSteps() tells what was not explored from what was not extracted, and skips thoughts", () => {
  const shut = household("fridge 1", "fridge 1", false);
  const open = household("fridge 1", "fridge 1");
  const start = household("", "fridge 1", false);
  const play = (recalled: readonly string[]): readonly Step[] => [
    { truth: start, turn: { details: { recalled: { triplets: recalled } } } },
    { truth: start, turn: { action: "think: where is it?" } },
    { truth: household("shelf 1", "fridge 1", false), turn: { action: "go to shelf 1" } },
    { truth: household("shelf 1", "fridge 1", false), turn: { action: "open fridge 1", observation: "Nothing happens." } },
    { truth: household("fridge 1", "inventory"), turn: { action: "take soapbar 1 from fridge 1" } },
    { truth: household("shelf 1", "inventory"), turn: { action: "go to shelf 1" } },
  ];
  const lacks = (explored: readonly Step[], recalled: readonly string[]): string[] => {
    using store = recorded(explored, play(recalled));
    return lacksOf(readSteps(store, "e1", "wese").filter(({ decision }) => decision));
  };
  const found = { truth: open, changes: [["add", "soapbar 1", "is in", "fridge 1"]] } as const;
  const each = (stage: string, third = stage): string[] => [`2 ${stage}`, `3 ${third}`, `4 ${stage}`, "5 nothing"];
  assert.deepEqual(lacks([{ truth: start }, { truth: shut }], []), each("exploring"));
  assert.deepEqual(lacks([{ truth: start }, { truth: open }], []), each("extraction"));
  assert.deepEqual(lacks([{ truth: start }, found], []), each("retrieval"));
  assert.deepEqual(lacks([{ truth: start }, found], ["soapbar 1, is in, fridge 1"]), each("nothing", "acting"));
  using store = recorded([{ truth: start }, found], play([]));
  const [explored, first] = readSteps(store, "e1", "wese");
  assert.deepEqual([explored?.precision, explored?.recall, first?.recall], [1, 1, undefined]); // the graph is measured while it grows
});
