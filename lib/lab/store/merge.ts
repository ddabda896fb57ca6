/**
 * Joins stores: what shards played apart becomes one store. Episodes, replies and artefacts are known by their content, so that merging twice adds
 * nothing; the row ids of calls, attempts and bodies are counted on from those that are there.
 */

import { realpathSync, statSync } from "node:fs";
import { isWholeReply } from "./replies.ts";
import { deleteEpisode } from "./episodes.ts";
import { lockForRun } from "./lock.ts";
import { openStore, SCHEMA_VERSION, type Store } from "./open.ts";
import { StoreError } from "../../core/errors.ts";
import { isAsHashed } from "./row-hash.ts";
import { hashAgain, resealCalls } from "./seal.ts";
import { checkEpisode } from "./verify.ts";

/** What was taken from a store, and what was not. */
export interface Merge {
  /** Path of the store that was read. */
  readonly from: string;
  /** Number of rows that are new in the other one. */
  readonly added: { readonly studies: number; readonly episodes: number; readonly replies: number; readonly artefacts: number };
  /** What both stores hold, but not alike, or what is damaged, each in one line; the first store's is kept. */
  readonly conflicts: readonly string[];
}

/**
 * Adds everything that the store at `path` holds to another one, in one transaction. Of an episode in both, the one that got further is kept; what
 * the other one sent to endpoints besides stays on record as wasted calls of the error `superseded`.
 *
 * @throws {StoreError} as `openStore` does; `schema` if it is of an earlier version and lies where nothing can be written.
 */
export function mergeStore(to: Store, path: string): Merge {
  if (isSameFile(to.path, path)) throw new StoreError("conflict", `the store ${path} cannot be merged into itself: name another one`);
  using from = openStore(path, { create: false });
  if (from.prepare("pragma user_version").get()?.["user_version"] !== SCHEMA_VERSION) {
    throw new StoreError(
      "schema",
      `the store ${path} is of an earlier version: copy it to a folder that can be written, and merge the copy`,
    );
  }
  using _lock = lockForRun(to);
  to.prepare("attach ? as source").run(realpathSync(path)); // SQLite follows no link
  try {
    return to.transaction(() => {
      const conflicts: string[] = [];
      const known = addStudies(to, conflicts);
      const offsets = offsetsOf(to);
      const episodes = from.prepare("select id, study, lane, ordinal, status from main.episodes order by study, lane, ordinal").all()
        .filter(({ study }) => known.has(String(study)))
        .filter((row) => {
          const isKept = isWanted(to, from, row as unknown as EpisodeKey, conflicts);
          if (!isKept) addSuperseded(to, from, String(row["id"]), offsets);
          return isKept;
        });
      for (const { id } of episodes) addEpisode(to, String(id), offsets);
      const replies = addReplies(to, from, offsets, conflicts);
      const artefacts = changes(to, "insert or ignore into main.artefacts select * from source.artefacts");
      addLoose(to, offsets, conflicts);
      const studies = [...known.values()].filter(Boolean).length;
      return { from: path, added: { studies, episodes: episodes.length, replies, artefacts }, conflicts };
    }, { durable: true });
  } finally {
    to.database.exec("detach source");
  }
}

