import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createStudyReader } from "../../../lib/report/exhibit.ts";
import { tableOf, type TableOptions } from "../../../lib/report/exhibit-table.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import type { LedgerEntry } from "../../../lib/report/ledger.ts";
import { paperTable } from "../../../lib/report/paper.ts";
import { paperLedger, writeStudyReport } from "../../../lib/report/study-report.ts";
import { type Cell, cellText, type Table } from "../../../lib/report/table.ts";
import type { Store } from "../../../lib/lab/store/open.ts";
import { GRAPHMIND_LEDGER, GRAPHMIND_TABLES } from "../../../lib/papers/graphmind/exhibits.ts";
import { GRAPHMIND_REPORT, graphmindReport } from "../../../lib/papers/graphmind/report.ts";
import { gridSteps } from "../../../lib/papers/graphmind/trace.ts";
import { graphErrorOf, graphmindTrials } from "../../../lib/papers/graphmind/trials.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { knowledge, type SampleTrial, storeOf, STUDY } from "./store.ts";

/** One of the paper's tables. */
function tableIn(store: Store, name: string, options: TableOptions = {}): Table {
  const exhibit = GRAPHMIND_TABLES.find(({ id }) => id === `graphmind-${name}`) ?? assert.fail(name);
  return tableOf(exhibit, createStudyReader(store).read(exhibit, STUDY), options);
}

/** The number in a cell; null where there is none. */
function valueIn(cell: Cell | undefined): number | null {
  return cell !== null && typeof cell === "object" && "value" in cell ? cell.value : null;
}

function ledgerIn(store: Store): LedgerEntry[] {
  return paperLedger(GRAPHMIND_LEDGER, createStudyReader(store), STUDY);
}

/** 29 successes of 30, as the paper's first cell. */
const THIRTY: readonly SampleTrial[] = Array.from({ length: 30 }, (_, i) => ({
  id: `kg-${i}`,
  condition: "kg",
  attempt: 1 + i % 3,
  layout: `2x2-d1-${i}`,
  success: i > 0,
  triplets: knowledge({ without: i === 0 }),
}));

Deno.test("graphmindTrials() measures success, steps and both distances as counted by hand", () => {
  using store = storeOf([
    { id: "all", condition: "kg", triplets: knowledge() },
    { id: "less", condition: "kg", attempt: 2, success: false, triplets: knowledge({ without: true }) },
    { id: "sm", condition: "sm", success: false },
    { id: "later", condition: "none", status: "planned" },
  ]);
  const rows = graphmindTrials(store, STUDY);
  const of = (id: string) => rows.find(({ episode }) => episode === id);
  assert.deepEqual(rows.map(({ episode }) => episode), ["all", "less", "later", "sm"]);
  const { mission, rooms, success, decisions, steps, ged, gedLower, gedWhole } = of("all") ?? assert.fail();
  assert.deepEqual([mission, rooms, success, decisions, steps], ["PutNextTo", "2x2", true, 1, 3]);
  // the whole map: rooms 2 and 3 (2), their doors green and purple (2), the purple door of room 2 is the grey box of the other room (1 + 2)
  assert.deepEqual([ged, gedLower, gedWhole], [0, 0, 7]);
  assert.deepEqual([of("less")?.ged, of("less")?.success], [4, false]); // the key, the purple door, an edge each
  assert.deepEqual([of("sm")?.ged, of("sm")?.success, of("later")?.success], [null, false, null]);
  assert.equal(graphErrorOf(store, "all", { step: 0 })?.upper, 5); // nothing built, against a room, the ball, the red door, an edge each
});

Deno.test("Table 2 has Wilson's interval, both standard errors and the paper's line of each model", () => {
  using store = storeOf(THIRTY);
  const { columns, rows, caption } = tableIn(store, "table2");
  assert.deepEqual(columns, ["Mission and rooms", "KG", "w/o Memory", "SM"]);
  const [ours, errors, flash, pro] = rows;
  const { value, low, high, n } = ours?.[1] as { value: number; low: number; high: number; n: number };
  assert.deepEqual([value.toFixed(1), low.toFixed(1), high.toFixed(1), n], ["96.7", "83.3", "99.4", 30]); // Wilson, worked out elsewhere
  assert.deepEqual(errors?.slice(0, 3).map(cellText), ["PutNextTo 2x2: success, %, SE", "3.3 | 3.3", "–"]);
  assert.deepEqual(flash?.slice(1), ["96.7 ± 3.3", "90.0 ± 5.6", "87.7 ± 6.3"]);
  assert.deepEqual(pro?.slice(1), ["83.3 ± 6.6", "73.3 ± 8.2", "90.0 ± 5.6"]);
  assert.match(caption, /n = 30 trials a cell, 30 layouts, seeds 1, 2, 3/);
  // 11 of 30: where the two formulas part
  using eleven = storeOf(THIRTY.map((trial, i) => ({ ...trial, success: i < 11 })));
  const [, parted] = tableIn(eleven, "table2").rows;
  assert.equal(cellText(parted?.[1] ?? null), "8.9 | 8.8");
});

