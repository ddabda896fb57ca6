/** The frames of a real small play, checked with SQL and by hand. */

import assert from "node:assert/strict";
import { UsageError } from "../../lib/core/errors.ts";
import { about } from "../../lib/lab/about.ts";
import * as frames from "../../lib/lab/frames.ts";
import { type DataFrame, rowsOf } from "../../lib/lab/frame-of.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { meanInterval } from "../../lib/lab/means.ts";
import { paperNumbers } from "../../lib/lab/paper-numbers.ts";
import { matrixChains, type Study } from "../../lib/lab/study.ts";
import "../../lib/offline/mod.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";

type Row = Record<string, number | string | boolean | null>;
const rows = (frame: DataFrame): Row[] => rowsOf<Row>(frame);

const STEPS = 6;
const HUNT: Study = {
  id: "frames@offline",
  title: "A short hunt",
  models: { "*": "offline" },
  chains: matrixChains({
    worlds: [{ world: "textworld/hunt", label: "Hunt" }],
    conditions: ["arigraph", "full-history"].map((memory) => (
      { method: "ariadne", memory, options: { method: { maxSteps: STEPS } } }
    )),
    attempts: 2,
  }),
};

Deno.test("the frames of a short hunt hold what the store holds, in the order of the plan", async () => {
  using store = openStore(":memory:");
  await playStudy(HUNT, { store });
  const one = (sql: string): Row => store.prepare(sql).get() as Row;

  const episodes = rows(frames.episodes(store, HUNT.id));
  assert.deepEqual(episodes.map(({ condition, attempt, game }) => [condition, attempt, game]), [
    ["arigraph", 1, "Hunt"],
    ["full-history", 1, "Hunt"],
    ["arigraph", 2, "Hunt"],
    ["full-history", 2, "Hunt"],
  ]);
  for (const { episode, raw_score, max_score, score, steps, models, is_training } of episodes) {
    const recorded = one(`select score, max_score, steps from episodes where id = '${episode}'`);
    assert.deepEqual([raw_score, max_score, steps], [
      recorded["score"],
      recorded["max_score"],
      recorded["steps"],
    ]);
    assert.equal(score, Number(raw_score) / Number(max_score));
    assert.deepEqual([models, is_training], ["offline", false]);
  }

  const steps = rows(frames.steps(store, HUNT.id));
  assert.equal(steps.length, 4 * (STEPS + 1));
  assert.deepEqual(steps.slice(0, STEPS + 1).map(({ step }) => step), [0, 1, 2, 3, 4, 5, 6]);
  assert.ok(steps.every(({ location }) => typeof location === "string" && location !== ""));
  assert.equal(steps[0]?.["action"], null);
  const removed = "select count(*) as n from graph_changes where op = 'remove'";
  const total = (some: readonly Row[], column: string): number =>
    some.reduce((sum, row) => sum + Number(row[column]), 0);
  assert.equal(total(steps, "replaced"), one(removed)["n"]);
  assert.ok(total(steps, "replaced") > 0, "the play removes nothing: it shows nothing");
  assert.ok(
    steps.filter(({ condition }) => condition === "full-history").every(({ triplets }) =>
      triplets === null
    ),
  );

  const graph = rows(frames.graphSteps(store, HUNT.id));
  assert.ok(
    graph.every(({ triplets, added_so_far, replaced_so_far }) =>
      triplets === Number(added_so_far) - Number(replaced_so_far)
    ),
  );
  assert.deepEqual([...new Set(graph.map(({ condition }) => condition))], ["arigraph"]);

  const calls = rows(frames.calls(store, HUNT.id));
  const asked = one(
    "select count(*) as n, sum(prompt_tokens) as prompt from calls where role <> 'lab/embed'",
  );
  assert.deepEqual([calls.length, total(calls, "prompt_tokens")], [asked["n"], asked["prompt"]]);
  store.prepare(
    `insert into calls (episode, pass, step, role, model, key, kind, prompt_tokens, cached_tokens,
    completion_tokens, reasoning_tokens, latency_ms, at) select episode, pass, step, role, model, key, kind,
    prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, latency_ms, at from calls`,
  ).run();
  assert.equal(frames.calls(store, HUNT.id).height, calls.length, "a question repeated is one");

  assert.deepEqual(
    rows(frames.passes(store, HUNT.id)).map((
      { pass, kind, counts, steps },
    ) => [pass, kind, counts, steps]),
    Array(4).fill([0, "only", true, STEPS]),
  );
  assert.equal(about(store, HUNT.id), "Model: stand-in; n = 4 episodes, seeds 1, 2.");
  assert.throws(() => frames.steps(store, "frame@offline"), UsageError);
});

