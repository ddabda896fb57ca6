/**
 * Pages that memory cannot hold: a SQLite file says where each stands, by which names it is found and which words tell of it. Names, words and
 * ranking are those of pages in memory, so that a world is the same over either.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { Document } from "../environment.ts";
import { UsageError } from "../../errors.ts";
import { aliasesOf, documentOf, identityOf, keyOf, meantBy, type WikiPages } from "./wiki-pages.ts";
import { createTitleSearch, type Postings, type TitleSearch, weightsOf, type WordsOfPages } from "./wiki-titles.ts";

/** Where the record of a page stands. */
export interface Place {
  /** Number of the file, in the order of reading. */
  readonly file: number;
  /** Its first byte in the file. */
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

/** A page of an index is written in parts of so many, so that writing takes the same memory however many there are. */
const PART = 2 ** 16;
/** What a word can weigh on a page at most: with the page's place in its part it is one number of 32 bits. */
const HEAVIEST = 2 ** 16 - 1;
/** Memory for what is being written, in KiB. */
const CACHE = 128 * 1024;

/** Pages count from 0. `titles` are the pages by alphabet: the place of each. A title stands with the first record of its page. */
const SCHEMA = `
  create table corpus (stamp text, identity text, lengths blob, titles blob);
  create table names (key text primary key, page integer) without rowid;
  create table aliases (key text primary key, page integer) without rowid;
  create table records (page integer, file integer, start integer, length integer, title text, primary key (page, file, start)) without rowid;
  create table parts (part integer primary key);
  create table postings (part integer, word text, pages blob, primary key (part, word)) without rowid;
`;

/** Writes the index of pages in their order to a new file; one that is there is replaced. Errors of SQLite and of the pages come as they are. */
export async function writeIndex(path: string, stamp: string, pages: AsyncIterable<Document & Place>): Promise<void> {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  try {
    database.exec(`pragma journal_mode = memory; pragma synchronous = off; pragma cache_size = -${CACHE}; ${SCHEMA} begin;`);
    await fill(database, stamp, pages);
    database.exec("commit");
  } finally {
    database.close();
  }
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

async function fill(database: DatabaseSync, stamp: string, pages: AsyncIterable<Document & Place>): Promise<void> {
  const putName = database.prepare("insert or ignore into names values (?, ?)");
  const putAlias = database.prepare("insert or ignore into aliases values (?, ?)");
  const putRecord = database.prepare("insert into records values (?, ?, ?, ?, ?)");
  const putPart = database.prepare("insert into parts values (?)");
  const putPostings = database.prepare("insert into postings values (?, ?, ?)");
  const named = database.prepare("select page from names where key = ?");
  const hash = createHash("sha256");
  const lengths: number[] = [];
  let words = new Map<string, number[]>();

  function endPart(): void {
    if (words.size === 0) return;
    const part = Math.ceil(lengths.length / PART) - 1;
    putPart.run(part);
    for (const word of [...words.keys()].sort()) putPostings.run(part, word, bytesOf(words.get(word) ?? []));
    words = new Map();
  }

  for await (const { title, text, file, start, length } of pages) {
    const key = keyOf(title);
    const page = lengths.length;
    hash.update(identityOf({ title, text }));
    if (putName.run(key, page).changes === 0) {
      putRecord.run(named.get(key)?.page as number, file, start, length, null);
      continue;
    }
    putRecord.run(page, file, start, length, title);
    for (const alias of aliasesOf(key)) putAlias.run(alias, page);
    let total = 0;
    for (const [word, weight] of weightsOf(title, text.trim())) {
      words.getOrInsertComputed(word, () => []).push((page % PART) * 2 ** 16 + Math.min(weight, HEAVIEST));
      total += weight;
    }
    if (lengths.push(total) % PART === 0) endPart();
  }
  endPart();
  const titles = new Uint32Array(lengths.length);
  let place = 0;
  for (const { page } of database.prepare("select page from records where title is not null order by title").iterate()) {
    titles[page as number] = place++;
  }
  database.prepare("insert into corpus values (?, ?, ?, ?)").run(stamp, hash.digest("hex"), bytesOf(lengths), bytesOf(titles));
}

/**
 * The pages of an index; `undefined` where the file is missing, is no index or has another stamp. Of pages that the alphabet must part, letters
 * count by their code points.
 *
 * @param textOf reads the text of a page where it stands
 * @throws {UsageError} if the index is damaged; so do `find` and `similar`.
 */
export function readIndex(path: string, stamp: string, textOf: (place: Place) => string): WikiPages | undefined {
  const database = openIndex(path, stamp);
  if (!database) return undefined;
  const { size, identity } = unlessDamaged(
    path,
    () => database.prepare("select length(lengths) / 4 as size, identity from corpus").get(),
  ) as { size: number; identity: string };
  const named = database.prepare("select page from names where key = ?");
  const aliased = database.prepare("select page from aliases where key = ?");
  const records = database.prepare("select title, file, start, length from records where page = ? order by file, start");
  const pageOf = (row: Record<string, SQLOutputValue> | undefined): number | undefined => row?.page as number | undefined;
  let search: TitleSearch | undefined;

  return {
    size,
    identity,
    find: (title) =>
      unlessDamaged(path, () => {
        const page = meantBy(title, (key) => pageOf(named.get(key)), (key) => pageOf(aliased.get(key)));
        if (page === undefined) return undefined;
        const found = records.all(page) as unknown as (Place & { readonly title: string })[];
        return documentOf(found[0]?.title ?? "", found.map((place) => textOf(place).trim()));
      }),
    similar: (text, most) =>
      unlessDamaged(path, () => {
        search ??= createTitleSearch(wordsOnDisk(database));
        return search(text, most);
      }),
  };
}

/** SQLite's result codes for a file whose content is broken, and for one that is no database. */
const DAMAGED = [11, 26];

/** What is read of an index. @throws {UsageError} with the remedy, where it is damaged. */
function unlessDamaged<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!DAMAGED.includes(Number((error as { errcode?: unknown }).errcode) & 0xff)) throw error;
    const remedy = "remove that file and begin anew (in a notebook, restart the kernel), so that it is written again";
    throw new UsageError(`the index ${path} cannot be read: ${(error as Error).message}; ${remedy}`, { cause: error });
  }
}

