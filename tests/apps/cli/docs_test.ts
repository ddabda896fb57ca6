import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brokenLinks, guides } from "../../../lib/apps/cli/docs.ts";
import { lab } from "./captured.ts";

Deno.test("brokenLinks() names missing files and headings, and passes what is there or elsewhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "docs-"));
  try {
    const page = join(folder, "page.md");
    writeFileSync(join(folder, "other.md"), "# A heading\n");
    writeFileSync(
      page,
      "# Here it is\n[a](other.md#a-heading) [b](other.md#gone) [c](#here-it-is) [d](gone.md) [e](https://example.org/x) `[f](code.md)`\n",
    );
    assert.deepEqual(brokenLinks(page).map(({ link }) => link), ["other.md#gone", "gone.md"]);
    const site = join(folder, "site.html");
    writeFileSync(
      site,
      '<a href=".&#x2F;other.md">x</a> <a href="gone.html#x">y</a> <a href="//host/z">z</a>',
    );
    assert.deepEqual(brokenLinks(site).map(({ link }) => link), ["gone.html#x"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("lab docs builds the site, whose links and the guides' all lead somewhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docs-"));
  try {
    const { status, out, err } = await lab("docs", "--to", folder);
    assert.equal(err, "");
    assert.equal(status, 0);
    assert.match(out, /\d{3,} pages of the interface and \d+ guides/);
    assert.ok(guides().length >= 6);
    writeFileSync(join(folder, "mine.txt"), "");
    rmSync(join(folder, "all_symbols.html"));
    const refused = await lab("docs", "--to", folder);
    assert.equal(refused.status, 2);
    assert.match(refused.err, /holds other files; choose an empty one/);
    const file = await lab("docs", "--to", join(folder, "mine.txt"));
    assert.equal(file.status, 2);
    assert.match(file.err, /^lab: [^\n]*mine\.txt: it is no folder; choose another with --to\n$/);
    const below = await lab("docs", "--to", join(folder, "mine.txt", "site"));
    assert.equal(below.status, 1);
    assert.match(
      below.err,
      /^lab: ENOTDIR: [^\n]*; choose another place, or see to what is there\n$/,
    );
    if (existsSync("/proc")) {
      const unmade = await lab("docs", "--to", "/proc/site");
      assert.equal(unmade.status, 2);
      assert.match(
        unmade.err,
        /^lab: cannot build the site in \/proc\/site: [^\n\\]* file or directory[^\n\\]*; choose another folder with --to\n$/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
