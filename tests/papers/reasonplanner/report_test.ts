import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putEvents } from "../../../lib/lab/store/events.ts";
import { observationHash, putTurn } from "../../../lib/lab/store/turns.ts";
import { COSTS, PLANNING } from "../../../lib/papers/reasonplanner/counts.ts";
import { REASONPLANNER_LEDGER, REASONPLANNER_TABLES } from "../../../lib/papers/reasonplanner/exhibits.ts";
import { trainingGrowthFigure, trajectoriesFigure } from "../../../lib/papers/reasonplanner/figures.ts";
import { averageOf, leadOf } from "../../../lib/papers/reasonplanner/measures.ts";
import { LOOK_AHEAD_REPORT, REASONPLANNER_REPORT } from "../../../lib/papers/reasonplanner/report.ts";
import { paperAverages, paperTasks, reasonPlannerTrials, TABLE1_METHODS } from "../../../lib/papers/reasonplanner/trials.ts";
import { createStudyReader, type Exhibit } from "../../../lib/report/exhibit.ts";
import { tableOf, type TableOptions } from "../../../lib/report/exhibit-table.ts";
import { toSvg } from "../../../lib/report/figure.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import type { LedgerEntry } from "../../../lib/report/ledger.ts";
import { paperLedger, type ReportInput, reportOf, writeStudyReport } from "../../../lib/report/study-report.ts";
import type { Table } from "../../../lib/report/table.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";

const STUDY = "reasonplanner-quick@offline";

interface Put {
  readonly task: string;
  readonly condition: string;
  readonly attempt: number;
  readonly score?: number;
  /** Score after each step, from the reset; of several trials the steps of each. */
  readonly course?: readonly (readonly number[])[];
  readonly counts?: number;
  readonly end?: "won" | "lost";
  readonly graph?: readonly (readonly [number, number])[];
  readonly events?: readonly string[];
  readonly study?: string;
}

function inputOf(store: Store): Pick<ReportInput, "store" | "study" | "backbone" | "reader"> {
  return { store, study: STUDY, backbone: "offline", reader: createStudyReader(store) };
}

function tableFor(exhibit: Exhibit | undefined, store: Store, options: TableOptions = {}): Table {
  assert.ok(exhibit);
  return tableOf(exhibit, createStudyReader(store).read(exhibit, STUDY), options);
}

function ledgerFor(store: Store, study = STUDY): LedgerEntry[] {
  return paperLedger(REASONPLANNER_LEDGER, createStudyReader(store), study);
}

const [TABLE1, TABLE2] = REASONPLANNER_TABLES;

/** Writes an episode as the lab does. */
function put(store: Store, { task, condition, attempt, score, course = [], counts, end, graph, events = [], study = STUDY }: Put): void {
  const id = `${study === STUDY ? "" : `${study} `}${task} ${condition} ${attempt}`;
  const training = condition === "training";
  const method = /^reasonplanner|^training|^look/.test(condition) ? "reasonplanner" : condition;
  putEpisode(store, {
    ...{
      id,
      study,
      lane: training ? "training" : id,
      ordinal: training ? attempt - 1 : 0,
      identity: {},
      world: "scienceworld",
      worldParams: {},
    },
    ...{ attempt, seed: attempt, method, memory: "", condition, backbone: "offline", label: task },
  });
  const passes = (course.length > 0 ? course : [[]]).map((scores, pass) => ({
    ...{
      kind: course.length > 1 ? "trial" as const : "only" as const,
      score: score ?? scores.at(-1) ?? 0,
      maxScore: 100,
      steps: scores.length - 1,
    },
    ...(pass === counts ? { counts: true as const } : {}),
    ...(end ? { end } : {}),
  }));
  for (const [pass, scores] of course.entries()) {
    for (const [step, now] of scores.entries()) {
      const shown = { observation: "A room.", sections: {}, score: now };
      const [size, told] = graph?.[step] ?? [undefined, 0];
      const changes = Array.from({ length: told }, (_, ordinal) => ({
        ...{ episode: id, pass, step, ordinal, op: "add" as const, subject: `s${ordinal}`, relation: "r", object: "o" },
      }));
      putTurn(
        store,
        {
          ...{
            episode: id,
            pass,
            step,
            ...shown,
            goal: "Do.",
            frames: [],
            maxScore: 100,
            observationHash: observationHash(shown),
            details: {},
          },
          ...(size === undefined ? {} : { graphSize: size }),
        },
        { changes },
      );
    }
  }
  putEvents(store, events.map((kind, ordinal) => ({ episode: id, pass: 0, step: 1, ordinal, kind, detail: "" })));
  if (score !== undefined) endEpisode(store, id, { status: "completed", passes }, 0);
}

