import assert from "node:assert/strict";
import { UsageError } from "../../lib/errors.ts";
import { MEMORIES, METHODS } from "../../lib/mod.ts";
import { methodSpec } from "./conformance.ts";

for (const [id, entry] of Object.entries(METHODS)) {
  if (entry.takesMemory) {
    for (const [memory, { create }] of Object.entries(MEMORIES)) {
      methodSpec(`${id} with ${memory}`, () => entry.create({ memory: create({}) }));
    }
    Deno.test(`${id}: is refused without a memory`, () => {
      assert.throws(() => entry.create({}), (error: Error) => error instanceof UsageError && /needs a memory/.test(error.message));
    });
  } else methodSpec(id, () => entry.create({}));

  Deno.test(`${id}: an option that does not exist is refused in one line`, () => {
    const memory = MEMORIES["full-history"]?.create({});
    const options = { elephant: 1, ...(entry.takesMemory && memory ? { memory } : {}) };
    assert.throws(
      () => entry.create(options),
      (error: Error) => error instanceof UsageError && /^[^\n]*elephant[^\n]*$/.test(error.message),
    );
  });
}
