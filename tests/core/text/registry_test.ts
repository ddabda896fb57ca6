import assert from "node:assert/strict";
import { z } from "zod";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkOptions, entryOf, registryOf } from "../../../lib/core/text/registry.ts";

const shapes = registryOf([{ id: "square", corners: 4 }, { id: "circle", corners: 0 }]);

Deno.test("entryOf() names the ids there are when it has none of that id", () => {
  assert.equal(entryOf("shape", shapes, "circle").corners, 0);
  for (const id of ["disc", "toString"]) {
    assert.throws(
      () => entryOf("shape", shapes, id),
      new UsageError(`there is no shape "${id}"; choose square or circle`),
    );
  }
  assert.throws(
    () => entryOf("shape", shapes, "cirlce"),
    /no shape "cirlce"; did you mean "circle"\?; choose square or circle/,
  );
});

Deno.test("checkOptions() fills in defaults and names every option that does not fit", () => {
  const schema = z.strictObject({
    k: z.int().min(0).default(5),
    by: z.enum(["all", "best"]).default("all"),
  });
  assert.deepEqual(checkOptions("the shape disc", schema, { k: 1 }), { k: 1, by: "all" });
  assert.throws(
    () => checkOptions("the shape disc", schema, { k: -1, by: 2 }),
    /^UsageError: the shape disc cannot take these options: k: .+; by: /,
  );
  assert.throws(
    () => checkOptions("the shape disc", schema, { bye: "all" }),
    /"bye".*did you mean "by"\?/,
  );
  assert.throws(
    () => checkOptions("the shape disc", schema, { by: "bset" }),
    /by: .*did you mean "best"\?/,
  );
});
