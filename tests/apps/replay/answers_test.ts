import assert from "node:assert/strict";
import {
  actionAsLogged,
  itemsAsLogged,
  staleAsLogged,
  tripletAsWritten,
} from "../../../lib/apps/replay/answers.ts";

const old = (answer: string): string[] =>
  staleAsLogged(answer).stale.map(({ subject, relation, object }) =>
    `${subject}|${relation}|${object}`
  );

Deno.test("staleAsLogged() reads pairs after the last double bracket, however quoted", () => {
  assert.deepEqual(old("[[a, is, b -> a, is, c], [d, is, e -> d, is, f]]"), ["a|is|b", "d|is|e"]);
  assert.deepEqual(old(`Replacing: [['a, is, b' -> 'a, is, c'], ["d, is, e -> d, is, f"]]`), [
    "a|is|b",
    "d|is|e",
  ]);
  assert.deepEqual(old("[[a, is, b -> x, is, y], [[d, is, e. -> d, is, f]]"), ["d|is|e."]);
  assert.deepEqual(old("[]"), []);
  assert.deepEqual(old("Replacing: []"), []);
});

Deno.test("staleAsLogged() ignores pairs with two arrows or an old side of other than three parts", () => {
  assert.deepEqual(
    staleAsLogged("[[a, is -> a, is, b], [a, b, c -> d, e, f -> g, h, i], [k, l, m -> n]]"),
    {
      stale: [{ subject: "k", relation: "l", object: "m" }],
      ignored: 2,
    },
  );
});

Deno.test("tripletAsWritten() strips nothing", () => {
  assert.deepEqual(tripletAsWritten("player, carries, key 1."), {
    subject: "player",
    relation: "carries",
    object: "key 1.",
  });
  assert.deepEqual(tripletAsWritten("a: b, is, c, d"), {
    subject: "a: b",
    relation: "is",
    object: "c, d",
  });
});

Deno.test("itemsAsLogged() lower-cases the keys of a dict and of a list", () => {
  assert.deepEqual([...itemsAsLogged("{'Key 1': 2, 'BBQ': 1.5}")], [["key 1", 2], ["bbq", 1.5]]);
  assert.deepEqual([...itemsAsLogged("['Room A', 'Key 1']")], [["room a", 1], ["key 1", 1]]);
  assert.throws(() => itemsAsLogged("'Room A'"), SyntaxError);
});

Deno.test("actionAsLogged() looks where no action is named", () => {
  assert.equal(
    actionAsLogged('{"reason_for_action": "x",\n  "action_to_take": "go to room a"\n}'),
    "go to room a",
  );
  assert.equal(actionAsLogged('{"reason_for_action": "x"'), "look");
});
