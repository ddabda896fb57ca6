import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimValue, relativeImprovement, WESE_CLAIMS, weseMean } from "../../../lib/papers/wese/measures.ts";
import { WESE_LEDGER } from "../../../lib/papers/wese/exhibits.ts";
import { weseFrontierFigure } from "../../../lib/papers/wese/figures.ts";
import { WESE_REPORT, weseFrontierReport, weseReport } from "../../../lib/papers/wese/report.ts";
import { alfworldTaskOf, type WeseTrial, weseTrials } from "../../../lib/papers/wese/trials.ts";
import { WESE_WORLDS, wesePaperRow } from "../../../lib/papers/wese/worlds.ts";
import { createStudyReader } from "../../../lib/report/exhibit.ts";
import { toSvg } from "../../../lib/report/figure.ts";
import { type DataFrame, rowsOf } from "../../../lib/report/frame.ts";
import type { LedgerEntry } from "../../../lib/report/ledger.ts";
import { paperTable } from "../../../lib/report/paper.ts";
import { paperLedger, writeStudyReport } from "../../../lib/report/study-report.ts";
import type { Cell, Table } from "../../../lib/report/table.ts";
import { putCall } from "../../../lib/store/calls.ts";
import { endEpisode, type PassRow, putEpisode } from "../../../lib/store/episodes.ts";
import { openStore, type Store } from "../../../lib/store/open.ts";
import { putStudy } from "../../../lib/store/studies.ts";
import { observationHash, putTurn } from "../../../lib/store/turns.ts";

const STUDY = "wese-quick@strong+weak";

interface Put {
  readonly label: string;
  readonly place: string;
  readonly condition: string;
  /** Rewards after each step of the exploitation, from the reset; absent: planned and not played. */
  readonly course?: readonly number[];
  readonly won?: boolean;
  readonly maxScore?: number;
  /** Triplets after each step of the exploration, from the reset. */
  readonly graph?: readonly number[];
  /** Role → prompt and completion tokens of one call, and those of them that were cached and spent on reasoning. */
  readonly calls?: Readonly<Record<string, readonly [number, number, number?, number?]>>;
  readonly study?: string;
  /** The model that answers where `weak` names none. @default {"offline"} */
  readonly model?: string;
  /** The model that explores, extracts and chooses for WESE. @default {"offline-weak"} */
  readonly weak?: string;
  readonly goal?: string;
  /** World and its parameters, as the study has them. */
  readonly from?: readonly [string, Readonly<Record<string, string>>];
}

/** Writes an episode as the lab does: WESE's with two passes, the others with one. */
function put(store: Store, options: Put): string {
  const { label, place, condition, course, won = false, maxScore = 1, graph, calls = {}, study = STUDY, goal = "Do.", from } = options;
  const { model: strong = "offline", weak = "offline-weak" } = options;
  const [world, worldParams] = from ?? (label.startsWith("alfworld") ? ["alfworld", { set: "households" }] : ["w", {}]);
  const id = `${study} ${label} ${place} ${condition}`;
  const method = condition.split("-")[1] ?? condition;
  putEpisode(store, {
    ...{ id, study, lane: `${label.split("/")[0]}/${place}|${condition}`, ordinal: 0, world, worldParams, label },
    identity: { models: { "*": strong, "wese/*": `${weak} {"temperature":0}`, "wese/act": strong } },
    ...{ attempt: 1, seed: 1, method, memory: "", condition, backbone: "strong+weak" },
  });
  if (!course) return id;
  const turn = (pass: number, step: number, score: number, graphSize?: number): void => {
    const shown = { observation: "A room.", sections: {}, score };
    const rest = { goal, frames: [], maxScore, observationHash: observationHash(shown), details: {} };
    putTurn(store, { episode: id, pass, step, ...shown, ...rest, ...(graphSize === undefined ? {} : { graphSize }) });
  };
  for (const [step, size] of (graph ?? []).entries()) turn(0, step, step, size); // what the exploration earns does not count
  for (const [step, score] of course.entries()) turn(graph ? 1 : 0, step, score);
  for (const [role, [prompt, completion, cached = 0, reasoning = 0]] of Object.entries(calls)) {
    const usage = { promptTokens: prompt, cachedTokens: cached, completionTokens: completion, reasoningTokens: reasoning };
    const model = /^wese\/(?!act)/.test(role) ? weak : strong;
    const call = { episode: id, role, model, key: `${id} ${role}`, ...usage, dollars: 0, latencyMs: 1, at: 0 };
    putCall(store, { ...call, kind: "paid" });
    putCall(store, { ...call, kind: "replayed" }); // as a resumed run writes it: it must not count twice
    putCall(store, { ...call, kind: "wasted", error: "timeout" });
  }
  const exploit = { score: won ? maxScore : course.at(-1) ?? 0, maxScore, steps: course.length - 1, end: won ? "won" : "limit" };
  const passes: PassRow[] = graph
    ? [{ kind: "explore", score: 0, maxScore, steps: graph.length - 1 }, { kind: "exploit", ...exploit }]
    : [{ kind: "only", ...exploit }];
  endEpisode(store, id, { status: "completed", passes }, 0);
  return id;
}

