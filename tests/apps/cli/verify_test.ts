import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../lib/lab/digest.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { lab } from "./captured.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("verify names the broken episode, and merge copies the others into a new store", async () => {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  {
    using store = openStore(path);
    putStudy(store, { id: "study", spec: {}, createdAt: 1 });
    for (const [ordinal, id] of ["aaaa", "bbbb"].entries()) {
      putEpisode(store, samplePlan({ id, ordinal }));
      putTurn(store, sampleTurn({ episode: id }));
      endEpisode(store, id, {
        status: "completed",
        passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1 }],
      }, 2);
    }
  }
  const whole = await lab("verify", "--store", path);
  assert.deepEqual([whole.status, whole.err], [0, ""]);
  const manifest = await manifestOf(path, folder);
  assert.match(
    whole.out,
    /study +whole +open +broken\nstudy +2 +0 +0\n[^]*is as it was recorded\n$/,
  );
  {
    using store = openStore(path);
    store.database.exec("update packed_turns set goal = 'Another' where episode = 'bbbb'");
  }
  const another = await lab("verify", manifest, "--store", path);
  assert.equal(another.status, 1);
  assert.match(another.out, /NOT as in the store[^]*the episode bbbb is damaged/);
  const shown = await lab("show", "bbbb", "--store", path);
  assert.equal(shown.status, 0);
  assert.match(shown.err, /^lab: the episode bbbb is damaged [^\n]*\n$/);
  const broken = await lab("verify", "--store", path, "--json");
  assert.equal(broken.status, 1);
  const { studies, broken: [episode] } = JSON.parse(broken.out);
  assert.deepEqual(studies, [{ study: "study", whole: 1, open: 0, broken: 1 }]);
  assert.deepEqual([episode.episode, episode.problem], [
    "bbbb",
    "its rows are not those that were recorded",
  ]);

  const made = join(folder, "whole.sqlite");
  const { status, err } = await lab("merge", made, path);
  assert.deepEqual(
    [status, err.match(/the episode bbbb [^\n]* is left out: [^\n]*\n$/)?.length],
    [1, 1],
  );
  assert.equal((await lab("verify", "--store", made)).status, 0);
});

/** A manifest of an exhibit that is made of the study. */
async function manifestOf(path: string, folder: string): Promise<string> {
  const file = join(folder, "manifest.json");
  using store = openStore(path);
  const studies = { study: { digest: digestOf(store, "study") } };
  writeFileSync(
    file,
    JSON.stringify({
      studies,
      exhibits: { t: { caption: "n = 2.", files: ["t.md"], studies: ["study"] } },
    }),
  );
  const told = await lab("verify", file, "--store", path);
  assert.deepEqual([told.status, told.err, told.out], [0, "", "study  as in the store  t\n"]);
  writeFileSync(join(folder, "mine.csv"), "a\n");
  const unknown = await lab("verify", join(folder, "mine.csv"), "--store", path);
  assert.match(
    unknown.err,
    /^lab: cannot read .*mine\.csv: .*give a manifest\.json that \.\/lab reproduce wrote/,
  );
  return file;
}
