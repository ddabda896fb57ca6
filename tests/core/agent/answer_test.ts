import assert from "node:assert/strict";
import { answerPrompt, parseAnswer } from "../../../lib/core/agent/answer.prompts.ts";
import {
  createAnswer,
  createAriGraph,
  createAsker,
  createPassages,
  type Environment,
  formatTriplet,
  type Method,
  openQuestion,
  type Question,
  scripted,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { musiqueScore } from "../../../lib/core/text/qa-scores.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";
import { recording, worldless } from "./recording.ts";
import { tinyWorld } from "./tiny-world.ts";

/** Two hops over three short pages. */
const QUESTION: Question = {
  id: "q",
  question: "Where was the author of The Quiet Harbour born?",
  answer: "Tarn",
  aliases: [],
  paragraphs: [
    { title: "Oda Vell", text: "Oda Vell (born 1802 in Tarn) was a poet.", supporting: true },
    { title: "Ruk Sand", text: "Ruk Sand was born in Moor.", supporting: false },
    {
      title: "The Quiet Harbour",
      text: "The Quiet Harbour is a novel by Oda Vell.",
      supporting: true,
    },
  ],
};

const PARAGRAPHS = {
  texts: "paragraphs",
  stale: false,
  exploration: false,
  deepest: 3,
  nPrev: 0,
} as const;

function world(): Promise<Environment> {
  return Promise.resolve(openQuestion(QUESTION, {
    id: "questions/test",
    version: "1",
    parameters: {},
    documents: "all",
    score: "f1",
    scorer: (answer, { answer: gold }) => musiqueScore(answer, [gold]),
  }));
}

async function run(method: Method, replies: Parameters<typeof scripted>[0]): Promise<{
  readonly model: ReturnType<typeof scripted>;
  readonly record: ReturnType<typeof recording>;
  readonly outcome: Awaited<ReturnType<Method["run"]>>;
}> {
  const model = scripted(replies);
  const record = recording();
  const ask = createAsker({ model });
  const outcome = await method.run({
    world,
    ask,
    embedder: createLexicalEmbedder(),
    recorder: record.recorder,
    seed: 1,
  });
  return { model, record, outcome };
}

Deno.test("the prompt is worded as it was: another wording is another experiment", () => {
  const extra = { "Relevant triplets from memory": "the quiet harbour, by, oda vell" };
  assertSnapshot(
    "answer-answer",
    shownPrompt(answerPrompt, { question: QUESTION.question }, extra),
  );
});

Deno.test("answer takes in every paragraph, asks for the question alone, and gives one answer", async () => {
  const { model, record, outcome } = await run(
    createAnswer({ memory: createAriGraph(PARAGRAPHS) }),
    {
      "arigraph/extract-paragraph": [
        "Oda Vell, born in, Tarn; Oda Vell, is, poet",
        "Ruk Sand, born in, Moor",
        "The Quiet Harbour, by, Oda Vell",
      ],
      "arigraph/question-entities": ['{"The Quiet Harbour": 3}'],
      "answer/answer": ["CoT: Oda Vell wrote it; she was born in Tarn.\nDirect answer: Tarn"],
    },
  );
  const asked = model.requests.map(({ role, messages }) => ({
    role,
    sections: readSections(String(messages.at(-1)?.content)),
  }));
  assert.deepEqual(asked.map(({ role }) => role), [
    ...Array(3).fill("arigraph/extract-paragraph"), // and nothing about stale triplets or exits
    "arigraph/question-entities",
    "answer/answer",
  ]);
  assert.equal(
    asked[0]?.sections["Paragraph"],
    "Paragraph 1\nOda Vell (born 1802 in Tarn) was a poet.",
  );
  assert.deepEqual(asked[3]?.sections, { Question: QUESTION.question, "Greatest importance": "3" });
  const shown = asked[4]?.sections ?? {};
  assert.deepEqual(Object.keys(shown), [
    "Relevant triplets from memory",
    "Relevant past observations",
    "Question",
  ]);
  assert.deepEqual(
    new Set(shown["Relevant triplets from memory"]?.split("\n")),
    new Set([
      "the quiet harbour, by, oda vell", // of the last paragraph, which is past as well
      "oda vell, born in, tarn",
      "oda vell, is, poet",
      "ruk sand, born in, moor",
    ]),
  );
  assert.match(
    shown["Relevant past observations"] ?? "",
    /^Paragraph 3\nThe Quiet Harbour is a novel by Oda Vell\.$/m,
  );
  assert.doesNotMatch(JSON.stringify(shown), /Game step/);

  assert.deepEqual(record.steps.map(({ step, action }) => [step, action]), [[0, undefined], [
    1,
    "finish[Tarn]",
  ]]);
  assert.deepEqual(record.steps[0]?.graph?.triplets().map(formatTriplet).length, 4);
  assert.deepEqual(outcome, {
    passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1, end: "won" }],
  });
});

Deno.test("answer gives the world's fallback and tells of it where no direct answer comes", async () => {
  const { record, outcome } = await run(createAnswer({ memory: createPassages(), reAsks: 1 }), [
    "Tarn, I think.",
    "Tarn, as I said.",
  ]);
  assert.equal(record.steps.at(-1)?.action, "finish[Unknown]");
  assert.deepEqual(record.events.map(({ kind, step }) => [kind, step]), [["malformed-reply", 1], [
    "fallback",
    1,
  ]]);
  assert.equal(outcome.passes[0]?.score, 0);
});

Deno.test("answer is refused where there is no question", async () => {
  const tiny = tinyWorld();
  const episode = {
    world: () => Promise.resolve(tiny),
    ...worldless(scripted([])),
  };
  await assert.rejects(createAnswer({ memory: createPassages() }).run(episode), {
    name: "UsageError",
    message:
      "answer needs a question over paragraphs, and test/tiny asks none; choose a world questions/…",
  });
  assert.equal(tiny.closed(), true);
});

Deno.test("parseAnswer() reads the last direct answer, bare", () => {
  const cases: [string, string | undefined][] = [
    ["CoT: …\nDirect answer: Tarn", "Tarn"],
    ['CoT: Direct answer: no.\n\n**Direct answer:** "Oda Vell".', "Oda Vell"],
    ["direct ANSWER : 3 May 1871\n(I am sure.)", "3 May 1871"],
    ["Direct answer: Washington D.C.", "Washington D.C."],
    ["Direct answer: the poet.", "the poet"],
    ["Direct answer: - [Tarn]", "Tarn"],
    ["Direct answer: Tarn [1].", "Tarn"],
    ["Direct answer: <the answer>", undefined],
    ["Direct answer: the answer", undefined],
    ["Direct answer: None", "None"],
    ["Direct answer:", undefined],
    ["Tarn", undefined],
    ["", undefined],
    [`Direct answer: ${"x".repeat(2000)}`, undefined],
  ];
  for (const [text, wanted] of cases) {
    const read = parseAnswer(text);
    assert.equal(read.kind === "ok" ? read.value : undefined, wanted, text.slice(0, 40));
  }
});