/** Whether two paths lead to one file, by links too. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}

type Offsets = Readonly<Record<"bodies" | "calls" | "attempts", number>>;

interface EpisodeKey {
  readonly id: string;
  readonly study: string;
  readonly lane: string;
  readonly ordinal: number;
  readonly status: string;
}

function offsetsOf(to: Store): Offsets {
  const last = (table: string): number => Number(to.prepare(`select coalesce(max(id), 0) as last from main.${table}`).get()?.["last"]);
  return { bodies: last("bodies"), calls: last("calls"), attempts: last("attempts") };
}

function changes(to: Store, sql: string, ...values: (string | number)[]): number {
  return Number(to.prepare(sql).run(...values).changes);
}

/** Adds the studies, and returns those whose episodes can be added, with whether they are new. */
function addStudies(to: Store, conflicts: string[]): Map<string, boolean> {
  const known = new Map<string, boolean>();
  for (
    const row of to.prepare("select s.id, s.spec, t.spec as present from source.studies s left join main.studies t on t.id = s.id").all()
  ) {
    const id = String(row["id"]);
    if (row["present"] === null) to.prepare("insert into main.studies select * from source.studies where id = ?").run(id);
    else if (row["present"] !== row["spec"]) {
      conflicts.push(
        `the study ${id} is described otherwise: play the shards with the same options and the same version; its episodes are left out`,
      );
      continue;
    } else {
      const sql = "update main.studies set created_at = min(created_at, (select created_at from source.studies where id = ?)) where id = ?";
      to.prepare(sql).run(id, id);
      hashAgain(to, "studies", id);
    }
    known.set(id, row["present"] === null);
  }
  return known;
}

/** How far an episode is: of one in both stores the one that is further is kept. */
const PROGRESS = ["planned", "running", "parked", "failed", "completed"];

const ASKED = "select count(*) as n from main.calls where episode = ? and error is not 'superseded'";

/** Whether an episode is to be added; one that it takes the place of is deleted. */
function isWanted(to: Store, from: Store, row: EpisodeKey, conflicts: string[]): boolean {
  const { id, study, lane, ordinal, status } = row;
  const place = `the episode ${id} of ${study}, ${lane}, ${ordinal}`;
  const there = to.prepare("select id, status from main.episodes where study = ? and lane = ? and ordinal = ?").all(study, lane, ordinal);
  const seal = (of: Store): unknown => of.prepare("select trace from main.seals where episode = ?").get(id)?.["trace"];
  const asked = (of: Store): number => Number(of.prepare(ASKED).get(id)?.["n"]);
  const hasMore = status !== "completed" && asked(from) > asked(to); // it went on, or was tried again
  if (!hasMore && there.some((other) => other["id"] === id && other["status"] === status) && seal(to) === seal(from)) return false;
  const isFurther = there.every((other) => {
    const ahead = PROGRESS.indexOf(status) - PROGRESS.indexOf(String(other["status"]));
    return ahead > 0 || (ahead === 0 && hasMore && other["id"] === id);
  });
  const checked = checkEpisode(from, id);
  if (checked?.state === "broken") {
    conflicts.push(`${place} is not as it was recorded (${checked.problem})`);
    return false;
  }
  if (!isFurther) {
    if (status === "completed") conflicts.push(`${place} was played otherwise: the one that is there is kept`);
    return false;
  }
  for (const other of there) deleteEpisode(to, String(other["id"]));
  supersede(to, id, conflicts);
  return true;
}

/** The rows of an episode in one store that tell of requests of its own: those that the other store does not hold. */
const apart = (table: string, other: string): string =>
  `episode = ?1 and (key, at) not in (select key, at from ${other}.${table} where episode = ?1)`;

/** Deletes the calls and attempts of an episode that is replaced, but for what was spent on this one alone, as far as it is whole. */
function supersede(to: Store, id: string, conflicts: string[]): void {
  for (const table of ["calls", "attempts"]) {
    to.prepare(`delete from main.${table} where episode = ?1 and not (${apart(table, "source")})`).run(id);
    for (const row of brokenRows(to, "main", table, "episode = ?", id)) {
      to.prepare(`delete from main.${table} where id = ?`).run(Number(row));
      conflicts.push(`the row ${row} of ${table}, of a play of ${id} that is replaced, is not as it was recorded: it is left out`);
    }
  }
  markSuperseded(to, "episode = ?", id);
}

