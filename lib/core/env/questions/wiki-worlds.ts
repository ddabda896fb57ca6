/**
 * Questions and claims over a searchable encyclopedia: our own, or official sets over their own
 * paragraphs or a user's corpus.
 */

import { z } from "zod";
import { WorldError } from "../../errors.ts";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import { missingFile, officialPath, requireFile } from "./data-folder.ts";
import { createClaims, createComparisons } from "./encyclopedia-tasks.ts";
import { createEncyclopedia } from "./encyclopedia.ts";
import {
  checkedAt,
  type LocalWorld,
  localWorld,
  type LocalWorlds,
  type Opening,
} from "./local-world.ts";
import { memoizeLast } from "../../text/memoize.ts";
import { fever, hotpotqa, hotpotqaSimplified, musique, type OfficialSet } from "./official-sets.ts";
import type { Question } from "./question.ts";
import { checkSet, FEVER_PAGES, pagesOfCorpus, pagesOfSet } from "./wiki-corpus.ts";
import type { WikiPages } from "./wiki-index.ts";
import { createWikiPages } from "./wiki-pages.ts";
import { openWiki, type WikiTask, type WikiWorldOptions } from "./wiki.ts";

const shown = {
  documents: z.enum(["none", "sentences", "supporting"]).default("none")
    .describe(
      "texts shown with the task: none, the sentences that are needed (chain of thought), or the paragraphs around them",
    ),
};
const index = z.int().min(0).max(999_999).describe("place in the order of the file, from 0");
const corpus = z.string().regex(/^(?!\.+$)[\w.-]+$/).describe(
  "in the data folder's wiki/ a file of pages, or a folder of JSON Lines files",
);

const TASKS = 60;

export const WIKI_WORLDS: LocalWorlds = {
  ...localWorld("wiki/encyclopedia", {
    doc:
      "an invented encyclopedia, made from a seed, to be searched for questions of 2 to 4 hops, comparisons or claims",
    schema: z.strictObject({
      seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the encyclopedia"),
      ask: z.enum(["questions", "comparisons", "claims"]).default("questions").describe(
        "what is asked",
      ),
      index: z.int().min(0).max(TASKS - 1).default(0).describe("which of its tasks"),
      ...shown,
    }),
    open: (params) => {
      const { tasks, pages } = encyclopediaOf(params.seed, params.ask);
      return Promise.resolve(
        openWiki(tasks[params.index] as WikiTask, {
          ...settings("wiki/encyclopedia", params),
          pages,
        }),
      );
    },
  }),
  ...localWorld("wiki/hotpotqa", {
    doc:
      "HotpotQA, development set, to be answered by searching the paragraphs of all its questions, or a corpus; exact match",
    schema: z.strictObject({ index, corpus: corpus.optional(), ...shown }),
    files: [hotpotqa.file, hotpotqaSimplified.file],
    open: async (params, opening) =>
      await official("wiki/hotpotqa", params, hotpotqaFor(params), opening),
  }),
  ...localWorld("wiki/musique", {
    doc:
      "MuSiQue, answerable development set, to be answered by searching the paragraphs of all its questions, or a corpus",
    schema: z.strictObject({ index, corpus: corpus.optional(), ...shown }),
    files: [musique.file],
    open: (params, opening) => official("wiki/musique", params, musique, opening),
  }),
  ...localWorld("wiki/fever", {
    doc:
      "FEVER, the paper's development set, to be judged by searching a corpus; accuracy of the label",
    schema: z.strictObject({ index, corpus, ...shown }),
    files: [fever.file],
    open: (params, opening) => official("wiki/fever", params, fever, opening),
  }),
};

type Params = Readonly<Record<string, unknown>> & Pick<WikiWorldOptions, "documents">;

function settings(id: string, parameters: Params): Omit<WikiWorldOptions, "pages"> {
  return {
    id,
    parameters,
    documents: parameters.documents,
    scorer: id === "wiki/musique" ? bestOfAliases : exact,
  };
}

function exact(answer: string, task: WikiTask): ReturnType<WikiWorldOptions["scorer"]> {
  return hotpotScore(answer, task.answer);
}

