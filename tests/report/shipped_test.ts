/** The exported files that the checkout ships: what they say of themselves. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkoutRoot } from "../../lib/platform.ts";
import { readMark } from "../../lib/report/provenance.ts";

Deno.test("every shipped table and figure is as it was written and says what it is made of", () => {
  const root = join(checkoutRoot(), "figures");
  const files = globSync("**/*.{md,txt,svg,tex}", { cwd: root }).filter((file) =>
    basename(file) !== "README.md" && dirname(file) !== "episodes"
  );
  assert.ok(files.length > 100);
  const marks = files.map((file) => ({ file, mark: readMark(readFileSync(join(root, file))) }));
  assert.deepEqual(marks.filter(({ mark }) => mark === undefined).map(({ file }) => file), [], "files without a mark");
  assert.deepEqual(marks.filter(({ mark }) => mark?.isWhole === false).map(({ file }) => file), [], "files that were changed");
});
