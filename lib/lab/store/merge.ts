/**
 * Joins the stores of shards, and copies what is whole of a damaged store. Episodes, replies and
 * artefacts are known by content: merging twice adds nothing.
 */

import { statSync } from "node:fs";
import type { SQLInputValue } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { isWholeArtefact } from "./artefacts.ts";
import {
  deleteDigested,
  EPISODE_TABLES,
  insertDigested,
  STEP_TABLES,
  updateDigested,
} from "./digest.ts";
import { lockForRun } from "./lock.ts";
import { openStore, type Store } from "./open.ts";
import { isWholeReply } from "./replies.ts";
import { orderAsPlanned } from "./studies.ts";
import { insertRow } from "./texts.ts";
import { type CheckedEpisode, checkEpisode, registryProblems } from "./verify.ts";

export interface Merge {
  readonly from: string;
  readonly added: {
    readonly studies: number;
    readonly episodes: number;
    readonly replies: number;
    readonly artefacts: number;
  };
  /** What differs or is damaged, a line each; the first store's is kept. */
  readonly conflicts: readonly string[];
}

type Row = Record<string, SQLInputValue>;

interface Pair {
  readonly to: Store;
  readonly from: Store;
  readonly conflicts: string[];
}

/**
 * Adds everything that is whole in the store at `path` to another one, in one transaction. Of an
 * episode in both, the one that got further is kept, with its own calls.
 *
 * @throws {StoreError} as `openStore` does.
 */
export function mergeStore(to: Store, path: string): Merge {
  if (isSameFile(to.path, path)) {
    throw new StoreError(
      "conflict",
      `the store ${path} cannot be merged into itself: name another one`,
    );
  }
  using from = openStore(path, { create: false, readOnly: true });
  using _lock = lockForRun(to);
  const pair: Pair = { to, from, conflicts: [] };
  return to.transaction(() => {
    const problems = registryProblems(from);
    const known = addStudies(pair, problems);
    const artefacts = addArtefacts(pair);
    const episodes = addEpisodes(pair, new Set(known.keys()));
    const replies = addReplies(pair);
    if (problems.length === 0) addAsked(pair, null);
    for (const study of known.keys()) orderAsPlanned(to, study);
    const studies = [...known.values()].filter(Boolean).length;
    return {
      from: path,
      added: { studies, episodes, replies, artefacts },
      conflicts: pair.conflicts,
    };
  }, { durable: true });
}

export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}

function* readable({ from, conflicts }: Pair, what: string, sql: string): Generator<Row> {
  try {
    yield* from.prepare(sql).iterate() as Iterable<Row>;
  } catch (error) {
    conflicts.push(
      `${what} behind a page that cannot be read are left out (${(error as Error).message})`,
    );
  }
}

function addStudies(pair: Pair, problems: readonly string[]): Map<string, boolean> {
  const { to, conflicts } = pair;
  const known = new Map<string, boolean>();
  if (problems.length > 0) {
    conflicts.push(
      `${problems.join("; ")}: studies are taken as they were found, such calls are left out`,
    );
  }
  for (const row of [...readable(pair, "studies", "select * from main.studies")]) {
    const [id, spec, createdAt] = [String(row["id"]), row["spec"], Number(row["created_at"])];
    const there = to.prepare("select spec from main.studies where id = ?").get(id);
    if (there && there["spec"] !== spec) {
      conflicts.push(
        `the study ${id} is described otherwise: play the shards with the same options and the same version; its episodes are left out`,
      );
      continue;
    }
    if (there) updateDigested(to, "studies", "created_at = min(created_at, ?)", id, createdAt);
    else insertDigested(to, "studies", row);
    known.set(id, !there);
  }
  return known;
}

/** How far an episode is: of one in both stores the one that is further is kept. */
const PROGRESS = ["planned", "running", "paused", "failed", "completed"];

function addEpisodes(pair: Pair, studies: ReadonlySet<string>): number {
  const rows = [...readable(pair, "episodes", "select * from main.episodes not indexed")]
    .filter(({ study }) => studies.has(String(study)))
    .sort((a, b) => `${a["study"]}\0${a["chain"]}` < `${b["study"]}\0${b["chain"]}` ? -1 : 1);
  return rows.filter((row) => addEpisode(pair, row)).length;
}

