/**
 * The wiki world: ReAct's answers to the letter, official files in their own shapes, our own claims
 * and comparisons.
 */

import assert from "node:assert/strict";
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  connectWorlds,
  createAsker,
  createWese,
  type MeasuredEnvironment,
} from "../../../../lib/mod.ts";
import { createStandIn } from "../../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../../lib/offline/responders/mod.ts";
import { createLexicalEmbedder } from "../../../../lib/core/retrieval/lexical.ts";
import { createWikiPages } from "../../../../lib/core/env/questions/wiki-pages.ts";
import type { WikiTask } from "../../../../lib/core/env/questions/wiki.ts";
import { hotpotScore } from "../../../../lib/core/text/qa-scores.ts";
import { openWiki } from "../../../../lib/core/env/questions/wiki.ts";
import { pythonShuffle } from "../../../../lib/core/stats/sampling.ts";
import { checkoutRoot } from "../../../../lib/core/platform.ts";
import { isOfKind } from "../conformance.ts";
import { inData, isLine } from "./data_folder.ts";

const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 }); // no server may be asked

const PAGES = [
  {
    title: "High Plains (region)",
    text: "One. Two is high. Three. Four is high. Five. Six.\nSeven. Eight is HIGH.",
  },
  { title: "The Tower", text: 'The Tower is a play. It has "acts".' },
  { title: "Rabbit's Tale", text: "A tale." },
  { title: 'Say "no" to Rabbit\'s Tale', text: "Another tale." },
  { title: "Tower Bridge", text: "A bridge." },
  { title: "Tower Bridge", text: "It spans a river." },
  { title: "Tower of Glass", text: "A poem." },
];

const QUESTION: WikiTask = {
  id: "1",
  kind: "question",
  text: "Is it so?",
  answer: "yes",
  aliases: [],
  supporting: [],
};

async function opened(task: WikiTask = QUESTION): Promise<MeasuredEnvironment> {
  const world = openWiki(task, {
    id: "wiki/test",
    parameters: {},
    pages: createWikiPages(PAGES),
    documents: "none",
    scorer: (answer, { answer: gold }) => hotpotScore(answer, gold),
  });
  await world.reset();
  return world;
}

async function said(actions: readonly string[], task?: WikiTask): Promise<string[]> {
  const world = await opened(task);
  const observations: string[] = [];
  for (const action of actions) observations.push((await world.step(action)).observation);
  return observations;
}

Deno.test("search shows the first five sentences, each ended anew, by any spelling of the title", async () => {
  const first = "One. Two is high. Three. Four is high. Five.";
  assert.deepEqual(
    await said([
      "search[High Plains (region)]",
      "Search[high plains]",
      "  search[ High_Plains  (Region) ]",
      "search[tower]",
      "search[the Tower Bridge]",
    ]),
    [first, first, first, 'The Tower is a play. It has "acts"..', "A bridge.. It spans a river.."],
  );
});

Deno.test("lookup gives one sentence after the other, begins anew for another keyword and a new page, and needs a page", async () => {
  assert.deepEqual(
    await said([
      "lookup[high]",
      "search[High Plains]",
      "lookup[high]",
      "lookup[high]",
      "lookup[Three]",
      "lookup[high]",
      "search[nowhere at all]",
      "lookup[high]",
      "lookup[high]",
      "lookup[high]",
      "search[High Plains]",
      "lookup[high]",
    ]),
    [
      "No more results.\n",
      "One. Two is high. Three. Four is high. Five.",
      "(Result 1 / 3) Two is high.",
      "(Result 2 / 3) Four is high.",
      "(Result 1 / 1) Three.",
      "(Result 1 / 3) Two is high.",
      "Could not find nowhere at all. Similar: [].",
      "(Result 2 / 3) Four is high.", // a miss leaves the page and its look-ups as they were
      "(Result 3 / 3) Eight is HIGH..",
      "No more results.\n",
      "One. Two is high. Three. Four is high. Five.",
      "(Result 1 / 3) Two is high.",
    ],
  );
});

Deno.test("a miss names the five titles that are most alike, as Python prints a list", async () => {
  const [tale = "", tower = ""] = await said([
    "search[tale of the rabbit's]",
    "search[Towers, tower]",
  ]);
  assert.equal(
    tale,
    `Could not find tale of the rabbit's. Similar: ["Rabbit's Tale", 'Say "no" to Rabbit\\'s Tale', 'The Tower', 'Tower of Glass'].`,
  );
  assert.match(
    tower,
    /^Could not find Towers, tower\. Similar: \['(?:The Tower|Tower [^']+)', '[^']+', '[^']+'\]\.$/,
  );
});