function filled(put_: (store: Store) => void, studies: readonly string[] = [STUDY]): Store {
  const store = openStore(":memory:");
  for (const id of studies) putStudy(store, { id, spec: {}, createdAt: 0 });
  put_(store);
  return store;
}

function ledgerOf(store: Store, study: string): LedgerEntry[] {
  return paperLedger(WESE_LEDGER, createStudyReader(store), study);
}

/** The rows of a figure of the study's report. */
function figureRows<Row>(store: Store, name: string): Row[] {
  const figure = weseReport(store, STUDY).figures.find(({ id }) => id.startsWith(`wese-${name}-`));
  return rowsOf<Row>(figure?.frame as DataFrame);
}

function steps(count: number): number[] {
  return Array.from({ length: count + 1 }, () => 0);
}

function valueOf(cell: Cell | undefined): unknown {
  return cell !== null && typeof cell === "object" && "value" in cell ? cell.value : cell;
}

function row(table: Table | undefined, method: string): Record<string, unknown> {
  const cells = table?.rows.find(([name]) => name === method) ?? [];
  const seen = new Map<string, number>();
  return Object.fromEntries((table?.columns ?? []).map((column, at) => {
    const n = (seen.get(column) ?? 0) + 1;
    seen.set(column, n);
    return [n === 1 ? column : `${column} ${n}`, valueOf(cells[at])];
  }));
}

Deno.test("weseTrials() measures the exploitation and counts a request once when it was replayed", () => {
  using store = filled((store) => {
    put(store, {
      ...{ label: "scienceworld/boil", place: "boil-21", condition: "act-wese", maxScore: 100, course: [0, 0, 7, 30], graph: [0, 4, 9] },
      calls: { "wese/explore": [1000, 10], "wese/extract": [200, 20], "wese/task-entities": [50, 5], "wese/act": [3000, 30] },
    });
    put(store, {
      label: "scienceworld/boil",
      place: "boil-21",
      condition: "act-sese",
      maxScore: 100,
      course: [0, 3],
      graph: [0, 1],
      calls: { "sese/explore": [70, 7], "sese/act": [30, 3] },
    });
    put(store, { label: "scienceworld/boil", place: "boil-21", condition: "act" });
  });
  const [planned, sese, wese] = weseTrials(store, STUDY);
  assert.deepEqual([wese?.reward, wese?.success, wese?.steps, wese?.firstReward, wese?.explored, wese?.triplets], [30, false, 3, 2, 2, 9]);
  assert.deepEqual([wese?.strongPrompt, wese?.strongCompletion, wese?.weakPrompt, wese?.weakCompletion], [3000, 30, 1250, 35]);
  assert.equal(wese?.paperDollars, 3030 * 0.02 / 1000);
  assert.deepEqual([sese?.strongPrompt, sese?.strongCompletion, sese?.weakPrompt], [100, 10, 0]); // SESE explores with the strong model
  assert.deepEqual([planned, sese, wese].map((trial) => trial?.isOneModel), [false, false, false]);
  assert.deepEqual([planned?.status, planned?.reward, planned?.steps, planned?.strongPrompt], ["planned", null, null, null]);
});

