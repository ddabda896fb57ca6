/** Where is it lost: the attribution of scores to stages, in short plays of real worlds, and of steps, in records whose readings are worked out by hand. */

import assert from "node:assert/strict";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import type { ChatRequest } from "../../lib/llm/chat-model.ts";
import "../../lib/offline/mod.ts";
import { mayErr } from "../../lib/offline/provider.ts";
import { attributionStudies, attributionTable, lossesOf, stagesBeside } from "../../lib/papers/evidence/attribution.ts";
import { ATTRIBUTED } from "../../lib/papers/evidence/attribution-methods.ts";
import { evidenceParts } from "../../lib/papers/evidence/report.ts";
import { STEP_REPORT, stepStudy } from "../../lib/papers/evidence/step-losses.ts";
import { shortened, thinned } from "../../lib/papers/study-options.ts";
import type { ExperimentRow } from "../../lib/report/experiment.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { reportOf } from "../../lib/report/study-report.ts";
import type { Cell, Table } from "../../lib/report/table.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { wantsSlow } from "../slow.ts";
import { connectModel, differingRoles } from "./recorded-requests.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

async function play(store: Store, study: Study): Promise<void> {
  const { completed, planned, episodes } = await playStudy(study, { store, worlds });
  assert.equal(completed, planned, episodes.find(({ failureMessage }) => failureMessage)?.failureMessage ?? "");
}

function valueOf(table: Table | undefined, column: string, row = 0): number | Cell | undefined {
  const cell = table?.rows[row]?.[table.columns.indexOf(column)];
  return typeof cell === "object" && cell && "value" in cell ? cell.value : cell;
}

Deno.test("lossesOf() gives each method's stages gains that add up to its loss", () => {
  // GraphMind in two games: 0 and 1/2 with the reader, then one stage more each is perfect, up to 1 and 3/4
  const scores: Readonly<Record<string, readonly number[]>> = {
    ...{ none: [0, 0.5], extraction: [0.25, 0.5], staleness: [0.25, 0.75], planning: [0.75, 0.5], verification: [1, 0.75] },
  };
  const rows = Object.entries(scores).flatMap(([perfect, values]) =>
    values.map((score, game): ExperimentRow => ({
      ...{ episode: `${perfect} ${game}`, condition: "", status: "completed", seed: "1", game: `game ${game}`, world: "babyai" },
      factors: { reader: perfect === "verification" ? "reader:perfect" : "r", perfect },
      values: { score, won: null, steps: null, calls: null, tokens: null, dollars: null },
    }))
  );
  const losses = lossesOf(rows, ATTRIBUTED["graphmind"]);
  assert.deepEqual(losses.map(({ stage, value }) => [stage, value]), [
    ["scored", 0.25],
    ...[["extraction", 0.125], ["staleness", 0.125], ["planning", 0.125], ["verification", 0.25]],
    ["rest", 0.125],
  ]);
  const gains = losses.slice(1, -1).reduce((sum, { value }) => sum + value, 0);
  assert.equal(gains, (1 + 0.75) / 2 - 0.25);
});

Deno.test("evidenceParts() plays other attributions than AriGraph's, and the steps, where named", () => {
  const ids = (name: string): string[] => evidenceParts({ only: [name] }).map(({ study }) => study.id);
  for (const [method, stages] of [["graphmind", 4], ["wese", 4], ["reasonplanner", 5]] as const) {
    const found = ids(`attribution-${method}`);
    assert.equal(found.length, 3 * stages + 1, method); // three readers; the perfect one is common to all
    assert.ok(found.every((id) => id.startsWith(`evidence-attribution-${method}-quick`)), method);
  }
  assert.ok(ids("attribution").every((id) => /^evidence-attribution-quick[-@]/.test(id)));
  assert.equal(ids("steps").length, 4);
  for (const name of ["attribution", "attribution-wese", "sweeps"]) { // several studies, one report
    assert.deepEqual([...new Set(evidenceParts({ only: [name], full: true }).map(({ folder }) => folder))], [`evidence-${name}-full`]);
  }
  const [wese] = evidenceParts({ only: ["steps", "WESE"] }); // "wese" is a study of its own
  assert.deepEqual(new Set(wese?.study.lanes.flatMap(({ episodes }) => episodes).map(({ method }) => method)), new Set(["wese"]));
  assert.throws(() => evidenceParts({ only: ["steps", "WES"] }), /names no method of this study; did you mean "WESE"\?/);
});

/** The shortest play of an attribution: one game of `steps` agent steps. */
function shortest(study: Study, steps: number): Study {
  return shortened(thinned(study, 1), steps);
}

