import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeArigraphReport } from "../../../lib/papers/arigraph/textworld-report.ts";
import { endEpisode, putEpisode } from "../../../lib/store/episodes.ts";
import { openStore } from "../../../lib/store/open.ts";
import { putStudy } from "../../../lib/store/studies.ts";
import { putTurn } from "../../../lib/store/turns.ts";
import { samplePlan, sampleTurn } from "../../store/samples.ts";

Deno.test("writeArigraphReport() reports a model that learnt nothing: scores of zero, and no picture of an empty graph", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-report-"));
  try {
    using store = openStore(":memory:");
    putStudy(store, { id: "s", spec: {}, createdAt: 0 });
    putEpisode(store, samplePlan({ id: "e", study: "s", memory: "arigraph", condition: "arigraph", backbone: "mute" }));
    for (const step of [0, 1]) {
      putTurn(store, sampleTurn({ episode: "e", step, score: 0, maxScore: 5, graphSize: 0 }), { changes: [] });
    }
    endEpisode(store, "e", { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 5, steps: 1, end: "limit" }] }, 0);
    const { files, markdown } = await writeArigraphReport(store, "s", { folder });
    assert.match(markdown, /mute: all \| 0\.00 \|/);
    const pictures = files.map((file) => basename(file)).filter((name) => name.endsWith(".svg"));
    assert.deepEqual(pictures, ["arigraph-fig1b-mute.svg", "arigraph-fig3-mute.svg", "arigraph-fig14-mute.svg", "arigraph-fig5-mute.svg"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