Deno.test("weseReport() gives Table 1 success, steps of successes and improvements beside the paper's", () => {
  using store = filled((store) => {
    for (const [place, act, wese] of [["1", 10, 6], ["2", 20, 6], ["3", 0, 9], ["4", 0, 0]] as const) {
      put(store, { label: "alfworld/heat", place, condition: "act", course: steps(act || 50), won: act > 0 });
      put(store, { label: "alfworld/heat", place, condition: "act-wese", course: steps(wese || 50), won: wese > 0, graph: [0, 2] });
    }
  });
  const [table] = weseReport(store, STUDY).tables;
  assert.equal(table?.id, "wese-table1-strong+weak");
  const act = row(table, "Act");
  assert.deepEqual([act["success rate"], act["paper"], act["imp. %"], act["steps"]], [0.5, "0.43", null, 15]);
  const wese = row(table, "Act-WESE");
  assert.deepEqual([wese["success rate"], wese["imp. %"], wese["paper 2"], wese["steps"]], [0.75, 50, "46.51", 7]);
  assert.ok(Math.abs(Number(wese["imp. % 2"]) - 100 * (15 - 7) / 15) < 1e-9); // fewer steps are better
});

Deno.test("weseReport() gives Table 2 steps to the first reward whatever comes after", () => {
  using store = filled((store) => {
    const course = [[5, 5, 9, 40], [8, 8, 8, 8]] as const; // ScienceWorld gives some for where one stands at first
    for (const [at, rewards] of course.entries()) {
      put(store, { label: "scienceworld/melt", place: `melt-${at}`, condition: "react", maxScore: 100, course: rewards });
    }
  });
  const [table] = weseReport(store, STUDY).tables;
  const react = row(table, "ReAct");
  assert.deepEqual([react["total reward"], react["paper"], react["average reward"], react["steps"]], [48, "4454", 24, 2]);
});

Deno.test("weseReport() prices the acting model as the paper does and both models as of today", () => {
  using store = filled((store) => {
    const at = { label: "fever/claim", place: "claims-0", course: [0, 1], won: true };
    put(store, { ...at, condition: "react", calls: { "react/act": [1000, 100] } });
    put(store, { ...at, condition: "react-wese", graph: [0, 3], calls: { "wese/act": [500, 50], "wese/extract": [8000, 200] } });
  });
  const [, table] = weseReport(store, STUDY).tables;
  const [react, wese] = [row(table, "ReAct"), row(table, "ReAct-WESE")];
  assert.deepEqual([react["strong: prompt"], react["completion"], react["expense, USD"]], [1000, 100, 0.022]);
  assert.deepEqual([wese["weak: prompt"], wese["completion 2"], wese["imp. %"]], [8000, 200, 50]);
  assert.equal(react["paper"], "2148"); // 1,074,080 ÷ 500
  // gpt-6-sol $2 and $10, gpt-6-luna $0.1 and $0.5 for a million
  assert.ok(Math.abs(Number(wese["all, USD"]) - (500 * 2 + 50 * 10 + 8000 * 0.1 + 200 * 0.5) / 1e6) < 1e-12);
});

