/**
 * The pages that the wiki worlds search: a user's corpus (a file in memory, or a folder indexed on
 * disk), or the paragraphs of a question set.
 */

import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { UsageError } from "../../errors.ts";
import type { Document } from "../environment.ts";
import { type OfficialFile, officialPath, requireFile } from "./data-folder.ts";
import type { Opening } from "./local-world.ts";
import { memoizeLast } from "../../text/memoize.ts";
import type { QuestionSet } from "./question.ts";
import { openRecordFile } from "./record-file.ts";
import { lookAtFolder, openWikiFolder } from "./wiki-folder.ts";
import type { WikiPages } from "./wiki-index.ts";
import { createWikiPages } from "./wiki-pages.ts";
import { pageOf, type WikiPage } from "./wiki-record.ts";

const lastCorpus = memoizeLast<Promise<WikiPages>>();
const lastSet = memoizeLast<Promise<WikiPages>>();

export const FEVER_PAGES = "wiki-pages";

export function corpusAtHand(first: string, other: string): string {
  return existsSync(officialPath(corpusOf(first))) ? first : other;
}

/**
 * The pages of a corpus.
 * @throws {UsageError} if it is missing, a file is too large for the memory, or a record is not a
 *   page.
 */
export function pagesOfCorpus(name: string, opening: Opening): Promise<WikiPages> {
  const path = requireFile(corpusOf(name));
  if (statSync(path).isDirectory()) {
    const folder = lookAtFolder(path);
    return lastCorpus(JSON.stringify(folder), () => openWikiFolder(folder, opening));
  }
  if (!/\.jsonl?$/.test(name)) {
    throw new UsageError(
      `${path} is neither a folder nor a .json or .jsonl file: unpack it if it is packed`,
    );
  }
  return lastCorpus(path, async () => {
    checkRoom(path, 0, TO_FOLDER); // before gigabytes are scanned for their records
    const records = await openRecordFile(path);
    checkRoom(path, records.size, TO_FOLDER);
    const documents: WikiPage[] = [];
    for (let at = 0; at < records.size; at++) {
      opening.signal?.throwIfAborted();
      const { value, where } = await records.read(at);
      const page = pageOf(value, where);
      if (page) documents.push(page);
    }
    return createWikiPages(documents);
  });
}

function corpusOf(file: string): OfficialFile {
  return {
    folder: "wiki",
    file,
    publisher: file === FEVER_PAGES ? "FEVER's authors (fever.ai)" : "whoever publishes the corpus",
  };
}

/**
 * The paragraphs of all questions as pages, each once.
 * @throws {UsageError} if memory cannot hold them.
 */
export function pagesOfSet(path: string, set: QuestionSet): Promise<WikiPages> {
  return lastSet(path, async () => {
    const documents: Document[] = [];
    const known = new Set<string>();
    for (let at = 0, size = await set.size(); at < size; at++) {
      for (const { title, text } of (await set.at(at)).paragraphs) {
        const digest = createHash("sha256").update(`${title}\n${text}`).digest("base64");
        if (known.has(digest)) continue;
        known.add(digest);
        documents.push({ title, text });
      }
      checkSet(path, documents.length);
    }
    return createWikiPages(documents);
  });
}

/** Bytes of memory that a page takes besides its text, for its titles and words. */
const PAGE_BYTES = 2000;
const SHARE = 0.8;

const TO_FOLDER =
  "put them into a folder of JSON Lines files, which is indexed on disk, keep the pages that the tasks need";

/**
 * Checks that memory can hold a question set of this many pages.
 * @throws {UsageError} if it cannot.
 */
export function checkSet(path: string, pages = 0): void {
  checkRoom(path, pages, "name a folder of JSON Lines files as corpus, which is indexed on disk");
}

/**
 * Checks that memory can hold the pages of a file, since running out of it would end the process.
 * @throws {UsageError} if it cannot.
 */
function checkRoom(path: string, pages: number, remedy: string): void {
  const { size } = statSync(path);
  const wanted = 2 * size + PAGE_BYTES * pages; // one letter that is not Latin doubles its whole text
  const room = SHARE * getHeapStatistics().heap_size_limit;
  if (wanted <= room) return;
  const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
  throw new UsageError(
    `${path} is too large: its pages are held in memory, where they may take ${
      megabytes(wanted)
    } MB, and there are ${megabytes(room)}; ` +
      `${remedy}, or set DENO_V8_FLAGS=--max-old-space-size=${megabytes(wanted / SHARE)}`,
  );
}
