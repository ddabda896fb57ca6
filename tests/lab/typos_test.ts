import assert from "node:assert/strict";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import { bindingOf } from "../../lib/core/llm/roles.ts";
import "../../lib/offline/mod.ts";
import { weseStudy, type WeseStudyOptions } from "../../lib/papers/wese/study.ts";
import { figure } from "../../lib/lab/figure.ts";
import { frameOf } from "../../lib/lab/frame-of.ts";
import { episodes } from "../../lib/lab/frames.ts";
import { meanInterval } from "../../lib/lab/means.ts";
import { paperTable } from "../../lib/lab/paper-numbers.ts";
import { table } from "../../lib/lab/table.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";

const study = experiment({ id: "hunts", worlds: ["textworld/hunt"], memories: ["rag"] });
const [chain] = study.chains;
const [episode] = chain?.episodes ?? [];

/** What a cell may get wrong, as the library sees it: without types. */
const MISTAKES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a study has no option "modles"; did you mean "models"?': { modles: {} },
  'a chain has no option "godl"; did you mean "gold"?': { chains: [{ ...chain, godl: "world" }] },
  'an episode has no option "memry"; did you mean "memory"?': {
    chains: [{ ...chain, episodes: [{ ...episode, memry: "rag" }] }],
  },
  'has no option "memori"; did you mean "memory"?': {
    chains: [{ ...chain, episodes: [{ ...episode, options: { memori: { k: 2 } } }] }],
  },
  'there is no role "ariadne/plann"; did you mean "ariadne/plan"?': {
    promptOverrides: { "ariadne/plann": "x" },
  },
  'the stand-in has no option "recal"; did you mean "recall"?': {
    modelOptions: { recal: 0.5 },
  },
};

for (const [message, mistake] of Object.entries(MISTAKES)) {
  Deno.test(`playStudy() says: ${message}`, async () => {
    using store = openStore(":memory:");
    await assert.rejects(
      () => playStudy({ ...study, ...mistake } as Study, { store }),
      (error: Error) => {
        assert.ok(error.name === "UsageError" && error.message.includes(message), error.message);
        return true;
      },
    );
    assert.equal(store.prepare("select count(*) as n from episodes").get()?.["n"], 0);
  });
}

Deno.test("what a cell asks of a store, a table or a figure names the nearest where it is mistyped", async () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "hunts", spec: { chains: [] }, createdAt: 0 });
  const frame = frameOf([{ score: 1 }], { score: "number" });
  const mistyped = <T>(options: object): T => options as T;
  const tries: readonly (readonly [() => unknown, RegExp])[] = [
    [
      () => playStudy(study, { store, cacheMode: mistyped("recrod" as unknown as object) }),
      /there is no cacheMode "recrod"; did you mean "record"\?/,
    ],
    [
      () =>
        experiment({
          id: "x",
          worlds: [mistyped({ world: "textworld/hunt", parms: { seed: 2 } })],
          memories: ["rag"],
        }),
      /a world of experiment\(\) has no option "parms"; did you mean "params"\?/,
    ],
    [() => episodes(store, "hunst"), /the store holds no study "hunst"; did you mean "hunts"\?/],
    [
      () => table(frame, mistyped({ captoin: "T" })),
      /table\(\) has no option "captoin"; did you mean "caption"\?/,
    ],
    [
      () => figure({}, mistyped({ caption: "T", fiel: "f" })),
      /figure\(\) has no option "fiel"; did you mean "file"\?/,
    ],
    [
      () => meanInterval(frame, { of: "scroe" }),
      /the frame has no column "scroe"; did you mean "score"\?/,
    ],
    [
      () => weseStudy(mistyped<WeseStudyOptions>({ sienceTasks: [] })),
      /the study wese has no option "sienceTasks"; did you mean "scienceTasks"\?/,
    ],
    [
      () => weseStudy({ scienceTasks: ["boli"] }),
      /no task of ScienceWorld "boli"; did you mean "boil"\?/,
    ],
    [() => paperTable("wese_table1_alfwrld"), /did you mean "wese_table1_alfworld"\?/],
  ];
  assert.throws(() => bindingOf({ "wese/act": { model: "offline" } }, "wese/atc"), {
    message: /did you mean "wese\/act"\?/,
  });
  for (const [run, message] of tries) {
    await assert.rejects(async () => await run(), { name: "UsageError", message });
  }
  assert.equal(episodes(store, "unplayed").height, 0);
});
