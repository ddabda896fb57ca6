/** Each trial of Reflexion, and people's games, in Table 4. */

import assert from "node:assert/strict";
import { arigraphReport } from "../../../lib/papers/arigraph/report.ts";
import { paperRow } from "../../../lib/report/textworld-names.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import { cellText } from "../../../lib/report/table.ts";
import { gameTrials } from "../../../lib/papers/arigraph/games.ts";
import { beginHumanSession } from "../../../lib/lab/human.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";

const trial = (score: number, end = "limit"): { kind: string; score: number; maxScore: number; steps: number; end: string } => ({
  kind: "trial",
  score,
  maxScore: 4,
  steps: 2,
  end,
});

/** Reflexion twice, of three trials: one that wins the second, one that never wins; and AriGraph once. */
function played(): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  const identity = { method: { id: "reflexion", options: { trials: 3 } } };
  const shared = { study: "s", world: "textworld/hunt", game: "a".repeat(64), backbone: "offline" };
  for (const [attempt, passes] of [[1, [trial(1), trial(4, "won")]], [2, [trial(2), trial(3), trial(0)]]] as const) {
    const id = `r${attempt}`;
    putEpisode(
      store,
      samplePlan({ id, lane: id, ...shared, method: "reflexion", memory: "rag", condition: "reflexion", attempt, seed: attempt, identity }),
    );
    for (const [pass, { score }] of passes.entries()) {
      putTurn(store, sampleTurn({ episode: id, pass, step: 0, score: 0, maxScore: 4 }), { changes: [] });
      putTurn(store, sampleTurn({ episode: id, pass, step: 1, score, maxScore: 4 }), { changes: [] });
    }
    endEpisode(store, id, { status: "completed", passes }, 0);
  }
  putEpisode(
    store,
    samplePlan({ id: "a1", lane: "a1", ...shared, method: "ariadne", memory: "arigraph", condition: "arigraph", attempt: 1, seed: 1 }),
  );
  endEpisode(store, "a1", { status: "completed", passes: [{ ...trial(4, "won"), kind: "only" }] }, 0);
  return store;
}

Deno.test("gameTrials() gives each trial a row, and after a trial that won its score stands", () => {
  using store = played();
  assert.deepEqual(gameTrials(store, "s").map(({ condition, attempt, normalised, pass }) => [condition, attempt, normalised, pass]), [
    ["arigraph", 1, 1, undefined],
    ["reflexion, trial 1", 1, 0.25, 0],
    ["reflexion, trial 2", 1, 1, 1],
    ["reflexion, trial 3", 1, 1, null],
    ["reflexion, trial 1", 2, 0.5, 0],
    ["reflexion, trial 2", 2, 0.75, 1],
    ["reflexion, trial 3", 2, 0, 2],
  ]);
});

Deno.test("Figure 14 draws a trial after one that won flat at its score, as Figure 3 counts it", () => {
  using store = played();
  const { figures } = arigraphReport(store, "s");
  const figure = (id: string) => figures.find((one) => one.id.startsWith(id)) ?? assert.fail(id);
  const lines = rowsOf<{ condition: string; step: number; attempts: number; score: number }>(figure("arigraph-fig14").frame);
  const third = lines.filter(({ condition }) => condition === "Reflexion, trial 3");
  assert.deepEqual(third.map(({ step, attempts, score }) => [step, attempts, score]), [[0, 2, 0.5], [1, 2, 0.5], [2, 2, 0.5]]);
  const bars = rowsOf<{ condition: string; mean: number }>(figure("arigraph-fig3").frame);
  assert.equal(bars.find(({ condition }) => condition === "Reflexion, trial 3")?.mean, third.at(-1)?.score);
  assert.match(figure("arigraph-fig14").caption, /a trial after one that won is flat at its score\./);
});

Deno.test("Table 4 shows each trial, the paper's Reflexion beside the second, and people only once they have played", async () => {
  using store = played();
  const table = (): (string | undefined)[][] =>
    arigraphReport(store, "s").tables[0]?.rows.map((row) => row.map((cell) => cellText(cell))) ?? [];
  const value = (label: string): string | undefined => table().find(([head]) => head === label)?.[1];
  assert.equal(value("Reflexion, trial 1, stand-in: best 2 of 2"), "0.38");
  assert.equal(value("Reflexion, trial 2, stand-in: best 2 of 2"), "0.88");
  assert.equal(value("Reflexion, trial 3, stand-in: best 2 of 2"), "0.50");
  const labels = table().map(([head]) => head);
  assert.equal(labels.indexOf("Reflexion, paper (gpt-4): best 3 of 5"), labels.indexOf("Reflexion, trial 2, stand-in: all") + 1);
  assert(!labels.some((label) => label?.startsWith("Human")));

  const spec = {
    id: "textworld/hunt",
    version: "1",
    parameters: {},
    sections: [],
    actions: [],
    fallback: "look",
    identity: "a".repeat(64),
  };
  const seen = { goal: "", observation: "", sections: {}, frames: [], maxScore: 4 };
  for (const [score, end] of [[4, "won"], [1, "limit"], [2, "lost"], [3, undefined], [3, "limit"]] as const) {
    const session = beginHumanSession(store, { spec, params: {}, now: 0 });
    const turn = { ...seen, score, ...(end ? { end } : {}) };
    await session.recorder.step({ pass: 0, step: 0, turn });
    session.end(turn, { steps: 1, now: 1 });
  }
  const other = beginHumanSession(store, { spec: { ...spec, identity: "b".repeat(64) }, params: {}, now: 0 });
  other.end({ ...seen, score: 0, end: "lost" }, { steps: 1, now: 1 });

  // finished in this game: 4, 1, 2, 3 of 4; not: the one that was left, and the one in another game
  assert.equal(value("Human, recorded here: best 3 of 4"), "0.75");
  assert.match(value("Human, recorded here: all") ?? "", /^0\.63 \[/);
  assert.deepEqual([value("Human Top-3, paper"), value("Human All, paper")], ["1.00", "0.96"]);
});

Deno.test("paperRow() names the paper's row of every condition that has one", () => {
  const rows = ["reflexion, trial 1", "reflexion, trial 2", "reflexion", "arigraph-without-episodic", "by-word"].map((one) =>
    paperRow(one)
  );
  assert.deepEqual(rows, [undefined, "Reflexion", "Reflexion", "AriGraph w/o episodic", undefined]);
  assert.deepEqual([paperRow("human"), paperRow("human", { all: true }), paperRow("rag", { all: true })], [
    "Human Top-3",
    "Human All",
    undefined,
  ]);
});