Deno.test("a study that was not played has frames without rows, their columns typed", () => {
  using store = openStore(":memory:");
  for (const name of ["episodes", "steps", "calls", "passes", "graphSteps"] as const) {
    const frame = frames[name](store, "mine");
    const columns = frames[`${name.replace("S", "_S").toUpperCase()}_COLUMNS` as "STEPS_COLUMNS"];
    assert.equal(frame.height, 0);
    assert.deepEqual(frame.columns, Object.keys(columns));
    assert.equal(String(frame.getColumn("attempt").dtype), "DataType(Int64)", name);
  }
  assert.equal(
    meanInterval(frames.episodes(store, "mine"), { of: "score", by: ["game"] }).height,
    0,
  );
});

/**
 * A study of a training and three test episodes, one of them with two passes, one not completed.
 */
function trained(): Store {
  const store = openStore(":memory:");
  const chains = [{ id: "training", episodes: [] }, {
    id: "test",
    after: "training",
    episodes: [],
  }];
  putStudy(store, { id: "mine", spec: { chains }, createdAt: 0 });
  const common = {
    study: "mine",
    identity: {},
    world: "scienceworld",
    worldParams: {},
    memory: "",
    backbone: "m",
  };
  for (const [i, chain] of ["training", "test", "test", "test"].entries()) {
    const plan = {
      id: `e${i}`,
      chain,
      ordinal: i,
      method: "wese",
      condition: "wese",
      attempt: 1,
      seed: i,
    };
    putEpisode(store, { ...common, ...plan });
  }
  const pass = { kind: "exploit", score: 3, maxScore: 4, steps: 9, end: "won" };
  const explored = { kind: "explore", score: 0, maxScore: 4, steps: 5 };
  endEpisode(store, "e0", { status: "completed", passes: [pass] }, 0);
  endEpisode(store, "e1", { status: "completed", passes: [explored, pass] }, 0);
  endEpisode(
    store,
    "e2",
    { status: "completed", passes: [{ ...pass, counts: true }, explored] },
    0,
  );
  return store;
}

Deno.test("passes() says which pass counts, and about() leaves training out and says what is missing", () => {
  using store = trained();
  const passes = rows(frames.passes(store, "mine"));
  assert.deepEqual(
    passes.map(({ episode, pass, counts, score, ended }) => [episode, pass, counts, score, ended]),
    [
      ["e0", 0, true, 0.75, "won"],
      ["e1", 0, false, 0, null],
      ["e1", 1, true, 0.75, "won"],
      ["e2", 0, true, 0.75, "won"],
      ["e2", 1, false, 0, null],
    ],
  );
  assert.deepEqual(rows(frames.episodes(store, "mine")).map(({ is_training }) => is_training), [
    true,
    false,
    false,
    false,
  ]);
  assert.equal(about(store, "mine"), "Model: m; n = 2 of 3 episodes, seeds 1, 2.");
});

Deno.test("paperNumbers() gives numbers with their source", () => {
  const frame = paperNumbers("arigraph_table4_textworld");
  const [history] = rows(frame);
  assert.deepEqual([history?.["treasure_hunt"], history?.["treasure_hunt_hard"]], [0.47, null]);
  assert.equal(history?.["source"], "Anokhin et al. 2024, arXiv 2407.04363, Table 4");
  assert.equal(
    rows(paperNumbers("graphmind_fig5_ged"))[0]?.["source"],
    "Shin et al. 2026 (GraphMind), Figure 5",
  );
  assert.equal(
    rows(paperNumbers("arigraph_claims"))[0]?.["source"],
    "Results, TextWorld; Fig. 3A",
    "of its own",
  );
  assert.equal(rows(paperNumbers("nolima_scores"))[0]?.["base"], 99.3, "behind a comment");
  assert.throws(() => paperNumbers("arigraph_table5"), /no reported numbers/);
});