Deno.test("Table 8 shows no mean of a cell that lacks trials unless incomplete cells are allowed", () => {
  using store = storeOf([
    { id: "a", condition: "kg", triplets: knowledge() },
    { id: "b", condition: "kg", attempt: 2, status: "failed" },
    { id: "c", condition: "kg-static", status: "planned" },
  ]);
  assert.deepEqual(tableIn(store, "table8").rows[0]?.slice(1), [
    { incomplete: { done: 1, failed: 1, planned: 2 } },
    { incomplete: { done: 0, failed: 0, planned: 1 } },
  ]);
  const [row] = tableIn(store, "table8", { allowIncomplete: true }).rows;
  assert.equal((row?.[1] as { value: number }).value, 100);
});

Deno.test("Table 7 counts a trial without pictures as text alone", () => {
  using store = storeOf([{ id: "a", condition: "kg", triplets: knowledge() }, {
    id: "b",
    condition: "kg",
    attempt: 2,
    image: true,
    triplets: knowledge(),
  }]);
  const [row] = tableIn(store, "table7").rows;
  assert.deepEqual(row?.slice(1).map((cell) => (cell as { value: number; episodes: string[] }).episodes), [["b"], ["a"]]);
});

Deno.test("a trial that takes exactly the actions of another one of its layout counts once, and intervals have layouts as clusters", () => {
  const trial = (id: string, layout: string, success: boolean, isRepeat = true): SampleTrial => ({
    ...{ id, condition: "kg", layout, success, isRepeat, triplets: knowledge() },
    attempt: Number(id.slice(1)),
  });
  using store = storeOf([
    ...[trial("a1", "2x2-d1-0", true), trial("a2", "2x2-d1-0", true), trial("a3", "2x2-d1-0", true, false)],
    ...[trial("b1", "2x2-d3-0", false), trial("b2", "2x2-d3-0", false), trial("b3", "2x2-d3-0", false, false)],
  ]);
  assert.deepEqual(graphmindTrials(store, STUDY).filter(({ isRepeat }) => isRepeat).map(({ episode }) => episode), ["a2", "b2"]);
  const { rows: [success], caption } = tableIn(store, "table2");
  const { value, low, high, n } = success?.[1] as { value: number; low: number; high: number; n: number };
  assert.deepEqual([value, low.toFixed(1), high.toFixed(1), n], [50, "5.5", "94.5", 4]); // n* = (t_3/t_1)² = 0.063, at least 1: trials of a layout agree
  assert.match(
    caption,
    /Intervals have the layouts as clusters; 2 trials that took exactly the actions of another one are not counted again\./,
  );
});

Deno.test("Table 4 has the mean of decision steps over successes alone", () => {
  using store = storeOf([{ id: "a", condition: "sm", layout: "4x4-d1-0" }, {
    id: "b",
    condition: "sm",
    layout: "4x4-d1-1",
    success: false,
  }]);
  const { rows } = tableIn(store, "table4");
  const steps = rows.find(([label]) => label === "4x4: decision steps, successes");
  assert.deepEqual((steps?.[1] as { value: number; episodes: string[] }).episodes, ["a"]);
});

