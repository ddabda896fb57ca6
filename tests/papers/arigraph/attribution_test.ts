import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "../../../lib/offline/mod.ts";
import { playStudy } from "../../../lib/lab/mod.ts";
import { ATTRIBUTION_REPORT, attributionStudy, publishedLogTable } from "../../../lib/papers/arigraph/attribution.ts";
import { reportOf } from "../../../lib/report/study-report.ts";
import type { Cell } from "../../../lib/report/table.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { withVariables } from "../../environment.ts";

/** A question of the published log, as the authors' code prints it. */
function logged(question: string, { graph = "", episodes = "", answer, gold }: Record<string, string>): string {
  return [
    "New triplets: ['a, b, c']",
    `QUESTION: ${question}`,
    "CRUCIAL ITEMS: {'a': 3}",
    `ASSOCIATED SUBGRAPH: ['${graph}']`,
    `EPISODIC MEMORY: ['${episodes}']`,
    `AGENT ANSWER: CoT: I think.\n\nDirect answer: ${answer}`,
    `TRUE ANSWER: ${gold}`,
    "F1: 0.5, RECALL: 0.5, PRECISION: 0.5, EXACT MATCH: 0.5",
    "=======",
    "",
  ].join("\n");
}

const LOG = [
  logged("Where is Tarn?", { graph: "tarn, lies in, ostrea", answer: "Ostrea", gold: "Ostrea" }),
  "QUESTION: Begun and broken off?\nCRUCIAL ITEMS: {'a': 3}\n",
  logged("Who rules?", { episodes: "Oda Vell rules.", answer: "Oda", gold: "Oda Vell" }),
  logged("When?", { answer: "Unknown", gold: "1912" }),
  logged("What?", { answer: "The kingdom of Ostrea", gold: "Realm of Ostrea" }),
].join("\n");

/** Reads the log with the data folder at a folder of its own, which holds these files beside it. */
function table(files: Readonly<Record<string, string>> = {}): readonly (readonly Cell[])[] {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-log-"));
  try {
    for (const [name, text] of Object.entries({ "arigraph/musique_gpt_mini.txt": LOG, ...files })) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    using _data = withVariables({ LAB_DATA: folder });
    return publishedLogTable()?.rows.map((row) =>
      row.map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value.toFixed(1) : cell)
    ) ??
      [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("publishedLogTable() scores the log by each scorer and by what was recalled", () => {
  // by hand: F1 1, 2/3, 0, and 2 of 3 words on both sides (without "the"); pooled: 4 shared of 7 given ("the" counts) and 7 wanted words
  assert.deepEqual(table().map(([, ...scores]) => scores), [
    ["4", "25.0", "57.1"],
    ["4", "25.0", "58.3"],
    ["4", "25.0", null],
    ["3", "33.3", "77.8"],
    ["1", "0.0", "0.0"],
    ["1", "100.0", "100.0"],
    ["1", "0.0", "66.7"],
    ["0", null, null],
    ["2", "0.0", "33.3"],
  ]);
});

Deno.test("publishedLogTable() takes the aliases where the user has MuSiQue", () => {
  const known = JSON.stringify({ question: "What?", answer_aliases: ["Kingdom of Ostrea"] });
  assert.deepEqual(table({ "musique/musique_ans_v1.0_dev.jsonl": `${known}\n` })[1]?.slice(1), ["4", "50.0", "66.7"]);
});

Deno.test("the attribution holds each factor against the base, question by question, and counts both sides once", async () => {
  using store = openStore(":memory:");
  const study = attributionStudy({ questions: 6, only: ["base", "titles", "k-0", "all-paragraphs"] });
  await playStudy(study, { store });
  const [made] = reportOf(ATTRIBUTION_REPORT, store, study.id).tables;
  const rows = new Map(
    made?.rows.map((
      [name, ...cells],
    ) => [name, cells.map((cell) => typeof cell === "object" && cell && "value" in cell ? cell.value : cell)]),
  );
  const [em, f1, gain] = rows.get("all paragraphs") ?? [];
  assert.deepEqual([em, f1], [100, 100], "offline reading loses nothing: what is lost is lost by recalling");
  const base = rows.get("base")?.[1];
  assert.ok(typeof base === "number" && base < 100);
  assert.ok(Math.abs(Number(gain) - (100 - base)) < 1e-9);
  assert.equal(made?.columns.join(), "factor,EM,F1,F1 to base,pooled F1");
});