function filled(put_: (store: Store) => void): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: 0 });
  put_(store);
  return store;
}

Deno.test("Table 1: mean and sd over variations, the paper beside them by the task's name, averages by the paper's own rule", () => {
  using store = filled((store) => {
    for (const [attempt, score] of [[1, 10], [2, 20], [3, 60]] as const) {
      put(store, { task: "chemistry-mix", condition: "reasonplanner", attempt, score });
    }
    for (const [attempt, score] of [[1, 40], [2, 40]] as const) put(store, { task: "boil", condition: "reasonplanner", attempt, score });
    put(store, { task: "boil", condition: "reasonplanner", attempt: 3 });
    put(store, { task: "boil", condition: "random", attempt: 1, score: 5 });
  });
  const { columns, rows, caption } = tableFor(TABLE1, store);
  const missing = (done: number, planned: number) => ({ incomplete: { done, failed: 0, planned } });
  assert.deepEqual(columns, ["task", "ReasonPlanner", "sd", "paper", "Random actions"]);
  assert.deepEqual(rows[0]?.slice(0, 4), ["1-1 boil (L)", missing(2, 3), missing(2, 3), "25.67 ± 19.6"]);
  // 6-2 in the paper, 6-1 in ScienceWorld: 53.67 is chemistry-mix's
  assert.deepEqual(rows[1]?.[0], "6-2 chemistry-mix (S)");
  const numbers = rows[1]?.slice(1, 4).map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value.toFixed(3) : cell);
  assert.deepEqual(numbers, ["30.000", "26.458", "53.67 ± 40.5"]); // by hand: √((400 + 100 + 900) / 2)
  assert.deepEqual(rows.at(-1)?.slice(0, 2), ["average", missing(5, 6)]); // 3 + 2 of 6 variations
  assert.equal(rows.at(-1)?.[3], null); // the paper averages all 30 tasks
  assert.match(caption, /n = 1 to 3 variations \(6 of all 7 completed, 0 failed\)/);
  assert.match(caption, /One-way ANOVA of the methods: not possible/);
});

Deno.test("Table 1's analysis of variance is that of the means that the table shows", () => {
  using store = filled((store) => {
    for (
      const [task, condition, score] of [["boil", "saycan", 10], ["melt", "saycan", 20], ["boil", "react", 30], [
        "melt",
        "react",
        40,
      ]] as const
    ) {
      put(store, { task, condition, attempt: 1, score });
    }
    put(store, { task: "freeze", condition: "react", attempt: 1, score: 0 });
    put(store, { task: "freeze", condition: "react", attempt: 2 }); // not played yet
  });
  const captionOf = (options = {}) => tableFor(TABLE1, store, options).caption;
  assert.match(captionOf(), /F\(1, 2\) = 8\.00, p = 0\.106;/); // by hand: 400 between, 100 within; 1 − √(8/10)
  assert.match(captionOf({ allowIncomplete: true }), /F\(1, 3\) = /);
});

