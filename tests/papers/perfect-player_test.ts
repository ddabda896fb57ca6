/**
 * `sim:perfect` and errors of 0 percent leave every paper's episodes as `offline` plays them, byte
 * for byte.
 */

import assert from "node:assert/strict";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import { NO_ERRORS } from "../../lib/offline/errors.ts";
import { arigraphStudy } from "../../lib/papers/arigraph/textworld-study.ts";
import { graphmindStudy } from "../../lib/papers/graphmind/study.ts";
import { reasonPlannerStudy } from "../../lib/papers/reasonplanner/study.ts";
import { type PartChoices, shortened, thinned } from "../../lib/papers/study-options.ts";
import { weseStudy } from "../../lib/papers/wese/study.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import "../../lib/offline/mod.ts";

const NO_ERROR = Object.keys(NO_ERRORS).map((error) =>
  `${error.replaceAll(/[A-Z]/g, "-$&").toLowerCase()}=0`
);

/** One short episode of each paper, and the training before that of ReasonPlanner. */
const STUDIES: Readonly<Record<string, (models: PartChoices["models"]) => Study>> = {
  AriGraph: (models) => arigraphStudy({ models, only: ["hunt", "arigraph"], attempts: 1 }),
  GraphMind: (models) => graphmindStudy({ models, only: ["kg", "put-next-to", "2x2-d1-0"] }),
  WESE: (models) => thinned(weseStudy({ models, only: ["alfworld", "react-wese"] }), 1),
  ReasonPlanner: (models) =>
    reasonPlannerStudy({ models, only: ["reasonplanner", "find-living-thing"], attempts: 1 }),
};

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

/** What the record holds of a study but its name and models, as one text. */
async function recordOf(study: Study): Promise<string> {
  using store = openStore(":memory:");
  const { completed, planned, episodes } = await playStudy(shortened(study, 8), { store, worlds });
  assert.equal(
    completed,
    planned,
    episodes.find(({ failureMessage }) => failureMessage)?.failureMessage ?? "",
  );
  const from = (columns: string, table: string): unknown[] =>
    store.prepare(
      `select e.chain, e.ordinal, ${columns} from ${table} t join episodes e on e.id = t.episode order by 1, 2, 3, 4, 5`,
    ).all();
  return JSON.stringify({
    turns: from(
      "t.pass, t.step, t.action, t.goal, t.observation, t.sections, t.frames, t.score, t.ended, t.details, t.graph_size",
      "turns",
    ),
    graph: from(
      "t.pass, t.step, t.ordinal, t.op, t.subject, t.relation, t.object",
      "graph_changes",
    ),
    events: from("t.pass, t.step, t.ordinal, t.kind, t.detail", "events"),
    calls: from("t.pass, t.step, t.role, t.prompt_tokens, t.completion_tokens", "calls"),
  });
}

for (const [paper, studyOf] of Object.entries(STUDIES)) {
  Deno.test(`${paper}: sim:perfect with every error at 0 plays what offline plays`, async () => {
    const offline = await recordOf(studyOf({ "*": "offline" }));
    assert.ok(offline.length > 2000, "the episode is too short to tell anything");
    assert.equal(await recordOf(studyOf({ "*": ["sim:perfect", ...NO_ERROR].join(",") })), offline);
  });
}