Deno.test("weseReport() says in WESE's row where one model explores and acts, and the ledger has no number of it", () => {
  const with_ = (weak: string): Store =>
    filled((store) => {
      const at = { label: "fever/claim", place: "claims-0", course: [0, 1], won: true, weak };
      put(store, { ...at, condition: "act", calls: { "act/act": [1000, 100] } });
      put(store, { ...at, condition: "act-wese", graph: [0, 3], calls: { "wese/act": [500, 50], "wese/extract": [8000, 200] } });
    });
  using one = with_("offline");
  using two = with_("offline-weak");
  const namesIn = (store: Store): unknown[][] => weseReport(store, STUDY).tables.map(({ rows }) => rows.map(([name]) => name));
  const label = "Act-WESE, one model explores and acts";
  assert.deepEqual([namesIn(one), namesIn(two)], [[["Act", label], ["Act", label]], [["Act", "Act-WESE"], ["Act", "Act-WESE"]]]);
  const [effect, cost] = weseReport(one, STUDY).tables;
  assert.equal(row(effect, label)["paper"], "0.62"); // beside it, for the row says what differs
  assert.deepEqual([row(cost, label)["strong: prompt"], row(cost, label)["completion"]], [8500, 250]);
  assert.ok(!cost?.columns.includes("weak: prompt"));
  assert.ok(Math.abs(Number(row(cost, label)["all, USD"]) - (8500 * 2 + 250 * 10) / 1e6) < 1e-12);
  const success = (store: Store) =>
    ledgerOf(store, STUDY).filter(({ source, row, column }) =>
      source === "Table 4" && row.startsWith("Act-WESE") && column === "success rate"
    );
  assert.deepEqual(success(one).map(({ row, verdict, why }) => [row, verdict, why]), [
    ["Act-WESE", "not run", "not played with a model of its own that explores"],
  ]);
  assert.equal(success(two)[0]?.ours?.value, 1);
  assert.equal(ledgerOf(one, STUDY).length, ledgerOf(two, STUDY).length);
  const growth = (store: Store) => weseReport(store, STUDY).figures.find(({ id }) => id.startsWith("wese-growth-"))?.caption ?? "";
  assert.match(growth(one), /WESE and SESE: one model explores and acts\.$/);
  assert.match(growth(two), /WESE: the weak model explores; SESE: the strong one\.$/);
});

Deno.test("weseReport() shows cached and reasoning tokens where an endpoint reports any", () => {
  const store = (...act: readonly [number, number, number?, number?]): Store =>
    filled((store) => {
      const at = { label: "alfworld/put", place: "1", course: steps(3) } as const;
      put(store, { ...at, condition: "react", calls: { "react/act": act } });
      put(store, { ...at, condition: "act", calls: { "act/act": [10, 1] } });
    });
  using silent = store(1000, 100);
  using told = store(1000, 100, 640, 30);
  const [, plain] = weseReport(silent, STUDY).tables;
  assert.ok(!plain?.columns.some((name) => /cached|reasoning/.test(name)), `${plain?.columns}`);
  const [, table] = weseReport(told, STUDY).tables;
  const reported = (method: string): unknown[] => [row(table, method)["all: cached"], row(table, method)["reasoning"]];
  assert.deepEqual([reported("ReAct"), reported("Act")], [[640, 30], [0, 0]]);
});

Deno.test("weseReport() shows no number when a task is missing unless allowIncomplete is set", () => {
  using store = filled((store) => {
    put(store, { label: "fever/claim", place: "1", condition: "act", course: [0, 1], won: true });
    put(store, { label: "fever/claim", place: "2", condition: "act" });
  });
  const [strict] = weseReport(store, STUDY).tables;
  assert.deepEqual(strict?.rows[0]?.[1], { incomplete: { done: 1, failed: 0, planned: 2 } });
  const [lax] = weseReport(store, STUDY, { allowIncomplete: true }).tables;
  assert.equal(valueOf(lax?.rows[0]?.[1]), 1);
  assert.match(lax?.caption ?? "", /, n = 2 tasks \(1 of all 2 completed, 0 failed\) a method, /);
});

