import assert from "node:assert/strict";
import { overlong } from "../../lib/text/reply-length.ts";

Deno.test("overlong() lets 20,000 characters through, and says how many there are of more", () => {
  assert.equal(overlong("a".repeat(20_000)), undefined);
  assert.deepEqual(overlong("a".repeat(20_001)), { kind: "malformed", problem: "it has 20001 characters and may have 20000" });
});
