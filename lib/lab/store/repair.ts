/** Saves what is whole of a damaged store into a new one. */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { SQLInputValue } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { isWholeArtefact } from "./artefacts.ts";
import { forgetBases, insertRow } from "./bodies.ts";
import { openStore, type Store } from "./open.ts";
import { forgetLost } from "./links.ts";
import { isWholeReply } from "./replies.ts";
import { isAsHashed, rowHash } from "./row-hash.ts";
import { SEALED_TABLES } from "./seal.ts";
import { atOneTime, bareStudies, checkEpisode, hasTable, sealsRows } from "./verify.ts";

/** What was saved and what was lost. */
export interface Repair {
  /** Path of the new store. */
  readonly store: string;
  /** Number of rows that were saved. */
  readonly saved: { readonly studies: number; readonly episodes: number; readonly replies: number; readonly artefacts: number };
  /** Of the saved episodes, those of an older version, of which nothing can be proved. */
  readonly unsealed: number;
  /** What was left behind, each in one line; the next run plays lost episodes again, from the saved replies as far as they go. */
  readonly lost: readonly string[];
}

/**
 * Copies every episode, reply and artefact that is as it was recorded into a new store. Nothing is played and the old store is left as it is. The new
 * store gets its name once it is whole; what a repair that was killed has left is made anew.
 *
 * @param path the new store, which must not exist yet
 * @throws {StoreError} `conflict` if there is a file at `path`; `disk` if it cannot be written.
 */
export function repairStore(store: Store, path: string): Repair {
  if (existsSync(path)) throw new StoreError("conflict", `cannot repair into ${path}, which exists already: name another file with --into`);
  const partial = `${path}.part`;
  const remove = (): void => ["", "-wal", "-shm", "-journal"].forEach((ending) => rmSync(partial + ending, { force: true }));
  remove();
  try {
    const repair = copyInto(partial, store);
    const file = openSync(partial, "r+");
    fsyncSync(file); // before it has its name: a power cut leaves it whole or not there
    closeSync(file);
    renameSync(partial, path);
    return { store: path, ...repair };
  } catch (error) {
    remove();
    throw error;
  }
}

function copyInto(path: string, store: Store): Omit<Repair, "store"> {
  using made = openStore(path);
  // A copy that is cut short is deleted, so that it needs no log on the disk.
  made.database.exec("pragma synchronous = off");
  return atOneTime(store, () => made.transaction(() => copy(store, made)));
}

function copy(from: Store, to: Store): Omit<Repair, "store"> {
  const lost: string[] = from.problem === undefined ? [] : [from.problem];
  const studies = new Set<string>();
  const bare = new Set(sealsRows(from) ? bareStudies(from) : []);
  for (const row of readable(from, "studies", lost)) {
    if (isAsHashed("studies", row) === false) lost.push(`the description of the study ${row["id"]}`);
    else {
      const isBare = bare.has(String(row["id"]));
      insertRow(to, "studies", isBare ? { ...row, hash: rowHash("studies", row) } : row);
      if (isBare) lost.push(`the hash of the study ${row["id"]}, whose description is kept as it was found`);
      studies.add(String(row["id"]));
    }
  }
  const artefacts = copyKeyed(from, to, { table: "artefacts", key: "hash", isWhole: isWholeArtefact }, lost);
  let [episodes, unsealed] = [0, 0];
  const seen = new Set<string>();
  for (const row of readable(from, "episodes", lost)) {
    const id = String(row["id"]);
    seen.add(id);
    const found = checkEpisode(from, id);
    const problem = found ? found.problem ?? artefactProblem(to, row) : "its row is found by no index";
    const isKnown = studies.has(String(row["study"]));
    if (problem !== undefined || !isKnown || !copyEpisode(from, to, row)) {
      lost.push(`the episode ${id} of ${row["study"]}, ${row["lane"]}, ${row["ordinal"]}: ${problem ?? "its rows cannot be copied"}`);
      continue;
    }
    episodes++;
    if (found?.state === "unsealed") unsealed++;
  }
  lost.push(...sealedEpisodes(from).filter((id) => !seen.has(id)).map((id) => `the episode ${id}: its row is gone`));
  const replies = copyKeyed(from, to, { table: "replies", key: "key", isWhole: isWholeReply }, lost);
  for (const table of ["calls", "attempts"] as const) copyLoose(from, to, table, lost);
  forgetLost(to);
  return { saved: { studies: studies.size, episodes, replies, artefacts }, unsealed, lost };
}

