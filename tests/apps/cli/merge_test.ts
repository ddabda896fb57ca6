import assert from "node:assert/strict";
import { existsSync, linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../../lib/lab/store/open.ts";
import { fill } from "../../lab/store/filled.ts";
import { lab } from "./captured.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("merge makes nothing where a store is missing, and takes no store for another under a second name", async () => {
  using own = ownFolder();
  const folder = own.path;
  const [store, out, link, hard] = ["lab.sqlite", "out.sqlite", "link.sqlite", "hard.sqlite"].map(
    (name) => join(folder, name),
  ) as [
    string,
    string,
    string,
    string,
  ];
  {
    using made = openStore(store);
    made.transaction(() => fill(made));
  }
  symlinkSync(store, link);
  linkSync(store, hard);
  const missing = await lab("merge", out, store, join(folder, "nothing.sqlite"));
  assert.equal(missing.status, 1);
  assert.match(missing.err, /^lab: there is no store at .*nothing\.sqlite/);
  assert.equal(existsSync(out), false);
  for (const other of [store, link, hard]) {
    const same = await lab("merge", store, other);
    assert.equal(same.status, 2);
    assert.match(same.err, /cannot be merged into itself: name another output first\n$/);
  }
  const merged = await lab("merge", out, link);
  assert.equal(merged.status, 0, merged.err);
  assert.match(merged.out, /1 studies, 4 episodes, 20 replies/);
});