Deno.test("the rule of the averages gives the paper's own last row from its other rows", () => {
  const tasks = paperTasks();
  for (const method of TABLE1_METHODS) {
    const { mean, sd } = averageOf(
      tasks.map(({ printed }) => ({ mean: Number(printed[`${method}_mean`]), sd: Number(printed[`${method}_sd`]) })),
    );
    assert.ok(Math.abs(mean - Number(paperAverages()[`${method}_mean`])) < 0.006, `${method}: ${mean}`);
    assert.ok(Math.abs((sd ?? NaN) - Number(paperAverages()[`${method}_sd`])) < 0.06, `${method}: ${sd}`);
  }
  const cells = tasks.flatMap(({ name: task, printed }) =>
    TABLE1_METHODS.map((condition) => ({ task, condition, mean: Number(printed[`${condition}_mean`]) }))
  );
  assert.deepEqual(leadOf(cells), { more: 21, atLeast: 23 });
});

Deno.test("Table 2 sets the world model beside its absence, with the spread over n variations", () => {
  using store = filled((store) => {
    for (const [attempt, score] of [[1, 70], [2, 64]] as const) put(store, { task: "melt", condition: "reasonplanner", attempt, score });
    for (const [attempt, score] of [[1, 3], [2, 9]] as const) {
      put(store, { task: "melt", condition: "reasonplanner-without-world-model", attempt, score });
    }
    put(store, { task: "boil", condition: "reasonplanner", attempt: 1, score: 9 });
  });
  const { columns, rows, caption } = tableFor(TABLE2, store);
  assert.deepEqual(columns, ["task", "RP", "sd", "paper", "RP + WM", "sd", "paper"]);
  assert.deepEqual(rows.map(([task]) => task), ["1-2 melt (L)"]); // boil is not in the paper's table
  const numbers = rows[0]?.map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value.toFixed(2) : cell);
  assert.deepEqual(numbers, ["1-2 melt (L)", "6.00", "4.24", "3.00", "67.00", "4.24", "70.00"]); // by hand: √(3² + 3²)
  assert.match(caption, /standard deviation over the first test variations of a task, n = 2 variations/);
  assert.deepEqual(ledgerFor(store).filter(({ source }) => source === "Table 2").length, 12); // the paper has no deviations there
});

Deno.test("Figure 4 takes ReasonPlanner's best variation, the same one of the others, and the trial that counts", () => {
  using store = filled((store) => {
    put(store, { task: "boil", condition: "reasonplanner", attempt: 1, score: 10, course: [[0, 10]] });
    put(store, { task: "boil", condition: "reasonplanner", attempt: 2, score: 80, course: [[0, 30, 80]] });
    put(store, { task: "boil", condition: "react", attempt: 1, score: 99, course: [[0, 99]] });
    put(store, { task: "boil", condition: "react", attempt: 2, score: 5, course: [[0, 5]] });
    put(store, { task: "boil", condition: "reflexion", attempt: 2, score: 40, course: [[0, 40], [0, 7]], counts: 0 });
    put(store, { task: "boil", condition: "random", attempt: 2, score: 3, course: [[0, 3]] });
  });
  const figure = trajectoriesFigure(inputOf(store));
  assert.ok(figure);
  const { frame, spec } = figure;
  const lines = Map.groupBy(rowsOf<{ method: string; score: number }>(frame), ({ method }) => method);
  assert.deepEqual(
    Object.fromEntries([...lines].map(([method, rows]) => [method, rows.map(({ score }) => score)])),
    { ReAct: [0, 5], Reflexion: [0, 40], ReasonPlanner: [0, 30, 80] },
  );
  const { encoding, layer } = spec["spec"] as {
    readonly encoding: { readonly color: { readonly scale: { readonly domain: unknown; readonly range: readonly unknown[] } } };
    readonly layer: readonly {
      readonly encoding: { readonly strokeDash: { readonly scale: { readonly domain: unknown; readonly range: readonly unknown[] } } };
    }[];
  };
  const domain = ["ReAct", "Reflexion", "ReasonPlanner"]; // the legend names what is drawn, each method as in every such figure
  for (const { domain: named, range } of [encoding.color.scale, layer[0]?.encoding.strokeDash.scale ?? assert.fail()]) {
    assert.deepEqual(named, domain);
    assert.equal(new Set(range.map((look) => JSON.stringify(look))).size, 3);
  }
});

