/** Checks the record against its digests. */

import type { SQLOutputValue } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { isWholeArtefact } from "./artefacts.ts";
import { canonicalJson, sha256 } from "../../core/text/canonical.ts";
import { EPISODE_TABLES, isEqual, LOOSE, mixed, NOTHING, rowHash, STEP_TABLES } from "./digest.ts";
import { asStoreError, REMEDY } from "./errors.ts";
import { openStore, type Store } from "./open.ts";
import { isWholeReply } from "./replies.ts";

/**
 * `whole`: ended and unchanged; `open`: not ended, unchanged so far; `broken`: changed since it was
 * recorded.
 */
export type EpisodeState = "whole" | "open" | "broken";

export interface CheckedEpisode {
  readonly episode: string;
  readonly study: string;
  readonly chain: string;
  readonly ordinal: number;
  readonly state: EpisodeState;
  /** What is wrong with a broken one, in one line: `its rows are not those that were recorded`. */
  readonly problem?: string;
  /** SHA-256 (hex) over identity, result and steps, without times. */
  readonly trace: string;
}

export interface Verification {
  readonly store: string;
  /** What is wrong with the file itself or with rows that belong to no episode: one line each. */
  readonly problems: readonly string[];
  readonly episodes: readonly CheckedEpisode[];
  readonly replies: { readonly whole: number; readonly broken: number };
  readonly artefacts: { readonly whole: number; readonly broken: number };
}

/**
 * Verifies a whole store: its file, every episode, reply and artefact.
 */
export function verifyStore(store: Store): Verification {
  const problems = structureProblems(store);
  return atOneTime(store, () => ({
    store: store.path,
    problems: [...problems, ...registryProblems(store), ...lostProblems(store)],
    episodes: listIds(store, problems).flatMap((id) => checkEpisode(store, id) ?? []).sort(byPlace),
    replies: countWhole(store, "replies", isWholeReply, problems),
    artefacts: countWhole(store, "artefacts", isWholeArtefact, problems),
  }));
}

function byPlace(a: CheckedEpisode, b: CheckedEpisode): number {
  const [x, y] = [a, b].map(({ study, chain }) => `${study}\0${chain}`) as [string, string];
  return x < y ? -1 : x > y ? 1 : a.ordinal - b.ordinal;
}

function orProblem<T>(problems: string[], nothing: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    problems.push(lineOf(error));
    return nothing;
  }
}

function listIds(store: Store, problems: string[]): string[] {
  return orProblem(
    problems,
    [],
    () =>
      store.prepare("select id from main.episodes not indexed").all().map(({ id }) => String(id)),
  );
}

function countWhole(
  store: Store,
  table: "replies" | "artefacts",
  isWhole: (row: Record<string, SQLOutputValue>) => boolean,
  problems: string[],
): { whole: number; broken: number } {
  const count = { whole: 0, broken: 0 };
  orProblem(problems, undefined, () => {
    for (const row of store.prepare(`select * from main.${table}`).iterate()) {
      count[isWhole(row) ? "whole" : "broken"]++;
    }
  });
  return count;
}

/** What is wrong with the file as SQLite finds it, and with its schema. */
export function structureProblems(store: Store): string[] {
  if (store.path === ":memory:") return [];
  const checks = [
    "quick_check",
    ...["studies", "episodes", "calls"].map((table) => `integrity_check(${table})`),
  ];
  const lines: string[] = [];
  orProblem(lines, undefined, () => {
    const found = checks.flatMap((check) =>
      store.prepare(`pragma main.${check}`).all().map((row) => String(Object.values(row)[0]))
    );
    lines.push(
      ...found.filter((line) => line !== "ok").map((line) => line.replaceAll(/\s+/g, " ")),
    );
    using fresh = openStore(":memory:");
    const made = (of: Store): string =>
      JSON.stringify(of.prepare("select name, sql from main.sqlite_schema order by name").all());
    if (made(store) !== made(fresh)) lines.push("the schema is not the one that Labyrinth makes");
  });
  return [...new Set(lines)];
}

/** Faults in rows outside of episodes: studies and calls. */
export function registryProblems(store: Store): string[] {
  const problems: string[] = [];
  orProblem(problems, undefined, () => {
    const studies = store.prepare("select * from main.studies").all().map((row) =>
      rowHash("studies", row)
    );
    const loose = ["calls", "attempts"].flatMap((table) =>
      store.prepare(`select * from main.${table} where episode is null`).all().map((row) =>
        rowHash(table, row)
      )
    );
    if (!isEqual([...studies, ...loose].reduce(mixed, NOTHING), digestOf(store, LOOSE))) {
      problems.push(
        "the studies, or the calls outside of episodes, are not those that were recorded",
      );
    }
    const lost = store.prepare(
      "select episode from main.digests where episode <> '' and episode not in (select id from main.episodes not indexed)",
    );
    for (const { episode } of lost.all()) {
      if (!isEqual(readRows(store, String(episode)).digest, digestOf(store, String(episode)))) {
        problems.push(`the episode ${episode}, of which there are rows, is lost`);
      }
    }
  });
  return problems;
}

