/** The exported files that the checkout ships: what they say of themselves. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkoutRoot } from "../../lib/platform.ts";
import { readMark } from "../../lib/report/provenance.ts";

Deno.test("every shipped table and figure is as it was written and says what it is made of, but those that the README names", () => {
  const root = join(checkoutRoot(), "figures");
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const named = [...readme.matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name ?? "");
  const files = globSync("**/*.{md,txt,svg,tex}", { cwd: root }).filter((file) => file !== "README.md" && dirname(file) !== "episodes");
  assert.ok(files.length > 100);
  const isOf = (file: string, name: string): boolean => name.endsWith("/") ? file.startsWith(name) : file.startsWith(`${name}.`);
  const marks = files.map((file) => ({ file, mark: readMark(readFileSync(join(root, file))) }));
  const without = marks.filter(({ mark }) => mark === undefined).map(({ file }) => file);
  assert.deepEqual(
    without.filter((file) => !named.some((name) => isOf(file, name))),
    [],
    "files without a mark that the README does not name",
  );
  assert.deepEqual(named.filter((name) => !without.some((file) => isOf(file, name))), [], "named for nothing");
  assert.deepEqual(marks.filter(({ mark }) => mark?.isWhole === false).map(({ file }) => file), [], "files that were changed");
});
