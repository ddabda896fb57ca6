import assert from "node:assert/strict";
import { memoize } from "../../../lib/core/text/memoize.ts";

Deno.test("memoize() computes a text once while it is called for, and forgets what is not", () => {
  const computed: string[] = [];
  const lengthOf = memoize((text) => computed.push(text) && text.length, 20);
  for (let round = 0; round < 30; round++) {
    assert.equal(lengthOf("called for"), 10);
    assert.equal(lengthOf(`other ${round}`), `other ${round}`.length);
  }
  assert.equal(computed.filter((text) => text === "called for").length, 1);
  assert.equal(lengthOf("other 0"), 7);
  assert.equal(computed.filter((text) => text === "other 0").length, 2);
});
