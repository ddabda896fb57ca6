import assert from "node:assert/strict";
import { conditionOf, idOf, type Study } from "../../lib/lab/study.ts";
import { PAPERS } from "../../lib/papers/studies.ts";
import { fileName } from "../../lib/report/export.ts";
import { reportOf } from "../../lib/report/study-report.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { putTurn } from "../../lib/store/turns.ts";
import { samplePlan, sampleTurn } from "../store/samples.ts";
import { wantsSlow } from "../slow.ts";

for (const full of wantsSlow("names of the exhibits of the full forms") ? [false, true] : [false]) {
  Deno.test(`no two exhibits of all studies of all papers share an id or a file name, ${full ? "full" : "quick"} forms`, () => {
    using store = openStore(":memory:");
    const parts = Object.entries(PAPERS).map(([paper, partsOf]) => ({
      paper,
      parts: partsOf({ full }).filter(({ optional }) => !optional),
    }));
    for (const { study } of parts.flatMap(({ parts }) => parts)) play(store, study, readerOf(study));
    const shown = parts.flatMap(({ paper, parts }) => {
      return parts.flatMap(({ study, report }) => {
        const { tables, figures } = reportOf(report, store, study.id, { allowIncomplete: true });
        return [...tables, ...figures].map(({ id, caption }) => ({ file: fileName(id).toLowerCase(), exhibit: `${paper}: ${caption}` }));
      });
    });
    const shared = Object.entries(Object.groupBy(shown, ({ file }) => file)).filter(([, exhibits]) => (exhibits ?? []).length > 1);
    assert.deepEqual(shared.map(([file, exhibits]) => [file, exhibits?.map(({ exhibit }) => exhibit)]), []);
    assert.ok(shown.length > 35, `${shown.length} exhibits`);
  });
}

Deno.test("each exhibit that a model had a part in names it in file and caption, of every paper", () => {
  const reader = "sim:77";
  using store = openStore(":memory:");
  for (const paper of Object.keys(PAPERS)) {
    const parts = PAPERS[paper]?.({ models: { "*": reader } }) ?? [];
    for (const { study } of parts) {
      assert.ok(study.id.endsWith(`@${reader}`), study.id);
      play(store, study, reader);
    }
    for (const { study, report } of parts) {
      const { tables, figures, undrawn } = reportOf(report, store, study.id, { allowIncomplete: true });
      assert.deepEqual(undrawn, [], study.id);
      const ours = [...tables, ...figures].filter(({ id }) => !id.startsWith("arigraph-map-")); // a map is drawn from the game alone
      assert.ok(ours.length > 0, paper);
      const unnamed = ours.filter(({ id, caption }) => !id.includes(reader) || !caption.includes(reader));
      assert.deepEqual(unnamed.map(({ id }) => id), [], study.id);
    }
  }
});

/** The model of a study that names one for all roles. */
function readerOf({ models: { "*": model } }: Study): string | undefined {
  return typeof model === "string" ? model : model?.model;
}

/** Enters the first trials of a study as played, with two steps each. */
function play(store: Store, study: Study, backbone = "offline"): void {
  putStudy(store, { id: study.id, spec: { lanes: study.lanes }, createdAt: 0 });
  const episodes = study.lanes.flatMap((lane) => lane.episodes.map((episode, ordinal) => ({ lane: lane.id, episode, ordinal })));
  episodes.filter(({ episode }) => episode.attempt <= 2).forEach(({ lane, episode, ordinal }, index) => {
    const id = `${study.id}/${index}`;
    const { world, params: worldParams = {}, label, attempt, seed } = episode;
    const memory = episode.memory === undefined ? "" : idOf(episode.memory);
    const names = { method: idOf(episode.method), memory, condition: conditionOf(episode), backbone };
    putEpisode(store, samplePlan({ id, study: study.id, lane, ordinal, world, worldParams, label, attempt, seed, identity: {}, ...names }));
    for (const step of [0, 1]) putTurn(store, sampleTurn({ episode: id, step, score: step, maxScore: 2, graphSize: step }));
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 2, steps: 1, end: "limit" }] }, 0);
  });
}
