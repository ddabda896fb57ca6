import assert from "node:assert/strict";
import { z } from "zod";
import { overlong, parseShortJson, readText } from "../../lib/text/reply-length.ts";

Deno.test("overlong() lets 20,000 characters through, and says how many there are of more", () => {
  assert.equal(overlong("a".repeat(20_000)), undefined);
  assert.deepEqual(overlong("a".repeat(20_001)), { kind: "malformed", problem: "it has 20001 characters and may have 20000" });
});

Deno.test("readText() trims a text, and refuses an empty or overlong one", () => {
  assert.deepEqual(readText(" go on \n"), { kind: "ok", value: "go on" });
  assert.deepEqual(readText(" \n"), { kind: "malformed", problem: "it is empty" });
  assert.deepEqual(readText(" abc ", 2), { kind: "malformed", problem: "it has 3 characters and may have 2" });
});

Deno.test("parseShortJson() reads JSON as parseJson() does when the reply is not overlong", () => {
  const parse = parseShortJson(z.object({ action: z.string() }));
  assert.deepEqual(parse('{"action": "look"}'), { kind: "ok", value: { action: "look" } });
  assert.deepEqual(parse(`{"action": "look"}${" ".repeat(20_000)}`), {
    kind: "malformed",
    problem: "it has 20018 characters and may have 20000",
  });
});
