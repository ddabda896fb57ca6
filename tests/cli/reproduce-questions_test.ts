import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { lab, writtenFiles } from "./captured.ts";
import { withVariables } from "../environment.ts";

Deno.test("reproduce --only questions asks them, prints Table 2 beside the paper's, and writes its files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-questions-"));
  try {
    const places = ["--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const { status, out, err } = await lab(
      "reproduce",
      "arigraph",
      "--only",
      "questions,bm25,supporting-facts",
      "--models",
      "offline",
      ...places,
    );
    assert.equal(status, 0, err);
    assert.match(out, /\| BM25 \(top-3\), stand-in \|/);
    assert.match(out, /\| AriGraph \(GPT-4\), paper \| 45\.0 \| 57\.0 \| 68\.0 \| 74\.7 \|/);
    assert.match(out, /n = 60 questions a cell, Encyclopedia scored by MuSiQue's official rules/);
    const files = writtenFiles(out);
    assert.deepEqual([...new Set(files.map((file) => basename(file, extname(file))))], [
      "arigraph-table2-offline",
      "arigraph-table3-questions-offline",
    ]);
    assert.ok(files.length === 6 && files.every((file) => readFileSync(file).length > 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("reproduce --only questions refuses what it cannot do in one line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-questions-"));
  using _data = withVariables({ LAB_DATA: folder });
  try {
    const store = ["--store", join(folder, "lab.sqlite")];
    for (
      const [words, message, expected = 2] of [
        [["--only", "questions", "--attempts", "2"], /leave out --games and --attempts/],
        [["--only", "questions,elephant"], /neither a set of questions nor a condition/],
        [
          ["--only", "questions", "--full"],
          /is left out: there is no .*musique_ans_v1\.0_dev\.jsonl: get musique_ans_v1\.0_dev\.jsonl from its authors/,
          1,
        ],
      ] as const
    ) {
      const { status, err } = await lab("reproduce", "arigraph", ...words, ...store);
      assert.equal(status, expected, err);
      assert.match(err, message);
      assert.equal(err.trim().split("\n").length, 1);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("a broken official set leaves the other sets of its study to be played", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-broken-"));
  using _data = withVariables({ LAB_DATA: folder });
  try {
    const page = { paragraph_text: "Tarn lies in Ostrea.", title: "Tarn", is_supporting: true };
    const question = { id: "2hop", question: "Where does Tarn lie?", answer: "Ostrea", answer_aliases: [], paragraphs: [page] };
    mkdirSync(join(folder, "musique"));
    writeFileSync(join(folder, "musique", "musique_ans_v1.0_dev.jsonl"), `${JSON.stringify(question)}\n`.repeat(2417));
    mkdirSync(join(folder, "hotpotqa"));
    writeFileSync(join(folder, "hotpotqa", "hotpot_dev_distractor_v1.json"), '[{"_id": "5a');
    const to = ["--store", join(folder, "lab.sqlite"), "--figures", folder, "--incomplete", "--json"];
    const { status, out, err } = await lab("reproduce", "arigraph", "--full", "--only", "questions,bm25", "--episodes", "2", ...to);
    assert.equal(status, 1);
    assert.match(err, /unknown-world: .*hotpot_dev_distractor_v1\.json, line 1: the file is truncated/);
    const { episodes } = JSON.parse(out) as { episodes: { game: string; status: string }[] };
    const told = episodes.map(({ game, status }) => `${game.split("/")[1]} ${status}`);
    assert.deepEqual(told.sort(), ["hotpotqa failed", "hotpotqa failed", "musique completed", "musique completed"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
