import assert from "node:assert/strict";
import { z } from "zod";
import { jsonObjectIn, parseJson } from "../../../lib/core/text/json.ts";

const action = parseJson(z.object({ reason: z.string().optional(), action: z.string() }));
const expectAction = (reply: string, expected: string): void => {
  const parsed = action(reply);
  assert.deepEqual(
    parsed.kind === "ok" ? parsed.value.action : parsed,
    expected,
    reply.slice(0, 200),
  );
};

Deno.test("parseJson() reads JSON bare, fenced, and among sentences", () => {
  expectAction('{"action": "look"}', "look");
  expectAction('  \n{"reason": "none", "action": "look"}\n', "look");
  expectAction('```json\n{"action": "look"}\n```', "look");
  expectAction('Sure!\n```\n{"action": "look"}\n```\nAnything else?', "look");
  expectAction(
    'I think {hard}. My answer is {"action": "go [north] } now"} – done.',
    "go [north] } now",
  );
});

Deno.test("parseJson() mends what is a little wrong", () => {
  expectAction('{"action": "look",}', "look");
  expectAction("{'action': 'look'}", "look");
  expectAction("{action: 'look', reason: None}".replace("None", '"it\'s dark"'), "look");
  expectAction('{"reason": "dark"\n "action": "look"}', "look");
  expectAction('{"action": "look" // it is dark\n}', "look");
  expectAction('{"reason": "a\nb", "action": "look"}', "look");
});

Deno.test("parseJson() takes the last object that fits, for models think first", () => {
  expectAction('I could say {"action": "wait"}, but no: {"action": "look"}', "look");
  expectAction('{"action": "look"} as in {"other": 1}', "look");
  expectAction('```json\n{"action": "wait"}\n```\nNo:\n```json\n{"action": "look"}\n```', "look");
});

Deno.test("parseJson() is not misled by a bracket that nothing closes", () => {
  expectAction('A smiley :{ and [ and then {"action": "look"}', "look");
  expectAction('The box is 5" wide: {"action": "look"}', "look");
});

Deno.test("parseJson() never completes what was cut off", () => {
  assert.deepEqual(action('{"reason": "dark", "action": "loo'), {
    kind: "malformed",
    problem: "there is no JSON in it",
  });
  assert.equal(action('{"action": "look"').kind, "malformed");
});

Deno.test("parseJson() says in one line what does not fit", () => {
  const plan = parseJson(z.object({ sub_plans: z.array(z.object({ goal: z.string() })) }));
  assert.deepEqual(plan(""), { kind: "malformed", problem: "the reply is empty" });
  assert.deepEqual(plan("I do not know."), {
    kind: "malformed",
    problem: "there is no JSON in it",
  });
  const wrong = plan('{"sub_plans": [{"goal": 3}]}');
  assert(wrong.kind === "malformed");
  assert.match(wrong.problem, /sub_plans\.0\.goal: .*string/);
  assert.doesNotMatch(wrong.problem, /\n/);
});

Deno.test("parseJson() gets through 100 kB of nonsense", () => {
  for (
    const text of [
      "{".repeat(100_000),
      "[{".repeat(50_000) + "}]".repeat(50_000),
      "{a}".repeat(33_000),
      '"'.repeat(100_000),
      "あ{".repeat(50_000),
    ]
  ) {
    assert.equal(action(text).kind, "malformed");
  }
});

Deno.test("jsonObjectIn() finds no object in brackets that nest without end", () => {
  for (const depth of [1000, 100_000]) {
    for (
      const value of [
        "[".repeat(depth) + "]".repeat(depth),
        '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
      ]
    ) {
      assert.equal(jsonObjectIn(value), undefined);
      assert.equal(jsonObjectIn(`{'a': ${value}}`), undefined, "repaired");
    }
  }
  assert.ok(
    jsonObjectIn(`{"a": ${"[".repeat(100)}${"]".repeat(100)}}`),
    "as deep as any answer goes",
  );
});
