import assert from "node:assert/strict";
import { join } from "node:path";
import { connectWorlds } from "../../../../lib/core/env/mod.ts";
import { LOCAL_WORLDS } from "../../../../lib/core/env/questions/worlds.ts";
import { checkWorld, isOfKind } from "../conformance.ts";
import { inData, isLine } from "./data_folder.ts";

// No test here may start the world server: questions are asked by this process.
const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 });

/** A record of each official file, in the file's own fields; two in all, so that order shows. */
const MUSIQUE = ["Tarn", "Moor"].map((town, index) => ({
  id: `2hop__${index}`,
  question: `Where does ${town} lie?`,
  answer: "Ostrea",
  answer_aliases: ["Kingdom of Ostrea"],
  answerable: true,
  question_decomposition: [],
  paragraphs: [
    { idx: 0, title: town, paragraph_text: `${town} lies in Ostrea.`, is_supporting: true },
    { idx: 1, title: "Sand", paragraph_text: "Sand is dry.", is_supporting: false },
  ],
}));
const HOTPOTQA = ["yes", "Oda Vell"].map((answer, index) => ({
  _id: `5a8${index}`,
  question: `Is it ${answer}?`,
  answer,
  type: "comparison",
  level: "hard",
  supporting_facts: [["Tarn", 1], ["Moor", 0]],
  context: [["Sand", ["Sand is dry."]], ["Tarn", ["Tarn is a town.", " It lies in Ostrea."]], [
    "Moor",
    ["Moor is wet."],
  ]],
}));

const MUSIQUE_PATH = "musique/musique_ans_v1.0_dev.jsonl";
const HOTPOTQA_PATH = "hotpotqa/hotpot_dev_distractor_v1.json";
const BOTH = {
  [MUSIQUE_PATH]: MUSIQUE.map((record) => JSON.stringify(record)).join("\n"),
  [HOTPOTQA_PATH]: JSON.stringify(HOTPOTQA),
};
/** What the wiki worlds want beside them. */
const WIKI = {
  "fever/paper_dev.jsonl": [1, 2].map((id) =>
    JSON.stringify({ id, label: "REFUTES", claim: `Tarn has ${id} bridges.` })
  ).join("\n"),
  "wiki/pages.json": JSON.stringify([{ title: "Tarn", text: "Tarn has no bridge." }]),
};

Deno.test("questions keep to what every world keeps to", () =>
  inData({ ...BOTH, ...WIKI }, async () => {
    for (const id of Object.keys(LOCAL_WORLDS).filter((id) => !id.startsWith("dialogues/"))) {
      await checkWorld(worlds, id, {
        index: 1,
        ...(id === "wiki/fever" ? { corpus: "pages.json" } : {}),
      });
    }
  }));

Deno.test("MuSiQue is read as published: paragraphs in order, aliases count, official scores", () =>
  inData(BOTH, async () => {
    const world = await worlds.open("questions/musique", { index: 1 });
    const asked = await world.reset();
    assert.equal(asked.observation, "Where does Moor lie?");
    assert.deepEqual(asked.documents, [{ title: "Moor", text: "Moor lies in Ostrea." }, {
      title: "Sand",
      text: "Sand is dry.",
    }]);
    assert.equal(await world.validActions(), undefined);
    const answered = await world.step("finish[the Kingdom of Ostrea]");
    assert.deepEqual(answered.sections, {
      answer: "the Kingdom of Ostrea",
      em: "1",
      f1: "1",
      words: "1 4 1 0",
    });
    assert.deepEqual([answered.score, answered.maxScore, answered.end], [1, 1, "won"]);
    assert.doesNotMatch(
      JSON.stringify(answered),
      /"Ostrea"/,
      "the gold answer is for the truth alone",
    );
    assert.deepEqual(await world.truth(), {
      id: "2hop__1",
      answer: "Ostrea",
      aliases: ["Kingdom of Ostrea"],
      supporting: ["Moor"],
    });
    await assert.rejects(world.step("finish[Ostrea]"), isOfKind("ended"));
  }));

