/**
 * The worlds in which questions and claims are worked on by searching an encyclopedia: our own, or official sets over their own paragraphs or
 * over a corpus of the user's.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import { missingFile, officialPath, requireFile } from "./data-folder.ts";
import { createClaims, createComparisons } from "./encyclopedia-tasks.ts";
import { createEncyclopedia } from "./encyclopedia.ts";
import { fever, FEVER_FILE } from "./fever.ts";
import { hotpotqa, HOTPOTQA_FILE, HOTPOTQA_SIMPLIFIED_FILE, hotpotqaSimplified } from "./hotpotqa.ts";
import { checkedAt, type LocalWorld, localWorld, type Opening } from "./local-world.ts";
import { musique, MUSIQUE_FILE } from "./musique.ts";
import type { Question, QuestionSet } from "./question.ts";
import { checkSet, pagesOfCorpus, pagesOfSet } from "./wiki-corpus.ts";
import { kept } from "./kept.ts";
import type { WikiPages } from "./wiki-index.ts";
import { createWikiPages } from "./wiki-pages.ts";
import { openWiki, type WikiTask, type WikiWorldOptions } from "./wiki.ts";

const shown = {
  documents: z.enum(["none", "supporting"]).default("none")
    .describe("paragraphs shown with the task: none, or those that are needed (chain of thought)"),
};
const index = z.int().min(0).max(999_999).describe("place in the order of the file, from 0");
const corpus = z.string().regex(/^(?!\.+$)[\w.-]+$/).describe(
  "in the data folder's wiki/ a file of pages, or a folder of JSON Lines files",
);

/** Tasks of one encyclopedia. */
const TASKS = 60;

/** Wiki worlds by id. */
export const WIKI_WORLDS: Readonly<Record<string, LocalWorld>> = {
  "wiki/encyclopedia": localWorld("wiki/encyclopedia", {
    doc: "an invented encyclopedia, made from a seed, to be searched for questions of 2 to 4 hops, comparisons or claims",
    schema: z.strictObject({
      seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the encyclopedia"),
      ask: z.enum(["questions", "comparisons", "claims"]).default("questions").describe("what is asked"),
      index: z.int().min(0).max(TASKS - 1).default(0).describe("which of its tasks"),
      ...shown,
    }),
    open: (params) => {
      const { tasks, pages } = encyclopediaOf(params.seed, params.ask);
      return Promise.resolve(openWiki(tasks[params.index] as WikiTask, { ...settings("wiki/encyclopedia", params), pages }));
    },
  }),
  "wiki/hotpotqa": localWorld("wiki/hotpotqa", {
    doc: "HotpotQA, development set, to be answered by searching the paragraphs of all its questions, or a corpus; exact match",
    schema: z.strictObject({ index, corpus: corpus.optional(), ...shown }),
    files: [HOTPOTQA_FILE, HOTPOTQA_SIMPLIFIED_FILE],
    open: async (params, opening) => {
      const set = hotpotqaFor(params);
      return await official("wiki/hotpotqa", params, { set, file: HOTPOTQA_FILE, kind: "question" }, opening);
    },
  }),
  "wiki/musique": localWorld("wiki/musique", {
    doc: "MuSiQue, answerable development set, to be answered by searching the paragraphs of all its questions, or a corpus",
    schema: z.strictObject({ index, corpus: corpus.optional(), ...shown }),
    files: [MUSIQUE_FILE],
    open: (params, opening) => official("wiki/musique", params, { set: musique, file: MUSIQUE_FILE, kind: "question" }, opening),
  }),
  "wiki/fever": localWorld("wiki/fever", {
    doc: "FEVER, the paper's development set, to be judged by searching a corpus; accuracy of the label",
    schema: z.strictObject({ index, corpus, ...shown }),
    files: [FEVER_FILE],
    open: (params, opening) => official("wiki/fever", params, { set: fever, file: FEVER_FILE, kind: "claim" }, opening),
  }),
};

type Params = Readonly<Record<string, unknown>> & { readonly documents: "none" | "supporting" };

function settings(id: string, parameters: Params): Omit<WikiWorldOptions, "pages"> {
  return { id, parameters, documents: parameters.documents, scorer: id === "wiki/musique" ? bestOfAliases : exact };
}

function exact(answer: string, task: WikiTask): ReturnType<WikiWorldOptions["scorer"]> {
  return hotpotScore(answer, task.answer);
}

function bestOfAliases(answer: string, task: WikiTask): ReturnType<WikiWorldOptions["scorer"]> {
  return musiqueScore(answer, [task.answer, ...task.aliases]);
}

async function official(
  id: string,
  params: Params & { readonly index: number; readonly corpus?: string | undefined },
  { set, kind, file }: { readonly set: QuestionSet; readonly kind: WikiTask["kind"]; readonly file: Parameters<typeof officialPath>[0] },
  opening: Opening,
): ReturnType<LocalWorld["open"]> {
  if (params.corpus === undefined) checkSet(requireFile(file)); // before gigabytes are scanned for their records
  const question = await checkedAt(id, set, params.index);
  const pages = params.corpus === undefined ? await pagesOfSet(officialPath(file), set) : await pagesOfCorpus(params.corpus, opening);
  return openWiki(taskOf(question, kind), { ...settings(id, params), pages });
}

function taskOf({ id, question, answer, aliases, paragraphs }: Question, kind: WikiTask["kind"]): WikiTask {
  const supporting = paragraphs.filter(({ supporting }) => supporting).map(({ title, text }) => ({ title, text }));
  return { id, kind, text: question, answer, aliases, supporting };
}

/** The questions of HotpotQA, from whichever file the user has. @throws {UsageError} where that one lacks the paragraphs that are wanted. */
function hotpotqaFor(
  { corpus, documents }: { readonly corpus?: string | undefined; readonly documents: "none" | "supporting" },
): QuestionSet {
  const problem = missingFile(HOTPOTQA_FILE);
  if (problem === undefined || missingFile(HOTPOTQA_SIMPLIFIED_FILE) !== undefined) return hotpotqa;
  if (corpus !== undefined && documents === "none") return hotpotqaSimplified;
  const wanted = documents === "supporting" ? 'documents "supporting"' : "no corpus";
  throw new UsageError(`wiki/hotpotqa with ${wanted} wants paragraphs, and ${HOTPOTQA_SIMPLIFIED_FILE.file} has none: ${problem}`);
}

interface Made {
  readonly pages: WikiPages;
  readonly tasks: readonly WikiTask[];
}

function encyclopediaOf(seed: number, ask: "questions" | "comparisons" | "claims"): Made {
  return kept("encyclopedia", `${seed} ${ask}`, () => {
    if (ask === "questions") {
      const { pages, questions } = createEncyclopedia({ seed, questions: TASKS });
      return { pages: createWikiPages(pages), tasks: questions.map((question) => taskOf(question, "question")) };
    }
    const { pages, tasks } = ask === "claims" ? createClaims({ seed, tasks: TASKS }) : createComparisons({ seed, tasks: TASKS });
    const kind = ask === "claims" ? "claim" : "question";
    const texts = new Map(pages.map((page) => [page.title, page]));
    return {
      pages: createWikiPages(pages),
      tasks: tasks.map(({ id, text, answer, supporting }): WikiTask => ({
        id,
        kind,
        text,
        answer,
        aliases: [],
        supporting: supporting.flatMap((title) => texts.get(title) ?? []),
      })),
    };
  });
}