function openIndex(path: string, stamp: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    if (database.prepare("select stamp from corpus").get()?.stamp === stamp) return database;
  } catch {
    // it is written anew, and what is wrong with the place is said then
  }
  database?.close();
  return undefined;
}

function wordsOnDisk(database: DatabaseSync): WordsOfPages {
  const row = database.prepare("select lengths, titles from corpus").get();
  const [lengths, titles] = [numbersOf(row?.lengths), numbersOf(row?.titles)];
  const sizes = database.prepare(
    "select sum(length(pages)) / 4 as size from parts cross join postings on postings.part = parts.part and word = ?",
  );
  const parts = database.prepare("select part, pages from parts cross join postings using (part) where word = ? order by part");
  const title = database.prepare("select title from records where page = ? and title is not null");

  function postings(word: string): Postings | undefined {
    const size = sizes.get(word)?.size as number | null;
    if (size === null) return undefined;
    return {
      size,
      each: (visit) => {
        for (const row of parts.iterate(word)) {
          const first = row.part as number * PART;
          for (const packed of numbersOf(row.pages)) visit(first + (packed >>> 16), packed & HEAVIEST);
        }
      },
    };
  }

  return {
    lengths,
    postings,
    title: (page) => title.get(page)?.title as string,
    precedes: (page, other) => (titles[page] as number) < (titles[other] as number),
  };
}

function bytesOf(numbers: ArrayLike<number>): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

function numbersOf(bytes: SQLOutputValue | undefined): Uint32Array {
  return new Uint32Array((bytes as Uint8Array).slice().buffer);
}
