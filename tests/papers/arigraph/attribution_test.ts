import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import "../../../lib/offline/mod.ts";
import { playStudy } from "../../../lib/lab/mod.ts";
import { attributionStudy, publishedAnswers } from "../../../lib/papers/arigraph/attribution.ts";
import { questionAnswers } from "../../../lib/papers/arigraph/questions.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

/** A question of the published log, as the authors' code prints it. */
function logged(
  question: string,
  { graph = "", episodes = "", answer, gold }: Record<string, string>,
): string {
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
function answers(files: Readonly<Record<string, string>> = {}): Record<string, unknown>[] {
  using own = ownFolder();
  const folder = own.path;
  for (const [name, text] of Object.entries({ "arigraph/musique_gpt_mini.txt": LOG, ...files })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  using _data = withVariables({ LAB_DATA: folder });
  return publishedAnswers()?.toRecords() ?? [];
}

Deno.test("publishedAnswers() scores each question of the log by each scorer, and says what was recalled", () => {
  const rows = answers();
  assert.deepEqual(rows.map(({ question }) => question), [
    "Where is Tarn?",
    "Who rules?",
    "When?",
    "What?",
  ], "one was broken off");
  // by hand: MuSiQue's scorer leaves out "the"
  assert.deepEqual(rows.map(({ em, f1 }) => [em, (f1 as number).toFixed(3)]), [
    [1, "1.000"],
    [0, "0.667"],
    [0, "0.000"],
    [0, "0.667"],
  ]);
  assert.deepEqual(rows.map(({ contained }) => contained), [true, false, false, false]);
  // by hand: in the authors' counts "the" is a word
  const words = rows.map((
    { shared, answered, wanted, equal },
  ) => [shared, answered, wanted, equal]);
  assert.deepEqual(words, [[1, 1, 1, 1], [1, 1, 2, 0], [0, 1, 1, 0], [2, 4, 3, 0]]);
  const told = rows.map(({ in_graph, in_episodes, unknown }) => [in_graph, in_episodes, unknown]);
  assert.deepEqual(told, [[true, false, false], [false, true, false], [false, false, true], [
    false,
    false,
    false,
  ]]);
});

Deno.test("publishedAnswers() takes the aliases where the user has MuSiQue", () => {
  const known = JSON.stringify({ question: "What?", answer_aliases: ["Kingdom of Ostrea"] });
  assert.deepEqual(
    answers({ "musique/musique_ans_v1.0_dev.jsonl": `${known}\n` }).map(({ em }) => em),
    [1, 0, 0, 1],
  );
});

Deno.test("the attribution asks every question under each named condition, and offline reading loses nothing", async () => {
  using store = openStore(":memory:");
  const study = attributionStudy({
    questions: 6,
    only: ["base", "titles", "k-0", "all-paragraphs"],
  });
  await playStudy(study, { store });
  const rows = questionAnswers(store, study.id).toRecords();
  const scores = (condition: string): unknown[] =>
    rows.filter((row) => row["condition"] === condition).map(({ em }) => em);
  assert.deepEqual([...new Set(rows.map(({ condition }) => condition))], [
    "base",
    "titles",
    "k 0",
    "all paragraphs",
  ]);
  assert.deepEqual(
    scores("all paragraphs"),
    [1, 1, 1, 1, 1, 1],
    "what is lost is lost by recalling",
  );
  assert.ok(scores("base").includes(0));
});
