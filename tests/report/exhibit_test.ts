import assert from "node:assert/strict";
import { meanMeasure, type Trial } from "../../lib/report/estimate.ts";
import { createStudyReader, type Exhibit, type Line } from "../../lib/report/exhibit.ts";
import { ledgerOf } from "../../lib/report/ledger.ts";
import { exhibitRows, tableOf } from "../../lib/report/exhibit-table.ts";
import { studiesBeside } from "../../lib/report/studies-beside.ts";
import { reportOf, type StudyReport } from "../../lib/report/study-report.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { cellText } from "../../lib/report/table.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { samplePlan } from "../lab/store/samples.ts";

interface Attempt extends Trial {
  readonly game: string;
  readonly score: number | null;
  readonly steps: number | null;
}

function attempts(store: Store, study: string): Attempt[] {
  return store.prepare(`
    select id as episode, condition, status, cast(seed as text) as seed, label as game, score, steps from episodes where study = ? order by id`)
    .all(study) as unknown as Attempt[];
}

const SCORE = meanMeasure<Attempt>({
  name: "scores",
  of: ({ score }) => score,
  interval: "bootstrap",
  range: [0, 10],
  how: () => "mean of all",
});
/** Of the attempts that reach step 150 alone. */
const LATE = meanMeasure<Attempt>({
  name: "late scores",
  of: ({ score, steps }) => (steps ?? 0) >= 150 ? score : undefined,
  interval: "student",
  range: [0, 10],
});

type Method = Line<Attempt> & { readonly condition: string };

function method(condition: string, more: Partial<Method> = {}): Method {
  return { name: condition.toUpperCase(), condition, has: (trial) => trial.condition === condition, ...more };
}

const PRINTED: Readonly<Record<string, string>> = { "a hunt": "5.0", "b hunt": "", "quoted hunt": "7.0", "a late": "2.0" };

/** Scores in two games, and late in one; the paper has the first game alone. */
const SCORES: Exhibit<Attempt, Method, Line<Attempt> & { readonly key: string }> = {
  id: "demo-table1",
  source: "Table 1",
  title: (backbone) => `Demo, Table 1 (${backbone})`,
  head: "method",
  trial: "attempt",
  trials: attempts,
  rows: [method("a"), method("b"), method("quoted", { absent: "quoted there" })],
  columns: [
    { name: "Hunt", key: "hunt", measure: SCORE, has: ({ game }) => game === "hunt" },
    { name: "Own", key: "own", measure: SCORE, has: ({ game }) => game === "own" },
    { name: "Late", key: "late", measure: LATE, has: ({ game }) => game === "hunt", shown: "never" },
  ],
  paper: ({ condition }, { key }) => {
    const printed = PRINTED[`${condition} ${key}`];
    return printed === undefined ? undefined : { printed, backbone: "gpt-4", tolerance: 1 };
  },
  caption: ({ backbone, n, seeds, intervals }) => `Model: ${backbone}; ${n} a cell, ${seeds}. ${intervals}`,
};

interface Play {
  readonly score?: number;
  readonly game?: string;
  readonly steps?: number;
  readonly failed?: true;
}

/** Plays attempts at a condition; without a score one stays planned. */
function play(
  store: Store,
  study: string,
  condition: string,
  plays: readonly Play[],
  plan: { backbone?: string; embedder?: string } = {},
): string[] {
  const { backbone = "offline", embedder = "lexical-v1" } = plan;
  if (!store.prepare("select 1 from studies where id = ?").get(study)) {
    putStudy(store, { id: study, spec: {}, createdAt: Number(store.prepare("select count(*) as n from studies").get()?.n) });
  }
  return plays.map(({ score, game = "hunt", steps = 3, failed }, i) => {
    const id = `${study} ${condition} ${game} ${i + 1}`;
    putEpisode(store, { ...samplePlan({ id, study, lane: id, condition, seed: i + 1, identity: { embedder }, backbone }), label: game });
    if (failed) endEpisode(store, id, { status: "failed", failureKind: "quota", failureMessage: "no" }, 0);
    if (score !== undefined) endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score, maxScore: 10, steps }] }, 0);
    return id;
  });
}