Deno.test("trajectoriesFigure() marks the last step of a lost episode", async () => {
  using store = filled((store) => {
    put(store, { task: "boil", condition: "reasonplanner", attempt: 1, score: 10, course: [[0, 10, 10]] });
    put(store, { task: "boil", condition: "react", attempt: 1, score: 5, course: [[0, 5, 5]], end: "lost" });
  });
  const figure = trajectoriesFigure(inputOf(store)) ?? assert.fail();
  const { frame, caption } = figure;
  assert.match(await toSvg(figure), /<svg/);
  const lost = rowsOf<{ method: string; step: number; lost: boolean }>(frame).filter(({ lost }) => lost);
  assert.deepEqual(lost.map(({ method, step }) => [method, step]), [["ReAct", 2]]);
  assert.match(caption, /A cross ends the line of a lost episode/);
});

Deno.test("the growth over the training counts facts and tellings, episode after episode", () => {
  using store = filled((store) => {
    put(store, { task: "boil", condition: "training", attempt: 2, score: 100, course: [[0, 9]], graph: [[6, 1], [6, 2]] });
    put(store, { task: "boil", condition: "training", attempt: 1, score: 100, course: [[0, 9]], graph: [[3, 3], [5, 4]] });
  });
  const figure = trainingGrowthFigure(inputOf(store));
  const rows = rowsOf<{ what: string; action: number; count: number }>(figure?.frame as NonNullable<typeof figure>["frame"]);
  assert.deepEqual(rows.filter(({ what }) => what === "facts").map(({ count }) => count), [3, 5, 6, 6]);
  assert.deepEqual(rows.filter(({ what }) => what === "facts").map(({ action }) => action), [0, 1, 1, 2]); // a beginning is no action
  assert.deepEqual(rows.filter(({ what }) => what !== "facts").map(({ count }) => count), [3, 7, 8, 10]);
});

Deno.test("the planning table counts replans, queries, explorations, and texts that coreference changed", () => {
  using store = filled((store) => {
    put(store, {
      ...{ task: "boil", condition: "reasonplanner", attempt: 1, score: 50, course: [[0, 1, 2, 3, 50]] },
      events: ["replan", "replan", "query", "query", "unanswered-query", "repeated-query", "exploration"].concat(
        ["coreference-asked", "coreference-asked", "coreference-asked", "coreference-asked", "coreference-changed"],
      ),
    });
    put(store, { task: "boil", condition: "react", attempt: 1, score: 1, course: [[0, 1]], events: ["replan"] });
  });
  const { columns, rows } = tableFor(PLANNING, store);
  const row = Object.fromEntries(columns.map((name, i) => {
    const cell = rows[0]?.[i];
    return [name, typeof cell === "object" && cell && "value" in cell ? cell.value : cell];
  }));
  assert.equal(rows.length, 1);
  assert.deepEqual(row, {
    ...{ condition: "ReasonPlanner", episodes: 1, score: 50, steps: 4, replans: 2, "steps a replan": 2, queries: 4, explorations: 1 },
    ...{ "unanswered, %": 25, "repeated, %": 25, "unread replies": 0, "coreference, %": 25 },
  });
});

Deno.test("the ledger holds every number of the paper: intervals where there are some, else the stated tolerance", () => {
  using store = filled((store) => {
    for (const [attempt, score] of [[1, 60], [2, 75], [3, 78]] as const) {
      put(store, { task: "melt", condition: "reasonplanner", attempt, score });
    }
    put(store, { task: "boil", condition: "react", attempt: 1, score: 30 });
    for (const [attempt, score] of [[1, 90], [2, 93], [3, 96]] as const) put(store, { task: "freeze", condition: "react", attempt, score });
  });
  const entries = ledgerFor(store);
  assert.equal(entries.length, 263);
  const find = (row: string, column: string) => entries.find((entry) => entry.row === row && entry.column === column);
  assert.equal(find("1-2 melt", "ReasonPlanner, mean")?.verdict, "cannot tell"); // 70 lies in Student's interval of 60, 75, 78, which is wide
  assert.ok((find("1-2 melt", "ReasonPlanner, mean")?.ours?.low ?? 99) < 50);
  assert.equal(find("1-2 melt", "ReasonPlanner, sd")?.verdict, "not judged");
  assert.equal(find("1-1 boil", "ReAct, mean")?.verdict, "cannot tell"); // 30 against 2.67: of one variation
  assert.equal(find("1-3 freeze", "ReAct, mean")?.verdict, "differs"); // 90 to 96 against 3.33
  assert.match(find("1-1 boil", "ReAct, sd")?.why ?? "", /one variation has no standard deviation/);
  assert.equal(find("average of all 30 tasks", "ReasonPlanner, mean")?.verdict, "not run");
  assert.equal(entries.filter(({ verdict }) => verdict === "not run").length, 263 - 6);
});

