/**
 * The index of an encyclopedia: a SQLite database, in memory or in a file, with the places of each
 * page's records, the names that find a page, and the words of its title and opening sentence (FTS5
 * without contents).
 */

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { Document } from "../environment.ts";
import { UsageError, WorldError } from "../../errors.ts";
import type { Span } from "./record-file.ts";
import type { WikiPage } from "./wiki-record.ts";
import {
  aliasesOf,
  createTitleSearch,
  keyOf,
  lengthOf,
  lookupKeysOf,
  pageWordsOf,
} from "./wiki-titles.ts";

export interface WikiPages {
  readonly size: number;
  readonly identity: string;
  /**
   * The page of this title, whose spelling may differ in case, width, spaces, underscores or a
   * leading "the".
   */
  find(title: string): WikiPage | undefined;
  similar(text: string, most: number): string[];
}

export interface Place extends Omit<Span, "line"> {
  readonly file: number;
}

export type PageReader = (place: Place) => Pick<WikiPage, "text" | "sentences">;

/** Memory for what is being written, in KiB. */
const CACHE = 128 * 1024;

/**
 * Pages count from 0. A page with several records has its title with the first. `corpus.lengths`
 * and `corpus.ranks` hold 32 bits a page: its length for BM25, and its title's place in the
 * alphabet. The tokenizer `ascii` splits at blanks only, since ours leaves no other separator.
 */
const SCHEMA = `
  create table corpus (stamp text, identity text, lengths blob, ranks blob);
  create table names (key text, alias integer, page integer, primary key (key, alias)) without rowid;
  create table records (page integer, file integer, start integer, length integer, title text, primary key (page, file, start)) without rowid;
  create table words (word text primary key, pages integer) without rowid;
  create virtual table texts using fts5(title, opening, content = '', columnsize = 0, tokenize = 'ascii');
  create virtual table occurrences using fts5vocab(texts, instance);
  create virtual table vocabulary using fts5vocab(texts, row);
`;

export interface IndexWriter {
  add(page: Document & Place): void;
  end(stamp: string): void;
}

export function beginIndex(database: DatabaseSync): IndexWriter {
  database.exec(
    `pragma journal_mode = memory; pragma synchronous = off; pragma cache_size = -${CACHE}; ${SCHEMA} begin;`,
  );
  const putName = database.prepare("insert or ignore into names values (?, ?, ?)");
  const putRecord = database.prepare("insert into records values (?, ?, ?, ?, ?)");
  const putText = database.prepare("insert into texts (rowid, title, opening) values (?, ?, ?)");
  const named = database.prepare("select page from names where key = ? and alias = 0");
  const hash = createHash("sha256");
  const lengths: number[] = [];

  return {
    add({ title, text, file, start, length }): void {
      const key = keyOf(title);
      const page = lengths.length;
      hash.update(JSON.stringify([title, text]));
      if (putName.run(key, 0, page).changes === 0) {
        putRecord.run(named.get(key)?.page as number, file, start, length, null);
        return;
      }
      putRecord.run(page, file, start, length, title);
      for (const alias of aliasesOf(key)) putName.run(alias, 1, page);
      const words = pageWordsOf(title, text.trim());
      putText.run(page, words.title.join(" "), words.opening.join(" "));
      lengths.push(lengthOf(words));
    },
    end(stamp): void {
      database.exec("insert into words select term, doc from vocabulary");
      const ranks = new Uint32Array(lengths.length);
      let rank = 0;
      for (
        const { page } of database.prepare(
          "select page from records where title is not null order by title",
        ).iterate()
      ) {
        ranks[page as number] = rank++;
      }
      database.prepare("insert into corpus values (?, ?, ?, ?)").run(
        stamp,
        hash.digest("hex"),
        bytesOf(Uint32Array.from(lengths)),
        bytesOf(ranks),
      );
      database.exec("commit");
    },
  };
}

export async function writeIndex(
  path: string,
  stamp: string,
  pages: AsyncIterable<Document & Place>,
): Promise<void> {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  try {
    const index = beginIndex(database);
    for await (const page of pages) index.add(page);
    index.end(stamp);
  } finally {
    database.close();
  }
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/**
 * The pages of an index file; `undefined` if it is missing, is no index or has another stamp.
 *
 * @param pageAt reads the page's record
 * @throws {UsageError} if the index is damaged; so do `find` and `similar`.
 */
export function readIndex(path: string, stamp: string, pageAt: PageReader): WikiPages | undefined {
  const database = openIndex(path, stamp);
  if (!database) return undefined;
  const checked = <T>(read: () => T): T => unlessDamaged(path, read);
  const { size, identity, find, similar } = checked(() => indexedPages(database, pageAt));
  return {
    size,
    identity,
    find: (title) => checked(() => find(title)),
    similar: (text, most) => checked(() => similar(text, most)),
  };
}

export function indexedPages(database: DatabaseSync, pageAt: PageReader): WikiPages {
  const corpus = database.prepare("select identity, lengths, ranks from corpus").get();
  const lengths = numbersOf(corpus?.lengths);
  const named = database.prepare("select page from names where key = ? order by alias limit 1");
  const records = database.prepare(
    "select title, file, start, length from records where page = ? order by file, start",
  );
  const titled = database.prepare("select title from records where page = ? and title is not null");
  let search: ReturnType<typeof createTitleSearch> | undefined;

  return {
    size: lengths.length,
    identity: corpus?.identity as string,
    find: (title) => {
      const page = lookupKeysOf(title).map((key) => named.get(key)?.page).find((page) =>
        page !== undefined
      );
      if (page === undefined) return undefined;
      const found = records.all(page) as unknown as (Place & { readonly title: string })[];
      const pages = found.map(pageAt);
      const text = [...new Set(pages.map(({ text }) => text.trim()))].join("\n");
      const sentences = pages.find(({ sentences }) => sentences)?.sentences;
      return { title: found[0]?.title ?? "", text, ...(sentences ? { sentences } : {}) };
    },
    similar: (text, most) => {
      search ??= createTitleSearch(database, lengths, numbersOf(corpus?.ranks));
      return search(text, most).map((page) => titled.get(page)?.title as string);
    },
  };
}

/** SQLite's result codes for a file whose content is broken, and for one that is not a database. */
const DAMAGED = [11, 26];

function unlessDamaged<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    if (code !== "ERR_SQLITE_ERROR") throw error;
    const isDamaged = DAMAGED.includes(Number(errcode) & 0xff);
    const remedy = isDamaged
      ? "remove that file and start again (in a notebook, restart the kernel), so that it is written again"
      : "see to its disk, or set LABYRINTH_CACHE to a folder on another one";
    const message = `the index ${path} cannot be read: ${(error as Error).message}; ${remedy}`;
    if (isDamaged) throw new UsageError(message, { cause: error });
    throw new WorldError("disk", message, { cause: error }); // else it would be taken for an error of the store
  }
}

function openIndex(path: string, stamp: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    if (database.prepare("select stamp from corpus").get()?.stamp === stamp) return database;
  } catch {
    // the index is written again, and if the place is at fault, that says so
  }
  database?.close();
  return undefined;
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer);
}

function numbersOf(bytes: SQLOutputValue | undefined): Uint32Array {
  return new Uint32Array((bytes as Uint8Array).slice().buffer);
}
