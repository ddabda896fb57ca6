/**
 * The worlds that need no server: questions. A new one is a line here.
 *
 * @module
 */

import { z } from "zod";
import { WorldError } from "../../errors.ts";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import type { MeasuredEnvironment } from "../environment.ts";
import { missingFile, type OfficialFile } from "./data-folder.ts";
import { createEncyclopedia, type Encyclopedia } from "./encyclopedia.ts";
import { hotpotqa, HOTPOTQA_FILE } from "./hotpotqa.ts";
import { musique, MUSIQUE_FILE } from "./musique.ts";
import type { QuestionSet } from "./question.ts";
import { openQuestion, type QuestionWorldOptions } from "./world.ts";

/** A world of this process. */
export interface LocalWorld {
  /** What it is, in one line. */
  readonly doc: string;
  /** JSON Schema of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Why it cannot be opened here; `undefined` if it can. */
  problem(): string | undefined;
  /** @throws {WorldError} `bad-parameter`; {@linkcode UsageError} where its files are missing or broken. */
  open(params: Readonly<Record<string, unknown>>): Promise<MeasuredEnvironment>;
}

/** Questions of one encyclopedia. */
const QUESTIONS = 60;

const shown = {
  documents: z.enum(["all", "supporting"]).default("all").describe("all paragraphs, or those alone that are needed"),
  score: z.enum(["f1", "em"]).default("f1").describe("what the episode's score is; both are in the last turn's sections"),
};

const musiqueAnswer: QuestionWorldOptions["scorer"] = (answer, question) => musiqueScore(answer, [question.answer, ...question.aliases]);

/** Local worlds by id. */
export const LOCAL_WORLDS: Readonly<Record<string, LocalWorld>> = {
  "questions/encyclopedia": localWorld("questions/encyclopedia", {
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
  "questions/hotpotqa": localWorld("questions/hotpotqa", {
    doc: "HotpotQA, development set with distractors; scored as HotpotQA",
    schema: indexed("in the order of the file"),
    file: HOTPOTQA_FILE,
    scorer: (answer, question) => hotpotScore(answer, question.answer),
    set: () => hotpotqa,
  }),
  "questions/musique": localWorld("questions/musique", {
    doc: "MuSiQue, answerable development set; scored as MuSiQue",
    schema: indexed("in the order of the file"),
    file: MUSIQUE_FILE,
    scorer: musiqueAnswer,
    set: () => musique,
  }),
};

interface LocalWorldOptions<Params> {
  readonly doc: string;
  readonly schema: z.ZodType<Params>;
  readonly file?: OfficialFile;
  readonly scorer: QuestionWorldOptions["scorer"];
  readonly set: (params: Params) => QuestionSet;
}

/** Of the rules of these worlds. */
const VERSION = "1";

type Shown = z.output<z.ZodObject<typeof shown>> & { readonly index: number };

function localWorld<Params extends Shown>(id: string, options: LocalWorldOptions<Params>): LocalWorld {
  const { doc, schema, file, scorer, set } = options;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return {
    doc,
    parameters,
    problem: () => file && missingFile(file),
    async open(given): Promise<MeasuredEnvironment> {
      const checked = schema.safeParse(given);
      if (!checked.success) {
        const issues = checked.error.issues.map(({ path, message }) => path.length > 0 ? `${path.join(".")}: ${message}` : message);
        throw new WorldError("bad-parameter", `${id} cannot be opened with these parameters: ${issues.join("; ")}`);
      }
      const questions = set(checked.data);
      const size = await questions.size();
      if (checked.data.index >= size) {
        throw new WorldError("bad-parameter", `${id} has no question ${checked.data.index}: index may be 0 … ${size - 1}`);
      }
      const { documents, score } = checked.data;
      return openQuestion(await questions.at(checked.data.index), {
        id,
        version: VERSION,
        parameters: checked.data,
        documents,
        score,
        scorer,
      });
    },
  };
}

function indexed(what: string): z.ZodObject<typeof shown & { index: z.ZodInt }> {
  return z.strictObject({ index: z.int().min(0).max(999_999).describe(`place of the question ${what}, from 0`), ...shown });
}

/** The one made last is kept: a study asks many questions of it. */
let latest: { readonly key: string; readonly encyclopedia: Encyclopedia } | undefined;

function encyclopediaOf(seed: number, paragraphs: number): Encyclopedia {
  const key = `${seed} ${paragraphs}`;
  if (latest?.key !== key) latest = { key, encyclopedia: createEncyclopedia({ seed, paragraphs, questions: QUESTIONS }) };
  return latest.encyclopedia;
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
