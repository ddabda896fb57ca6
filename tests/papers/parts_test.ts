import assert from "node:assert/strict";
import { PAPERS } from "../../lib/papers/parts.ts";

const PLAIN = {};

Deno.test("what a paper plays unless told otherwise stands in figures/ itself, its full form in a folder of its own", () => {
  for (const [paper, partsOf] of Object.entries(PAPERS)) {
    const [part] = partsOf(PLAIN);
    assert.ok(part, paper);
    assert.equal(part.study.id.split("@")[0], part.ordinary, paper);
    const [full] = partsOf({ ...PLAIN, full: true });
    assert.notEqual(full?.study.id.split("@")[0], full?.ordinary, paper);
  }
});