Deno.test("tableOf() shows the paper's column only where the paper has a number", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }, { score: 8 }]);
  const ids = play(store, "demo", "b", [{ score: 1, game: "own" }, { score: 1, game: "own" }]);
  const table = tableOf(SCORES, createStudyReader(store).read(SCORES, "demo"));
  assert.deepEqual(table.columns, ["method", "Hunt", "paper", "Own"]);
  assert.deepEqual(table.rows.map(([name, , paper]) => [name, paper]), [["A", "5.0"], ["B", null]]); // not played: not in the table
  const own = table.rows[1]?.[3];
  assert.equal(own && cellText(own), "1.00 [0.16, 8.58]"); // 0.025^(1/2) of the attempts at least score 1: the others may score 0, or 10
  assert.deepEqual(own, { ...Object(own), value: 1, digits: undefined, n: 2, episodes: ids });
});

Deno.test("tableOf() has in a cell the trials with the values that its row and column name", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }, { score: 8, game: "own" }]);
  play(store, "demo", "b", [{ score: 1 }]);
  const exhibit: Exhibit<Attempt> = {
    ...{ id: "demo", source: "Table 9", head: "method", trial: "attempt", trials: attempts },
    rows: [{ name: "A", where: { condition: "a" } }, { name: "A, late", where: { condition: "a" }, has: ({ steps }) => steps === 150 }],
    columns: [{ name: "Hunt", measure: SCORE, where: { game: "hunt", status: "completed" } }],
  };
  const { title, caption, rows } = tableOf(exhibit, createStudyReader(store).read(exhibit, "demo"));
  assert.deepEqual(rows.map(([name, cell]) => [name, cell !== null && typeof cell === "object" && "value" in cell && cell.value]), [[
    "A",
    4,
  ]]);
  assert.equal(title, "Table 9 (stand-in)");
  assert.equal(
    caption,
    "n = 1 attempt. 95 % intervals: a seeded percentile bootstrap (wider for few trials) of scores. Embedder lexical-v1.",
  );
});

Deno.test("tableOf() puts the paper's rows after the last row of their group when asked for rows", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }]);
  play(store, "demo", "b", [{ score: 4 }]);
  const grouped = { ...SCORES, beside: "rows" as const, rows: [method("a", { group: "ours" }), method("b", { group: "ours" })] };
  const table = tableOf(grouped, createStudyReader(store).read(SCORES, "demo"));
  assert.deepEqual(table.rows.map(([name, hunt]) => [name, typeof hunt === "object" ? hunt && "value" in hunt && hunt.value : hunt]), [
    ["A", 4],
    ["B", 4],
    ["paper", "5.0"],
  ]);
});

Deno.test("tableOf() counts and words n, seeds, intervals and the embedder in its caption", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }, { score: 8 }], { embedder: "mini" });
  const read = (study: string) => createStudyReader(store).read(SCORES, study);
  const { id, caption } = tableOf(SCORES, read("demo"));
  assert.equal(id, "demo-table1-offline-mini");
  const words =
    "n = 2 attempts a cell, seeds 1, 2. 95 % intervals: a seeded percentile bootstrap (wider for few trials) of scores. Embedder mini.";
  assert.equal(caption, `Model: stand-in; ${words}`);
  play(store, "part", "a", [{ score: 4 }, { failed: true }, {}]);
  const part = tableOf(SCORES, read("part"));
  assert.deepEqual(part.rows[0]?.[1], { incomplete: { done: 1, failed: 1, planned: 3 } });
  assert.match(part.caption, /; n = 3 attempts \(1 of all 3 completed, 1 failed\) a cell, .* Embedder lexical-v1\.$/);
  const [lax] = tableOf(SCORES, read("part"), { allowIncomplete: true }).rows;
  assert.deepEqual(lax?.[1], { value: 4, low: undefined, high: undefined, digits: undefined, n: 1, episodes: ["part a hunt 1"] });
});

Deno.test("ledgerOf() names the episodes that a number is made of, and their cost apart", () => {
  using store = openStore(":memory:");
  const [first = "", second = ""] = play(store, "demo", "a", [{ score: 4, steps: 150 }, { score: 8, steps: 150 }, { score: 9, steps: 20 }]);
  const call = { role: "r", model: "m", key: "k", promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 };
  for (const kind of ["paid", "replayed"] as const) putCall(store, { ...call, episode: first, kind, dollars: 1, latencyMs: 1, at: 0 });
  const entries = ledgerOf(SCORES, createStudyReader(store), ["demo"]);
  assert.deepEqual(entries.map(({ row, column, verdict }) => `${row} ${column} ${verdict}`), [
    "A Hunt cannot tell",
    "A Late cannot tell",
    "QUOTED Hunt not run",
  ]);
  const late = entries[1]?.ours;
  assert.deepEqual([late?.value, late?.episodes, late?.low], [6, [first, second], 0]); // not three; 6 ± 25.4 cut to the range
  assert.deepEqual([late?.cost, late?.embedder, late?.study], [{ paid: 1, replayed: 1, wasted: 0 }, "lexical-v1", "demo"]);
  assert.equal(entries[2]?.why, "quoted there");
});

