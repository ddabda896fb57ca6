/**
 * The worlds in which questions and claims are worked on by searching an encyclopedia: our own, or official sets over their own paragraphs or
 * over a corpus of the user's.
 *
 * @module
 */

import { statSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { hotpotScore, musiqueScore } from "../../text/qa-scores.ts";
import type { Document } from "../environment.ts";
import { missingFile, officialPath, requireFile } from "./data-folder.ts";
import { createClaims, createComparisons } from "./encyclopedia-tasks.ts";
import { createEncyclopedia } from "./encyclopedia.ts";
import { fever, FEVER_FILE } from "./fever.ts";
import { hotpotqa, HOTPOTQA_FILE, HOTPOTQA_SIMPLIFIED_FILE, hotpotqaSimplified } from "./hotpotqa.ts";
import { checkedAt, type LocalWorld, localWorld } from "./local-world.ts";
import { musique, MUSIQUE_FILE } from "./musique.ts";
import type { Question, QuestionSet } from "./question.ts";
import { openRecordFile } from "./record-file.ts";
import { createWikiPages, type WikiPages } from "./wiki-pages.ts";
import { openWiki, type WikiTask, type WikiWorldOptions } from "./wiki.ts";

const shown = {
  documents: z.enum(["none", "supporting"]).default("none")
    .describe("paragraphs shown with the task: none, or those that are needed (chain of thought)"),
};
const index = z.int().min(0).max(999_999).describe("place in the order of the file, from 0");
const corpus = z.string().regex(/^[\w.-]+\.jsonl?$/).describe("a file of {title, text} in the data folder's wiki/");

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
    open: async (params) => {
      const set = params.corpus === undefined || params.documents === "supporting" ? hotpotqa : withoutParagraphs();
      return await official("wiki/hotpotqa", params, { set, file: HOTPOTQA_FILE, kind: "question" });
    },
  }),
  "wiki/musique": localWorld("wiki/musique", {
    doc: "MuSiQue, answerable development set, to be answered by searching the paragraphs of all its questions, or a corpus",
    schema: z.strictObject({ index, corpus: corpus.optional(), ...shown }),
    files: [MUSIQUE_FILE],
    open: (params) => official("wiki/musique", params, { set: musique, file: MUSIQUE_FILE, kind: "question" }),
  }),
  "wiki/fever": localWorld("wiki/fever", {
    doc: "FEVER, the paper's development set, to be judged by searching a corpus; accuracy of the label",
    schema: z.strictObject({ index, corpus, ...shown }),
    files: [FEVER_FILE],
    open: (params) => official("wiki/fever", params, { set: fever, file: FEVER_FILE, kind: "claim" }),
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
): ReturnType<LocalWorld["open"]> {
  const question = await checkedAt(id, set, params.index);
  const pages = params.corpus === undefined ? await pagesOfSet(officialPath(file), set) : await pagesOfCorpus(params.corpus);
  return openWiki(taskOf(question, kind), { ...settings(id, params), pages });
}

function taskOf({ id, question, answer, aliases, paragraphs }: Question, kind: WikiTask["kind"]): WikiTask {
  const supporting = paragraphs.filter(({ supporting }) => supporting).map(({ title, text }) => ({ title, text }));
  return { id, kind, text: question, answer, aliases, supporting };
}

/** The questions of HotpotQA, from whichever file the user has. */
function withoutParagraphs(): QuestionSet {
  return missingFile(HOTPOTQA_FILE) === undefined || missingFile(HOTPOTQA_SIMPLIFIED_FILE) !== undefined ? hotpotqa : hotpotqaSimplified;
}

/** The one made last of each is kept: a study asks many tasks of it. */
const latest = new Map<string, { readonly key: string; readonly made: unknown }>();

function kept<T>(kind: string, key: string, make: () => T): T {
  const known = latest.get(kind);
  if (known?.key === key) return known.made as T;
  const made = make();
  latest.set(kind, { key, made });
  // what could not be read may be mended by the next time
  if (made instanceof Promise) made.catch(() => latest.get(kind)?.made === made && latest.delete(kind));
  return made;
}

/** The pages of all questions together, each title once. */
function pagesOfSet(path: string, set: QuestionSet): Promise<WikiPages> {
  return kept("set", path, async () => {
    const documents: Document[] = [];
    const known = new Set<string>();
    for (let at = 0, size = await set.size(); at < size; at++) {
      for (const { title, text } of (await set.at(at)).paragraphs) {
        if (known.has(`${title}\n${text}`)) continue;
        known.add(`${title}\n${text}`);
        documents.push({ title, text });
      }
    }
    return createWikiPages(documents);
  });
}

const pageSchema = z.looseObject({ title: z.string().min(1), text: z.string() });

/** The pages of a corpus file, read one at a time. @throws {UsageError} if it is missing or too large for the memory, or a record is no page. */
function pagesOfCorpus(file: string): Promise<WikiPages> {
  const path = requireFile({ folder: "wiki", file, publisher: "whoever publishes the corpus" });
  return kept("corpus", path, async () => {
    checkRoom(path, 0); // before gigabytes are scanned for their records
    const records = await openRecordFile(path);
    checkRoom(path, records.size);
    const documents: Document[] = [];
    for (let at = 0; at < records.size; at++) {
      const { value, where } = await records.read(at);
      const parsed = pageSchema.safeParse(value);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new UsageError(`${where}: ${issue?.path.join(".") || "the record"}: ${issue?.message}; a page is {"title": …, "text": …}`);
      }
      documents.push({ title: parsed.data.title, text: parsed.data.text });
    }
    return createWikiPages(documents);
  });
}

/** Bytes of memory that a page takes beside its text: titles, and the words by which it is found. */
const PAGE_BYTES = 2000;
/** Share of the heap that pages may take. */
const SHARE = 0.8;

/** Pages are held in memory, with which the whole program would end. @throws {UsageError} where they would take more than there is. */
function checkRoom(path: string, pages: number): void {
  const { size } = statSync(path);
  const wanted = 2 * size + PAGE_BYTES * pages; // one letter that is not Latin doubles its whole text
  const room = SHARE * getHeapStatistics().heap_size_limit;
  if (wanted <= room) return;
  const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
  throw new UsageError(
    `${path} is too large: its pages are held in memory, where they may take ${megabytes(wanted)} MB, and there are ${megabytes(room)}; ` +
      `keep the pages that the tasks need, or set DENO_V8_FLAGS=--max-old-space-size=${megabytes(wanted / SHARE)}`,
  );
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
