import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportTable } from "../../lib/report/export.ts";
import { provenanceOf } from "../../lib/report/provenance.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { putTurn } from "../../lib/store/turns.ts";
import { samplePlan, sampleTurn } from "../store/samples.ts";
import { lab } from "./captured.ts";

Deno.test("verify names the broken episode and where it differs, and repair saves the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-verify-"));
  try {
    const path = join(folder, "lab.sqlite");
    {
      using store = openStore(path);
      putStudy(store, { id: "study", spec: {}, createdAt: 1 });
      for (const [ordinal, id] of ["aaaa", "bbbb"].entries()) {
        putEpisode(store, samplePlan({ id, ordinal }));
        putTurn(store, sampleTurn({ episode: id }));
        endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1 }] }, 2);
      }
    }
    const whole = await lab("verify", "--store", path);
    assert.deepEqual([whole.status, whole.err], [0, ""]);
    const files = await exportedFiles(path, folder);
    assert.match(whole.out, /study +whole +unsealed +open +broken\nstudy +2 +0 +0 +0\n[^]*is as it was recorded\n$/);
    {
      using store = openStore(path);
      store.database.exec("update packed_turns set goal = 'Another' where episode = 'bbbb'");
    }
    const another = await lab("verify", files[0] ?? "", "--store", path);
    assert.equal(another.status, 1);
    assert.match(another.out, /is as it was written[^]*NOT as in the store[^]*the episode bbbb is not as it was recorded/);
    for (
      const words of [["show", "bbbb"], ["export", "study", "--to", join(folder, "export")], [
        "export",
        "study",
        "--inspect",
        "--to",
        folder,
      ]]
    ) {
      const { status, err } = await lab(...words, "--store", path);
      assert.deepEqual(
        [status, err.match(/^lab: the episode bbbb is not as it was recorded [^\n]*\n$/)?.length],
        [0, 1],
        `${words}: ${err}`,
      );
    }
    const broken = await lab("verify", "--store", path, "--json");
    assert.equal(broken.status, 1);
    const { studies, broken: [episode] } = JSON.parse(broken.out);
    assert.deepEqual(studies, [{ study: "study", whole: 1, unsealed: 0, open: 0, broken: 1 }]);
    assert.deepEqual([episode.episode, episode.problem], ["bbbb", "turns 0.0 is not as it was recorded"]);

    const repair = await lab("repair", "--store", path);
    assert.equal(repair.status, 0);
    assert.match(
      repair.out,
      /^saved {2}1 episodes of 1 studies, 0 replies, 0 artefacts\nlost {3}the episode bbbb [^]*--store .*lab\.repaired\.sqlite:/,
    );
    assert.equal((await lab("verify", "--store", join(folder, "lab.repaired.sqlite"))).status, 0);
    const again = await lab("repair", "--store", path);
    assert.equal(again.status, 1);
    assert.match(again.err, /^lab: cannot repair into .*, which exists already: name another file with --into\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Writes a table of a store, holds each of its files against it, and returns their paths. */
async function exportedFiles(path: string, folder: string): Promise<string[]> {
  const table = { id: "t", title: "T", caption: "n = 2.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };
  using store = openStore(path);
  const files = await exportTable(table, join(folder, "files"), { provenance: provenanceOf(store, ["study"]) });
  const told = await lab("verify", ...files, "--store", path);
  assert.deepEqual([told.status, told.err], [0, ""]);
  assert.equal(told.out.match(/is as it was written[^]*?study +study: as in the store\n[^]*?episodes +aaaa bbbb\n/g)?.length, 3, told.out);
  const csv = files.find((file) => file.endsWith(".csv")) ?? "";
  writeFileSync(csv, "game,score\nhunt,0.60\n");
  assert.match((await lab("verify", csv, "--store", path)).out, /is NOT as it was written/);
  writeFileSync(join(folder, "mine.csv"), "a\n");
  const unknown = await lab("verify", join(folder, "mine.csv"), "--store", path);
  assert.match(unknown.err, /^lab: nothing says what .*mine\.csv is made of: a CSV is told by the \.md or \.txt/);
  return files;
}