Deno.test("HotpotQA is read as published: sentences joined as they stand, supporting paragraphs by title, official scores", () =>
  inData(BOTH, async () => {
    const world = await worlds.open("questions/hotpotqa", {
      index: 0,
      documents: "supporting",
      score: "em",
    });
    const asked = await world.reset();
    assert.deepEqual(asked.documents, [
      { title: "Tarn", text: "Tarn is a town. It lies in Ostrea." },
      { title: "Moor", text: "Moor is wet." },
    ]);
    const answered = await world.step("finish[yes, it is]");
    assert.deepEqual([answered.score, answered.sections.em, answered.sections.f1, answered.end], [
      0,
      "0",
      "0",
      "lost",
    ]);
    const other = await worlds.open("questions/hotpotqa", { index: 1 });
    await other.reset();
    const half = await other.step("finish[Vell]");
    assert.equal(half.score, 2 / 3);
    assert.notEqual(other.spec.identity, world.spec.identity);
  }));

Deno.test("what is shown is part of a question's identity", async () => {
  const [all, supporting, again] = await Promise.all(
    [{}, { documents: "supporting" }, {}].map((params) =>
      worlds.open("questions/encyclopedia", params)
    ),
  );
  assert.notEqual(all?.spec.identity, supporting?.spec.identity);
  assert.equal(all?.spec.identity, again?.spec.identity);
  assert.equal((await supporting?.reset())?.documents?.length, 2);
});

Deno.test("parameters that do not fit are refused in one line", async () => {
  await inData(BOTH, async () => {
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ["questions/musique", { index: 2 }, /has no question 2: index may be 0 … 1/],
      ["questions/musique", {}, /index/],
      ["questions/encyclopedia", { index: 60 }, /index/],
      ["questions/encyclopedia", { elephant: 1 }, /elephant/],
      ["questions/hotpotqa", { index: 0, documents: "some" }, /documents/],
    ];
    for (const [id, params, message] of cases) {
      await assert.rejects(
        worlds.open(id, params),
        (error: Error) => isOfKind("bad-parameter")(error) && message.test(error.message),
        id,
      );
    }
  });
});

Deno.test("a missing file is named with its publisher and its place, in the catalogue and when it is asked for", () =>
  inData({}, async (folder) => {
    const wanted = join(folder, MUSIQUE_PATH);
    assert.match(
      LOCAL_WORLDS["questions/musique"]?.problem() ?? "",
      new RegExp(`there is no ${wanted}: get musique_ans_v1.0_dev.jsonl from its authors`),
    );
    await assert.rejects(
      worlds.open("questions/musique", { index: 0 }),
      (error: Error) =>
        isOfKind("unknown-world")(error) && error.message.includes(wanted) &&
        error.message.includes("LAB_DATA") &&
        !error.message.includes("\n"),
    );
    assert.equal(LOCAL_WORLDS["questions/encyclopedia"]?.problem(), undefined);
  }));

Deno.test("a question without an answer is refused: giving none would be right", () =>
  inData({
    [MUSIQUE_PATH]: MUSIQUE.map((record) => JSON.stringify({ ...record, answer: " " })).join("\n"),
    [HOTPOTQA_PATH]: JSON.stringify([HOTPOTQA[0], { ...HOTPOTQA[1], answer: "" }]),
  }, async () => {
    for (
      const [id, index] of [["questions/musique", 0], ["questions/hotpotqa", 1], [
        "wiki/hotpotqa",
        1,
      ], ["wiki/musique", 0]] as const
    ) {
      await assert.rejects(worlds.open(id, { index }), {
        kind: "bad-game",
        message: /answer: this question has none/,
      }, id);
    }
    assert.equal(
      (await worlds.open("questions/hotpotqa", { index: 0 })).spec.id,
      "questions/hotpotqa",
    );
  }));

Deno.test("a missing field and a wrong line are named with file and line", () => {
  const [first, second] = MUSIQUE;
  const { paragraphs: _, ...without } = second ?? {};
  return inData({
    [MUSIQUE_PATH]: [
      JSON.stringify(first),
      JSON.stringify(without),
      '{"id": "2hop',
      JSON.stringify(second),
    ].join("\n"),
    [HOTPOTQA_PATH]: JSON.stringify([HOTPOTQA[0], {
      question: "What?",
      answer: "it",
      type: "bridge",
    }]),
  }, async (folder) => {
    const told = (params: object, id: string, message: RegExp): Promise<void> =>
      assert.rejects(
        worlds.open(id, { ...params }),
        isLine(message),
      );
    await told(
      { index: 1 },
      "questions/musique",
      new RegExp(
        `^${join(folder, MUSIQUE_PATH)}, line 2: paragraphs: .*must be musique_ans_v1.0_dev.jsonl`,
      ),
    );
    await told({ index: 2 }, "questions/musique", /line 3: invalid JSON/);
    await told({ index: 1 }, "questions/hotpotqa", /line 1, record 2: _id: /);
  });
});
