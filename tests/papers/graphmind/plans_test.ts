import assert from "node:assert/strict";
import { graphmindPlans, type PlanRow } from "../../../lib/papers/graphmind/plans.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import type { Store } from "../../../lib/lab/store/open.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { storeOf, STUDY, TRUTH } from "./store.ts";

/** Records one more decision step of a trial. */
function addStep(store: Store, episode: string, step: number, details: Record<string, unknown>): void {
  const seen = { goal: "Win.", maxScore: 1, observationHash: "0".repeat(64), observation: "Wall", score: 0 };
  putTurn(store, { episode, pass: 0, step, action: "find_door()", ...seen, sections: {}, frames: [], details }, { truth: { ...TRUTH } });
}

Deno.test("graphmindPlans() shows both plans of a map from the one on that differs, KG's first", () => {
  using store = storeOf([
    { id: "a", condition: "kg", success: true },
    { id: "b", condition: "sm", success: true },
    { id: "c", condition: "kg", layout: "3x3-d1-0" },
    { id: "d", condition: "sm", layout: "3x3-d1-0", success: false },
  ]);
  const plan = ["pass_door(green door)", "pick_up_entity(red key)"];
  for (const step of [2, 3]) {
    addStep(store, "c", step, { planned: step === 2, plan, target: "red key", verdict: { complete: true, adjust: false } });
  }
  addStep(store, "d", 2, { planned: true, plan: ["find_door()"], target: "door", verdict: { complete: false, adjust: true } });
  const shown = rowsOf<PlanRow>(graphmindPlans(store, STUDY)).map(({ layout, condition, plan, step, target, instructions, done }) =>
    [layout, condition, plan, step, target, instructions, done].join(" | ")
  );
  assert.deepEqual(shown, [ // the first plans are the same
    "3x3-d1-0 | kg | 2 | 2 | red key | pass_door(green door); pick_up_entity(red key) | 2",
    "3x3-d1-0 | sm | 2 | 2 | door | find_door() | 0",
  ]);
  assert.equal(graphmindPlans(store, STUDY, { layout: "2x2-d1-0" }).height, 0, "their plans are all the same");
});