Deno.test("the ledger has a line for every printed number, and says what is amiss with some", () => {
  using store = storeOf(THIRTY);
  const entries = ledgerIn(store);
  const count = (source: string): number => entries.filter((entry) => entry.source === source).length;
  const cells = (name: string, labels: number): number =>
    paperTable(name).reduce((sum, row) => sum + Object.values(row).slice(labels).filter((cell) => cell !== "").length, 0);
  assert.equal(count("Table 2"), cells("graphmind_table2_success", 5));
  assert.equal(count("Table 3"), cells("graphmind_table3_actor", 4));
  assert.equal(count("Table 4"), 12);
  assert.equal(count("Table 5"), cells("graphmind_table5_input_tokens", 1));
  assert.equal(count("Table 6"), cells("graphmind_table6_output_tokens", 1));
  assert.equal(count("Table 7"), cells("graphmind_table7_modality", 2));
  assert.equal(count("Table 8"), cells("graphmind_table8_access", 2));
  assert.equal(count("Figure 5"), 4);
  assert.equal(count("Appendix C"), 4);
  const of = (row: string, column: string) => entries.find((entry) => entry.row === row && entry.column === column);
  const mean = of("PutNextTo 2x2, kg (gemini-2.5-flash)", "success %");
  assert.deepEqual([mean?.verdict, mean?.ours?.value.toFixed(1), mean?.ours?.episodes.length], ["cannot tell", "96.7", 30]);
  assert.equal(of("PutNextTo 2x2, kg (gemini-2.5-flash)", "success %, SE")?.ours?.value.toFixed(1), "3.3");
  assert.match(of("PutNextTo 2x2, sm (gemini-2.5-flash)", "success %")?.why ?? "", /not played; no mean of 30 trials: 26 of 30 are 86\.7/);
  assert.match(of("PutNextTo 3x3, kg (gemini-2.5-flash)", "GED")?.why ?? "", /Tables 3 and 8 print 7\.80/);
  assert.deepEqual(of("PutNextTo 2x2, failure", "GED")?.ours?.value, 4);
});

Deno.test("the paper's own numbers say what the ledger says of them", () => {
  const number = (name: string, is: (row: Record<string, string>) => boolean, column: string): number =>
    Number(paperTable(name).find(is)?.[column]);
  const ged = (rooms: string, outcome: string) =>
    number("graphmind_fig5_ged", (row) => row.rooms === rooms && row.outcome === outcome, "mean_ged");
  assert.equal(((29 * ged("2x2", "success") + ged("2x2", "failure")) / 30).toFixed(2), "4.50");
  assert.equal(((20 * ged("3x3", "success") + 10 * ged("3x3", "failure")) / 30).toFixed(1), "7.8");
  assert.equal((26 / 30 * 100).toFixed(1), "86.7");
  assert.equal((17 / 29 * 100).toFixed(1), "58.6");
});

Deno.test("graphmindTrials() counts each request once; the prefix table has the share that repeats", () => {
  const vote = (vote: number) => ({
    role: "graphmind/verify-transition",
    vote,
    text: "Was a door passed? no",
    prompt: 100,
    completion: 10,
  });
  using store = storeOf([{
    id: "a",
    condition: "kg",
    triplets: knowledge(),
    calls: [...[0, 1, 2, 3, 4].map(vote), { role: "graphmind/plan", text: "abcdefghij", prompt: 40, completion: 4 }, {
      role: "graphmind/plan",
      text: "abcdeZ",
      prompt: 20,
      completion: 2,
    }],
  }]);
  const trials = graphmindTrials(store, STUDY);
  const of = (wanted: string) => trials[0]?.modules.find(({ role }) => role === wanted);
  const [verify, plan] = [of("graphmind/verify-transition"), of("graphmind/plan")];
  assert.deepEqual([verify?.input, verify?.inputAll, verify?.output, verify?.outputAll], [100, 500, 10, 50]);
  assert.deepEqual([plan?.input, plan?.inputAll], [60, 60]);
  const shares = tableIn(store, "prefix").rows.map(([name, cell]) => [name, valueIn(cell)?.toFixed(6)]);
  const around = JSON.stringify({ content: "", role: "user" }).length;
  const before = JSON.stringify({ content: "" }).length - 2; // what stands before the text
  const planned = (before + 5) / (around + 10 + around + 6);
  assert.deepEqual(shares, [
    ["Verify Node Transition", "0.000000"],
    ["Plan with DSLs", (100 * planned).toFixed(6)],
    ["All, one vote", (100 * (60 * planned / 160)).toFixed(6)],
    ["All, with every vote", (100 * ((500 * 4 / 5 + 60 * planned) / 560)).toFixed(6)], // four of five votes repeat all of it
  ]);
  store.database.exec("delete from packed_replies");
  assert.deepEqual(
    tableIn(store, "prefix").rows,
    [["All, one vote", null], ["All, with every vote", null]],
    "off the record, none repeats 0",
  );
  const trajectory = tableIn(store, "trajectory").rows.map((row) => row.map((cell) => typeof cell === "object" ? valueIn(cell) : cell));
  assert.deepEqual(trajectory, [
    ["2x2, one vote", 176, null],
    ["2x2, all votes", 616, null],
    ["2x2, paper, one vote", "468652", "1.74"],
  ]);
});

