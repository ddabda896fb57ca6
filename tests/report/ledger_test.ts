import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { ARIGRAPH_REPORT, arigraphReport } from "../../lib/papers/arigraph/report.ts";
import { createStudyReader } from "../../lib/report/exhibit.ts";
import { type PaperLedger, paperLedger } from "../../lib/report/study-report.ts";
import { judge, type LedgerEntry, ledgerOf, type OurNumber, type ReportedNumber, summariseLedger } from "../../lib/report/ledger.ts";
import { ledgerCsv, ledgerTable } from "../../lib/report/ledger-table.ts";
import { toLatex } from "../../lib/report/latex.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { samplePlan } from "../lab/store/samples.ts";

const REPORTED: ReportedNumber = { source: "Table 2", row: "AriGraph (GPT-4)", column: "MuSiQue EM", printed: "45.0", backbone: "gpt-4" };
const OURS: OurNumber = {
  value: 41,
  low: 35,
  high: 44.94,
  measure: "mean",
  backbone: "gpt-4",
  embedder: "",
  cost: { paid: 1, replayed: 0, wasted: 0 },
  study: "s",
  episodes: ["e1", "e2"],
};

Deno.test("judge() takes the number's own rounding into our interval, and no more", () => {
  assert.deepEqual([judge(REPORTED, { ...OURS, high: 44.96 }).verdict, judge(REPORTED, OURS).verdict], ["cannot tell", "differs"]);
  assert.equal(judge(REPORTED, OURS).why, "0.06 above our interval");
  assert.match(judge(REPORTED, { ...OURS, low: 46, high: 50 }).why, /^1\.00 below our interval$/);
  const large = { ...REPORTED, printed: "675.33" };
  assert.match(judge(large, { ...OURS, low: 500, high: 675 }).why, /^0\.3 above our interval$/, "not 0");
});

Deno.test("judge() lets a number agree when our whole interval lies within a tenth of it, and 0 with 0 alone", () => {
  const verdict = (low: number, high: number): string => judge(REPORTED, { ...OURS, low, high }).verdict; // 45 ± 4.5, and 0.05 for rounding
  assert.deepEqual([verdict(40.46, 49.54), verdict(45.1, 46), verdict(40.4, 46), verdict(0, 100)], [
    ...["agrees", "agrees"], // 45.1 to 46 leaves 45.0 out, but not by a tenth
    ...["cannot tell", "cannot tell"],
  ]);
  const { low: _low, high: _high, ...zero } = { ...OURS, value: 0 };
  const judged = (printed: string): string => judge({ ...REPORTED, printed, tolerance: 0.1 }, zero).verdict;
  assert.deepEqual([judged("0.05"), judged("0.0")], ["differs", "cannot tell"]);
  const other = (printed: string, value: number): string => judge({ ...REPORTED, printed, tolerance: 10 }, { ...zero, value }).verdict;
  assert.deepEqual([other("0.0", 9.9), other("0.0", 0.04), other("0.05", 1e-17), other("9.9", 9)], [
    "differs",
    "cannot tell",
    "differs",
    "cannot tell",
  ]);
});

Deno.test("judge() holds ours below a number that is printed as an upper bound", () => {
  const { low: _low, high: _high, ...p } = OURS;
  const reported = { ...REPORTED, printed: "0.001", bound: true } as const;
  const judged = [0.0009, 0.001, 0.0013].map((value) => judge(reported, { ...p, value }));
  assert.deepEqual(judged.map(({ verdict }) => verdict), ["cannot tell", "differs", "differs"]);
  assert.match(judged[0]?.why ?? "", /^below the bound, which its interval does not show; no interval/);
  assert.match(judged[1]?.why ?? "", /^not below the bound/);
  const placed = [[0, 0.0008], [0.0002, 0.5], [0.001, 0.5]].map(([low, high]) => judge(reported, { ...p, value: 0.0005, low, high }));
  assert.deepEqual(placed.map(({ verdict }) => verdict), ["agrees", "cannot tell", "differs"]);
  assert.equal(judge(reported, { ...p, value: 0.2, episodes: ["e1"] }).verdict, "cannot tell", "one episode tells nothing");
});

Deno.test("judge() takes a number for what its digits say, and one episode for nothing", () => {
  const { low: _low, high: _high, ...bare } = OURS;
  const of = (printed: string, value: number): string => judge({ ...REPORTED, printed }, { ...bare, value }).verdict;
  assert.deepEqual([of("45.0", 45.04), of("45.0", 45.06), of("1,234", 1234), of("1,234", 1240)], [
    ...["cannot tell", "differs", "cannot tell", "differs"],
  ]);
  assert.equal(
    judge({ ...REPORTED, printed: "45.0" }, { ...OURS, value: 45, low: 44.9, high: 45.1, episodes: ["e1"] }).verdict,
    "cannot tell",
  );
});

