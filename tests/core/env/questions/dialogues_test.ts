import assert from "node:assert/strict";
import { connectWorlds } from "../../../../lib/core/env/mod.ts";
import { checkWorld, isOfKind } from "../conformance.ts";
import { inData } from "./data_folder.ts";

// No test here may start the world server: dialogues are read in this process.
const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 });

/**
 * Two questions on one history, in LongMemEval's own fields; the sessions lie in no order of time.
 */
const LONGMEMEVAL = ["", "_abs"].map((end) => ({
  question_id: `q1${end}`,
  question_type: "knowledge-update",
  question: "How many bikes do I own?",
  answer: end === "" ? 3 : "You did not say how many cars you own.",
  question_date: "2023/06/01 (Thu) 10:00",
  haystack_session_ids: ["s2", "s1"],
  haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/05/01 (Mon) 09:00"],
  haystack_sessions: [
    [{ role: "user", content: "I bought a third bike.", has_answer: true }],
    [{ role: "user", content: "I own two bikes." }, { role: "assistant", content: "Nice." }],
  ],
  answer_session_ids: ["s2"],
}));

/**
 * A conversation in LoCoMo's own fields, under the name of one of which the audit names question 31
 * (category 1) and others.
 */
const LOCOMO = [{
  sample_id: "conv-30",
  conversation: {
    speaker_a: "Ada",
    speaker_b: "Bo",
    session_1_date_time: "1:56 pm on 8 May, 2023",
    session_1: [
      {
        speaker: "Ada",
        dia_id: "D1:1",
        text: "I paint.",
        img_url: ["x"],
        blip_caption: "a lake",
        query: "lake",
      },
      { speaker: "Bo", dia_id: "D1:2", text: "I hike and swim." },
    ],
    session_2_date_time: "9:00 am on 9 May, 2023",
    session_2: [{ speaker: "Bo", dia_id: "D2:1", text: "I hurt my knee." }],
  },
  qa: Array.from({ length: 33 }, (_, at) => ({
    question: `Question ${at}?`,
    ...(at === 32
      ? { adversarial_answer: "ankle" }
      : { answer: at === 0 ? 2023 : "hiking, swimming" }),
    evidence: ["D1:2; D2:1", "D9:9"],
    category: at === 32 ? 5 : at === 0 ? 2 : 1,
  })),
  observation: {},
  session_summary: {},
  event_summary: {},
}];

const FILES = {
  "longmemeval/longmemeval_s.json": LONGMEMEVAL,
  "locomo/locomo10.json": LOCOMO,
  "memory-agent-bench/Conflict_Resolution-00000-of-00001.parquet": new URL(
    "memory-agent.parquet",
    import.meta.url,
  ),
};

Deno.test("dialogues keep to what every world keeps to", () =>
  inData(FILES, async () => {
    for (
      const id of ["dialogues/longmemeval", "dialogues/locomo", "dialogues/memory-agent"]
    ) await checkWorld(worlds, id, { index: 0 });
  }));

