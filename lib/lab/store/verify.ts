/** Holds the record against its hashes and seals. */

import type { SQLOutputValue, StatementSync } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { isWholeArtefact } from "./artefacts.ts";
import { asStoreError, REMEDY } from "./errors.ts";
import { openStore, SCHEMA_VERSION, type Store } from "./open.ts";
import { linkProblems } from "./links.ts";
import { isWholeReply } from "./replies.ts";
import { isAsHashed, isHash, rowHasher } from "./row-hash.ts";
import { closingOf, SEALED_TABLES, type SealedTable } from "./seal.ts";

/**
 * `whole`: as it was sealed when it ended; `unsealed`: ended in a store that did not seal yet, so that nothing can be said; `open`: not ended;
 * `broken`: not as it was recorded.
 */
export type EpisodeState = "whole" | "unsealed" | "open" | "broken";

/** An episode held against its seal. */
export interface CheckedEpisode {
  /** Id of the episode. */
  readonly episode: string;
  /** Id of its study. */
  readonly study: string;
  /** Id of its lane. */
  readonly lane: string;
  /** Index in its lane, from 0. */
  readonly ordinal: number;
  /** Whether its record is as it was written. */
  readonly state: EpisodeState;
  /** What is wrong with a broken one and where, in one line: `turns 0.12 is not as it was recorded`. */
  readonly problem?: string;
  /** SHA-256 over what was played: the result and the hashes of its steps. */
  readonly trace: string;
}

/** A store held against its hashes and seals. */
export interface Verification {
  /** Path of the store. */
  readonly store: string;
  /** What is wrong with the file itself or with rows that belong to no episode: one line each. */
  readonly problems: readonly string[];
  /** Every episode, by study, lane and ordinal. */
  readonly episodes: readonly CheckedEpisode[];
  /** Number of recorded replies by their state. */
  readonly replies: { readonly whole: number; readonly broken: number };
  /** Number of artefacts and pictures by their state. */
  readonly artefacts: { readonly whole: number; readonly broken: number };
}

/**
 * Verifies a whole store: its file, every episode, reply and artefact.
 *
 * @example
 * ```ts
 * import { endEpisode, openStore, putEpisode, putStudy, verifyStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 1, steps: 12 }] }, 0);
 * assert.equal(verifyStore(store).episodes[0]?.state, "whole");
 * store.database.exec("update episodes set score = 2");
 * assert.equal(verifyStore(store).episodes[0]?.state, "broken");
 * ```
 */
export function verifyStore(store: Store): Verification {
  const problems = structureProblems(store);
  return atOneTime(store, () => ({
    store: store.path,
    problems: [...problems, ...registryProblems(store), ...linkProblems(store)],
    episodes: listIds(store, problems).flatMap((id) => checkEpisode(store, id) ?? []).sort(byPlace),
    replies: countWhole(store, "replies", isWholeReply, problems),
    artefacts: countWhole(store, "artefacts", isWholeArtefact, problems),
  }));
}

function byPlace(a: CheckedEpisode, b: CheckedEpisode): number {
  const [x, y] = [a, b].map(({ study, lane }) => `${study}\0${lane}`) as [string, string];
  return x < y ? -1 : x > y ? 1 : a.ordinal - b.ordinal;
}

function listIds(store: Store, problems: string[]): string[] {
  try {
    return store.prepare("select id from main.episodes not indexed").all().map(({ id }) => String(id));
  } catch (error) {
    problems.push(lineOf(error));
    return [];
  }
}

function countWhole(
  store: Store,
  table: "replies" | "artefacts",
  isWhole: (row: Record<string, SQLOutputValue>) => boolean,
  problems: string[],
): { whole: number; broken: number } {
  const count = { whole: 0, broken: 0 };
  try {
    for (const row of store.prepare(`select * from main.${table}`).iterate()) count[isWhole(row) ? "whole" : "broken"]++;
  } catch (error) {
    problems.push(lineOf(error));
  }
  return count;
}