type Row = Record<string, SQLInputValue>;

/** What an episode loaded or saved must be there, or the next one of its lane could not be played: then it is played again, from its replies. */
function artefactProblem(to: Store, { artefact_in, artefact_out }: Row): string | undefined {
  const find = to.prepare("select 1 from main.artefacts where hash = ?");
  const gone = [artefact_in, artefact_out].find((hash) => typeof hash === "string" && !find.get(hash));
  return gone === undefined
    ? undefined
    : `the artefact ${String(gone).slice(0, 16)}, which it ${gone === artefact_out ? "saved" : "loaded"}, is lost`;
}

/** Copies an episode with its rows and seal, or nothing of it. */
function copyEpisode(from: Store, to: Store, episode: Row): boolean {
  const id = String(episode["id"]);
  to.database.exec("savepoint episode");
  try {
    insertRow(to, "episodes", episode);
    for (const table of [...Object.keys(SEALED_TABLES), "seals"].filter((table) => hasTable(from, table))) {
      for (const row of from.prepare(`select * from main.${table} where episode = ?`).all(id)) insertRow(to, table, row);
    }
    to.database.exec("release episode");
    return true;
  } catch {
    to.database.exec("rollback to episode; release episode");
    forgetBases(to);
    return false;
  }
}

/** Copies calls and attempts outside of episodes, as from a notebook. */
function copyLoose(from: Store, to: Store, table: "calls" | "attempts", lost: string[]): void {
  if (!hasTable(from, table)) return; // of a version before
  try {
    const rows = from.prepare(`select * from main.${table} where episode is null`).all();
    for (const row of rows) {
      if (isAsHashed(table, row) !== false) insertRow(to, table, row);
      else lost.push(`the row ${row["id"]} of ${table}, which is not as it was recorded`);
    }
  } catch {
    lost.push(`${table}: a page of the file cannot be read`);
  }
}

/** Yields the rows of a small table one by one by their row ids, so that one that cannot be read costs no other. */
function* readable(store: Store, table: string, lost: string[]): Generator<Row> {
  const next = store.prepare(`select rowid as place, * from main.${table} where rowid > ? order by rowid limit 1`);
  for (let last = 0, errors = 0; errors < MOST_ERRORS;) {
    try {
      const row = next.get(last);
      if (!row) return;
      const { place, ...columns } = row;
      last = Number(place);
      yield columns;
    } catch (error) {
      last++; // the row after it may lie on another page
      if (errors++ === 0) lost.push(`rows of ${table}: ${(error as Error).message.split(":")[0]}`);
    }
  }
}

/** Row ids that are tried on a page that cannot be read. */
const MOST_ERRORS = 1000;

function sealedEpisodes(store: Store): string[] {
  try {
    return sealsRows(store) ? store.prepare("select episode from main.seals").all().map(({ episode }) => String(episode)) : [];
  } catch {
    return [];
  }
}

/** Copies the whole rows of a table whose keys are hashes, by ranges of keys: a page that cannot be read costs its own range. */
function copyKeyed(
  from: Store,
  to: Store,
  { table, key, isWhole }: { readonly table: string; readonly key: string; readonly isWhole: (row: never) => boolean },
  lost: string[],
): number {
  const range = from.prepare(`select * from main.${table} where ${key} >= ? and ${key} < ? order by ${key}`);
  let [saved, broken, unread] = [0, 0, 0];
  for (let prefix = 0; prefix < RANGES; prefix++) {
    const bound = (at: number): string => at === 0 ? "" : at === RANGES ? "\u{10FFFF}" : at.toString(16).padStart(3, "0");
    try {
      for (const row of range.iterate(bound(prefix), bound(prefix + 1))) {
        if (isWhole(row as never)) {
          insertRow(to, table, row);
          saved++;
        } else broken++;
      }
    } catch {
      unread++;
    }
  }
  if (broken > 0) lost.push(`${broken} ${table}, which are not as they were recorded`);
  if (unread > 0) lost.push(`${table} on pages that cannot be read: a part of ${unread} of ${RANGES} ranges`);
  return saved;
}

/** Ranges of keys, by their first three hex digits; the outer ones hold damaged keys, too. */
const RANGES = 4096;
