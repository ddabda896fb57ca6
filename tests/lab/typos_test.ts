import assert from "node:assert/strict";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import { bindingOf } from "../../lib/core/llm/roles.ts";
import "../../lib/offline/mod.ts";
import { profileNamed } from "../../lib/offline/profiles.ts";
import { weseStudy, type WeseStudyOptions } from "../../lib/papers/wese/study.ts";
import { exportFigure } from "../../lib/report/export.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { episodesFrame } from "../../lib/report/frame.ts";
import { paperTable } from "../../lib/report/paper.ts";
import { comparisonsTable } from "../../lib/report/tables/comparisons.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";

const study = experiment({ id: "hunts", worlds: ["textworld/hunt"], memories: ["rag"] });
const [lane] = study.lanes;
const [episode] = lane?.episodes ?? [];

/** What a cell may get wrong, as the library sees it: without types. */
const MISTAKES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a study has no option "modles"; did you mean "models"?': { modles: {} },
  'a lane has no option "godl"; did you mean "gold"?': { lanes: [{ ...lane, godl: "world" }] },
  'an episode has no option "memry"; did you mean "memory"?': { lanes: [{ ...lane, episodes: [{ ...episode, memry: "rag" }] }] },
  'has no option "memori"; did you mean "memory"?': { lanes: [{ ...lane, episodes: [{ ...episode, options: { memori: { k: 2 } } }] }] },
  'there is no role "ariadne/plann"; did you mean "ariadne/plan"?': { promptOverrides: { "ariadne/plann": "x" } },
  'the offline backbone has no option "recal"; did you mean "recall"?': { knobs: { recal: 0.5 } },
};

for (const [message, mistake] of Object.entries(MISTAKES)) {
  Deno.test(`playStudy() says: ${message}`, async () => {
    using store = openStore(":memory:");
    await assert.rejects(() => playStudy({ ...study, ...mistake } as Study, { store }), (error: Error) => {
      assert.ok(error.name === "UsageError" && error.message.includes(message), error.message);
      return true;
    });
    assert.equal(store.prepare("select count(*) as n from episodes").get()?.["n"], 0);
  });
}

Deno.test("what a cell asks of a store, a table or a figure names the nearest where it is mistyped", async () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "hunts", spec: { lanes: [] }, createdAt: 0 });
  const figure = memoryGraphFigure([{ subject: "a", relation: "b", object: "c" }], { id: "g", title: "T", backbone: "offline" });
  const mistyped = <T>(options: object): T => options as T;
  const tries: readonly (readonly [() => unknown, RegExp])[] = [
    [
      () => playStudy(study, { store, cacheMode: mistyped("recrod" as unknown as object) }),
      /there is no cacheMode "recrod"; did you mean "record"\?/,
    ],
    [
      () => experiment({ id: "x", worlds: [mistyped({ world: "textworld/hunt", parms: { seed: 2 } })], memories: ["rag"] }),
      /a world of experiment\(\) has no option "parms"; did you mean "params"\?/,
    ],
    [() => episodesFrame(store, "hunst"), /the store holds no study "hunst"; did you mean "hunts"\?/],
    [
      () => exportFigure(figure, "nowhere", mistyped({ prest: "column" })),
      /exportFigure\(\) has no option "prest"; did you mean "preset"\?/,
    ],
    [() => exportFigure(figure, "nowhere", mistyped({ preset: "colum" })), /there is no preset "colum"; did you mean "column"\?/],
    [() => memoryGraphFigure([], mistyped({ id: "g", titel: "T" })), /memoryGraphFigure\(\) has no option "titel"; did you mean "title"\?/],
    [() => comparisonsTable(episodesFrame(store, "hunts"), mistyped({ bakbone: "offline" })), /did you mean "backbone"\?/],
    [
      () => weseStudy(mistyped<WeseStudyOptions>({ sienceTasks: [] })),
      /the study wese has no option "sienceTasks"; did you mean "scienceTasks"\?/,
    ],
    [() => weseStudy({ scienceTasks: ["boli"] }), /no task of ScienceWorld "boli"; did you mean "boil"\?/],
    [() => paperTable("wese_table1_alfwrld"), /did you mean "wese_table1_alfworld"\?/],
    [() => profileNamed("perfct"), /did you mean sim:perfect\?/],
  ];
  assert.throws(() => bindingOf({ "wese/act": { model: "offline" } }, "wese/atc"), { message: /did you mean "wese\/act"\?/ });
  for (const [run, message] of tries) await assert.rejects(async () => await run(), { name: "UsageError", message });
  assert.equal(episodesFrame(store, "unplayed").height, 0);
});