Deno.test("judge() holds a mean of the best against a tolerance, and names another measure and another backbone", () => {
  const reported = { ...REPORTED, printed: "0.79", tolerance: 0.1, measure: "best 3 of 5", backbone: "gpt-4-0125-preview" };
  const { low: _low, high: _high, ...best } = { ...OURS, value: 0.69, measure: "best 3 of 5", backbone: "gpt-4-0125-preview" };
  assert.equal(judge(reported, best).verdict, "cannot tell", "without an interval nothing agrees");
  assert.equal(judge(reported, { ...best, value: 0.68 }).verdict, "differs");
  assert.equal(judge(reported, { ...best, value: 0.1, episodes: ["e1"] }).verdict, "cannot tell", "one episode tells nothing");
  assert.equal(judge({ ...reported, unjudged: "a standard error" }, best).verdict, "not judged");
  assert.equal(judge(reported, { ...best, value: 0.9 }).why, "0.11 apart, tolerance 0.10; no interval: the measure has none");
  const { why } = judge(reported, { ...best, measure: "best 1 of 1", backbone: "offline" });
  assert.match(why, /; best 1 of 1 in place of best 3 of 5; offline in place of gpt-4-0125-preview$/);
});

Deno.test("judge() gives no verdict on a number that stands in a picture, or that was not played", () => {
  assert.equal(judge({ ...REPORTED, printed: null }, OURS).verdict, "figure only");
  assert.equal(judge({ ...REPORTED, printed: null }, "trained").verdict, "figure only");
  assert.deepEqual([judge(REPORTED, "not played").verdict, judge(REPORTED, "not played").why], ["not run", "not played"]);
});

/** A study of Treasure Hunt: scores of 10, or the state of an episode without one. */
function play(
  store: Store,
  study: string,
  scores: readonly (number | "planned" | "failed")[],
  plan: Partial<Parameters<typeof samplePlan>[0]> = {},
): string[] {
  putStudy(store, { id: study, spec: {}, createdAt: store.prepare("select count(*) as n from studies").get()?.n as number });
  return scores.map((score, i) => {
    const id = `${study}-${i + 1}`;
    const identity = { embedder: "lexical-v1" };
    putEpisode(store, samplePlan({ id, study, lane: `lane ${i}`, condition: "arigraph", attempt: i + 1, seed: i + 1, identity, ...plan }));
    if (score === "failed") endEpisode(store, id, { status: "failed", failureKind: "quota", failureMessage: "no" }, 0);
    else if (score !== "planned") {
      endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score, maxScore: 10, steps: 3 }] }, 0);
    }
    return id;
  });
}

function entryOf(entries: readonly LedgerEntry[], source: string, row: string, column: string): LedgerEntry {
  return entries.find((entry) => entry.source === source && entry.row === row && entry.column === column) ??
    assert.fail(`${row}, ${column}`);
}

const LEDGER = ARIGRAPH_REPORT.ledger as PaperLedger;

function arigraphLedger(store: Store, studies: readonly string[]): LedgerEntry[] {
  const reader = createStudyReader(store);
  return LEDGER.exhibits.flatMap((exhibit) => ledgerOf(exhibit, reader, studies));
}

function studyLedger(store: Store, study: string): LedgerEntry[] {
  return paperLedger(LEDGER, createStudyReader(store), study);
}

Deno.test("arigraphLedger() has every number that the shipped tables hold, each once", () => {
  using store = openStore(":memory:");
  const entries = arigraphLedger(store, []);
  const printed = (name: string, labels: number): number =>
    readFileSync(join(checkoutRoot(), "data", "papers", `${name}.csv`), "utf8").trim().split("\n").slice(1)
      .flatMap((line) => line.split(",").slice(labels)).filter((cell) => cell !== "").length;
  const tables = { "Table 1": ["nethack", 2], "Table 2": ["qa", 1], "Table 3": ["tokens", 3], "Table 4": ["textworld", 1] } as const;
  for (const [source, [name, labels]] of Object.entries(tables)) {
    const number = source.at(-1);
    assert.equal(entries.filter((entry) => entry.source === source).length, printed(`arigraph_table${number}_${name}`, labels), source);
  }
  assert.equal(entries.filter(({ verdict }) => verdict === "figure only").length, 5 * 4);
  assert.equal(new Set(entries.map(({ source, row, column }) => `${source} ${row} ${column}`)).size, entries.length);
});