Deno.test("ledgerOf() takes a number from the first study that has it and says why when none has", () => {
  using store = openStore(":memory:");
  play(store, "demo-quick", "a", [{ score: 4 }, {}]);
  play(store, "demo-quick-more", "a", [{ score: 9 }]);
  play(store, "demo-other", "a", [{ score: 9 }], { backbone: "gpt-4" });
  play(store, "elsewhere", "a", [{ score: 9 }]);
  const reader = createStudyReader(store);
  const studies = studiesBeside(store, "demo-quick", { prefix: "demo-" });
  assert.deepEqual(studies, ["demo-quick", "demo-quick-more"]);
  const [entry] = ledgerOf(SCORES, reader, studies);
  assert.deepEqual([entry?.ours?.study, entry?.ours?.measure], ["demo-quick-more", "mean of all"]);
  assert.match(entry?.why ?? "", /^4\.00 apart, tolerance 1\.00; no interval: one trial has none; offline in place of gpt-4$/);
  assert.equal(ledgerOf(SCORES, reader, ["demo-quick"])[0]?.why, "incomplete, 1 of 2 attempts");
  assert.equal(ledgerOf(SCORES, reader, ["unplayed"])[0]?.why, "not played");
});

Deno.test("exhibitRows() gives ours and the paper's of each cell and pools no conditions", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }, { score: 8 }]);
  play(store, "demo", "b", [{ score: 1 }, { score: 1 }]);
  const rows = exhibitRows(SCORES, createStudyReader(store).read(SCORES, "demo"));
  assert.deepEqual(rows.map(({ row, column, value, n, paper }) => [row.name, column.name, value, n, paper]), [
    ["A", "Hunt", 6, 2, 5],
    ["B", "Hunt", 1, 2, null],
  ]);
});

Deno.test("reportOf() leaves out exhibits without a trial and refuses a study with none completed", () => {
  using store = openStore(":memory:");
  play(store, "demo", "a", [{ score: 4 }]);
  play(store, "mixed", "a", [{ score: 4 }]);
  play(store, "mixed", "b", [{ score: 4 }], { backbone: "gpt-4" });
  const definition: StudyReport = { exhibits: [SCORES, { ...SCORES, id: "other", rows: [method("c")] }] };
  assert.deepEqual(reportOf(definition, store, "demo").tables.map(({ id }) => id), ["demo-table1-offline"]);
  assert.throws(() => reportOf(definition, store, "unplayed"), /no completed episode to report/);
  assert.throws(() => reportOf(definition, store, "mixed"), /mixes the backbones gpt-4, offline/);
});

Deno.test("a number of the paper says the limit of steps and the game that differ from ours, in the table and in the ledger", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  [150, 60].forEach((maxSteps, ordinal) => {
    const [id, label] = [`e${ordinal}`, ordinal === 0 ? "hunt" : "own/cleaning"];
    const identity = { method: { options: { maxSteps } } };
    putEpisode(store, samplePlan({ id, study: "s", ordinal, world: "w", label, condition: "a", backbone: "offline", identity }));
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 5, maxScore: 10, steps: 9, end: "limit" }] }, 0);
  });
  const game = { paper: "its own house", unlike: /^own\// };
  const exhibit: Exhibit<Attempt> = {
    ...{ id: "demo", source: "Table 1", head: "method", trial: "attempt", trials: attempts, rows: [{ name: "A" }] },
    columns: ["hunt", "own/cleaning"].map((name) => ({ name, measure: SCORE, has: (trial) => trial.game === name })),
    paper: () => ({ printed: "5.0", backbone: "gpt-4", steps: 150, game }),
  };
  const reader = createStudyReader(store);
  const [row = []] = tableOf(exhibit, reader.read(exhibit, "s")).rows;
  assert.deepEqual([row[2], row[4]], ["5.0", "5.0 (60 steps, paper 150; paper: its own house)"]);
  const entries = ledgerOf(exhibit, reader, ["s"]);
  assert.deepEqual(entries.map(({ why }) => / steps|house/.test(why)), [false, true]);
  assert.match(entries[1]?.why ?? "", /60 steps, paper 150; paper: its own house$/);
});
