/**
 * Keeps what is not as it was recorded out of tables: a broken episode counts as failed, and none
 * of its rows is read.
 */

import { env } from "../../core/platform.ts";
import { EPISODE_TABLES } from "./digest.ts";
import type { Store } from "./open.ts";
import { writtenName } from "./texts.ts";
import {
  atOneTime,
  checkEpisode,
  damagedStore,
  registryProblems,
  structureProblems,
} from "./verify.ts";

interface Checked {
  readonly episodes: Set<string>;
  readonly broken: Map<string, string>;
}

const checked = new WeakMap<Store, Checked>();

/**
 * The environment variable with the path of a store that the process which started this one has
 * just checked: `./lab reproduce` sets it for the notebooks that it runs.
 */
export const CHECKED_STORE = "LAB_CHECKED_STORE";

/**
 * Checks the episodes of a study against their digests, each once in a process, before a table is
 * made of them. Until a broken one is played again, queries on this connection see it as failed
 * (`damaged`), without result and rows.
 * @returns One line for each broken episode, with the remedy.
 * @throws {StoreError} `damaged` if the file is damaged in a way that may concern any episode.
 */
export function excludeBroken(store: Store, study: string): string[] {
  if (env(CHECKED_STORE) === store.path) return [];
  const { episodes, broken } = checkedOf(store);
  const ids = atOneTime(store, () => {
    const all = store.prepare(
      "select id from main.episodes where study = ? order by chain, ordinal",
    )
      .all(study).map(({ id }) => String(id));
    for (const id of all) {
      if (episodes.has(id)) continue;
      const found = checkEpisode(store, id);
      if (found?.state !== "open") episodes.add(id);
      if (found?.state === "broken") broken.set(id, messageOf(id, found.problem ?? ""));
    }
    return all;
  });
  const lines = ids.flatMap((id) => broken.get(id) ?? []);
  if (lines.length > 0) hide(store, broken);
  return lines;
}

function checkedOf(store: Store): Checked {
  return checked.getOrInsertComputed(store, () => {
    const problems = [
      ...structureProblems(store),
      ...atOneTime(store, () => registryProblems(store)),
    ];
    if (problems.length > 0) throw damagedStore(store, problems);
    return { episodes: new Set(), broken: new Map() };
  });
}

function messageOf(id: string, problem: string): string {
  return `the episode ${id} is damaged (${problem}) and counts as missing: the next run plays it again from its replies`;
}

/** What was found broken on this connection so far, one line for each episode. */
export function brokenEpisodes(store: Store): string[] {
  return [...checked.get(store)?.broken.values() ?? []];
}

/**
 * Deletes the broken episodes of a study, so that a run plays them again from their replies.
 *
 * @returns One line for each.
 * @throws {StoreError} as `excludeBroken` does.
 */
export function dropBroken(store: Store, study: string): string[] {
  const lines = excludeBroken(store, study);
  if (lines.length === 0) return lines;
  const { episodes, broken } = checkedOf(store);
  const ids = store.prepare("select id from main.episodes where study = ?").all(study).map((
    { id },
  ) => String(id));
  store.transaction(() => {
    for (const id of ids.filter((id) => broken.has(id))) {
      for (const table of [...EPISODE_TABLES, "digests"]) {
        store.prepare(`delete from main.${writtenName(table)} where episode = ?`).run(id);
      }
      store.prepare("delete from main.episodes where id = ?").run(id);
      store.prepare("delete from temp.damaged where episode = ?").run(id);
      broken.delete(id);
      episodes.delete(id);
    }
  });
  return lines;
}

/** Puts temporary views before the tables: SQLite finds them first by a name without a schema. */
function hide(store: Store, broken: ReadonlyMap<string, string>): void {
  const { database } = store;
  database.exec(
    "create temp table if not exists damaged (episode text primary key, why text not null)",
  );
  for (const [id, why] of broken) {
    store.prepare("insert or replace into temp.damaged (episode, why) values (?, ?)").run(id, why);
  }
  if (database.prepare("select 1 from sqlite_temp_schema where name = 'episodes'").get()) return;
  const isDamaged = "id in (select episode from temp.damaged)";
  const shown: Readonly<Record<string, string>> = {
    status: "'failed'",
    failure_kind: "'damaged'",
    failure_message: "(select why from temp.damaged where episode = id)",
    ...Object.fromEntries(
      ["score", "max_score", "ended", "steps", "passes", "artefact_out"].map((
        column,
      ) => [column, "null"]),
    ),
  };
  const columns = database.prepare("select name from pragma_table_info('episodes')").all().map(
    ({ name }) => {
      const other = shown[String(name)];
      return other === undefined
        ? name
        : `case when ${isDamaged} then ${other} else ${name} end as ${name}`;
    },
  );
  const views = EPISODE_TABLES.map((table) =>
    `create temp view ${table} as select * from main.${table} where episode is null or episode not in (select episode from temp.damaged);`
  );
  database.exec(
    `create temp view episodes as select rowid as rowid, ${
      columns.join(", ")
    } from main.episodes; ${views.join(" ")}`,
  );
}