Deno.test("tokens of trajectories and shares of prompts leave out a trial that takes the actions of another one of its layout", () => {
  const trial = (id: string, layout: string, prompt: number, isRepeat: boolean): SampleTrial => ({
    ...{ id, condition: "kg", layout, isRepeat, attempt: Number(id.slice(1)) },
    calls: [{ role: "graphmind/plan", text: id, prompt, completion: 0 }],
  });
  using store = storeOf([trial("a1", "2x2-d1-0", 10, true), trial("a2", "2x2-d1-0", 90, true), trial("b3", "2x2-d3-0", 30, false)]);
  for (const [table, value] of [["trajectory", 20], ["prefix", 0]] as const) {
    const cell = tableIn(store, table).rows[0]?.[1] as { value: number; episodes: string[]; n: number };
    assert.deepEqual([cell.value, cell.episodes, cell.n], [value, ["a1", "b3"], 2], table);
  }
});

Deno.test("Table 5 compares memories on the maps that all of them have, in the table and in the ledger", () => {
  const trial = (id: string, condition: string, layout: string, prompt: number): SampleTrial => ({
    ...{ id, condition, layout },
    calls: [{ role: "graphmind/plan", text: id, prompt, completion: 1 }],
  });
  using store = storeOf([
    trial("a", "kg", "2x2-d1-0", 10),
    trial("b", "kg", "7x7-d1-0", 1000),
    trial("c", "sm", "2x2-d1-0", 20),
    trial("d", "sm", "7x7-d1-0", 2000),
    trial("e", "kg-static", "2x2-d1-0", 30),
    trial("f", "none", "7x7-d1-0", 40), // is held against nothing
  ]);
  const plan = tableIn(store, "table5").rows.find(([name]) => name === "Plan with DSLs") ?? assert.fail();
  const means = plan.map((cell) => cell !== null && typeof cell === "object" && "value" in cell ? [cell.value, cell.n] : cell);
  assert.deepEqual(means, ["Plan with DSLs", [10, 1], [10, 1], [20, 1], [30, 1], [30, 1], "2354.95", "2188.42", "720.98"]);
  const line = ledgerIn(store).find(({ row, source }) => source === "Table 5" && row === "KG: Plan with DSLs");
  assert.deepEqual([line?.ours?.value, line?.ours?.episodes, line?.ours?.noInterval], [10, ["a"], "one trial has none"]);
});

Deno.test("Table 5 has the sum of tokens over the sum of steps with an interval over trials", () => {
  const trial = (id: string, layout: string, prompt: number): SampleTrial => ({
    ...{ id, condition: "kg", layout },
    calls: [{ role: "graphmind/plan", text: id, prompt, completion: 1 }],
  });
  using store = storeOf([trial("a", "2x2-d1-0", 10), trial("b", "2x2-d3-0", 30)]);
  const rows = tableIn(store, "table5").rows;
  const cell = rows.find(([name]) => name === "Plan with DSLs")?.[1] as { value: number; low: number; high: number };
  assert.deepEqual([cell.value, cell.low, cell.high.toFixed(1)], [20, 0, "111.7"]); // a step each; resamples of two are 10, 20 or 30, κ = 9.1682
  assert.equal(rows.find(([name]) => name === "Verify Node Transition")?.[1], null);
});

Deno.test("Tables 5 and 6 show cached and reasoning tokens of a step where an endpoint reports any", () => {
  const vote = (index: number, tokens: object = {}) => ({
    ...{ role: "graphmind/verify-transition", vote: index, text: `vote ${index}`, prompt: 100, completion: 10, ...tokens },
  });
  const cellsOf = (store: Store, table: string, label: string): unknown[] | undefined =>
    tableIn(store, table).rows.find(([name]) => name === label)?.slice(1, 3)
      .map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value : cell);
  using silent = storeOf([{ id: "a", condition: "kg", calls: [vote(0), vote(1)] }]);
  using told = storeOf([{ id: "a", condition: "kg", calls: [vote(0), vote(1, { cached: 96, reasoning: 7 })] }]);
  assert.deepEqual(cellsOf(silent, "table5", "Total"), [100, 200]);
  for (const [table, label] of [["table5", "Of which cached"], ["table6", "Of which reasoning"]] as const) {
    assert.equal(cellsOf(silent, table, label), undefined);
  }
  assert.deepEqual(cellsOf(told, "table5", "Of which cached"), [0, 96]);
  assert.deepEqual(cellsOf(told, "table6", "Of which reasoning"), [0, 7]);
});