/** Adds what was spent on an episode that is not taken over, if this store holds the same one and the rows are as they were recorded. */
function addSuperseded(to: Store, from: Store, id: string, offsets: Offsets): void {
  const more = `select 1 from source.attempts where ${apart("attempts", "main")}
    union all select 1 from source.calls where kind <> 'replayed' and ${apart("calls", "main")}`;
  if (!to.prepare(`select 1 from main.episodes where id = ?1 and exists (${more})`).get(id) || checkEpisode(from, id)?.state === "broken") {
    return;
  }
  copyShifted(to, "calls", { id: offsets.calls, attempt: offsets.attempts }, `kind <> 'replayed' and ${apart("calls", "main")}`, id);
  const sent = copyShifted(to, "attempts", { id: offsets.attempts }, apart("attempts", "main"), id);
  if (sent + markSuperseded(to, "episode = ? and id > ?", id, offsets.calls) > 0) resealCalls(to, id);
}

/** Calls that brought an episode what it did not use, and what was replayed for it, which cost nothing. */
function markSuperseded(to: Store, where: string, ...values: (string | number)[]): number {
  to.prepare(`delete from main.calls where kind = 'replayed' and ${where}`).run(...values);
  to.prepare(`update main.calls set kind = 'wasted', error = coalesce(error, 'superseded') where ${where}`).run(...values);
  const rows = to.prepare(`select id from main.calls where ${where}`).all(...values);
  for (const { id } of rows) hashAgain(to, "calls", Number(id));
  return rows.length;
}

/** Adds an episode with its rows and seal. What a call says of its attempt is the row id there, so that its hash is made anew. */
function addEpisode(to: Store, id: string, offsets: Offsets): void {
  to.prepare("insert into main.episodes select * from source.episodes where id = ?").run(id);
  for (const { table, columns } of [{ table: "turns", columns: ["frames", "details"] }, { table: "truths", columns: ["truth"] }]) {
    const used = columns.map((column) => `select ${column}_body from source.packed_${table} where episode = ?`).join(" union ");
    addBodies(to, offsets, used, columns.map(() => id));
    copyShifted(to, `packed_${table}`, Object.fromEntries(columns.map((column) => [`${column}_body`, offsets.bodies])), "episode = ?", id);
  }
  for (const table of ["graph_changes", "events", "seals"]) {
    to.prepare(`insert into main.${table} select * from source.${table} where episode = ?`).run(id);
  }
  copyShifted(to, "attempts", { id: offsets.attempts }, "episode = ?", id);
  copyShifted(to, "calls", { id: offsets.calls, attempt: offsets.attempts }, "episode = ?", id);
  rehash(to, "episode = ?", id);
  if (offsets.calls > 0) resealCalls(to, id);
}

function rehash(to: Store, where: string, ...values: (string | number)[]): void {
  for (const row of to.prepare(`select id from main.calls where attempt is not null and ${where}`).all(...values)) {
    hashAgain(to, "calls", Number(row["id"]));
  }
}

/** The ids of the rows that are not as they were recorded. */
function brokenRows(to: Store, of: "main" | "source", table: string, where: string, ...values: string[]): number[] {
  return to.prepare(`select * from ${of}.${table} where ${where}`).all(...values)
    .flatMap((row) => isAsHashed(table, row) === false ? [Number(row["id"])] : []);
}

/** Adds the bodies whose ids a query selects, and those that they rest on. */
function addBodies(to: Store, { bodies }: Offsets, ids: string, values: readonly string[]): void {
  const sql = `with used(id) as (${ids}) insert or ignore into main.bodies
    select id + ${bodies}, base + ${bodies}, body from source.bodies
    where id in (select id from used union select base from source.bodies where id in (select id from used))`;
  to.prepare(sql).run(...values);
}

/** Copies rows, some of whose columns are row ids that are counted on. */
function copyShifted(to: Store, table: string, shifts: Readonly<Record<string, number>>, where: string, ...values: string[]): number {
  const names = to.prepare("select name from pragma_table_info(?, 'main')").all(table).map(({ name }) => String(name));
  const shown = names.map((name) => name in shifts ? `${name} + ${shifts[name]}` : name);
  return changes(
    to,
    `insert into main.${table} (${names.join(", ")}) select ${shown.join(", ")} from source.${table} where ${where}`,
    ...values,
  );
}

