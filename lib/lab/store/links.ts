/** What the rows of one table say of those of another: where a row has vanished or was doubled that no seal covers, the others tell. */

import { Buffer } from "node:buffer";
import { requestBytes } from "./bodies.ts";
import type { Store } from "./open.ts";
import { isAsHashed } from "./row-hash.ts";
import { hashAgain, resealCalls, STEP_TABLES } from "./seal.ts";

/** Names the rows of calls, attempts, replies, artefacts and steps that are lost, doubled, or not as they were recorded, in one line each. */
export function linkProblems(store: Store): string[] {
  const links = store.prepare("select 1 from pragma_table_info('calls', 'main') where name = 'attempt'").get();
  const checks = [stepProblems, artefactProblems, ...(links ? [looseProblems, attemptProblems, replyProblems] : [])];
  return checks.flatMap((check) => {
    try {
      return check(store);
    } catch (error) {
      return [(error as Error).message.split(":")[0] ?? ""]; // a page that cannot be read, which the check of the file names
    }
  });
}

/** Rows outside of episodes, which no seal covers. */
function looseProblems(store: Store): string[] {
  return ["calls", "attempts"].flatMap((table) =>
    store.prepare(`select * from main.${table} where episode is null`).all().flatMap((row) =>
      isAsHashed(table, row) === false ? [`the row ${row["id"]} of ${table} is not as it was recorded`] : []
    )
  );
}

/** An attempt that is over says how many calls tell of it; a call says which attempt brought it. */
function attemptProblems(store: Store): string[] {
  const counts = store.prepare(`
    select a.id, a.episode, a.role, a.calls as wanted, count(c.id) as found from main.attempts a left join main.calls c on c.attempt = a.id
    where a.outcome is not null group by a.id having found <> coalesce(wanted, -1)`).all();
  const lost = store.prepare(`
    select attempt, min(episode) as episode, min(role) as role from main.calls
    where attempt is not null and attempt not in (select id from main.attempts) group by attempt`).all();
  const other = store.prepare(`
    select a.id, a.episode, a.role from main.calls c join main.attempts a on a.id = c.attempt
    where a.episode is not c.episode or a.role <> c.role or a.model <> c.model group by a.id`).all();
  return [
    ...counts.map(({ id, wanted, found, ...row }) => `${found} of ${wanted} calls of the attempt ${id}${placeOf(row)} are there`),
    ...lost.map(({ attempt, ...row }) => `the attempt ${attempt}${placeOf(row)}, which calls tell of, is lost`),
    ...other.map(({ id, ...row }) => `the attempt ${id}${placeOf(row)} is not that of its calls`),
  ];
}

function replyProblems(store: Store): string[] {
  const lost = store.prepare(`
    select key, min(episode) as episode, min(role) as role from main.calls
    where recorded = 1 and key not in (select key from main.replies) group by key`).all();
  return lost.map(({ key, ...row }) => `the reply ${String(key).slice(0, 16)}${placeOf(row)} is lost`);
}

function placeOf({ episode, role }: Readonly<Record<string, unknown>>): string {
  return ` (${role}${episode === null ? "" : `, episode ${episode}`})`;
}

/** Each artefact that an episode loaded or saved, and each picture that a model was shown, must be there. */
function artefactProblems(store: Store): string[] {
  const named = store.prepare(`
    select artefact_in as hash, id from main.episodes where artefact_in is not null
    union select artefact_out, id from main.episodes where artefact_out is not null`).all();
  const wanted = new Map(named.map(({ hash, id }) => [String(hash), `the artefact of the episode ${id}`]));
  for (const { key, request } of store.prepare("select key, request from main.replies").iterate()) {
    for (const hash of picturesIn(request)) wanted.set(hash, `the picture that the reply ${String(key).slice(0, 16)} was asked with`);
  }
  const find = store.prepare("select 1 from main.artefacts where hash = ?");
  return [...wanted].flatMap(([hash, what]) => find.get(hash) ? [] : [`the artefact ${hash.slice(0, 16)}, ${what}, is lost`]);
}

function picturesIn(request: unknown): string[] {
  try {
    return [...Buffer.from(requestBytes(request)).toString().matchAll(/\{"image":"([0-9a-f]{64})"\}/g)].map(([, hash]) => hash ?? "");
  } catch {
    return []; // a damaged request, which the check of replies counts
  }
}

/** Steps of an episode that is not there: its row was deleted before it ended. */
function stepProblems(store: Store): string[] {
  const ids = new Set(
    Object.keys(STEP_TABLES).flatMap((table) =>
      store.prepare(`select distinct episode from main.${table} where episode not in (select id from main.episodes not indexed)`).all()
        .map(({ episode }) => episode)
    ),
  );
  return [...ids].map((id) => `the episode ${id}, which has steps, is lost`);
}

/** Makes calls and attempts forget rows that are known to be lost, of one episode or in the whole store. */
export function forgetLost(store: Store, episode?: string): void {
  const changes = {
    calls: [
      "update main.calls set recorded = null where recorded = 1 and key not in (select key from main.replies)",
      "update main.calls set attempt = null where attempt not in (select id from main.attempts)",
    ],
    attempts: [
      `update main.attempts set calls = (select count(*) from main.calls where attempt = main.attempts.id)
        where outcome is not null and calls is not (select count(*) from main.calls where attempt = main.attempts.id)`,
    ],
  } as const;
  const changed = new Set<string>();
  for (const table of ["calls", "attempts"] as const) {
    for (const change of changes[table]) {
      const rows = store.prepare(`${change} and coalesce(episode = ?, 1) returning id, episode`).all(episode ?? null);
      for (const row of rows) {
        hashAgain(store, table, Number(row["id"]));
        if (row["episode"] !== null) changed.add(String(row["episode"]));
      }
    }
  }
  for (const id of changed) resealCalls(store, id);
}
