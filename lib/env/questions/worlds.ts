/**
 * The worlds that need no server: questions. A new one is a line here.
 *
 * @module
 */

import { z } from "zod";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import type { OfficialFile } from "./data-folder.ts";
import { createEncyclopedia, type Encyclopedia } from "./encyclopedia.ts";
import { hotpotqa, HOTPOTQA_FILE } from "./hotpotqa.ts";
import { kept } from "./kept.ts";
import { checkedAt, type LocalWorld, localWorld } from "./local-world.ts";
import { musique, MUSIQUE_FILE } from "./musique.ts";
import type { QuestionSet } from "./question.ts";
import { WIKI_WORLDS } from "./wiki-worlds.ts";
import { openQuestion, type QuestionWorldOptions } from "./world.ts";

/** Questions of one encyclopedia. */
const QUESTIONS = 60;

const shown = {
  documents: z.enum(["all", "supporting"]).default("all").describe("all paragraphs, or those alone that are needed"),
  score: z.enum(["f1", "em"]).default("f1").describe("what the episode's score is; both are in the last turn's sections"),
};

const musiqueAnswer: QuestionWorldOptions["scorer"] = (answer, question) => musiqueScore(answer, [question.answer, ...question.aliases]);

/** Local worlds by id. */
export const LOCAL_WORLDS: Readonly<Record<string, LocalWorld>> = {
  "questions/encyclopedia": questions("questions/encyclopedia", {
    doc: "questions of 2 to 4 hops over invented pages, made from a seed; scored as MuSiQue",
    schema: z.strictObject({
      seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the encyclopedia"),
      index: z.int().min(0).max(QUESTIONS - 1).default(0).describe("which of its questions"),
      paragraphs: z.int().min(4).max(40).default(20).describe("shown with the question"),
      ...shown,
    }),
    scorer: musiqueAnswer,
    set: ({ seed, paragraphs }) => inMemory(encyclopediaOf(seed, paragraphs)),
  }),
  "questions/hotpotqa": questions("questions/hotpotqa", {
    doc: "HotpotQA, development set with distractors; scored as HotpotQA",
    schema: indexed("in the order of the file"),
    file: HOTPOTQA_FILE,
    scorer: (answer, question) => hotpotScore(answer, question.answer),
    set: () => hotpotqa,
  }),
  "questions/musique": questions("questions/musique", {
    doc: "MuSiQue, answerable development set; scored as MuSiQue",
    schema: indexed("in the order of the file"),
    file: MUSIQUE_FILE,
    scorer: musiqueAnswer,
    set: () => musique,
  }),
  ...WIKI_WORLDS,
};

interface QuestionsOptions<Params> {
  readonly doc: string;
  readonly schema: z.ZodType<Params>;
  readonly file?: OfficialFile;
  readonly scorer: QuestionWorldOptions["scorer"];
  readonly set: (params: Params) => QuestionSet;
}

/** Of the rules of these worlds. */
const VERSION = "1";

type Shown = z.output<z.ZodObject<typeof shown>> & { readonly index: number };

function questions<Params extends Shown>(id: string, { doc, schema, file, scorer, set }: QuestionsOptions<Params>): LocalWorld {
  return localWorld(id, {
    doc,
    schema,
    ...(file ? { files: [file] } : {}),
    open: async (params) =>
      openQuestion(await checkedAt(id, set(params), params.index), {
        id,
        version: VERSION,
        parameters: params,
        documents: params.documents,
        score: params.score,
        scorer,
      }),
  });
}

function indexed(what: string): z.ZodObject<typeof shown & { index: z.ZodInt }> {
  return z.strictObject({ index: z.int().min(0).max(999_999).describe(`place of the question ${what}, from 0`), ...shown });
}

function encyclopediaOf(seed: number, paragraphs: number): Encyclopedia {
  return kept("questions", `${seed} ${paragraphs}`, () => createEncyclopedia({ seed, paragraphs, questions: QUESTIONS }));
}

function inMemory({ questions }: Encyclopedia): QuestionSet {
  return {
    size: () => Promise.resolve(questions.length),
    at: (index) => {
      const question = questions[index];
      if (!question) return Promise.reject(new RangeError(`there is no question ${index}; there are ${questions.length}`));
      const { id, question: text, paragraphs, answer, aliases } = question;
      return Promise.resolve({ id, question: text, paragraphs, answer, aliases });
    },
  };
}
