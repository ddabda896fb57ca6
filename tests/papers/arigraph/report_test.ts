import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ARIGRAPH_REPORT, arigraphReport } from "../../../lib/papers/arigraph/report.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import { readMark } from "../../../lib/report/provenance.ts";
import { writeStudyReport } from "../../../lib/report/study-report.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";

Deno.test("ARIGRAPH_REPORT speaks of a model that learnt nothing: scores of zero, and no picture of an empty graph", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-report-"));
  try {
    using store = openStore(":memory:");
    putStudy(store, { id: "s", spec: {}, createdAt: 0 });
    putEpisode(store, samplePlan({ id: "e", study: "s", memory: "arigraph", condition: "arigraph", backbone: "mute" }));
    for (const step of [0, 1]) {
      putTurn(store, sampleTurn({ episode: "e", step, score: 0, maxScore: 5, graphSize: 0 }), { changes: [] });
    }
    endEpisode(store, "e", { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 5, steps: 1, end: "limit" }] }, 0);
    // a try of another day, which no number comes from
    putStudy(store, { id: "arigraph-try", spec: {}, createdAt: 1 });
    putEpisode(store, samplePlan({ id: "f", study: "arigraph-try", memory: "arigraph", condition: "arigraph", backbone: "mute" }));
    putTurn(store, sampleTurn({ episode: "f" }));
    endEpisode(store, "f", { status: "completed", passes: [{ kind: "only", score: 5, maxScore: 5, steps: 1, end: "won" }] }, 1);
    const { files, markdown } = await writeStudyReport(ARIGRAPH_REPORT, store, "s", { folder });
    for (const file of files.filter((file) => !file.endsWith(".csv"))) {
      const mark = readMark(readFileSync(file));
      assert.deepEqual([mark?.isWhole, mark?.studies.map(({ study }) => study)], [true, ["s"]], file);
    }
    assert.match(markdown, /mute: all \| 0\.00 \|/);
    const pictures = files.map((file) => basename(file)).filter((name) => name.endsWith(".svg"));
    assert.deepEqual(pictures, ["arigraph-fig1b-mute.svg", "arigraph-fig3-mute.svg", "arigraph-fig14-mute.svg", "arigraph-fig5-mute.svg"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("arigraphReport() averages growth over the attempts still running, and keeps the last score of one that ended", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  const attempts = {
    a: { scores: [0, 1, 2], triplets: [0, 4, 6], removed: [0, 0, 2] },
    b: { scores: [0, 0], triplets: [0, 2], removed: [0, 1] },
  };
  for (const [ordinal, [id, { scores, triplets, removed }]] of Object.entries(attempts).entries()) {
    putEpisode(store, samplePlan({ id, study: "s", ordinal, world: "textworld/hunt", condition: "arigraph", backbone: "offline" }));
    for (const [step, score] of scores.entries()) {
      const change = { episode: id, pass: 0, step, op: "remove", relation: "is in", object: "hall" } as const;
      const changes = Array.from({ length: removed[step] ?? 0 }, (_, i) => ({ ...change, ordinal: i, subject: `key ${i}` }));
      putTurn(store, sampleTurn({ episode: id, step, score, maxScore: 2, graphSize: triplets[step] ?? 0 }), { changes });
    }
    const pass = { kind: "only", score: scores.at(-1) ?? 0, maxScore: 2, steps: scores.length - 1, end: "limit" };
    endEpisode(store, id, { status: "completed", passes: [pass] }, 0);
  }
  const { figures } = arigraphReport(store, "s");
  const rowsIn = (id: string): object[] => rowsOf(figures.find((figure) => figure.id.startsWith(id))?.frame ?? assert.fail(id));
  assert.deepEqual(rowsIn("arigraph-fig5"), [
    { game: "Treasure Hunt", place: 0, step: 1, attempts: 2, triplets: 3, least: 2, most: 4, updateRate: 0.5 },
    { game: "Treasure Hunt", place: 0, step: 2, attempts: 1, triplets: 6, least: 6, most: 6, updateRate: 1 },
  ]);
  assert.deepEqual(rowsIn("arigraph-fig14").at(-1), {
    ...{ game: "Treasure Hunt", condition: "AriGraph", step: 2, attempts: 2 },
    ...{ score: 0.5, worst: 0, best: 1, below: "" },
  });
  assert.deepEqual(rowsIn("arigraph-fig1b"), [
    { method: "Human Top-3", games: 1, score: null, paper: 1, below: "" },
    { method: "Human All", games: 1, score: null, paper: 0.96, below: "" },
    { method: "AriGraph", games: 1, score: 0.5, paper: null, below: "" }, // the paper's best 3 of 5 is another measure
  ]);
  const bars = rowsIn("arigraph-fig3") as { panel: string; condition: string; mean: number; low: number; paper: number; n: number }[];
  assert.deepEqual(bars.map(({ panel, condition, mean, paper, n }) => [panel, condition, mean, paper, n]), [
    ["A  Treasure Hunt", "AriGraph", 0.5, null, 2],
    ["C  Treasure Hunt", "AriGraph", 0.5, null, 2],
    ["C  Treasure Hunt", "Human Top-3", null, 1, 0],
    ["C  Treasure Hunt", "Human All", null, 0.96, 0],
  ]);
  const caption = (id: string): string => figures.find((figure) => figure.id.startsWith(id))?.caption ?? assert.fail(id);
  assert.match(
    caption("arigraph-fig1b"),
    /mean of the best 2 of 2 attempts, .*people: the best three plays, and all\) over the same games/,
  );
  assert.match(caption("arigraph-fig3"), /a bar\. A: methods in the basic games, C: AriGraph and the paper's people\. Bars/);
  for (const id of ["arigraph-fig1b", "arigraph-fig3", "arigraph-fig14"]) assert.doesNotMatch(caption(id), /triangle/);
  assert.ok(Math.abs((bars[0]?.low ?? 0) - (0.5 - Math.SQRT1_2)) < 1e-12); // scores 0 and 1: their sample deviates by √½
});