Deno.test("relativeImprovement() counts tasks that both played and has no number when the base has 0", () => {
  const cell = (outcomes: readonly boolean[], of = ""): WeseTrial[] =>
    outcomes.map((success, place) => ({ place: `${place}`, success, episode: `${of}${place}` }) as WeseTrial);
  const gainOf = (...[of, base]: [readonly boolean[], readonly boolean[]]) =>
    relativeImprovement("success", cell(of, "m"), cell(base, "b"));
  assert.equal(gainOf([true, true], [false, false]), "the base method reached nothing");
  const paired = gainOf([true, false, true, true], [true, false]); // the last two have no partner
  assert.ok(typeof paired === "object");
  assert.deepEqual([paired.value, paired.episodes], [0, ["m0", "b0", "m1", "b1"]]);
  const many = Array.from({ length: 60 }, (_, at) => at);
  const gain = gainOf(many.map((at) => at % 3 > 0), many.map((at) => at % 3 === 1));
  assert.ok(typeof gain === "object" && gain.low !== undefined && gain.high !== undefined);
  assert.equal(gain.value, 100);
  assert.ok(gain.low < 100 && gain.high > 100 && gain.low > 40 && gain.high < 260);
  assert.deepEqual(gainOf(many.map((at) => at % 3 > 0), many.map((at) => at % 3 === 1)), gain);
});

Deno.test("the paper's expenses follow from its tokens at 0.02 USD for 1000 but for one", () => {
  const astray: string[] = [];
  for (const world of WESE_WORLDS) {
    if (!world.paper) continue;
    const numbers = paperTable(world.paper.numbers);
    for (const { method = "", ...printed } of numbers) {
      const number = (column: string): number => Number(printed[column]);
      const expense = (number("prompt_tokens") + number("completion_tokens")) * 0.02 / 1000;
      if (Math.abs(expense - number("expense_usd")) > 0.011) astray.push(`${world.name} ${method}: ${expense.toFixed(2)}`);
      const base = numbers.find((row) => row.method === method.split("-")[0]);
      if (!method.includes("-") || !base) continue;
      const saved = 100 * (1 - number("expense_usd") / Number(base["expense_usd"]));
      assert.ok(Math.abs(saved - number("expense_imp_pct")) < 0.1, `${world.name} ${method}: ${saved}`);
    }
  }
  assert.deepEqual(astray, ["FEVER Act-SESE: 58.89"]);
  const notes = ledgerOf(openStore(":memory:"), "unplayed").filter(({ note }) => note?.includes("58.89"));
  assert.deepEqual(notes.map(({ source, row, column, printed }) => [source, row, column, printed]), [[
    "Table 4",
    "Act-SESE",
    "expense, USD",
    "60.89",
  ]]);
});

Deno.test("claimValue() gives each percentage of the text when it is fed the paper's own tables", () => {
  for (const claim of WESE_CLAIMS) {
    const { text, printed } = claim;
    const columns = { effect: ["success_rate", "avg_reward"], steps: ["avg_steps"], expense: ["expense_usd"] }[claim.of];
    const value = claimValue(claim, (id, condition) => {
      const name = condition.replace(/^act/, "Act").replace(/^react/, "ReAct").replace(/-.*/, (variant) => variant.toUpperCase());
      const row = wesePaperRow(WESE_WORLDS.find((world) => world.id === id) as (typeof WESE_WORLDS)[number], { name });
      return Number(columns.map((column) => row[column]).find((number) => number !== undefined));
    });
    const digits = printed.split(".")[1]?.length ?? 0;
    assert.ok(Math.abs((value ?? NaN) - Number(printed)) <= 0.6 * 10 ** -digits, `${text}: ${value}, not ${printed}`);
  }
});