Deno.test("odd actions are answered as ReAct's environment answers them, and never refused", async () => {
  const long = "x".repeat(10_000);
  const cases: [string, string][] = [
    ["search[]", "Could not find . Similar: []."],
    [`search[${long}]`, `Could not find ${long}. Similar: [].`],
    ["search[moor] search[sea]", "Could not find moor] search[sea. Similar: []."],
    ["search[bog [river] moor]", "Could not find bog [river] moor. Similar: []."],
    [
      "search[region [wide] moor]",
      "Could not find region [wide] moor. Similar: ['High Plains (region)'].",
    ],
    ["lookup[]", "No more results.\n"],
    ["think[so what]", "Nice thought."],
    ["walk", "Invalid action: walk"],
    ["", "Invalid action: "],
    ["finish", "Invalid action: finish"],
    ["search[x", "Invalid action: search[x"],
  ];
  assert.deepEqual(await said(cases.map(([action]) => action)), cases.map(([, answer]) => answer));
});

Deno.test("finish scores as the world says, and ends the episode", async () => {
  const cases: [string, string, number][] = [
    ["yes", "Yes.", 1],
    ["yes", "yes, it is", 0],
    ["SUPPORTS", "", 0],
  ];
  for (const [answer, given, em] of cases) {
    const world = await opened({ ...QUESTION, answer });
    const turn = await world.step(`finish[${given}]`);
    assert.deepEqual([turn.observation, turn.score, turn.end], [
      `Episode finished, reward = ${em}\n`,
      em,
      em ? "won" : "lost",
    ], given);
    assert.equal(turn.sections["answer"], given);
    await assert.rejects(world.step("finish[x]"), isOfKind("ended"));
  }
  assert.equal(
    (await (await opened({ ...QUESTION, kind: "claim", text: "It is so." })).reset()).observation,
    "Claim: It is so.",
  );
});

Deno.test("the encyclopedia is searched for chains, comparisons and claims; what is needed can be shown", async () => {
  for (const ask of ["questions", "comparisons", "claims"]) {
    const world = await worlds.open("wiki/encyclopedia", {
      seed: 3,
      ask,
      index: 4,
      documents: "supporting",
    });
    const asked = await world.reset();
    const { answer, supporting } = await world.truth() as { answer: string; supporting: string[] };
    assert.match(asked.goal, ask === "claims" ? /^Claim: .+\.$/ : /^Question: .+\?$/);
    assert.deepEqual(asked.documents?.map(({ title }) => title).toSorted(), supporting.toSorted());
    const page = await world.step(`search[${supporting[0]}]`);
    assert(
      page.observation.startsWith(
        asked.documents?.find(({ title }) => title === supporting[0])?.text.split(". ")[0] ?? "?",
      ),
    );
    assert.equal((await world.step(`finish[${answer}]`)).end, "won");
    const bare = await worlds.open("wiki/encyclopedia", { seed: 3, ask, index: 4 });
    assert.equal((await bare.reset()).documents, undefined);
    assert.notEqual(bare.spec.identity, world.spec.identity);
  }
});

const DATASETS = join(checkoutRoot(), "..", "shared", "datasets");
const present = existsSync(DATASETS);
if (!present) process.stdout.write("skipped: official files, which are not at hand\n");

