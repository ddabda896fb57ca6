/** The exported files that the checkout ships: what they say of themselves. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkoutRoot } from "../../lib/core/platform.ts";
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

Deno.test("panel titles of a shipped figure that stand side by side stand in one line", () => {
  const files = globSync(join(checkoutRoot(), "figures", "*", "*.svg"));
  const heights = files.flatMap((file) => {
    const own = titleHeights(readFileSync(file, "utf8"));
    return own.length > 1 ? [{ file: basename(file), own }] : [];
  });
  assert.ok(heights.length > 10);
  for (const { file, own } of heights) {
    const uneven = own.filter((height, i) => i > 0 && height !== own[i - 1] && height - (own[i - 1] ?? 0) < 7);
    assert.deepEqual(uneven, [], file);
  }
});

/** Where the titles of a picture and its panels stand, in px from the top, sorted. */
function titleHeights(svg: string): number[] {
  const open: { readonly y: number; readonly isTitle: boolean }[] = [{ y: 0, isTitle: false }];
  const found: number[] = [];
  for (const [, closes, name, rest = ""] of svg.matchAll(/<(\/?)(g|text)\b([^>]*)>/g)) {
    if (closes) {
      open.pop();
      continue;
    }
    const above = open.at(-1) ?? assert.fail();
    const y = above.y + Number(rest.match(/translate\([-\d.]+,([-\d.]+)\)/)?.[1] ?? 0);
    const isTitle = above.isTitle || rest.includes("role-title-text");
    if (name === "text" && isTitle) found.push(Math.round(10 * y) / 10);
    if (!rest.endsWith("/")) open.push({ y, isTitle });
  }
  return found.sort((a, b) => a - b);
}