Deno.test("paperLedger() has each number of WESE once and scales totals to the paper's tasks", () => {
  using store = filled((store) => {
    for (const place of ["1", "2", "3", "4"]) {
      const won = place !== "4";
      put(store, { label: "alfworld/put", place, condition: "act", course: steps(10), won, calls: { "act/act": [100, 10] } });
      put(store, {
        label: "alfworld/put",
        place,
        condition: "act-wese",
        course: steps(5),
        won: true,
        graph: [0, 1],
        calls: { "wese/act": [100, 10] },
      });
    }
  });
  const entries = ledgerOf(store, STUDY);
  assert.equal(new Set(entries.map(({ source, row, column }) => `${source} ${row} ${column}`)).size, entries.length);
  const find = (source: string, row: string, column: string) =>
    entries.find((entry) => entry.source === source && entry.row === row && entry.column === column);
  const success = find("Table 1", "Act", "success rate");
  assert.deepEqual([success?.printed, success?.ours?.value, success?.verdict], ["0.43", 0.75, "cannot tell"]); // Wilson of 3 in 4: 0.30 to 0.95
  assert.equal(find("Table 1", "Act", "prompt tokens")?.ours?.value, 134 * 100);
  assert.match(find("Table 1", "Act", "prompt tokens")?.ours?.measure ?? "", /over 4 tasks of alfworld households, scaled to 134/);
  assert.equal(find("Table 1", "Act", "success, improvement %"), undefined); // 0 by definition
  assert.ok(Math.abs((find("Table 1", "Act-WESE", "success, improvement %")?.ours?.value ?? NaN) - 100 / 3) < 1e-9);
  assert.equal(find("Table 1", "ReAct", "success rate")?.verdict, "not run");
  const put3 = find("Figure 3", "Act-WESE", "put, improvement %");
  assert.deepEqual([put3?.verdict, Math.round(put3?.ours?.value ?? NaN)], ["figure only", 33]);
  assert.equal(find("Figure 3", "Act-WESE", "heat, improvement %")?.ours, undefined); // none played
  assert.ok(entries.filter(({ source }) => source.startsWith("§")).every(({ verdict }) => verdict === "not run"));
});

Deno.test("paperLedger() has a number of the text when all its cells have one", () => {
  using store = filled((store) => {
    for (const world of ["alfworld/put", "scienceworld/boil"]) {
      const maxScore = world.startsWith("science") ? 100 : 1;
      const first = [0, 0, maxScore];
      put(store, { label: world, place: "1", condition: "act", course: first, won: true, maxScore });
      put(store, { label: world, place: "1", condition: "react", course: [0, 0, 0, maxScore], won: true, maxScore });
    }
  });
  const [steps] = ledgerOf(store, STUDY).filter(({ source }) => source === "§4.1.3");
  assert.equal(steps?.ours?.value, 50); // 3 steps in place of 2, in both worlds
  assert.equal(steps?.verdict, "differs"); // 32.38 is more than 10 points away
});

Deno.test("alfworldTaskOf() reads the type of an official game from its goal", () => {
  // the forms of ALFWorld's own sentences
  const goals = {
    "put a mug in shelf.": "put",
    "examine the book with the desklamp.": "examine",
    "look at bowl under the desklamp.": "examine",
    "put a clean knife in countertop.": "clean",
    "clean some apple and put it in fridge.": "clean",
    "heat some egg and put it in garbagecan.": "heat",
    "put a cool pan in stoveburner.": "cool",
    "find two pillow and put them in sofa.": "puttwo",
  };
  assert.deepEqual(Object.keys(goals).map(alfworldTaskOf), Object.values(goals));
  using store = filled((store) => {
    put(store, { label: "alfworld/unseen", place: "0", condition: "act", course: [0, 1], won: true, goal: "put a hot potato in fridge." });
  });
  assert.equal(weseTrials(store, STUDY)[0]?.task, "heat");
});

