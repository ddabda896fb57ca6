/** The worlds that need no server: questions, claims and dialogues. A new one is one line here. */

import { z } from "zod";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import { DIALOGUE_WORLDS } from "./dialogue-worlds.ts";
import { createEncyclopedia, type Encyclopedia } from "./encyclopedia.ts";
import { checkedAt, localWorld, type LocalWorlds } from "./local-world.ts";
import { memoizeLast } from "../../text/memoize.ts";
import { hotpotqa, musique, type OfficialSet } from "./official-sets.ts";
import type { Question } from "./question.ts";
import { WIKI_WORLDS } from "./wiki-worlds.ts";
import { openQuestion, type QuestionWorldOptions } from "./world.ts";

const QUESTIONS = 60;

const shown = {
  documents: z.enum(["all", "supporting"]).default("all").describe(
    "all paragraphs, or only those that are needed",
  ),
  score: z.enum(["f1", "em"]).default("f1").describe(
    "the measure that is the episode's score; the last turn's sections have both",
  ),
};
const indexed = z.strictObject({
  index: z.int().min(0).max(999_999).describe(
    "place of the question in the order of the file, from 0",
  ),
  ...shown,
});

const musiqueAnswer: QuestionWorldOptions["scorer"] = (answer, question) =>
  musiqueScore(answer, [question.answer, ...question.aliases]);

export const LOCAL_WORLDS: LocalWorlds = {
  ...questions("questions/encyclopedia", {
    doc: "questions of 2 to 4 hops over invented pages, made from a seed; scored as MuSiQue",
    schema: z.strictObject({
      seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the encyclopedia"),
      index: z.int().min(0).max(QUESTIONS - 1).default(0).describe("which of its questions"),
      paragraphs: z.int().min(4).max(40).default(20).describe("paragraphs shown with the question"),
      ...shown,
    }),
    scorer: musiqueAnswer,
    question: ({ seed, paragraphs, index }) => {
      const made = lastEncyclopedia(
        `${seed} ${paragraphs}`,
        () => createEncyclopedia({ seed, paragraphs, questions: QUESTIONS }),
      );
      const { hops: _, chain: __, ...question } = made
        .questions[index] as Encyclopedia["questions"][number];
      return question;
    },
  }),
  ...official("questions/hotpotqa", {
    doc: "HotpotQA, development set with distractors; scored as HotpotQA",
    scorer: (answer, question) => hotpotScore(answer, question.answer),
    set: hotpotqa,
  }),
  ...official("questions/musique", {
    doc: "MuSiQue, answerable development set; scored as MuSiQue",
    scorer: musiqueAnswer,
    set: musique,
  }),
  ...DIALOGUE_WORLDS,
  ...WIKI_WORLDS,
};

const lastEncyclopedia = memoizeLast<Encyclopedia>();

/**
 * Version of the rules of these worlds. Version 1 removed dots and quotes within words from the
 * counts of words.
 */
const VERSION = "2";

interface QuestionsOptions<Params> {
  readonly doc: string;
  readonly scorer: QuestionWorldOptions["scorer"];
  readonly schema: z.ZodType<Params>;
  readonly question: (params: Params) => Question | Promise<Question>;
  readonly set?: OfficialSet;
}

function questions<Params extends z.output<typeof indexed>>(
  id: string,
  { doc, schema, scorer, question, set }: QuestionsOptions<Params>,
): LocalWorlds {
  return localWorld(id, {
    doc,
    schema,
    files: set && [set.file],
    open: async (parameters) => {
      const { documents, score } = parameters;
      return openQuestion(await question(parameters), {
        id,
        version: VERSION,
        parameters,
        documents,
        score,
        scorer,
      });
    },
  });
}

function official(
  id: string,
  options: Pick<QuestionsOptions<unknown>, "doc" | "scorer"> & { readonly set: OfficialSet },
): LocalWorlds {
  return questions(id, {
    ...options,
    schema: indexed,
    question: ({ index }) => checkedAt(id, options.set, index),
  });
}