function bestOfAliases(answer: string, task: WikiTask): ReturnType<WikiWorldOptions["scorer"]> {
  return musiqueScore(answer, [task.answer, ...task.aliases]);
}

async function official(
  id: string,
  params: Params & { readonly index: number; readonly corpus?: string },
  set: OfficialSet,
  opening: Opening,
): ReturnType<LocalWorld["open"]> {
  const { index, corpus } = params;
  if (corpus === undefined) checkSet(requireFile(set.file)); // before gigabytes are scanned for their records
  const question = await checkedAt(id, set, index);
  const pages = corpus === undefined
    ? await pagesOfSet(officialPath(set.file), set)
    : await pagesOfCorpus(corpus, opening);
  const task = set === fever ? claimOf(question, pages) : taskOf(question);
  if (
    set === fever && params.documents === "sentences" &&
    task.supporting.some(({ sentences }) => sentences === undefined)
  ) {
    throw new WorldError(
      "bad-game",
      `${id} needs numbered sentences, and the corpus ${corpus} has none: use ${FEVER_PAGES}`,
    );
  }
  return openWiki(task, { ...settings(id, params), pages });
}

function taskOf({ id, question, answer, aliases, paragraphs, evidence }: Question): WikiTask {
  const texts = new Map(evidence?.map(({ title, sentences }) => [title, sentences.map(String)]));
  const supporting = paragraphs.filter(({ supporting }) => supporting)
    .map(({ title, text }) => ({
      title,
      text,
      ...(evidence ? { sentences: texts.get(title) ?? [] } : {}),
    }));
  return { id, kind: "question", text: question, answer, aliases, supporting };
}

function claimOf(
  { id, question, answer, aliases, evidence = [] }: Question,
  pages: WikiPages,
): WikiTask {
  const supporting = evidence.flatMap(({ title, sentences: numbers }) => {
    const { text, sentences } = pages.find(title) ?? {};
    if (text === undefined) return [];
    return [{
      title,
      text,
      ...(sentences
        ? { sentences: numbers.flatMap((number) => sentences[Number(number)] ?? []) }
        : {}),
    }];
  });
  return { id, kind: "claim", text: question, answer, aliases, supporting };
}

/**
 * HotpotQA in whichever file the user has.
 * @throws {WorldError} `bad-game` if paragraphs are wanted and that file has none.
 */
function hotpotqaFor(
  { corpus, documents }: Pick<WikiWorldOptions, "documents"> & { readonly corpus?: string },
): OfficialSet {
  const problem = missingFile(hotpotqa.file);
  if (problem === undefined || missingFile(hotpotqaSimplified.file) !== undefined) return hotpotqa;
  if (corpus !== undefined && documents === "none") return hotpotqaSimplified;
  const wanted = documents === "none" ? "no corpus" : `documents "${documents}"`;
  const { file } = hotpotqaSimplified.file;
  throw new WorldError(
    "bad-game",
    `wiki/hotpotqa with ${wanted} needs paragraphs, and ${file} has none: ${problem}`,
  );
}

interface Made {
  readonly pages: WikiPages;
  readonly tasks: readonly WikiTask[];
}

const lastMade = memoizeLast<Made>();

function encyclopediaOf(seed: number, ask: "questions" | "comparisons" | "claims"): Made {
  return lastMade(`${seed} ${ask}`, () => {
    if (ask === "questions") {
      const { pages, questions } = createEncyclopedia({ seed, questions: TASKS });
      return { pages: createWikiPages(pages), tasks: questions.map(taskOf) };
    }
    const { pages, tasks } = ask === "claims"
      ? createClaims({ seed, tasks: TASKS })
      : createComparisons({ seed, tasks: TASKS });
    const texts = new Map(pages.map((page) => [page.title, page]));
    return {
      pages: createWikiPages(pages),
      tasks: tasks.map(({ evidence, ...task }) => ({
        ...task,
        kind: ask === "claims" ? "claim" : "question",
        aliases: [],
        supporting: evidence.flatMap(({ title, sentences }) => {
          const page = texts.get(title);
          return page ? [{ ...page, sentences: sentences.map(String) }] : [];
        }),
      })),
    };
  });
}
