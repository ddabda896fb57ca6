import assert from "node:assert/strict";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { checkStudy, conditionOf, type Study } from "../../lib/lab/study.ts";
import { evidenceParts, evidenceReport } from "../../lib/papers/evidence/report.ts";
import { CHANCE, sweepStudies } from "../../lib/papers/evidence/sweeps.ts";
import { shortened, thinned } from "../../lib/papers/study-options.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { rowsOf } from "../../lib/report/frame.ts";
import { cellText } from "../../lib/report/table.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { samplePlan } from "../store/samples.ts";
import "../../lib/offline/mod.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

Deno.test("sweepStudies() varies one factor at a time, and n_prev of method and memory together", () => {
  const [, own] = sweepStudies();
  const options = new Map(own?.lanes.flatMap(({ episodes }) => episodes).map((episode) => [conditionOf(episode), episode.options]));
  const hunt = { maxSteps: 500 };
  assert.deepEqual(options.get("AriGraph, hunts"), { method: hunt });
  assert.deepEqual(options.get("k = 8"), { memory: { k: 8 }, method: hunt });
  assert.deepEqual(options.get("d = 0"), { memory: { depth: 0 }, method: hunt });
  assert.deepEqual(options.get("w = 24"), { memory: { width: 24 }, method: hunt });
  assert.deepEqual(options.get("n_prev = 20"), { memory: { nPrev: 20 }, method: { maxSteps: 500, nPrev: 20 } });
  assert.deepEqual(options.get("n_prev, no memory = 20"), { method: { maxSteps: 500, nPrev: 20 } });
  assert.deepEqual(options.get("n_prev, cleaning = 0"), { memory: { nPrev: 0 }, method: { maxSteps: 150, nPrev: 0 } });
  assert.equal(options.size, 3 + 6 * 4);
});

Deno.test("sweepStudies() plays every level in the games of its default, and more in the full form", () => {
  for (const full of [false, true]) {
    for (const study of sweepStudies({ full })) {
      checkStudy(study);
      const games = Map.groupBy(study.lanes, ({ episodes: [episode] }) => `${episode?.condition}`);
      for (const [condition, lanes] of games) assert.equal(lanes.length, full ? /cleaning/.test(condition) ? 20 : 40 : 10, condition);
    }
  }
});

Deno.test("evidenceParts() plays the sweeps where they are named, random embedder first", () => {
  const ids = (only: readonly string[], embedder?: string): string[] =>
    evidenceParts({ only, ...(embedder && { embedder }) }).map(({ study }) => study.id);
  const reader = "@reader:command-r-plus";
  assert.deepEqual(ids(["sweeps"]), [`evidence-sweeps-quick-chance${reader}`, `evidence-sweeps-quick${reader}`]);
  assert.deepEqual(ids(["sweeps", "k"]), [`evidence-sweeps-quick-k${reader}`]);
  const named = ids(["sweeps", "embedder"], "minilm");
  assert.match(named.join(" "), /^evidence-sweeps-quick-chance-embedder@\S+ evidence-sweeps-quick-embedder-embedder-[0-9a-f]{8}@\S+$/);
  assert.throws(() => ids(["sweeps", "n_prv"]), /did you mean "n_prev"/);
  const apart = evidenceParts({ only: ["sweeps"], embedder: "minilm" }).at(-1);
  assert.ok(apart && !apart.study.id.startsWith(`${apart.ordinary}@`), "another embedder must not write among the shipped files");
});

Deno.test("CHANCE gives equal texts equal numbers, and others no likeness", async () => {
  const [key, again, near] = await CHANCE.embed(["key 1", "key 1", "key 2"]);
  assert.ok(key && again && near);
  assert.deepEqual(key, again);
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? NaN), 0);
  const cosine = dot(key, near) / Math.sqrt(dot(key, key) * dot(near, near));
  assert.ok(Math.abs(cosine) < 5 / Math.sqrt(CHANCE.dimensions), `${cosine}`); // of independent numbers it has a deviation of 1/√384
});

/** Enters episodes of a study with a score each, by condition; the others are left out. */
function enter(store: Store, study: Study, scores: Readonly<Record<string, readonly number[]>>): void {
  const lanes = study.lanes.filter(({ episodes: [episode] }) => scores[`${episode?.condition}`]);
  putStudy(store, { id: study.id, spec: { lanes }, createdAt: 0 });
  const left = new Map(Object.entries(scores).map(([condition, own]) => [condition, [...own]]));
  for (const { id: lane, episodes: [episode] } of lanes) {
    const { condition = "", label, seed = 1, attempt = 1 } = episode ?? {};
    const id = `${study.id}|${lane}`;
    const identity = { embedder: typeof study.embedder === "object" ? study.embedder.id : "lexical-v1" };
    putEpisode(store, samplePlan({ id, study: study.id, lane, label, condition, seed, attempt, identity, backbone: "reader:x" }));
    const score = left.get(condition)?.shift() ?? NaN;
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score, maxScore: 10, steps: 9, end: "limit" }] }, 0);
  }
}