Deno.test("a dialogue is read turn by turn or session by session, then asked question by question", () =>
  inData(FILES, async () => {
    const world = await worlds.open("dialogues/locomo", { index: 0 });
    let turn = await world.reset();
    assert.deepEqual(turn.documents?.map(({ title }) => title.replace(/ \(.*/, "")), [
      "Session 1, turn 1",
      "Session 1, turn 2",
      "Session 2, turn 1",
    ]);
    for (let at = 0; at < 33; at++) {
      assert.equal(turn.observation, `Question ${at}?`);
      turn = await world.step(
        `finish[${at === 0 ? "nonsense" : at === 32 ? "Unknown" : "hiking, swimming"}]`,
      );
      assert.equal(turn.sections.score, at === 0 ? "0" : "1");
      assert.equal(turn.documents, undefined, "the dialogue is shown once");
    }
    assert.deepEqual([turn.score, turn.maxScore, turn.end], [32, 33, "lost"]);
    await assert.rejects(world.step("finish[x]"), isOfKind("ended"));
    const sessions = await worlds.open("dialogues/locomo", { index: 0, unit: "session" });
    assert.equal((await sessions.reset()).documents?.length, 2);
    assert.notEqual(sessions.spec.identity, world.spec.identity);
  }));

Deno.test("LongMemEval is read as published: sessions in order of time, the question with its date, abstention", () =>
  inData(FILES, async () => {
    const world = await worlds.open("dialogues/longmemeval", { index: 0 });
    const { documents, observation } = await world.reset();
    assert.equal(observation, "How many bikes do I own? (asked on 2023/06/01 (Thu) 10:00)");
    assert.deepEqual(documents?.map(({ title, text }) => `${title} ${text}`), [
      "Session 1, turn 1 (2023/05/01 (Mon) 09:00): user: I own two bikes.",
      "Session 1, turn 2 (2023/05/01 (Mon) 09:00): assistant: Nice.",
      "Session 2, turn 1 (2023/05/20 (Sat) 02:21): user: I bought a third bike.",
    ]);
    assert.deepEqual((await world.truth() as { questions: unknown[] }).questions, [
      { id: "q1", kind: "knowledge-update", question: observation, answers: ["3"], evidence: [2] },
    ]);
    assert.equal((await world.step("finish[You own 3 bikes]")).score, 1);
    const abstention = await worlds.open("dialogues/longmemeval", { index: 1 });
    await abstention.reset();
    assert.equal((await abstention.step("finish[3]")).sections.kind, "abstention");
    await abstention.reset();
    assert.equal((await abstention.step("finish[Unknown]")).score, 1);
  }));

Deno.test("LoCoMo is read as published, scored by category, and the audit's wrong keys go where they are named", () =>
  inData(FILES, async () => {
    const world = await worlds.open("dialogues/locomo", { index: 0 });
    const { documents, maxScore } = await world.reset();
    assert.equal(maxScore, 33);
    assert.deepEqual(documents?.[0], {
      title: "Session 1, turn 1 (1:56 pm on 8 May, 2023):",
      text: "Ada: I paint. (shows a picture: a lake)",
    });
    const { questions } = await world.truth() as {
      questions: { id: string; answers: string[]; evidence: number[]; kind: string }[];
    };
    assert.deepEqual([questions[0]?.answers, questions[1]?.evidence, questions[32]?.kind], [
      ["2023"],
      [1, 2],
      "adversarial",
    ]);
    assert.equal((await world.step("finish[in 2023]")).sections.f1, String(2 / 3));
    assert.equal((await world.step("finish[hike]")).sections.score, "0.5");
    const audited = await worlds.open("dialogues/locomo", { index: 0, exclude: "audit" });
    const kept = (await audited.truth() as { questions: { id: string }[] }).questions.map((
      { id },
    ) => id);
    assert.deepEqual([kept.length, kept.includes("conv-30-31"), kept.includes("conv-30-32")], [
      32,
      false,
      true,
    ]);
  }));

Deno.test("LoCoMo's evidence is mapped as the file writes it: with zeros, a colon too many, several in a text, or null", () => {
  const [conversation] = LOCOMO;
  const ids = [
    "D01:02",
    "D:1:1",
    "D1:1 D2:1",
    "D1:2;D2:01, D1:1",
    "(D2:1)",
    "D1:2 and d1:1",
    null,
    "D",
    "D11:2",
    "D1:21",
  ];
  const qa = [...ids.map((id) => [id]), null].map((evidence, at) => ({
    question: `${at}?`,
    answer: "x",
    evidence,
    category: 4,
  }));
  return inData({ "locomo/locomo10.json": [{ ...conversation, qa }] }, async () => {
    const { questions } = await (await worlds.open("dialogues/locomo", { index: 0 })).truth() as {
      questions: { evidence: number[] }[];
    };
    assert.deepEqual(questions.map(({ evidence }) => evidence), [
      [1],
      [0],
      [0, 2],
      [1, 2, 0],
      [2],
      [1, 0],
      [],
      [],
      [],
      [],
      [],
    ]);
  });
});

Deno.test("LoCoMo: whoever answers an adversarial question that it is unknown is right, in whatever case; and nothing longer", () => {
  const [conversation] = LOCOMO;
  const said: [string, string][] = [["Unknown", "1"], ["unknown", "1"], ["UNKNOWN.", "1"], [
    "unknown lake",
    "0",
  ], ["ankle", "0"]];
  const qa = said.map(() => ({ question: "Who?", answer: null, evidence: [], category: 5 }));
  return inData({ "locomo/locomo10.json": [{ ...conversation, qa }] }, async () => {
    const world = await worlds.open("dialogues/locomo", { index: 0 });
    await world.reset();
    for (const [answer, score] of said) {
      assert.equal((await world.step(`finish[${answer}]`)).sections.score, score, answer);
    }
  });
});

Deno.test("LongMemEval: a turn whose has_answer is null is no evidence, and its record is read", () => {
  const [record] = LONGMEMEVAL;
  const turns = [{ role: "user", content: "Hello.", has_answer: null }, {
    role: "user",
    content: "Three.",
    has_answer: true,
  }];
  return inData(
    {
      "longmemeval/longmemeval_s.json": [{
        ...record,
        haystack_dates: ["2023/05/01"],
        haystack_sessions: [turns],
      }],
    },
    async () => {
      const { questions } = await (await worlds.open("dialogues/longmemeval", { index: 0 }))
        .truth() as {
          questions: { evidence: number[] }[];
        };
      assert.deepEqual(questions[0]?.evidence, [1]);
    },
  );
});

Deno.test("LoCoMo of another file than the audit's is refused with the audit, in one line", () => {
  const [conversation] = LOCOMO;
  const other = {
    ...conversation,
    qa: conversation?.qa.map((question) => ({ answer: "x", ...question, category: 4 })),
  };
  return inData({ "locomo/locomo10.json": [other] }, async () => {
    await worlds.open("dialogues/locomo", { index: 0 });
    await assert.rejects(
      worlds.open("dialogues/locomo", { index: 0, exclude: "audit" }),
      /question 31 is not the one of the audit/,
    );
  });
});

Deno.test("MemoryAgentBench is read as published: pieces of whole sentences, gold answers contained, nothing that needs a list", () =>
  inData(FILES, async () => {
    const world = await worlds.open("dialogues/memory-agent", { index: 0, chunk: 64 });
    const { documents, observation } = await world.reset();
    assert.equal(documents?.length, 1);
    assert.match(documents?.[0]?.text ?? "", /^1\. Tarn lies in Ostrea\.\n2\. The mayor/);
    assert.equal(observation, "Where does Tarn lie?");
    assert.deepEqual((await world.step("finish[It lies in Moorland.]")).sections, {
      ...{
        question: "factconsolidation_sh_6k_no0",
        kind: "factconsolidation_sh_6k",
        answer: "It lies in Moorland.",
      },
      ...{ em: "0", f1: "0.4", score: "1" },
    });
    assert.equal((await world.step("finish[Ostrea]")).end, "lost");
    await assert.rejects(
      worlds.open("dialogues/memory-agent", { index: 1 }),
      /cannot score recsys_redial_full/,
    );
    await assert.rejects(worlds.open("dialogues/memory-agent", { index: 2 }), /index may be 0 … 1/);
  }));

Deno.test("a question without an answer is refused: giving none would be right", () => {
  const [conversation] = LOCOMO;
  const other = { ...conversation, qa: [{ question: "Who?", evidence: [], category: 4 }] };
  return inData({ "locomo/locomo10.json": [other] }, async () => {
    await assert.rejects(worlds.open("dialogues/locomo", { index: 0 }), {
      name: "WorldError",
      message: /a question has no answer/,
    });
  });
});

Deno.test("a file of another form is refused in one line that names the field, and a missing one its publisher", () =>
  inData({
    "locomo/locomo10.json": [{
      sample_id: "conv-1",
      conversation: {},
      qa: [{ question: "Who?", category: 7 }],
    }],
  }, async () => {
    await assert.rejects(worlds.open("dialogues/locomo", { index: 0 }), {
      name: "WorldError",
      message: /line 1.*: qa\.0\.category: /,
    });
    await assert.rejects(
      worlds.open("dialogues/longmemeval", { index: 0 }),
      /get longmemeval_s\.json from its authors/,
    );
    await assert.rejects(
      worlds.open("dialogues/memory-agent", { index: 0 }),
      /get Conflict_Resolution-00000-of-00001\.parquet from its authors/,
    );
  }));