Deno.test("p < 0.001 differs from what does not lie below 0.001, and a p-value has no interval that would agree", () => {
  // SciPy's f_oneway: p = 0.00129 at 22 points more than each baseline, 0.00078 at 23
  for (const [more, wanted] of [[22, "differs"], [23, "cannot tell"]] as const) {
    using store = filled((store) => {
      for (const [i, { name }] of paperTasks().entries()) {
        for (const condition of ["saycan", "react", "reflexion", "reasonplanner"]) {
          const score = Math.min(100, 20 + 30 * (i % 3) + (condition === "reasonplanner" ? more : 0));
          put(store, { task: name, condition, attempt: 1, score });
        }
      }
    });
    const p = ledgerFor(store).find(({ column }) => column.startsWith("p of"));
    assert.equal(p?.verdict, wanted);
  }
});

Deno.test("the report is written with its ledger; figures render", async () => {
  using store = filled((store) => {
    for (const condition of ["saycan", "react", "reflexion", "reasonplanner", "reasonplanner-without-world-model"]) {
      for (const task of ["melt", "find-living-thing"]) {
        put(store, { task, condition, attempt: 1, score: condition.length, course: [[0, 3, condition.length]] });
      }
    }
    put(store, { task: "melt", condition: "training", attempt: 1, score: 100, course: [[0, 9]], graph: [[3, 3], [5, 4]] });
  });
  const report = reportOf(REASONPLANNER_REPORT, store, STUDY);
  assert.match(report.tables[0]?.caption ?? "", /F\(3, 4\) = /);
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-report-"));
  try {
    const { files, markdown } = await writeStudyReport(REASONPLANNER_REPORT, store, STUDY, { folder });
    assert.ok(markdown.includes("Ledger: of 263 numbers of the paper"));
    assert.equal(readdirSync(folder).length, files.length);
    for (const id of ["table1", "table2", "planning", "fig4", "growth", "ledger"]) {
      assert.ok(files.some((file) => file.includes(`reasonplanner-${id}-offline`)), `${id} in ${files.join(", ")}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("a study that came to no episode of ReasonPlanner is written all the same, without Figure 4", async () => {
  using store = filled((store) => {
    put(store, { task: "melt", condition: "react", attempt: 1, score: 3, course: [[0, 3]] });
    put(store, { task: "melt", condition: "reasonplanner", attempt: 1 });
  });
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-report-"));
  try {
    const { files, markdown } = await writeStudyReport(REASONPLANNER_REPORT, store, STUDY, { folder, allowIncomplete: true });
    assert.match(markdown, /incomplete 0\/1/);
    assert.ok(files.length > 0 && !files.some((file) => file.includes("fig4")), files.join());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("the costs count each request once, by role, and the ledger tells paid, replayed and wasted apart", () => {
  using store = filled((store) => {
    put(store, { task: "melt", condition: "reasonplanner", attempt: 1, score: 5 });
    put(store, { task: "melt", condition: "reasonplanner", attempt: 2, score: 5 });
    const call = (key: string, role: string, kind: "paid" | "replayed" | "wasted", dollars: number | null) =>
      putCall(store, {
        ...{ episode: "melt reasonplanner 1", model: "m", key, role, kind, dollars, latencyMs: 0, at: 0 },
        ...{ promptTokens: 10, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
      });
    call("a", "reasonplanner/actor", "paid", 0.5);
    call("a", "reasonplanner/actor", "replayed", 0.5);
    call("a", "reasonplanner/actor", "wasted", 0.25);
    call("b", "reasonplanner/reflect", "paid", 0.25);
  });
  const { rows } = tableFor(COSTS, store);
  const numbers = (label: string) =>
    rows.find(([name]) => name === label)?.slice(1).map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value : cell);
  assert.deepEqual(numbers("ReasonPlanner"), [2, 1, 10, 1, 0.375]); // two requests of 10 and 1 tokens in two episodes
  assert.deepEqual(numbers("– reasonplanner/actor"), [2, 0.5, 5, 0.5, 0.25]);
  using told = filled((store) => {
    put(store, { task: "melt", condition: "reasonplanner", attempt: 1, score: 5 });
    putCall(store, {
      ...{ episode: "melt reasonplanner 1", model: "m", key: "a", role: "reasonplanner/actor", kind: "paid", latencyMs: 0, at: 0 },
      ...{ promptTokens: 10, cachedTokens: 8, completionTokens: 5, reasoningTokens: 4, dollars: 1 },
    });
  });
  const reported = tableFor(COSTS, told);
  assert.deepEqual(reported.columns.slice(3), ["prompt tokens", "of which cached", "completion tokens", "of which reasoning", "dollars"]);
  assert.deepEqual(reported.rows[0]?.slice(3).map((cell) => typeof cell === "object" && cell && "value" in cell && cell.value), [
    10,
    8,
    5,
    4,
    1,
  ]);
  const entry = ledgerFor(store).find(({ row, column }) => row === "1-2 melt" && column === "ReasonPlanner, mean");
  assert.deepEqual(entry?.ours?.cost, { paid: 0.75, replayed: 0.5, wasted: 0.25 });
});

Deno.test("the one ledger takes each number from the first study that has it complete", () => {
  const ahead = "reasonplanner-look-ahead-quick@offline";
  using store = filled((store) => {
    putStudy(store, { id: ahead, spec: {}, createdAt: 1 });
    put(store, { task: "melt", condition: "reasonplanner", attempt: 1, score: 60 });
    put(store, { task: "melt", condition: "look-ahead-3", attempt: 1, score: 40, study: ahead });
  });
  const { tables, ledger } = reportOf(LOOK_AHEAD_REPORT, store, ahead);
  assert.deepEqual(tables.map(({ id, rows }) => [id, rows.length]), [["reasonplanner-look-ahead-offline", 1]]);
  const ours = ledger?.find(({ row, column }) => row === "1-2 melt" && column === "ReasonPlanner, mean")?.ours;
  assert.deepEqual([ours?.value, ours?.study, ours?.episodes], [60, STUDY, ["melt reasonplanner 1"]]);
});

Deno.test("a task whose variations all score the same has an interval as wide as what they leave unseen", () => {
  using store = filled((store) => {
    for (const attempt of [1, 2, 3]) put(store, { task: "melt", condition: "reasonplanner", attempt, score: 65 });
  });
  const entry = ledgerFor(store).find(({ row, column }) => row === "1-2 melt" && column === "ReasonPlanner, mean");
  // 0.025^(1/3) = 0.2924 of the variations at least score 65; the others may score 0, or 100
  assert.deepEqual([entry?.verdict, entry?.ours?.low?.toFixed(1), entry?.ours?.high?.toFixed(1)], ["cannot tell", "19.0", "89.8"]);
});

Deno.test("reasonPlannerTrials() counts the pass that is marked, else the last", () => {
  using store = filled((store) => {
    put(store, { task: "boil", condition: "reflexion", attempt: 1, score: 40, course: [[0, 40], [0, 7]], counts: 0 });
    put(store, { task: "boil", condition: "reflexion", attempt: 2, score: 40, course: [[0, 40], [0, 7]] });
    put(store, { task: "boil", condition: "reflexion", attempt: 3 });
  });
  assert.deepEqual(reasonPlannerTrials(store, STUDY).map(({ pass, score }) => [pass, score]), [[0, 40], [1, 40], [null, null]]);
});