Deno.test("writeStudyReport() writes WESE's tables, Figure 3, growth and ledger", async () => {
  using store = filled((store) => {
    for (const condition of ["act", "act-wese", "act-sese", "react", "react-wese", "react-sese"]) {
      const graph = condition.endsWith("ese") ? { graph: condition.startsWith("act") ? [0, 2] : [0, 4, 6] } : {};
      put(store, { label: "alfworld/cool", place: "1", condition, course: steps(4), won: condition !== "react", ...graph });
    }
  });
  const bars = figureRows<Record<string, unknown>>(store, "fig3");
  assert.deepEqual(bars.map(({ base, variant, success, improvement }) => [base, variant, success, improvement]), [
    ["Act", "alone", 1, ""],
    ["Act", "WESE", 1, "0"],
    ["Act", "SESE", 1, "0"],
    ["ReAct", "alone", 0, ""],
    ["ReAct", "WESE", 1, ""],
    ["ReAct", "SESE", 1, ""],
  ]);
  const course = figureRows<{ base: string; explorer: string; step: number; triplets: number; running: number }>(store, "growth");
  const wese = course.filter(({ explorer }) => explorer === "WESE").map(({ base, triplets, running }) => [base, triplets, running]);
  assert.deepEqual(wese, [["Act", 0, 1], ["Act", 2, 1], ["ReAct", 0, 1], ["ReAct", 4, 1], ["ReAct", 6, 1]]); // conditions are not pooled
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-"));
  try {
    const { markdown } = await writeStudyReport(WESE_REPORT, store, STUDY, { folder });
    const names = new Set(readdirSync(folder).map((name) => name.replace(/\.\w+$/, "")));
    assert.deepEqual(
      [...names].sort(),
      ["claims", "cost1", "fig3", "growth", "ledger", "table1"].map((name) => `wese-${name}-strong+weak`),
    );
    assert.match(markdown, /Ledger: of 219 numbers of the paper/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("weseFrontierReport() has WESE at each quality and the other methods once", async () => {
  const studies = [50, 100].map((quality) => `wese-weak-quick-q${quality}@mine`);
  using store = filled((store) => {
    for (const study of studies) {
      const best = study.includes("q100");
      for (const condition of best ? ["act", "act-wese", "act-sese"] : ["act-wese"]) {
        const graph = condition === "act" ? {} : { graph: [0, 1] };
        put(store, {
          study,
          label: "fever/claim",
          place: "1",
          condition,
          course: [0, best ? 1 : 0],
          won: best,
          ...graph,
          calls: { "wese/act": [100, 1] },
        });
      }
    }
  }, studies);
  const { figures: [figure] } = weseFrontierReport(store, studies);
  assert.ok(figure);
  const points = rowsOf<{ variant: string; quality: number | null; effect: number }>(figure.frame);
  assert.deepEqual(points.map(({ variant, quality, effect }) => [variant, quality, effect]), [
    ["WESE", 50, 0],
    ["alone", null, 1],
    ["SESE", null, 1],
    ["WESE", 100, 1],
  ]);
  assert.match(await toSvg(figure), /^<svg /);
  assert.match(weseFrontierFigure([], { backbone: "mine" }).caption, /model: mine/);
  assert.throws(() => weseFrontierReport(store, ["wese-weak-quick-q25@mine"]), { name: "UsageError" });
});

Deno.test("weseWorldName() is the paper's name when its own tasks were played and says so otherwise", () => {
  const played = (fever: readonly [string, Readonly<Record<string, string>>]) =>
    filled((store) => {
      for (const condition of ["act", "act-wese"]) {
        const graph = condition === "act" ? {} : { graph: [0, 1] };
        put(store, { label: "fever/claim", place: "1", condition, course: [0, 1], won: true, from: fever, ...graph });
        put(store, { label: "scienceworld/boil", place: "1", condition, course: [0, 1], from: ["scienceworld", {}], ...graph });
      }
    });
  const titlesOf = (store: Store): string[] => {
    const { tables } = weseReport(store, STUDY);
    const frontier = weseFrontierFigure([{ quality: 50, trials: weseTrials(store, STUDY) }], { backbone: "mine" });
    const worldOf = ({ world }: { world: string }): string => world;
    const panels = [...figureRows<{ world: string }>(store, "growth"), ...rowsOf<{ world: string }>(frontier.frame)].map(worldOf);
    return [...new Set([...tables.map(({ title }) => title.replace(/:.*/, "")), ...panels])];
  };
  using own = played(["wiki/encyclopedia", {}]);
  const ours = "our claims (for FEVER)";
  assert.deepEqual(titlesOf(own), ["WESE, Table 2, ScienceWorld", `WESE, Table 4, ${ours}`, "ScienceWorld", ours]);
  using official = played(["wiki/fever", {}]);
  assert.deepEqual(titlesOf(official), ["WESE, Table 2, ScienceWorld", "WESE, Table 4, FEVER", "ScienceWorld", "FEVER"]);
});

Deno.test("weseReport() mentions no paper in tables of households drawn anew", () => {
  using store = filled((store) => {
    put(store, { label: "alfworld/put/1", place: "1", condition: "act", course: [0, 1], won: true, from: ["alfworld", { set: "valid" }] });
    put(store, { label: "fresh/put/1", place: "2", condition: "act", course: [0, 1], won: true, from: ["alfworld", { set: "fresh" }] });
  });
  const { tables } = weseReport(store, STUDY);
  const captions = tables.map(({ caption }) => caption);
  const fresh = tables.filter(({ id }) => id.includes("fresh"));
  assert.deepEqual(fresh.map(({ columns }) => columns.includes("paper")), [false, false]);
  assert.deepEqual(captions.map((caption) => /Paper: (as printed|its totals)/.exec(caption)?.[1]), [
    "as printed",
    undefined,
    "its totals",
    undefined,
  ]);
  assert.equal(captions.filter((caption) => caption.endsWith("The paper has no such tasks.")).length, 2);
});

Deno.test("weseReport() names in the legends what was played, and nothing else", () => {
  using store = filled((store) => {
    const shared = { label: "alfworld/put", place: "1", course: [0, 1], won: true, graph: [0, 3] };
    put(store, { ...shared, condition: "act-wese" });
    put(store, { ...shared, condition: "act", graph: undefined });
  });
  const domains = weseReport(store, STUDY).figures.map(({ spec }) =>
    [...JSON.stringify(spec).matchAll(/"color":.*?"domain":(\[.*?\]),"range":(\[.*?\])/g)].map(([, domain = "", range = ""]) => [
      JSON.parse(domain),
      JSON.parse(range),
    ])
  );
  const [types, growth] = domains;
  assert.deepEqual([types?.[0]?.[0], growth?.[0]?.[0]], [["alone", "WESE"], ["WESE"]]);
  assert.equal(types?.[0]?.[1][1], growth?.[0]?.[1][0], "a method has one colour");
});

Deno.test("weseFrontierReport() compares tasks that all methods of a panel have completed", () => {
  const studies = [50, 100].map((quality) => `wese-weak-quick-q${quality}@mine`);
  using store = filled((store) => {
    for (const study of studies) {
      for (const place of ["easy", "hard"]) {
        const won = place === "easy";
        const at = { study, label: "fever/claim", place, won, calls: { "wese/act": [100, 1] } } as const;
        const course = [0, won ? 1 : 0];
        const unplayed = study.includes("q50") && !won;
        put(store, { ...at, condition: "act-wese", graph: [0, 1], ...(unplayed ? {} : { course }) });
        put(store, { ...at, condition: "react-wese", graph: [0, 1], course });
      }
    }
  }, studies);
  const { figures: [figure] } = weseFrontierReport(store, studies);
  const points = rowsOf<Record<string, unknown>>(figure?.frame as NonNullable<typeof figure>["frame"]);
  assert.deepEqual(points.map(({ base, quality, effect, n }) => [base, quality, effect, n]), [
    ["Act", 50, 1, 1],
    ["Act", 100, 1, 1], // 0.5 over both tasks
    ["ReAct", 50, 0.5, 2],
    ["ReAct", 100, 0.5, 2],
  ]);
});

Deno.test("weseMean() has no interval when one task counts and no number when none does", () => {
  using store = filled((store) => {
    put(store, { label: "fever/claim", place: "1", condition: "act", course: steps(3) });
  });
  const trials = weseTrials(store, STUDY);
  assert.equal(weseMean("steps").estimate(trials), "no trial counts");
  const rewards = weseMean("reward").estimate(trials);
  assert.deepEqual(rewards, { value: 0, noInterval: "one trial has none", episodes: [trials[0]?.episode] });
  assert.throws(() => weseReport(store, "another"), { name: "UsageError" });
});
