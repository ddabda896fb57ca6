/** Keeps what is not as it was recorded out of tables: a broken episode counts as failed, and none of its rows is read. */

import { SCHEMA_VERSION, type Store } from "./open.ts";
import { isAsHashed } from "./row-hash.ts";
import { forgetLost } from "./links.ts";
import { SEALED_TABLES, STEP_TABLES } from "./seal.ts";
import { atOneTime, checkEpisode, damagedStore, registryProblems, sealsRows, structureProblems } from "./verify.ts";

interface Checked {
  /** The episodes that were held against their seals. */
  readonly episodes: Set<string>;
  /** Those that are broken, each with the problem in one line. */
  readonly broken: Map<string, string>;
}

const checked = new WeakMap<Store, Checked>();

/**
 * Holds the episodes of a study against their seals, each once in a process, before a table is made of them. A broken one is shown to every query
 * on this connection as failed, of the kind `damaged`, without a result and without rows, until it is played again.
 *
 * @returns One line for each broken episode of the study, with the remedy.
 * @throws {StoreError} `damaged` if the file is damaged in a way that may concern any episode.
 */
export function excludeBroken(store: Store, study: string): string[] {
  if (isOlder(store)) return [];
  const { episodes, broken } = checkedOf(store);
  const rows = atOneTime(store, () => {
    const isSealed = "(hash is not null or id in (select episode from main.seals))"; // one of a version before may have neither
    const ids = store.prepare(`select id from main.episodes where study = ? and ${isSealed} order by lane, ordinal`).all(study)
      .map(({ id }) => String(id));
    for (const id of ids) {
      if (episodes.has(id)) continue;
      episodes.add(id);
      const found = checkEpisode(store, id);
      if (found?.state === "broken") broken.set(id, messageOf(store, id, found.problem ?? ""));
    }
    return ids;
  });
  const lines = rows.flatMap((id) => broken.get(id) ?? []);
  if (lines.length > 0) hide(store, broken);
  return lines;
}

/** Whether the store is of a version that did not seal yet; one of this version without seals has lost them. */
function isOlder(store: Store): boolean {
  return !sealsRows(store) && store.prepare("pragma main.user_version").get()?.["user_version"] !== SCHEMA_VERSION;
}

function checkedOf(store: Store): Checked {
  return checked.getOrInsertComputed(store, () => {
    const problems = [...structureProblems(store), ...atOneTime(store, () => registryProblems(store))];
    if (problems.length > 0) throw damagedStore(store, problems);
    return { episodes: new Set(), broken: new Map() };
  });
}

function messageOf({ path }: Store, id: string, problem: string): string {
  return `the episode ${id} is not as it was recorded (${problem}) and counts as missing: ` +
    `play it again with --retry, or save the whole ones of ${path} with ./lab repair`;
}

/** What was found broken on this connection so far, one line for each episode. */
export function brokenEpisodes(store: Store): string[] {
  return [...checked.get(store)?.broken.values() ?? []];
}

/**
 * Forgets that an episode is broken, because its steps were erased to be recorded anew, and deletes those of its calls and attempts that are.
 */
export function forgetBroken(store: Store, id: string): void {
  if (!checked.get(store)?.broken.delete(id)) return;
  store.prepare("delete from temp.damaged where episode = ?").run(id);
  for (const table of ["calls", "attempts"] as const) {
    for (const row of store.prepare(`select * from main.${table} where episode = ?`).all(id)) {
      if (isAsHashed(table, row) === false) store.prepare(`delete from main.${table} where id = ?`).run(row["id"] as number);
    }
  }
  forgetLost(store, id);
}

/** Puts temporary views before the tables: SQLite finds them first where a query names a table without its schema. */
function hide(store: Store, broken: ReadonlyMap<string, string>): void {
  const { database } = store;
  database.exec("create temp table if not exists damaged (episode text primary key, why text not null)");
  for (const [id, why] of broken) store.prepare("insert or replace into temp.damaged (episode, why) values (?, ?)").run(id, why);
  if (database.prepare("select 1 from sqlite_temp_schema where name = 'episodes'").get()) return;
  const isDamaged = "id in (select episode from temp.damaged)";
  const shown: Readonly<Record<string, string>> = {
    status: "'failed'",
    failure_kind: "'damaged'",
    failure_message: "(select why from temp.damaged where episode = id)",
    ...Object.fromEntries(["score", "max_score", "ended", "steps", "passes", "artefact_out"].map((column) => [column, "null"])),
  };
  const columns = database.prepare("select name from pragma_table_info('episodes')").all().map(({ name }) => {
    const other = shown[String(name)];
    return other === undefined ? name : `case when ${isDamaged} then ${other} else ${name} end as ${name}`;
  });
  const views = Object.keys(SEALED_TABLES).map((table) =>
    `create temp view ${table} as select * from main.${table} where episode is null or episode not in (select episode from temp.damaged);`
  );
  database.exec(`create temp view episodes as select ${columns.join(", ")} from main.episodes; ${views.join(" ")}`);
}

/** What is not as it was recorded at one step of an episode, in one line with the remedy; `undefined` where nothing is. */
export function problemAt(
  store: Store,
  episode: string,
  { pass, step }: { readonly pass: number; readonly step: number },
): string | undefined {
  for (const table of [...Object.keys(STEP_TABLES), "calls"]) {
    const rows = store.prepare(`select * from main.${table} where episode = ? and pass = ? and step = ?`).all(episode, pass, step);
    if (rows.some((row) => isAsHashed(table, row) === false)) {
      return `step ${pass}.${step} of the episode ${episode} is not as it was recorded (${table}): ./lab repair saves what is whole`;
    }
  }
  return undefined;
}

/** The row ids of calls, after one and up to another, that are not as they were recorded. */
export function damagedCalls(store: Store, after: number, to: number): number[] {
  const rows = store.prepare("select * from main.calls where id > ? and id <= ?").all(after, to);
  return rows.filter((row) => isAsHashed("calls", row) === false).map(({ id }) => Number(id));
}