/** What is wrong with the database file as SQLite finds it, and with its schema; nothing for a store in memory. */
export function structureProblems(store: Store): string[] {
  if (store.path === ":memory:") return [];
  const told = store.problem === undefined ? [] : [store.problem];
  const checks = ["quick_check", "integrity_check(studies)", "integrity_check(episodes)", "integrity_check(calls)"];
  try {
    const found = checks.flatMap((check) => store.prepare(`pragma main.${check}`).all().map((row) => String(Object.values(row)[0])));
    const lines = found.filter((line) => line !== "ok").map((line) => line.replaceAll(/\s+/g, " "));
    return [...new Set([...told, ...lines, ...schemaProblems(store)])];
  } catch (error) {
    return [...told, lineOf(error)];
  }
}

function schemaProblems(store: Store): string[] {
  // One on read-only media may be of a version before.
  if (store.prepare("pragma main.user_version").get()?.["user_version"] !== SCHEMA_VERSION) return [];
  using fresh = openStore(":memory:");
  const made = (of: Store): Set<string> =>
    new Set(of.prepare("select name, sql from main.sqlite_schema").all().map((row) => JSON.stringify(row)));
  const [found, wanted] = [made(store), made(fresh)];
  const isOther = [...wanted].some((line) => !found.has(line));
  return isOther ? ["the schema is not the one that Labyrinth makes"] : [];
}

/** Whether the store is of a version that hashes rows; one on read-only media may be older, because it cannot be migrated. */
export function sealsRows(store: Store): boolean {
  return hasTable(store, "seals");
}

/** Whether the store has a table; one of a version before, on read-only media, may lack it. */
export function hasTable(store: Store, table: string): boolean {
  return store.prepare("select 1 from pragma_table_info(?, 'main')").get(table) !== undefined;
}

/** What is wrong with studies, episodes and seals as rows: each must have its hash, and each seal its episode. */
export function registryProblems(store: Store): string[] {
  if (!sealsRows(store)) return [];
  try {
    const keys = { studies: "id", episodes: "id", seals: "episode" };
    const rows = Object.entries(keys).flatMap(([table, key]) =>
      store.prepare(`select * from main.${table}`).all().flatMap((row) =>
        isAsHashed(table, row) === false ? [`the row ${row[key]} of ${table} is not as it was recorded`] : []
      )
    );
    const lost = store.prepare("select episode from main.seals where episode not in (select id from main.episodes not indexed)").all();
    const orphaned = store.prepare("select distinct study from main.episodes not indexed where study not in (select id from main.studies)")
      .all();
    return [
      ...rows,
      ...bareStudies(store).map((id) => `the row ${id} of studies has lost its hash`),
      ...lost.map(({ episode }) => `the episode ${episode}, which is sealed, is lost`),
      ...orphaned.map(({ study }) => `the study ${study}, which has episodes, is lost`),
    ];
  } catch (error) {
    return [lineOf(error)];
  }
}

/** Studies without a hash whose episodes have one: only what an older version recorded has none. */
export function bareStudies(store: Store): string[] {
  const hashed = "select study from main.episodes not indexed where hash is not null";
  return store.prepare(`select id from main.studies where hash is null and id in (${hashed})`).all().map(({ id }) => String(id));
}

/** Holds an episode against its seal; `undefined` if the store does not hold it. */
export function checkEpisode(store: Store, id: string): CheckedEpisode | undefined {
  const row = store.prepare("select * from main.episodes where id = ?").get(id);
  if (!row) return undefined;
  const { study, lane, ordinal, status } = row;
  const place = { episode: id, study: String(study), lane: String(lane), ordinal: Number(ordinal) };
  try {
    const { closing, problems } = readRows(store, row);
    const seal = sealsRows(store) ? store.prepare("select * from main.seals where episode = ?").get(id) : undefined;
    const isOver = status === "completed" || status === "failed" || status === "parked";
    const isHashed = row["hash"] instanceof Uint8Array;
    if (seal) problems.push(...sealProblems(seal, closing));
    else if (isOver && isHashed) problems.push("its seal is missing");
    const [problem] = problems;
    const state = problem !== undefined ? "broken" : seal ? "whole" : isOver ? "unsealed" : "open";
    return { ...place, state, problem, trace: closing.trace };
  } catch (error) {
    return { ...place, state: "broken", problem: lineOf(error), trace: "" };
  }
}

/** What is not as it was recorded in an episode, in one line with the remedy; `undefined` where nothing is. */
export function problemOf(store: Store, id: string): string | undefined {
  const { episode, problem } = atOneTime(store, () => checkEpisode(store, id)) ?? {};
  return problem && `the episode ${episode} is not as it was recorded (${problem}): ./lab repair saves the whole ones`;
}