function addReplies(to: Store, from: Store, offsets: Offsets, conflicts: string[]): number {
  const answer = "json_remove(reply, '$.latencyMs')"; // how long it took is not what was answered
  const find = to.prepare(`select ${answer} as answer from main.replies where key = ?`);
  let [added, others, broken] = [0, 0, 0];
  to.database.exec("create temp table wanted (key text primary key) without rowid");
  const want = to.prepare("insert into temp.wanted values (?)");
  const unlike = to.prepare(`
    select s.key from source.packed_replies s left join main.packed_replies t on t.key = s.key where t.hash is null or t.hash <> s.hash`);
  const read = from.prepare(`select *, ${answer} as answer from main.replies where key = ?`);
  for (const { key } of unlike.all() as { key: string }[]) {
    const { answer: its, ...columns } = read.get(key) ?? {};
    const there = find.get(key);
    if (there) others += Number(there["answer"] !== its);
    else if (isWholeReply(columns)) added += Number(want.run(key).changes);
    else broken++;
  }
  addBodies(
    to,
    offsets,
    ["request_body", "reply_body"].map((body) => `select ${body} from source.packed_replies where key in (select key from temp.wanted)`)
      .join(" union "),
    [],
  );
  copyShifted(to, "packed_replies", { request_body: offsets.bodies, reply_body: offsets.bodies }, "key in (select key from temp.wanted)");
  to.database.exec("drop table temp.wanted");
  if (others > 0) conflicts.push(`${others} recorded replies are others: those that are there are kept`);
  if (broken > 0) conflicts.push(`${broken} replies are not as they were recorded`);
  return added;
}

/** Adds calls and attempts outside of episodes, as from a notebook, unless they are there; a damaged one stays as it was found. */
function addLoose(to: Store, offsets: Offsets, conflicts: string[]): void {
  const isNew = (table: string): string =>
    `episode is null and not exists (select 1 from main.${table} t where t.episode is null and t.key = ${table}.key and t.at = ${table}.at)`;
  const broken = {
    calls: brokenRows(to, "source", "calls", isNew("calls")),
    attempts: brokenRows(to, "source", "attempts", isNew("attempts")),
  };
  for (const [table, ids] of Object.entries(broken)) {
    conflicts.push(...ids.map((id) => `the row ${id} of ${table} is not as it was recorded: it is added as it was found`));
  }
  copyShifted(to, "calls", { id: offsets.calls, attempt: offsets.attempts }, isNew("calls"));
  copyShifted(to, "attempts", { id: offsets.attempts }, isNew("attempts"));
  closeLoose(to, offsets);
  const found = broken.calls.map((id) => id + offsets.calls);
  rehash(to, `episode is null and id > ? and id not in (${found.join(", ")})`, offsets.calls);
}

/** Leads calls to the attempt that is there already: it was under way when the one store was copied from the other. */
function closeLoose(to: Store, offsets: Offsets): void {
  const moved = to.prepare(`
    update main.calls set attempt = t.id from source.attempts s join main.attempts t on t.episode is null and t.key = s.key and t.at = s.at
    where calls.episode is null and calls.id > ? and calls.attempt = s.id + ? and t.id <> calls.attempt returning calls.attempt as id`)
    .all(offsets.calls, offsets.attempts);
  for (const id of new Set(moved.map((row) => Number(row["id"])))) {
    to.prepare(`
      update main.attempts set calls = (select count(*) from main.calls where attempt = attempts.id), (outcome, ended_at) = (
        select coalesce(nullif(attempts.outcome, 'unknown'), s.outcome, attempts.outcome), coalesce(attempts.ended_at, s.ended_at)
        from source.attempts s where s.episode is null and s.key = attempts.key and s.at = attempts.at)
      where id = ?`).run(id);
    hashAgain(to, "attempts", id);
  }
}