Deno.test("the table of transitions holds verdicts and single votes against the rooms that were walked through", () => {
  using store = storeOf([
    { id: "a", condition: "kg", triplets: knowledge(), transition: { passed: true, for: 4, against: 1 } },
    { id: "b", condition: "kg", attempt: 2, triplets: knowledge(), transition: { passed: false, for: 1, against: 4 } },
  ]);
  const [row] = tableIn(store, "transitions").rows;
  assert.deepEqual([row?.[0], ...row?.slice(1).map(valueIn) ?? []], ["2x2, KG", 2, 50, 50, 50, 0]); // both steps passed the red door
});

Deno.test("the way of a model that acts by primitives follows from them, unless it ends elsewhere than the truth", () => {
  const walked = ["done", "a wall is in the way"].map((last) => {
    using store = storeOf([{
      ...{ id: "a", condition: "kg-llm-actor", triplets: knowledge(), transition: { passed: false, for: 0, against: 5 } },
      primitives: [["forward", "done"], ["forward", "the door is closed"], ["toggle", "done"], ["left", "done"], ["right", "done"], [
        "forward",
        "done",
      ], ["forward", last]],
    }]);
    const figure = graphmindReport(store, STUDY).figures.find(({ id }) => id === "graphmind-fig6-mute") ?? assert.fail();
    const rows = rowsOf<{ panel: string; kind: string }>(figure.frame);
    assert.match(rows[0]?.panel ?? "", /^wrong: passed red door, judged stayed\npass_door\(red door\)\nKG, LLM as actor/);
    const [, step] = gridSteps(store, "a");
    return [step?.path, step?.isTraced, rows.filter(({ kind }) => kind === "way").length];
  });
  assert.deepEqual(walked, [
    [[[4, 2, 0], [5, 2, 0], [5, 2, 0], [5, 2, 0], [5, 2, 3], [5, 2, 0], [6, 2, 0], [7, 2, 0]], true, 2],
    [[[4, 2, 0], [7, 2, 0]], false, 0],
  ]);
});