function lostProblems(store: Store): string[] {
  const problems: string[] = [];
  orProblem(problems, undefined, () => {
    const replies = store.prepare(`
      select key, min(episode) as episode, min(role) as role from main.calls
      where recorded = 1 and key not in (select key from main.packed_replies) group by key`).all();
    problems.push(
      ...replies.map(({ key, episode, role }) =>
        `the reply ${String(key).slice(0, 16)} (${role}${
          episode === null ? "" : `, episode ${episode}`
        }) is lost`
      ),
    );
    const named = store.prepare(`
      select artefact_in as hash, id from main.episodes where artefact_in is not null
      union select artefact_out, id from main.episodes where artefact_out is not null`).all()
      .map(({ hash, id }) => [String(hash), `the artefact of the episode ${id}`] as const);
    const wanted = new Map<string, string>(named);
    for (
      const { key, request } of store.prepare(
        `select key, request from main.replies where request like '%{"image":"%'`,
      ).iterate()
    ) {
      for (const [, hash = ""] of String(request).matchAll(/\{"image":"([0-9a-f]{64})"\}/g)) {
        wanted.set(hash, `the picture that the reply ${String(key).slice(0, 16)} was asked with`);
      }
    }
    const find = store.prepare("select 1 from main.artefacts where hash = ?");
    for (const [hash, what] of wanted) {
      if (!find.get(hash)) problems.push(`the artefact ${hash.slice(0, 16)}, ${what}, is lost`);
    }
  });
  return problems;
}

function digestOf(store: Store, episode: string): Uint8Array {
  const digest = store.prepare("select digest from main.digests where episode = ?").get(episode)
    ?.["digest"];
  return digest instanceof Uint8Array ? digest : NOTHING;
}

/** Checks an episode against its digest; `undefined` if the store does not hold it. */
export function checkEpisode(store: Store, id: string): CheckedEpisode | undefined {
  const row = store.prepare("select * from main.episodes where id = ?").get(id);
  if (!row) return undefined;
  const { study, chain, ordinal, status } = row;
  const place = {
    episode: id,
    study: String(study),
    chain: String(chain),
    ordinal: Number(ordinal),
  };
  try {
    const { digest, steps } = readRows(store, id);
    const isWhole = isEqual(mixed(digest, rowHash("episodes", row)), digestOf(store, id));
    const state = !isWhole
      ? "broken"
      : status === "planned" || status === "running"
      ? "open"
      : "whole";
    const problem = isWhole ? undefined : "its rows are not those that were recorded";
    return { ...place, state, problem, trace: sha256(`${resultText(row)}\n${steps.toHex()}`) };
  } catch (error) {
    return { ...place, state: "broken", problem: lineOf(error), trace: "" };
  }
}

function readRows(
  store: Store,
  id: string,
): { readonly digest: Uint8Array; readonly steps: Uint8Array } {
  const read = (tables: readonly string[], from: Uint8Array): Uint8Array => {
    const sum = Uint8Array.from(from);
    for (const table of tables) {
      for (const row of store.prepare(`select * from main.${table} where episode = ?`).all(id)) {
        const hash = rowHash(table, row);
        for (let at = 0; at < sum.length; at++) {
          sum[at] = (sum[at] as number) ^ (hash[at] as number);
        }
      }
    }
    return sum;
  };
  const steps = read(STEP_TABLES, NOTHING);
  return { steps, digest: read(EPISODE_TABLES.slice(STEP_TABLES.length), steps) };
}

const RESULT =
  "identity study chain ordinal status score max_score ended steps passes artefact_in artefact_out";

function resultText(episode: Record<string, SQLOutputValue>): string {
  return canonicalJson(RESULT.split(" ").map((column) => episode[column]));
}

/** The damage of an episode, with the remedy; `undefined` if there is none. */
export function problemOf(store: Store, id: string): string | undefined {
  const { episode, problem } = atOneTime(store, () => checkEpisode(store, id)) ?? {};
  return problem &&
    `the episode ${episode} is damaged (${problem}): the next run plays it again from its replies`;
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

function lineOf(error: unknown): string {
  const { message, cause } = error as Error;
  const shown = error instanceof StoreError && cause instanceof Error ? cause.message : message;
  return shown.replaceAll(/\s+/g, " ");
}

export function damagedStore({ path }: Store, problems: readonly string[]): StoreError {
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : "";
  return new StoreError(
    "damaged",
    `the store ${path} is damaged (${problems[0]}${more}): ${REMEDY}`,
  );
}