/** Adds an episode, unless the other store's is as far, and returns whether it was added. */
function addEpisode(pair: Pair, row: Row): boolean {
  const { to, from, conflicts } = pair;
  const [id, status] = [String(row["id"]), String(row["status"])];
  const { study = null, chain = null, ordinal = null } = row;
  const place = `the episode ${id} of ${study}, ${chain}, ${ordinal}`;
  const its = checkEpisode(from, id);
  const lost = [row["artefact_in"], row["artefact_out"]].find((hash) =>
    typeof hash === "string" && !to.prepare("select 1 from main.artefacts where hash = ?").get(hash)
  );
  if (its?.state === "broken" || lost !== undefined) {
    const why = its?.problem ?? `the artefact ${String(lost).slice(0, 16)} is lost`;
    conflicts.push(`${place} is left out: ${why}`);
    return false;
  }
  const at = "select id, status from main.episodes where study = ? and chain = ? and ordinal = ?";
  const there = to.prepare(at).all(study, chain, ordinal).map((other) => ({
    id: String(other["id"]),
    status: String(other["status"]),
    checked: checkEpisode(to, String(other["id"])) as CheckedEpisode,
  }));
  const whole = there.filter(({ id, checked: { state, problem } }) => {
    if (state === "broken") {
      conflicts.push(`the episode ${id} that is there is replaced: ${problem}`);
    }
    return state !== "broken";
  });
  const hasMore = status !== "completed" && callsOf(from, id) > callsOf(to, id); // it was tried again
  const isFurther = whole.every((other) => {
    const ahead = PROGRESS.indexOf(status) - PROGRESS.indexOf(other.status);
    return ahead > 0 || (ahead === 0 && hasMore && other.id === id);
  });
  for (const other of isFurther ? there : there.filter((one) => !whole.includes(one))) {
    for (const table of EPISODE_TABLES) deleteDigested(to, table, "episode = ?", other.id);
    deleteDigested(to, "episodes", "id = ?", other.id);
    to.prepare("delete from main.digests where episode = ?").run(other.id);
  }
  if (!isFurther) {
    const isSame = whole.some((other) =>
      other.id === id && other.status === status && other.checked.trace === its?.trace
    );
    if (status === "completed" && !isSame) {
      conflicts.push(`${place} was played otherwise: the one that is there is kept`);
    }
    return false;
  }
  insertDigested(to, "episodes", row);
  for (const table of STEP_TABLES) {
    for (const step of from.prepare(`select * from main.${table} where episode = ?`).all(id)) {
      insertDigested(to, table, step as Row);
    }
  }
  addAsked(pair, id);
  return true;
}

function callsOf(store: Store, id: string): number {
  const count = store.prepare("select count(*) as n from main.calls where episode = ?").get(id);
  return Number(count?.["n"]);
}

/** Adds the attempts and calls of an episode, or of none, that are new by key and time. */
function addAsked({ to, from }: Pair, episode: string | null): void {
  const ids = new Map<SQLInputValue, number>();
  const known = new Map(
    (["attempts", "calls"] as const).map((table) => [
      table,
      new Set(
        to.prepare(`select key, at from main.${table} where episode is ?`).all(episode).map(
          ({ key, at }) => `${key} ${at}`,
        ),
      ),
    ]),
  );
  for (const [table, there] of known) {
    const all = `select * from main.${table} where episode is ? order by id`;
    for (const { id = null, ...row } of from.prepare(all).all(episode) as Row[]) {
      if (there.has(`${row["key"]} ${row["at"]}`)) continue;
      const attempt = ids.get(row["attempt"] ?? null) ?? null;
      insertDigested(to, table, table === "calls" ? { ...row, attempt } : row);
      if (table === "calls") continue;
      ids.set(id, Number(to.prepare(`select max(id) as id from main.${table}`).get()?.["id"]));
    }
  }
}

function addReplies(pair: Pair): number {
  const { to, from, conflicts } = pair;
  const answer = (reply: unknown): string =>
    JSON.stringify({ ...JSON.parse(String(reply)), latencyMs: 0 }); // how long it took is no answer
  let [added, others, broken] = [0, 0, 0];
  const find = to.prepare("select hash, reply from main.replies where key = ?");
  const read = from.prepare("select * from main.replies where key = ?");
  for (
    const { key, hash } of readable(pair, "replies", "select key, hash from main.packed_replies")
  ) {
    const there = find.get(key ?? null);
    if (there && `${there["hash"]}` === `${hash}`) continue;
    const row = read.get(key ?? null);
    if (!row || !isWholeReply(row)) broken++;
    else if (!there) added += Number(insertRow(to, "replies", row));
    else others += Number(answer(there["reply"]) !== answer(row["reply"]));
  }
  if (others > 0) {
    conflicts.push(`${others} recorded replies are others: those that are there are kept`);
  }
  if (broken > 0) {
    conflicts.push(`${broken} replies are not as they were recorded: they are left out`);
  }
  return added;
}

function addArtefacts(pair: Pair): number {
  let [added, broken] = [0, 0];
  for (const row of readable(pair, "artefacts", "select * from main.artefacts")) {
    if (isWholeArtefact(row)) added += Number(insertRow(pair.to, "artefacts", row, "or ignore"));
    else broken++;
  }
  if (broken > 0) {
    pair.conflicts.push(`${broken} artefacts are not as they were recorded: they are left out`);
  }
  return added;
}
