import assert from "node:assert/strict";
import { lookAheadOf } from "../../../lib/apps/view/look-ahead.ts";
import { holds } from "../../../lib/apps/view/client/recalled.ts";

Deno.test("holds() takes a line for recalled only where it does not go on as a longer word", () => {
  assert.ok(holds("We know: key 1, is in, hall.", "key 1, is in, hall"));
  assert.ok(holds("key 1, is in, hallway; key 1, is in, hall", "key 1, is in, hall"));
  assert.ok(!holds("key 1, is in, hallway", "key 1, is in, hall"));
  assert.ok(!holds("monkey 1, is in, hall", "key 1, is in, hall"));
  assert.ok(
    holds("钥匙在箱子里", "钥匙"),
    "a script without spaces does not tell where a word ends",
  );
});

Deno.test("lookAheadOf() puts each question to the prediction that it was asked for", () => {
  const call = (
    role: string,
    parsed: unknown,
    reply = "",
  ): Parameters<typeof lookAheadOf>[0][number] => ({
    role: `reasonplanner/${role}`,
    parsed,
    reply,
  });
  const { steps, open } = lookAheadOf([
    call("predict-action", { query: "where is the pot?" }),
    call("query-entities", { entities: ["pot"] }),
    call("answer", undefined, "in the kitchen"),
    call("predict-action", { action: "go to kitchen", response: "done" }),
    call("predict-state", { query: "what is there?" }),
    call("predict-state", { state: { observation: "A kitchen." }, done: true }),
    call("predict-action", { query: "and then?" }),
  ]);
  assert.deepEqual(steps, [{
    action: "go to kitchen",
    response: "done",
    queries: [{ query: "where is the pot?", answer: "in the kitchen" }, {
      query: "what is there?",
      answer: "nothing is known",
    }],
    state: { observation: "A kitchen." },
    done: true,
  }]);
  assert.deepEqual(open, [{ query: "and then?", answer: "nothing is known" }]);
});
