import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { putTurn } from "../../lib/store/turns.ts";
import { lab } from "./captured.ts";
import { samplePlan, sampleTurn } from "../store/samples.ts";

Deno.test("./lab paper writes what is played as LaTeX, HTML and Quarto, and says what there is to play where nothing is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-"));
  const path = join(folder, "lab.sqlite");
  {
    using store = openStore(path);
    const study = "arigraph-quick@offline";
    putStudy(store, { id: study, spec: {}, createdAt: 0 });
    putEpisode(store, samplePlan({ id: "a", study, world: "textworld/hunt", condition: "arigraph", backbone: "offline" }));
    for (const step of [0, 1]) putTurn(store, sampleTurn({ episode: "a", step, score: step, maxScore: 2, graphSize: step }));
    endEpisode(store, "a", { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 2, steps: 1, end: "limit" }] }, 0);
  }
  const to = join(folder, "out");
  assert.equal((await lab("paper", "arigraph", "--models", "offline", "--store", path, "--to", to)).status, 0);
  for (const ending of ["tex", "html", "qmd"]) {
    const text = readFileSync(join(to, `paper.${ending}`), "utf8");
    for (const said of ["normalised scores in TextWorld", "Average over Treasure Hunt", "the paper's numbers and ours"]) {
      assert.ok(text.includes(said), `${said} in ${ending}`);
    }
  }
  const shorter = await lab("paper", "arigraph", "--models", "offline", "--episodes", "1", "--steps", "15", "--store", path, "--to", to);
  assert.match(shorter.err, /arigraph-quick-episodes1-steps15@offline is left out: it was not played/);
  const unplayed = await lab("paper", "wese", "--store", path, "--to", to);
  assert.equal(unplayed.status, 2);
  assert.match(unplayed.err, /nothing of wese is played in .*; \.\/lab reproduce wese plays it/);
  assert.match((await lab("paper", "--preset", "poster", "--store", path)).err, /no preset "poster"; there are column, page, slide/);
  rmSync(folder, { recursive: true });
});
