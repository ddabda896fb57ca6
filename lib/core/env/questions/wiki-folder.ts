/**
 * A corpus that is a folder of JSON Lines files of any size, as FEVER's authors publish Wikipedia.
 * It is indexed once in a file of the lab; the texts stay where they are.
 */

import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { UsageError, WorldError } from "../../errors.ts";
import { checkoutRoot, env } from "../../platform.ts";
import { hasLocks } from "../../sqlite-locks.ts";
import { sha256 } from "../../text/canonical.ts";
import type { Document } from "../environment.ts";
import type { Opening } from "./local-world.ts";
import { changed, readSpan, stampOf, streamRecords } from "./record-file.ts";
import {
  type PageReader,
  type Place,
  readIndex,
  type WikiPages,
  writeIndex,
} from "./wiki-index.ts";
import { pageOf } from "./wiki-record.ts";

const RULES = "3";

export interface WikiFolder {
  readonly path: string;
  readonly files: readonly string[];
  readonly stamps: readonly string[];
}

/**
 * Reads the state of a folder.
 *
 * @throws {UsageError} if it cannot be read, holds no `.jsonl` file, or holds anything else, so
 *   that no packed file is skipped in silence.
 */
export function lookAtFolder(path: string): WikiFolder {
  try {
    const names = readdirSync(path).filter((name) => !name.startsWith(".")).sort();
    const foreign = names.find((name) =>
      !name.endsWith(".jsonl") || !statSync(join(path, name)).isFile()
    );
    if (foreign !== undefined) {
      throw new UsageError(
        `${
          join(path, foreign)
        } is not a JSON Lines file (.jsonl), and a corpus has no others: unpack or remove it`,
      );
    }
    if (names.length === 0) {
      throw new UsageError(
        `the folder ${path} holds no JSON Lines file (.jsonl): put the files of the corpus there`,
      );
    }
    const files = names.map((name) => join(path, name));
    return { path, files, stamps: files.map((file) => stampOf(statSync(file))) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read the folder ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * The pages of a folder, from its index. A missing or outdated index is written first, which takes
 * minutes for millions of pages, less than 1 GB of memory and a quarter of the files' size on disk.
 * Another process waits for it; a killed one leaves a partial file, which the next removes.
 * @throws {UsageError} for a record that is not a page (with file and line) or a damaged index;
 * {@linkcode WorldError} `disk` if the index cannot be written; the signal's reason if it fires
 * while writing.
 */
export async function openWikiFolder(
  folder: WikiFolder,
  { signal, onDelay }: Opening = {},
): Promise<WikiPages> {
  const { path, files, stamps } = folder;
  const cache = join(resolve(env("LABYRINTH_CACHE") ?? join(checkoutRoot(), ".lab")), "wiki");
  const index = join(cache, `${basename(path)}-${sha256(resolve(path)).slice(0, 12)}.sqlite`);
  const stamp = JSON.stringify([RULES, files.map((file, at) => [basename(file), stamps[at]])]);
  const pageAt: PageReader = ({ file, ...span }) => {
    const path = files[file] as string;
    return pageOf(JSON.parse(readSpan(path, span, stamps[file] as string)), path) ?? { text: "" };
  };
  const read = (): WikiPages | undefined => readIndex(index, stamp, pageAt);
  const known = read();
  if (known) return known;
  onDelay?.(
    `the pages of ${path} are indexed in ${cache}, once: this takes minutes where they are gigabytes`,
  );
  try {
    mkdirSync(cache, { recursive: true });
    return await alone(index, signal, async () => {
      const made = read(); // by another process, in the meantime
      if (made) return made;
      const part = `${index}.part`;
      try {
        await writeIndex(part, stamp, pagesOf(folder, signal));
        const now = lookAtFolder(path);
        if (now.files.some((file, at) => file !== files[at] || now.stamps[at] !== stamps[at])) {
          throw changed(path);
        }
        renameSync(part, index);
      } finally {
        rmSync(part, { force: true });
      }
      const pages = read();
      if (!pages) throw new Error("the index cannot be read again");
      return pages;
    });
  } catch (error) {
    if (error instanceof UsageError || signal?.aborted) throw error;
    const problem = hasLocks(index)
      ? `${
        (error as Error).message
      }; free some space there and for temporary files, or set LABYRINTH_CACHE to a folder that can be written`
      : "files cannot be locked there, as on a network drive; set LABYRINTH_CACHE to a folder on a disk of this machine";
    throw new WorldError("disk", `cannot write the index of ${path} to ${cache}: ${problem}`, {
      cause: error,
    });
  }
}

const PATIENCE = 200;

/**
 * Runs `work` while no other process does. The lock is an open transaction on an empty database,
 * which ends with its process.
 */
async function alone<T>(
  index: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new DatabaseSync(`${index}.lock`);
  try {
    for (let held = false; !held;) {
      try {
        lock.exec("begin exclusive");
        held = true;
      } catch (error) {
        if (!/locked/.test((error as Error).message) || !hasLocks(index)) throw error;
        await setTimeout(PATIENCE);
        signal?.throwIfAborted();
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}

async function* pagesOf(
  { path: folder, files }: WikiFolder,
  signal: AbortSignal | undefined,
): AsyncGenerator<Document & Place> {
  let some = false;
  for (const [file, path] of files.entries()) {
    for await (const { value, where, start, length } of streamRecords(path)) {
      signal?.throwIfAborted();
      const page = pageOf(value, where);
      if (page) yield { ...page, file, start, length };
      some ||= page !== undefined;
    }
  }
  if (!some) {
    throw new UsageError(
      `the folder ${folder} has no page: put the published files of the corpus there`,
    );
  }
}