Deno.test("evidenceReport() tells by Holm's p over all factors, else how many games would tell", async () => {
  using store = openStore(":memory:");
  const [chance, own] = sweepStudies({ only: ["k", "embedder"], attempts: 4, models: { "*": "reader:x" } });
  assert.ok(chance && own);
  enter(store, chance, { "AriGraph, hunts": [1, 2, 1, 0] });
  const usual = [5, 5, 5, 5];
  enter(store, own, { "AriGraph, hunts": usual, "k = 0": [6, 7, 8, 7], "k = 1": [4, 6, 7, 5], "k = 4": usual, "k = 8": [5, 5, 5, 7] });
  const { tables, figures } = evidenceReport(store, own.id);
  const table = tables.find(({ id }) => id.startsWith("differences") && id.endsWith("score"));
  // t, p and d_z of the differences, by hand and scipy.stats.ttest_1samp; Holm over four tests; games by scipy.stats.nct at 5 % / 4
  assert.deepEqual(table?.rows.map((row) => row.map(cellText)), [
    ["k", "0", "4", "0.20 [0.07, 0.33]", "2.45", "0.0163", "0.0488", "told", "–"],
    ["k", "1", "4", "0.05 [-0.16, 0.26]", "0.39", "0.4950", "0.9901", "cannot tell", "78"],
    ["k", "4", "4", "0.00 [-0.60, 0.60]", "–", "–", "–", "cannot tell", "–"],
    ["k", "8", "4", "0.05 [-0.58, 0.62]", "0.50", "1.0000", "1.0000", "cannot tell", "48"], // three equal: an unseen share of 0.6024
    ["embedder", "chance-v1", "4", "-0.40 [-0.53, -0.27]", "-4.90", "0.0023", "0.0090", "told", "–"],
  ]);
  const [figure] = figures;
  assert.ok(figure);
  const marked = rowsOf<{ factor: string; level: string; kind: string }>(figure.frame).filter(({ kind }) => kind === "default");
  assert.deepEqual(marked.map(({ factor, level }) => `${factor} ${level}`), ["k 2", "embedder lexical-v1"]);
  assert.match(await toSvg(figure), /^<svg/);
  assert.deepEqual(evidenceReport(store, chance.id), { tables: [], figures: [], ledger: undefined, undrawn: [] });
});

Deno.test("evidenceReport() holds a level against the default also where the default of another factor has its name", () => {
  using store = openStore(":memory:");
  const [own] = sweepStudies({ only: ["k", "d"], attempts: 4, models: { "*": "reader:x" } });
  assert.ok(own);
  enter(store, own, { "AriGraph, hunts": [5, 5, 5, 5], "k = 0": [6, 7, 8, 7], "d = 2": [6, 7, 8, 7] }); // the default of k is 2
  const table = evidenceReport(store, own.id).tables.find(({ id }) => id.startsWith("differences") && id.endsWith("score"));
  const shown = table?.rows.map((row) => row.map(cellText).slice(0, 4));
  assert.deepEqual(shown, [["k", "0", "4", "0.20 [0.07, 0.33]"], ["d", "2", "4", "0.20 [0.07, 0.33]"]]);
});

Deno.test("evidenceReport() says so where a level differs by the same in every game", () => {
  using store = openStore(":memory:");
  const [own] = sweepStudies({ only: ["k"], attempts: 4, models: { "*": "reader:x" } });
  assert.ok(own);
  enter(store, own, { "AriGraph, hunts": [5, 5, 5, 5], "k = 0": [0, 0, 0, 0], "k = 1": [5, 5, 5, 5] });
  const table = evidenceReport(store, own.id).tables.find(({ id }) => id.startsWith("differences") && id.endsWith("score"));
  assert.deepEqual(table?.rows.map((row) => row.map(cellText).slice(3)), [
    ["-0.50 [-0.80, 0.40]", "–", "–", "–", "the same in every game", "–"],
    ["0.00 [-0.60, 0.60]", "–", "–", "–", "cannot tell", "–"],
  ]);
  assert.match(table?.caption ?? "", /for the 0 tests of this table.* a test at 5 % finds/);
});

Deno.test("sweepStudies() plays every level of every factor in real games", async () => {
  using store = openStore(":memory:");
  const studies = sweepStudies({ attempts: 1, models: { "*": "reader:command-r-plus" } }).map((study) => shortened(thinned(study, 1), 2));
  for (const study of studies) {
    const { completed, planned, episodes } = await playStudy(study, { store, worlds });
    assert.equal(completed, planned, episodes.find(({ failureMessage }) => failureMessage)?.failureMessage ?? "");
  }
  const { tables: [means] } = evidenceReport(store, studies.at(-1)?.id ?? "");
  assert.equal(means?.rows.length, 6 * 5 + 2);
});