Deno.test("captions tell of what their tables show, and of nothing else", () => {
  using store = storeOf(THIRTY);
  const caption = (name: string) => tableIn(store, name).caption;
  assert.match(
    caption("table2"),
    /Wilson's of success; .* bootstrap .wider for few trials. of GED\. SE: √.*; of other means s\/√n\. GED: .* and to the whole map\./,
  );
  assert.match(caption("table8"), /that were seen\. The paper's 58\.6/);
  assert.match(
    caption("steps"),
    /decisions\. Intervals have the layouts as clusters\. 95 % intervals: a seeded percentile bootstrap .wider for few trials. of decision steps, world steps\. SE: s\/√n\. The paper does not name/,
  );
  using one = storeOf(THIRTY.slice(0, 1));
  const single = tableIn(one, "table2");
  assert.match(single.caption, /n = 1 trial a cell, 1 layout, seed 1, /);
  assert.doesNotMatch(single.caption, /SE:/);
  assert.ok(single.rows.every(([label]) => !String(label).endsWith("SE")), "one trial has no standard error to show");
});

Deno.test("writeStudyReport() writes what the trials allow, and the pictures show what the record holds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-graphmind-"));
  try {
    using store = storeOf([
      { id: "a", condition: "kg", triplets: knowledge(), transition: { passed: true, for: 5, against: 0 } },
      { id: "b", condition: "sm", success: false },
      { id: "c", condition: "none", success: false },
      { id: "d", condition: "oracle" },
    ]);
    const { files, markdown } = await writeStudyReport(GRAPHMIND_REPORT, store, STUDY, { folder });
    const names = files.map((file) => basename(file)).filter((name) => /\.(svg|md)$/.test(name));
    const tables = ["table2", "table3", "table5", "table6", "table7", "table8", "steps", "transitions", "trajectory"];
    const figures = ["fig1", "fig4", "fig6", "fig7", "fig9", "fig10", "fig5", "success-ged", "success", "growth"];
    const wanted = [
      ...tables.map((name) => `${name}-mute.md`),
      ...figures.map((name) => `${name}-mute.svg`),
      "claims-mute.md",
      "ledger-mute.md",
    ];
    assert.deepEqual(names.map((name) => name.replace("graphmind-", "")), wanted);
    assert.match(markdown, /Ledger: of 182 numbers/);
    assert.ok(files.every((file) => readFileSync(file).length > 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("the strip of a trial has doors, keys and the agent where the truth of the step has them, and the way that was walked", () => {
  using store = storeOf([{ id: "a", condition: "kg", triplets: knowledge() }]);
  const strip = graphmindReport(store, STUDY).figures.find(({ id }) => id === "graphmind-fig9-mute") ?? assert.fail();
  interface Row {
    readonly panel: string;
    readonly kind: string;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly x2: number;
    readonly y2: number;
  }
  const rows = rowsOf<Row>(strip.frame).filter(({ panel }) => panel.startsWith("1: pass_door(red door)"));
  const centre = ({ name, x, y }: Row): string => `${name} at ${Math.floor(x)},${Math.floor(y)}`;
  const of = (kind: string): Row[] => rows.filter((row) => row.kind === kind);
  assert.deepEqual(of("door").map(centre), ["red open door at 6,2", "purple locked door at 9,6", "green closed door at 2,6"]);
  assert.deepEqual(of("thing").map(centre), ["blue ball at 2,4", "red key at 8,3", "grey box at 3,9"]);
  assert.deepEqual(of("agent").map(centre), ["east at 7,2"]);
  assert.deepEqual(of("way").map(({ x, x2, y }) => [Math.floor(x), Math.floor(x2), Math.floor(y)]), [[4, 7, 2]]);
});

Deno.test("captions tell once how many trials cells have where it is the same, else the least and the most", () => {
  const captions = (trials: readonly SampleTrial[]): string[] => {
    using store = storeOf(trials);
    const { figures, tables } = graphmindReport(store, STUDY);
    return [figures.find(({ id }) => id === "graphmind-success-mute"), tables.find(({ id }) => id === "graphmind-trajectory-mute")]
      .map((one) => one?.caption.match(/n = .* trials a (?:mark|cell)/)?.[0] ?? "");
  };
  assert.deepEqual(captions(THIRTY), ["n = 30 trials a mark", "n = 30 trials a cell"]);
  const more = [...THIRTY, { id: "sm", condition: "sm" }, { id: "sm2", condition: "sm", attempt: 2 }];
  assert.deepEqual(captions(more), ["n = 2 to 30 trials a mark", "n = 2 to 30 trials a cell"]);
});

Deno.test("a study without a graph is reported without figures of graphs", () => {
  using store = storeOf([{ id: "c", condition: "none", success: false }]);
  const { figures, tables } = graphmindReport(store, STUDY);
  assert.deepEqual(figures.map(({ id }) => id), ["graphmind-success-mute"]);
  const planned = ["table2", "steps"]; // the other tables have no trial of this condition and size
  assert.deepEqual(tables.map(({ id }) => id), planned.map((name) => `graphmind-${name}-mute`));
});

Deno.test("data/papers holds the paper's nine files, listed in data/README.md", () => {
  const list = readFileSync(join(checkoutRoot(), "data", "README.md"), "utf8");
  const names = [
    "table2_success",
    "table3_actor",
    "table4_scale",
    "table5_input_tokens",
    "table6_output_tokens",
    "table7_modality",
    "table8_access",
    "fig5_ged",
    "appc_steps",
  ];
  for (const name of names) {
    assert.ok(paperTable(`graphmind_${name}`).length > 0);
    assert.ok(list.includes(`papers/graphmind_${name}.csv`), name);
  }
});

Deno.test("graphmindReport() sets no number of the paper beside a user's own layouts", () => {
  const paper = (own: boolean): string => {
    using store = storeOf(THIRTY.slice(0, 2).map((trial) => ({ ...trial, ...own && { file: "/tmp/own.json" } })));
    const { tables, figures, ledger = [] } = graphmindReport(store, STUDY);
    const size = figures.find((figure) => figure.caption.startsWith("Success by the size")) ?? assert.fail();
    assert.equal(tables.flatMap(({ rows }) => rows).some(([name]) => String(name).includes("paper,")), !own);
    assert.equal(rowsOf<{ paper: number | null }>(size.frame).some((row) => row.paper !== null), !own);
    assert.equal(/rings: the paper/.test(JSON.stringify(size.spec)), !own);
    assert.equal(ledger.some(({ ours }) => ours), !own);
    return [...tables, size].map(({ caption }) => caption).join("\n");
  };
  assert.match(paper(true), /own: the paper has no numbers for them/);
  assert.doesNotMatch(paper(true), /87\.7|Rings|one vote of five/);
  assert.match(paper(false), /87\.7/);
});
