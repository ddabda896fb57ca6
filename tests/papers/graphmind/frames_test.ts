import assert from "node:assert/strict";
import {
  graphErrorOf,
  measures,
  plans,
  transitions,
} from "../../../lib/papers/graphmind/frames.ts";
import { gridSteps, wholePath } from "../../../lib/papers/graphmind/trace.ts";
import type { Store } from "../../../lib/lab/store/open.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { knowledge, storeOf, STUDY, TRUTH } from "./store.ts";

Deno.test("measures() has steps and both distances as counted by hand, of completed episodes alone", () => {
  using store = storeOf([
    { id: "all", condition: "kg", triplets: knowledge() },
    {
      ...{ id: "less", condition: "kg", attempt: 2, success: false },
      triplets: knowledge({ without: true }),
    },
    { id: "sm", condition: "sm", success: false, mission: "open-door", layout: "3x3-d1-0" },
    { id: "later", condition: "none", status: "planned" },
  ]);
  const rows = measures(store, STUDY).toRecords();
  const [all, less, sm] = rows;
  assert.deepEqual(rows.map(({ episode }) => episode), ["all", "less", "sm"]);
  assert.deepEqual([all?.mission, all?.rooms, all?.layout], ["PutNextTo", "2x2", "2x2-d1-0"]);
  assert.deepEqual([sm?.mission, sm?.rooms], ["OpenDoor", "3x3"]);
  assert.deepEqual([all?.decisions, all?.world_steps], [1, 3]);
  // the whole map: rooms 2 and 3 (2), their doors green and purple (2), and the purple door of
  // room 2 is the grey box of the other room (1 + 2)
  assert.deepEqual([all?.ged, all?.ged_lower, all?.ged_whole], [0, 0, 7]);
  assert.equal(less?.ged, 4); // the key, the purple door, an edge each
  assert.deepEqual([sm?.ged, sm?.ged_whole], [null, null]);
  // nothing built, against a room, the ball, the red door, an edge each
  assert.equal(graphErrorOf(store, "all", { step: 0 })?.upper, 5);
});

Deno.test("measures() marks a trial that takes exactly the actions of an earlier one of its condition and game", () => {
  const trial = (id: string, layout: string, isRepeat: boolean) => (
    { id, condition: "kg", layout, isRepeat, attempt: Number(id.slice(1)) }
  );
  using store = storeOf([
    ...[
      trial("a1", "2x2-d1-0", true),
      trial("a2", "2x2-d1-0", true),
      trial("a3", "2x2-d1-0", false),
    ],
    trial("b1", "2x2-d3-0", true),
  ]);
  const repeats = measures(store, STUDY).toRecords().filter(({ is_repeat }) => is_repeat);
  assert.deepEqual(repeats.map(({ episode }) => episode), ["a2"]);
});

Deno.test("transitions() compares the verdict with the rooms that the agent was in, and leaves out steps without votes", () => {
  const said = { passed: false, for: 2, against: 3 };
  using store = storeOf([
    { id: "wrong", condition: "kg", triplets: knowledge(), transition: said },
    { id: "right", condition: "kg", attempt: 2, transition: { passed: true, for: 4, against: 1 } },
    { id: "none", condition: "sm" },
  ]);
  const rows = transitions(store, STUDY).toRecords()
    .map((
      { episode, step, moved, right, right_votes },
    ) => [episode, step, moved, right, right_votes]);
  assert.deepEqual(rows, [["wrong", 1, true, false, 0.4], ["right", 1, true, true, 0.8]]);
});

/** Records one more decision step of a trial. */
function addStep(store: Store, step: number, details: Record<string, unknown>): void {
  const seen = { goal: "Win.", maxScore: 1, observationHash: "0".repeat(64), observation: "Wall" };
  const turn = { episode: "c", pass: 0, step, action: "find_door()", ...seen, score: 0 };
  putTurn(store, { ...turn, sections: {}, frames: [], details }, { truth: { ...TRUTH } });
}

Deno.test("plans() has each plan with the instructions that the verifier judged done", () => {
  using store = storeOf([{ id: "c", condition: "kg" }]);
  const plan = ["pass_door(green door)", "pick_up_entity(red key)"];
  const verdict = { complete: true, adjust: false };
  for (const step of [2, 3]) {
    addStep(store, step, { planned: step === 2, plan, target: "key", verdict });
  }
  const unsure = { complete: false, adjust: true };
  addStep(store, 4, { planned: true, plan: ["find_door()"], verdict: unsure });
  const rows = plans(store, STUDY).toRecords()
    .map(({ plan, step, target, instructions, done }) => [plan, step, target, instructions, done]);
  assert.deepEqual(rows, [
    [1, 1, "red door", "pass_door(red door)", 1],
    [2, 2, "key", "pass_door(green door); pick_up_entity(red key)", 2],
    [3, 4, "", "find_door()", 0],
  ]);
});

Deno.test("the path of a model that acts by primitives follows from them, unless it ends elsewhere than the truth", () => {
  const walked = ["done", "a wall is in the way"].map((last) => {
    using store = storeOf([{
      ...{ id: "a", condition: "kg-llm-actor" },
      primitives: [
        ...[["forward", "done"], ["forward", "the door is closed"], ["toggle", "done"]] as const,
        ...[["left", "done"], ["right", "done"], ["forward", "done"], ["forward", last]] as const,
      ],
    }]);
    const [, step] = gridSteps(store, "a");
    return [step?.path, step?.isTraced, wholePath(gridSteps(store, "a")).length];
  });
  const whole = [[4, 2, 0], [5, 2, 0], [5, 2, 0], [5, 2, 0], [5, 2, 3], [5, 2, 0], [6, 2, 0], [
    7,
    2,
    0,
  ]];
  assert.deepEqual(walked, [[whole, true, 8], [[[4, 2, 0], [7, 2, 0]], false, 2]]);
});
