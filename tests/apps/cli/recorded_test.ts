import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedParts } from "../../../lib/apps/cli/recorded.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { inFolder } from "../../folder.ts";
import { lab } from "./captured.ts";

Deno.test("each pack of the record holds the study of its folder, and a paper without one is told", async () => {
  const parts = await recordedParts(["arigraph", "graphmind", "wese"]);
  const papers = new Set(parts.map(({ paper }) => paper));
  assert.deepEqual([...papers].sort(), ["arigraph", "graphmind", "wese"]);
  for (const { study, packs = [] } of parts) {
    assert.ok(packs.length > 0);
    for (const { manifest } of packs) {
      assert.deepEqual(manifest.studies.map(({ id }) => id), [study.id]);
    }
  }
  await assert.rejects(recordedParts(["chess"]), {
    message: "nothing is recorded of chess: add --models offline for the stand-in",
  });
  const full = await lab("reproduce", "wese", "--full");
  assert.equal(full.status, 2);
  assert.match(full.err, /nothing is recorded of --full: add --models/);
});

Deno.test("reproduce without a model replays the record to the byte", () =>
  inFolder(async (folder) => {
    const store = join(folder, "lab.sqlite");
    const { status, err } = await lab("reproduce", "wese", "--store", store, "--figures", folder);
    assert.equal(status, 0, err);
    assert.match(err, /replays what qwen2\.5-coder-1\.5b played \(100 episodes of WESE/);
    for (const file of ["table-right-answers.tex", "fig-right-answers.csv", "table-repeats.csv"]) {
      const kept = join(checkoutRoot(), "figures", "wese", "qwen2.5-coder-1.5b", file);
      assert.equal(readFileSync(join(folder, file), "utf8"), readFileSync(kept, "utf8"), file);
    }
  }));