Deno.test("arigraphLedger() compares the mean of the best 3 of 5 and names these three episodes, best first", () => {
  using store = openStore(":memory:");
  play(store, "arigraph-quick", [2, 10, 9, 8, 1]);
  const entry = entryOf(arigraphLedger(store, ["arigraph-quick"]), "Table 4", "AriGraph", "Treasure Hunt");
  assert.ok(Math.abs((entry.ours?.value ?? NaN) - 0.9) < 1e-12);
  assert.equal(entry.verdict, "cannot tell", "the paper has 1, within the tolerance of 0.10");
  assert.deepEqual(entry.ours?.episodes, [
    "arigraph-quick-2",
    "arigraph-quick-3",
    "arigraph-quick-4",
  ]);
  assert.deepEqual([entry.ours?.low, entry.ours?.measure, entry.ours?.embedder], [undefined, "best 3 of 5", "lexical-v1"]);
});

Deno.test("arigraphLedger() refuses an incomplete cell and takes a complete one from the next study", () => {
  using store = openStore(":memory:");
  play(store, "arigraph-a", [10, "failed", "planned"]);
  play(store, "arigraph-b", [5, 5, 5]);
  const alone = entryOf(arigraphLedger(store, ["arigraph-a"]), "Table 4", "AriGraph", "Treasure Hunt");
  assert.deepEqual([alone.verdict, alone.why], ["not run", "incomplete, 1 of 3 attempts, 1 failed"]);
  const both = entryOf(arigraphLedger(store, ["arigraph-a", "arigraph-b"]), "Table 4", "AriGraph", "Treasure Hunt");
  assert.deepEqual([both.verdict, both.ours?.study, both.ours?.value], ["differs", "arigraph-b", 0.5]);
});

Deno.test("arigraphLedger() puts a LLaMA backbone beside the paper's LLaMA row", () => {
  using store = openStore(":memory:");
  play(store, "arigraph-llama", [10, 10, 10, 0, 0], { backbone: "meta-llama/Llama-3.1-70B-Instruct" });
  const entries = arigraphLedger(store, ["arigraph-llama"]);
  assert.equal(entryOf(entries, "Table 4", "AriGraph", "Treasure Hunt").verdict, "not run");
  assert.equal(entryOf(entries, "Table 4", "AriGraph LLaMA-3-70B", "Treasure Hunt").ours?.value, 1);
});

Deno.test("studyLedger() looks for what is missing in studies of the same backbone and embedder only", () => {
  using store = openStore(":memory:");
  play(store, "arigraph-quick", [10, 10, 10]);
  play(store, "arigraph-other", [1, 1, 1], { world: "textworld/cleaning", backbone: "gpt-4o" });
  play(store, "arigraph-minilm", [1, 1, 1], { world: "textworld/cleaning", identity: { embedder: "minilm" } });
  play(store, "mine", [1, 1, 1], { world: "textworld/cleaning" });
  assert.equal(entryOf(studyLedger(store, "arigraph-quick"), "Table 4", "AriGraph", "Cleaning").verdict, "not run");
  play(store, "arigraph-more", [8, 8, 8], { world: "textworld/cleaning" });
  assert.equal(entryOf(studyLedger(store, "arigraph-quick"), "Table 4", "AriGraph", "Cleaning").ours?.study, "arigraph-more");
});

Deno.test("a number of Table 4 is traced from the LaTeX to its episodes, and the ledger's CSV names them too", () => {
  using store = openStore(":memory:");
  const episodes = play(store, "arigraph-quick", [10, 10, 10]);
  const [table] = arigraphReport(store, "arigraph-quick").tables;
  assert.ok(table);
  const latex = toLatex(table);
  assert.ok(latex.includes(`% AriGraph, stand-in: best 3 of 3 | Treasure Hunt: ${episodes.join(" ")}`), latex);
  const entries = studyLedger(store, "arigraph-quick");
  const line = ledgerCsv(entries).split("\n").find((line) => line.startsWith("Table 4,AriGraph,Treasure Hunt,"));
  assert.ok(line?.endsWith(`,arigraph-quick,${episodes.join(" ")}`), `${line}`);
  const markdown = ledgerTable(entries, { id: "l", title: "L" });
  assert.match(toLatex(markdown), /\\begin\{longtable\}/);
  assert.ok(markdown.rows.every((row) => row.length === markdown.columns.length));
  assert.match(
    summariseLedger(entries),
    /^Ledger: of \d+ numbers of the paper 0 agree, 0 differ, 1 cannot be told, 0 not judged, \d+ not run, 20 in a figure only; ours by offline, not the paper's/,
  );
});

Deno.test("arigraphReport() names an embedder that is not the default one in file names and captions", () => {
  using store = openStore(":memory:");
  play(store, "arigraph-minilm", [10, 5], { identity: { embedder: "transformers-minilm" } });
  const { tables, figures } = arigraphReport(store, "arigraph-minilm");
  for (const { id, caption } of [...tables, ...figures]) {
    assert.ok(id.endsWith("-offline-transformers-minilm") && caption.endsWith("Embedder transformers-minilm."), `${id}: ${caption}`);
  }
});