Deno.test("attributionTable() says so where a reader never errs in a stage", async () => {
  using store = openStore(":memory:");
  const studies = attributionStudies({ reader: "reader:perfect,missed-door=50", method: "graphmind", attempts: 1 });
  const short = studies.map((study) => ({ ...study, lanes: study.lanes.slice(0, 1) })).map((study) => shortened(study, 3));
  for (const study of short) await play(store, study);
  const found = stagesBeside(store, short[0]?.id ?? "");
  assert.deepEqual(new Set(found), new Set(short.map(({ id }) => id)));
  const table = attributionTable(store, found);
  assert.deepEqual(table.columns.slice(2), ["scored", "extraction", "staleness", "planning", "verification", "rest"]);
  for (const stage of ["staleness", "planning", "verification"]) assert.equal(valueOf(table, stage), "never errs", stage);
  const numbers = ["scored", "extraction", "rest"].map((name) => Number(valueOf(table, name)));
  assert.equal(numbers.reduce((sum, value) => sum + value, 0), 1);
  assert.match(table.caption, /No role of retrieval: its planner asks the graph itself\. No role of acting: /);
  assert.match(table.caption, /Never errs: /);
});

/** Questions that so short plays do not bring up. */
const MORE = Object.entries({
  "arigraph/outdate": { "Existing triplets": "key, is in, chest", "New triplets": "key, is in, inventory" },
  "wese/task-entities": { Task: "put some soapbar on shelf.", "Names in the graph": "soapbar 1\nshelf 1\nmug 1" },
  "reasonplanner/actor": {
    Trajectory: "Present state:\nThis room is called the hallway. In it, you see:\n\tthe agent\nYou also see:\n" +
      "\tA door to the kitchen (that is open)\n\tA door to the workshop (that is open)",
    "Planned action": "explore: find a plant",
    "Permissible commands": "go to {place}: move to a place",
  },
}).map(([role, sections]): ChatRequest => ({
  role,
  messages: [{ role: "user", content: Object.entries(sections).map(([title, text]) => `### ${title}\n${text}`).join("\n\n") }],
}));

Deno.test("STEP_REPORT reads the steps of real plays, and says in the cell what a world does not tell", async () => {
  using store = openStore(":memory:");
  const study = shortest(stepStudy({ models: { "*": "reader:llama-3.1-8b" } }), 6);
  await play(store, study);
  const { tables: [validity, lacks, ranges], figures: [figure], undrawn } = reportOf(STEP_REPORT, store, study.id);
  assert.deepEqual(undrawn, []);
  const place = (method: string): number => validity?.rows.findIndex(([name]) => name === method) ?? -1;
  for (const method of ["AriGraph", "GraphMind", "WESE"]) {
    for (const measure of ["precision", "recall", "valid actions"]) {
      const value = Number(valueOf(validity, measure, place(method)));
      assert.ok(value >= 0 && value <= 1, `${method}, ${measure}: ${value}`);
    }
    const shares = lacks?.columns.slice(3).map((name) => Number(valueOf(lacks, name, place(method)))).filter((value) =>
      !Number.isNaN(value)
    );
    assert.ok(Math.abs((shares?.reduce((sum, value) => sum + value, 0) ?? 0) - 1) < 1e-12, method);
  }
  assert.equal(valueOf(validity, "valid plans", place("WESE")), "no plan");
  // one game each: what it has over its steps is what it has on the whole, in ranges of 5 and 1 step
  const over = (name: string, row: number): number => Number(valueOf(ranges, name, row));
  const [first, second] = [0, 1].map((row) => over("precision", row));
  assert.deepEqual(ranges?.rows.slice(0, 2).map((row) => row.slice(0, 3)), [["AriGraph", "reader:llama-3.1-8b", "1–5"], [
    "AriGraph",
    "reader:llama-3.1-8b",
    "6–10",
  ]]);
  assert.ok(Math.abs((5 * (first ?? NaN) + (second ?? NaN)) / 6 - Number(valueOf(validity, "precision", place("AriGraph")))) < 1e-12);
  for (const measure of ["precision", "needed, recalled", "valid plans"]) {
    assert.equal(valueOf(validity, measure, place("ReasonPlanner")), "no truth", measure);
  }
  assert.ok(Number(valueOf(validity, "valid actions", place("ReasonPlanner"))) > 0);
  assert.ok(figure);
  assert.match(await toSvg(figure), /^<svg/);

  const perfect = connectModel("reader:perfect");
  const rates = ["missed-triplet", "missed-door", "slipped-action"];
  const more = ["wrong-triplet", "other-name", "wrong-stale", "rotation-as-passage", "duplicate-room", "wrong-plan-step"];
  for (const rate of wantsSlow("six of nine error rates") ? [...rates, ...more] : rates) {
    const model = `reader:perfect,${rate}=100`;
    const differing = await differingRoles(store, perfect, connectModel(model));
    assert.deepEqual([...differing].filter((role) => !mayErr(model, role)), [], `${rate} reaches roles that are said never to err`);
  }
  const missed = await differingRoles(store, perfect, connectModel("reader:llama-3.1-8b"), MORE);
  const silent = Object.values(ATTRIBUTED).flatMap(({ title, stages }) =>
    Object.entries(stages).flatMap(([stage, roles]) => roles.some((role) => missed.has(role)) ? [] : [`${title}, ${stage}`])
  );
  assert.deepEqual(silent, [], "stages in which a reader that misses facts answers all as the perfect one does");
});
