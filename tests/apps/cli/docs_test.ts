import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brokenLinks, guides, missingFiles } from "../../guides.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("brokenLinks() names missing files and headings, and passes what is there or elsewhere", () => {
  using own = ownFolder();
  const folder = own.path;
  const page = join(folder, "page.md");
  writeFileSync(join(folder, "other.md"), "# A heading\n");
  writeFileSync(
    page,
    "# Here it is\n[a](other.md#a-heading) [b](other.md#gone) [c](#here-it-is) [d](gone.md) [e](https://example.org/x) `[f](code.md)`\n",
  );
  assert.deepEqual(brokenLinks(page), ["other.md#gone", "gone.md"]);
});

Deno.test("no guide has a broken link", () => {
  assert.ok(guides().length >= 6);
  assert.deepEqual(guides().flatMap((page) => brokenLinks(page).map((link) => [page, link])), []);
});

Deno.test("every file that a guide names is there", () => {
  const mine = "lib/core/memory/by-word.ts"; // the page on memories has the reader write it
  const missing = guides().flatMap((page) => missingFiles(page).map((file) => [page, file]));
  assert.deepEqual(missing.filter(([, file]) => file !== mine), []);
});