Deno.test({
  name: "the published questions and claims are read in their own shapes, over a corpus",
  ignore: !present,
  fn: () =>
    inData({
      "hotpotqa/hotpot_dev_v1_simplified.json": join(DATASETS, "hotpot_dev_v1_simplified.json"),
      "fever/paper_dev.jsonl": join(DATASETS, "fever_paper_dev.jsonl"),
      "wiki/2wiki.json": join(DATASETS, "2wikimultihopqa_corpus.json"),
    }, async () => {
      const [first = -1] = pythonShuffle(233, 7405);
      const question = await worlds.open("wiki/hotpotqa", { index: first, corpus: "2wiki.json" });
      assert.match((await question.reset()).observation, /^Question: .+/);
      assert.match(
        (await question.step("search[Teutberga]")).observation,
        /^Teutberga\( died 11 November 875\) was a queen of Lotharingia/,
      );
      assert.match(
        (await question.step("search[Theodred II]")).observation,
        /^Theodred II was a medieval Bishop of Elmham\./,
      );
      assert.match(
        (await question.step("search[queen Teutberga of Lotharingia]")).observation,
        /Similar: \['Teutberga', /,
      );
      const claim = await worlds.open("wiki/fever", { index: 0, corpus: "2wiki.json" });
      assert.match((await claim.reset()).observation, /^Claim: Colin Kaepernick became/);
      assert.equal((await claim.step("finish[NOT ENOUGH INFO]")).end, "won");
      await assert.rejects(
        worlds.open("wiki/fever", { index: 9999, corpus: "2wiki.json" }),
        /index may be 0 … 9998/,
      );
    }),
});

/** The texts that a world shows with its task. */
async function shownBy(id: string, params: Record<string, unknown>): Promise<unknown> {
  return (await (await worlds.open(id, params)).reset()).documents;
}

Deno.test("wiki/fever shows the sentences at the pages and lines that the file names when documents is sentences", () => {
  const claim = (label: string, evidence: unknown): string =>
    JSON.stringify({ id: 1, label, claim: "It is so.", evidence });
  const tarn = "Tarn_-LRB-town-RRB-";
  const page = {
    id: tarn,
    text: "Tarn is a town . It is old . It lies in Ostrea .",
    lines:
      "0\tTarn is a town .\tTown\tTown\n1\tIt is old .\n2\tIt lies in Ostrea -LRB- Aro -RRB- .\tOstrea\tOstrea",
  };
  return inData({
    "fever/paper_dev.jsonl": [
      claim("SUPPORTS", [[[1, 2, tarn, 2]], [[1, 3, tarn, 0], [1, 3, "Nowhere", 0]], [[
        4,
        5,
        tarn,
        2,
      ]]]),
      claim("NOT ENOUGH INFO", [[[1, null, null, null]]]),
    ].join("\n"),
    "wiki/wiki-pages/wiki-001.jsonl": `${JSON.stringify(page)}\n`,
    "wiki/pages.jsonl": `${JSON.stringify(page)}\n`,
    "wiki/plain.json": JSON.stringify([{ title: "Tarn (town)", text: "Tarn is a town." }]),
  }, async () => {
    for (const corpus of ["wiki-pages", "pages.jsonl"]) {
      const text = "Tarn is a town . It lies in Ostrea ( Aro ) .";
      assert.deepEqual(await shownBy("wiki/fever", { index: 0, corpus, documents: "sentences" }), [{
        title: "Tarn (town)",
        text,
      }]);
      assert.deepEqual(
        await shownBy("wiki/fever", { index: 1, corpus, documents: "sentences" }),
        [],
      );
    }
    await assert.rejects(
      shownBy("wiki/fever", { index: 0, corpus: "plain.json", documents: "sentences" }),
      {
        kind: "bad-game",
        message:
          "wiki/fever needs numbered sentences, and the corpus plain.json has none: use wiki-pages",
      },
    );
  });
});

Deno.test("wiki/musique is played by WESE, and shows CoT paragraphs, since its file marks no sentences", () => {
  const record = {
    ...{
      id: "2hop__1",
      question: "Who wrote Tarn?",
      answer: "Ada Holm",
      answer_aliases: [],
      answerable: true,
    },
    paragraphs: [
      {
        idx: 0,
        title: "Tarn",
        paragraph_text: "Tarn is a novel by Ada Holm. It is long.",
        is_supporting: true,
      },
      { idx: 1, title: "Sand", paragraph_text: "Sand is dry.", is_supporting: false },
    ],
  };
  return inData(
    { "musique/musique_ans_v1.0_dev.jsonl": `${JSON.stringify(record)}\n` },
    async () => {
      assert.deepEqual(await shownBy("wiki/musique", { index: 0, documents: "sentences" }), [
        { title: "Tarn", text: "Tarn is a novel by Ada Holm. It is long." },
      ]);
      const { passes } = await createWese({ base: "act" }).run({
        world: () => worlds.open("wiki/musique", { index: 0 }),
        ask: createAsker({ model: createStandIn({ responders: offlineResponders }) }),
        embedder: createLexicalEmbedder(),
        recorder: { step: () => Promise.resolve(), event: () => {} },
        seed: 1,
      });
      assert.deepEqual(passes.map(({ kind, score }) => [kind, score]), [["explore", 0], [
        "exploit",
        1,
      ]]);
    },
  );
});

Deno.test("a claim without its label, a page without its text and a missing corpus are named with file and line", () =>
  inData({
    "fever/paper_dev.jsonl":
      '{"id": 1, "label": "SUPPORTS", "claim": "It is so."}\n{"id": 2, "claim": "Is it?"}',
    "wiki/pages.json": '[{"title": "Tarn", "text": "A town."}, {"title": "Moor"}]',
    "wiki/good.json": '[{"title": "Tarn", "text": "A town."}]',
  }, async () => {
    const told = (params: Record<string, unknown>, message: RegExp): Promise<void> =>
      assert.rejects(
        worlds.open("wiki/fever", params),
        isLine(message),
      );
    await told({ index: 1, corpus: "good.json" }, /paper_dev\.jsonl, line 2: label: /);
    await told({ index: 0, corpus: "pages.json" }, /pages\.json, line 1, record 2: text: /);
    await told({ index: 0, corpus: "none.json" }, /there is no .*none\.json: get /);
    await assert.rejects(
      worlds.open("wiki/fever", { index: 0, corpus: "../x.json" }),
      isOfKind("bad-parameter"),
    );
    await assert.rejects(worlds.open("wiki/fever", { index: 0 }), isOfKind("bad-parameter"));
  }));

Deno.test("a corpus that memory cannot hold is refused in one line before it is read", () =>
  inData({
    "fever/paper_dev.jsonl": '{"id": 1, "label": "SUPPORTS", "claim": "It is so."}',
    "wiki/wikipedia.jsonl": '{"title": "Tarn", "text": "A town."}\n',
  }, async () => {
    const open = (): Promise<MeasuredEnvironment> =>
      worlds.open("wiki/fever", { index: 0, corpus: "wikipedia.jsonl" });
    truncateSync(join(process.env.LAB_DATA ?? "", "wiki", "wikipedia.jsonl"), 5e9); // a hole, which takes no place on the disk
    await assert.rejects(
      open(),
      isLine(
        /wikipedia\.jsonl is too large: .* MB, and there are \d+; put them into a folder .* DENO_V8_FLAGS=/,
      ),
    );
    truncateSync(join(process.env.LAB_DATA ?? "", "wiki", "wikipedia.jsonl"), 37);
    assert.match((await (await open()).reset()).observation, /^Claim: It is so/);
  }));

Deno.test("a question set whose paragraphs memory cannot hold is refused in one line, and read over a corpus", () =>
  inData({
    "hotpotqa/hotpot_dev_distractor_v1.json":
      '{"_id": "5", "question": "Is it?", "answer": "yes", "supporting_facts": [["Tarn", 0]], "context": [["Tarn", ["A town."]]]}\n',
    "wiki/pages.jsonl": '{"title": "Tarn", "text": "A town."}\n',
  }, async () => {
    truncateSync(
      join(process.env.LAB_DATA ?? "", "hotpotqa", "hotpot_dev_distractor_v1.json"),
      3e9,
    ); // a hole, as above
    await assert.rejects(
      worlds.open("wiki/hotpotqa", { index: 0 }),
      isLine(
        /distractor_v1\.json is too large: .* MB, and there are \d+; name a folder .* as corpus, .* DENO_V8_FLAGS=/,
      ),
    );
  }));

Deno.test("HotpotQA's file without paragraphs says what it lacks where they are wanted", () =>
  inData({
    "hotpotqa/hotpot_dev_v1_simplified.json":
      '[{"question": "Is it?", "answer": "yes", "type": "bridge"}]',
    "wiki/pages.jsonl": '{"title": "Tarn", "text": "A town."}\n',
  }, async () => {
    const told = (params: Record<string, unknown>, message: RegExp): Promise<void> =>
      assert.rejects(worlds.open("wiki/hotpotqa", params), { name: "WorldError", message });
    await told(
      { index: 0 },
      /no corpus needs paragraphs, and hotpot_dev_v1_simplified\.json has none: there is no .*hotpot_dev_distractor_v1\.json: get/,
    );
    await told(
      { index: 0, corpus: "pages.jsonl", documents: "supporting" },
      /documents "supporting" needs paragraphs/,
    );
    assert.equal(
      (await (await worlds.open("wiki/hotpotqa", { index: 0, corpus: "pages.jsonl" })).reset())
        .observation,
      "Question: Is it?",
    );
  }));
