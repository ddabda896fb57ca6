import assert from "node:assert/strict";
import type { ModelError } from "../../../lib/core/errors.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";

const ask = (role: string, content = "?") => ({
  role,
  messages: [{ role: "user" as const, content }],
});

Deno.test("scripted() gives its replies in order, then throws exhausted", async () => {
  const model = scripted(["one", (request) => `two for ${request.role}`, {
    model: "three",
    choices: [{ text: "3", finish: "length" }],
  }]);
  assert.equal((await model.chat(ask("a/b"))).choices[0].text, "one");
  assert.equal((await model.chat(ask("a/c"))).choices[0].text, "two for a/c");
  const third = await model.chat(ask("a/b"));
  assert.deepEqual([third.model, third.choices, third.usage.prompt], ["three", [{
    text: "3",
    finish: "length",
  }], 0]);
  await assert.rejects(model.chat(ask("a/b")), (error: ModelError) => {
    assert.equal(error.kind, "exhausted");
    assert.match(error.message, /request 4, role a\/b/);
    return true;
  });
  assert.equal(model.requests.length, 4);
});

Deno.test("scripted() looks up replies by role, then family, then *", async () => {
  const model = scripted({ "a/x": ["exact"], "a/*": ["family"], "*": ["any"] });
  assert.equal((await model.chat(ask("b/x"))).choices[0].text, "any");
  assert.equal((await model.chat(ask("a/y"))).choices[0].text, "family");
  assert.equal((await model.chat(ask("a/x"))).choices[0].text, "exact");
  model.assertDone();
});

Deno.test("assertDone() throws when replies are left over, and says whose", async () => {
  const model = scripted({ "a/x": ["1", "2", "3"], "a/y": () => "always", "a/z": ["1"] });
  await model.chat(ask("a/x"));
  assert.throws(() => model.assertDone(), { kind: "exhausted", message: /2 for a\/x, 1 for a\/z/ });
});
