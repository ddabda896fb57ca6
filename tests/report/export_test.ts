import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { exportFigure, exportInspectLogs, exportRecord, exportTable } from "../../lib/report/export.ts";
import { polars } from "../../lib/report/frame.ts";
import { putCall } from "../../lib/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { provenanceOf } from "../../lib/report/provenance.ts";
import { openStore } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { putTurn } from "../../lib/store/turns.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { writeReport } from "../../lib/report/study-report.ts";
import type { Table } from "../../lib/report/table.ts";
import { wantsSlow } from "../slow.ts";

const SLOW = wantsSlow("the reader of inspect_ai");

/** Reads a log by Inspect's own reader, from the Python package index; with LAB_SLOW=1. */
function readWithInspect(log: string, folder: string): void {
  if (!SLOW) return;
  const script =
    "import sys; from inspect_ai.log import list_eval_logs, read_eval_log; l = read_eval_log(sys.argv[1]); s = l.samples[0]; " +
    "from inspect_ai.analysis import messages_df, samples_df; d = samples_df(sys.argv[2]); m = messages_df(sys.argv[2]); " +
    "print(l.status, l.eval.task, s.epoch, s.messages[-1].text, s.scores['normalised_score'].value, s.model_usage['m'].total_tokens, " +
    "len(list_eval_logs(sys.argv[2])), len(d), d.sample_id[0], list(m.role), list(m.content) == [x.text for x in s.messages])";
  const uv = [
    "run",
    "--no-project",
    "--isolated",
    "--with",
    "inspect-ai==0.3.285",
    "--with",
    "pandas",
    "--with",
    "pyarrow",
    "python",
    "-c",
    script,
    log,
    folder,
  ];
  assert.equal(
    execFileSync("uv", uv, { encoding: "utf8" }).trim(),
    "success mine 1 Ü \u{1F511} 0.5 3000000001 1 1 e1 ['user', 'assistant', 'user'] True",
  );
}

const TABLE: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };

Deno.test("exportTable() makes a file name of any backbone's id, and stays in its folder", () =>
  inFolder(async (folder) => {
    for (
      const [id, name] of [
        ["t-Qwen/Qwen3-8B", "t-Qwen-Qwen3-8B"],
        ["t-llama3.3:70b", "t-llama3.3-70b"],
        ["../../t", "..-..-t"],
        ["t-gpt-4o+o3", "t-gpt-4o+o3"],
      ] as const
    ) {
      const files = await exportTable({ ...TABLE, id }, join(folder, "figures"));
      assert.deepEqual(files.map((file) => basename(file)), [`${name}.md`, `${name}.tex`, `${name}.csv`]);
    }
    assert.deepEqual(readdirSync(folder), ["figures"]);
    assert.equal(readdirSync(join(folder, "figures")).length, 4 * 3);
  }));

Deno.test("exportTable() leaves no half of a file where it cannot write", () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, "t.md", "in the way"), { recursive: true });
    await assert.rejects(exportTable(TABLE, folder), { syscall: "rename" });
    assert.deepEqual(readdirSync(folder), ["t.md"]);
  }));

Deno.test("exportFigure() leaves PDF and PNG as they are where the SVG is the same", () =>
  inFolder(async (folder) => {
    const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "box" }], {
      id: "same",
      title: "Same",
      backbone: "offline",
    });
    const [svg, png] = [join(folder, "same.svg"), join(folder, "same.png")];
    using store = openStore(":memory:");
    for (const options of [{}, { provenance: provenanceOf(store, []) }]) {
      await exportFigure(figure, folder, options);
      writeFileSync(png, "kept");
      await exportFigure(figure, folder, options);
      assert.equal(readFileSync(png, "utf8"), "kept");
      writeFileSync(svg, "another");
      await exportFigure(figure, folder, options);
      assert.notEqual(readFileSync(png, "utf8"), "kept");
      assert.match(readFileSync(svg, "utf8"), /^<svg/);
    }
  }));