function readRows(store: Store, episode: Record<string, SQLOutputValue>): { closing: ReturnType<typeof closingOf>; problems: string[] } {
  const problems: string[] = [];
  if (isAsHashed("episodes", episode) === false) problems.push("its row of episodes is not as it was recorded");
  const hashes = Object.fromEntries(
    readersOf(store).map(({ table, keys, statement, hashAt, hashOf }) => [
      table,
      (statement?.all(episode["id"] as string) ?? []).map((row) => {
        const [stored, hash] = [row[hashAt], hashOf(row)];
        if (stored instanceof Uint8Array && !isHash(stored, hash)) {
          problems.push(`${table} ${keys.map((key) => row[key]).join(".")} is not as it was recorded`);
        }
        return hash;
      }),
    ]),
  ) as Record<SealedTable, Uint8Array[]>;
  return { closing: closingOf(episode, hashes), problems };
}

/** How the rows of an episode in a table are read, in the order that the seal has them in. */
interface RowReader {
  readonly table: string;
  /** `undefined` where there is no such table: in a store of a version before, on read-only media. */
  readonly statement: { all(episode: string): SQLOutputValue[][] } | undefined;
  /** Where a row has its hash. */
  readonly hashAt: number;
  /** Where it has what it is ordered by. */
  readonly keys: readonly number[];
  readonly hashOf: ReturnType<typeof rowHasher>;
}

const readers = new WeakMap<Store, RowReader[]>();

/** The readers of a store, which are made once: preparing them for each episode takes a sixth of the time of a check. */
function readersOf(store: Store): RowReader[] {
  return readers.getOrInsertComputed(store, () =>
    Object.entries(SEALED_TABLES).map(([table, order]) => {
      const sql = `select * from main.${table} where episode = ? order by ${order}`;
      const statement = hasTable(store, table) ? store.database.prepare(sql) as StatementOfArrays : undefined;
      statement?.setReturnArrays(true); // in half the time of objects
      const names = statement?.columns().map(({ name }) => name) ?? [];
      const keys = order.split(", ").map((key) => names.indexOf(key));
      return {
        table,
        statement: statement as RowReader["statement"],
        hashAt: names.indexOf("hash"),
        keys,
        hashOf: rowHasher(table, names),
      };
    }));
}

/** A statement with a method of Node's that the types do not know yet. */
type StatementOfArrays = StatementSync & { setReturnArrays(enabled: boolean): void };

function sealProblems(seal: Record<string, SQLOutputValue>, closing: ReturnType<typeof closingOf>): string[] {
  if (isAsHashed("seals", seal) === false) return ["its seal is not as it was recorded"];
  // A seal of a version before does not tell of attempts.
  const sealed = Object.entries(JSON.parse(String(seal["rows"])) as Record<string, number>);
  const counts = sealed.flatMap(([table, count]) =>
    closing.rows[table] === count ? [] : [`${closing.rows[table]} of ${count} rows of ${table} are there`]
  );
  if (counts.length > 0) return counts;
  const isEqual = (["trace", "calls", "attempts"] as const).every((part) => (seal[part] ?? closing[part]) === closing[part]);
  return isEqual ? [] : ["its rows are not those that were sealed"];
}

/** Reads at one state of the store, whatever another process writes meanwhile. */
export function atOneTime<T>(store: Store, read: () => T): T {
  if (store.database.isTransaction) return read();
  try {
    store.database.exec("begin");
    return read();
  } catch (error) {
    throw asStoreError(error, store.path);
  } finally {
    if (store.database.isTransaction) store.database.exec("rollback"); // nothing was written
  }
}

/** An error of the store in one line, without the remedy. */
function lineOf(error: unknown): string {
  const { message, cause } = error as Error;
  const told = error instanceof StoreError && cause instanceof Error ? cause.message : message;
  return told.replaceAll(/\s+/g, " ");
}

/** The error of a store that cannot be reported from. */
export function damagedStore({ path }: Store, problems: readonly string[]): StoreError {
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : "";
  return new StoreError("damaged", `the store ${path} is damaged (${problems[0]}${more}): ${REMEDY}`);
}