Deno.test("exportFigure() draws foreign text, and its frame is CSV without control characters and formulas", () =>
  inFolder(async (folder) => {
    const triplet = { subject: "key\u0001 <b>&", relation: "is\u001b[1m\uFFFE", object: "=cmd|' /C calc'!A0\uD800" };
    const figure = memoryGraphFigure([triplet], { id: "m", title: "</title><script>\u0000", backbone: "offline" });
    const files = await exportFigure(figure, folder);
    const [svg = "", csv = "", txt = ""] = [0, 3, 4].map((index) => readFileSync(files[index] ?? "", "utf8"));
    for (const text of [svg, csv, txt]) assert.doesNotMatch(text, /[[\p{Cc}\uFFFE]--[\n]]/v);
    assert.ok(svg.includes("key\uFFFD &lt;b&gt;&amp;") && !svg.includes("<script>"));
    assert.match(csv, /^entity,'=cmd\|' \/C calc'!A0\uFFFD,/m);
  }));

Deno.test("writeReport() names a figure that cannot be drawn and writes all else", () =>
  inFolder(async (folder) => {
    const good = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], { id: "m", title: "M", backbone: "offline" });
    const bad = { ...good, id: "broken", spec: { mark: "no such mark" } };
    const ledger = { id: "ledger", title: "Ledger" };
    const { files, undrawn } = await writeReport({ tables: [TABLE], figures: [bad, good], ledger: [] }, { folder, ledger });
    assert.deepEqual(files.map((file) => basename(file)).filter((file) => /\.(md|svg)$/.test(file)), ["t.md", "m.svg", "ledger.md"]);
    assert.equal(undrawn?.length, 1);
    assert.match(undrawn?.[0] ?? "", /^cannot draw broken: [^\n]+$/);
  }));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-export-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("exportRecord() writes episodes, turns and calls as Parquet that keeps types, times, seeds and missing values", () =>
  inFolder(async (folder) => {
    using store = openStore(":memory:");
    const seed = 9_007_199_254_740_991;
    const plan = { study: "mine", lane: "a", ordinal: 0, identity: { models: 1 }, world: "w", worldParams: {}, attempt: 1, seed };
    putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
    for (const id of ["e1", "e2"]) {
      putEpisode(store, { ...plan, id, ordinal: Number(id[1]), method: "m", memory: "", condition: "c", backbone: "b" });
    }
    const pass = { kind: "only", score: 0.5, maxScore: 1, steps: 2, end: "won" };
    const turn = { episode: "e1", pass: 0, goal: "=g", observation: "Ü \u{1F511}", sections: {}, frames: [], score: 0.5, maxScore: 1 };
    for (const step of [0, 1]) {
      putTurn(store, { ...turn, ...(step === 1 && { action: "go" }), step, observationHash: "h", details: { step } });
    }
    endEpisode(store, "e1", { status: "completed", passes: [pass] }, 1_900_000_000_123);
    const tokens = { promptTokens: 3_000_000_000, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0, latencyMs: 1.5 };
    putCall(store, { episode: "e1", role: "r", model: "m", key: "k", kind: "paid", ...tokens, dollars: null, at: 1_900_000_000_123 });

    const files = await exportRecord(store, ["mine"], folder);
    const [episodes, turns, calls] = files.map((file) => polars().readParquet(file).toRecords());
    const [first, second] = episodes ?? [];
    assert.deepEqual([first?.id, first?.seed, first?.score, second?.score, first?.ended], ["e1", String(seed), 0.5, null, "won"]);
    assert.equal(Number(first?.finished_at), 1_900_000_000_123);
    assert.equal(first?.identity, `{"models":1}`);
    assert.deepEqual(turns?.map(({ study, step, observation }) => [study, Number(step), observation]), [
      ["mine", 0, "Ü \u{1F511}"],
      ["mine", 1, "Ü \u{1F511}"],
    ]);
    assert.deepEqual([Number(calls?.[0]?.prompt_tokens), calls?.[0]?.latency_ms, calls?.[0]?.dollars], [3_000_000_000, 1.5, null]);
    assert.equal(calls?.length, 1);

    const [log = ""] = await exportInspectLogs(store, ["mine"], folder);
    const { eval: spec, samples } = JSON.parse(readFileSync(log, "utf8"));
    assert.deepEqual([basename(log), spec.model, samples.length, samples[0].epoch], ["1970-01-01T00-00-00-000Z_mine.json", "b", 1, 1]);
    assert.deepEqual([samples[0].input, samples[0].scores.normalised_score.value], ["=g", 0.5]);
    assert.deepEqual(samples[0].model_usage.m.total_tokens, 3_000_000_001);
    const [begin, last] = samples[0].events;
    assert.deepEqual([...begin.input, begin.output.choices[0].message], samples[0].messages.slice(0, 2));
    assert.deepEqual([...last.input, ...last.output.choices], samples[0].messages.slice(2), "nothing was done after the last step");
    readWithInspect(log, folder);
  }));
