/**
 * Episodes as typed rows.
 *
 * @module
 */

import { StoreError } from "../errors.ts";
import type { Store } from "./open.ts";

/** `planned` not yet begun; `running` begun (or killed: it is continued); `parked` waits for an endpoint, quota or budget. */
export type EpisodeStatus = "planned" | "running" | "completed" | "failed" | "parked";

/** An episode as planned: a row before it is played. */
export interface EpisodePlan {
  /** 16 hex digits: SHA-256 over study, lane, ordinal and identity, cut. Any beginning that is unique names it to `getEpisode`. */
  readonly id: string;
  /** Id of its study, e.g. `arigraph-quick@offline`; the store must hold it. */
  readonly study: string;
  /** Id of its lane, e.g. `textworld/hunt|arigraph|1`. */
  readonly lane: string;
  /** Place in its lane, from 0. */
  readonly ordinal: number;
  /** Everything that decides the trajectory, JSON-able: two episodes of equal identity play alike. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** The world's id in the catalogue, e.g. `textworld/hunt`. */
  readonly world: string;
  /** The parameters that the study named; those left out took the world's defaults. JSON-able. */
  readonly worldParams: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of the game's content; absent before the world was first opened. */
  readonly game?: string;
  /** The game's name in tables, where it is not the world's id (a game file's name). */
  readonly label?: string;
  /** Id of the method, e.g. `ariadne`. */
  readonly method: string;
  /** Id of the memory, e.g. `arigraph`; empty where the method takes none. */
  readonly memory: string;
  /** The label of the row in tables: episodes of one condition are averaged. */
  readonly condition: string;
  /** Shown on everything that the numbers reach, e.g. `offline`. */
  readonly backbone: string;
  /** From 1: which repetition of the same game and condition. */
  readonly attempt: number;
  /** Whole number; everything random in the method is drawn from it. */
  readonly seed: number;
  /** SHA-256 (hex) of the artefact that the episode starts from; absent where it starts from nothing. */
  readonly artefactIn?: string;
}

/** What one pass reached (see the agent's `Pass`). */
export interface PassRow {
  /** `explore`, `exploit`, `trial` or `only`. */
  readonly kind: string;
  /** At the pass's end, in the world's own units. */
  readonly score: number;
  /** The highest score that the pass could reach, in the world's own units. */
  readonly maxScore: number;
  /** Agent steps taken, ≥ 0; the moves of one "go to" count as one. */
  readonly steps: number;
  /** `won`, `lost` or `limit`; absent where the method stopped of itself. */
  readonly end?: string;
  /** Marks the pass that is the episode's result; where none is marked, it is the last. */
  readonly counts?: boolean;
}

/** An episode with what came of it. What is not known yet is absent. */
export interface EpisodeRecord extends EpisodePlan {
  /** Where it stands; what follows is set once it is `completed`, `failed` or `parked`. */
  readonly status: EpisodeStatus;
  /** What ended it: the kind of a `ModelError` or `WorldError`, `budget`, `interrupted` or `error`; of a failed or parked episode only. */
  readonly failureKind?: string;
  /** The one line that says what failed and what helps; of a failed or parked episode only. */
  readonly failureMessage?: string;
  /** Of the pass that counts (the last), in the world's own units; of a completed episode only. */
  readonly score?: number;
  /** What `score` is divided by for the normalised score of the tables. */
  readonly maxScore?: number;
  /** How the pass that counts ended: `won`, `lost` or `limit`. */
  readonly ended?: string;
  /** Agent steps of the pass that counts. */
  readonly steps?: number;
  /** Every pass in order, at least one; of a completed episode only. */
  readonly passes?: readonly PassRow[];
  /** SHA-256 (hex) of the artefact that its memory left to the next episode of the lane. */
  readonly artefactOut?: string;
  /** When it was first begun, in milliseconds since 1970; resuming does not change it. */
  readonly startedAt?: number;
  /** When it last ended, in whatever way, in milliseconds since 1970. */
  readonly finishedAt?: number;
}

/** How an episode ended. */
export type EpisodeEnd =
  | { readonly status: "completed"; readonly passes: readonly PassRow[]; readonly artefactOut?: string }
  | { readonly status: "failed" | "parked"; readonly failureKind: string; readonly failureMessage: string };

/**
 * Enters an episode as planned; one that is there already stays as it is.
 *
 * Runs do this by themselves; it is public for records of runs that were made elsewhere.
 *
 * @throws {StoreError} `disk` if it cannot be written.
 * @throws {Error} (SQLite, foreign key) if the store does not hold its study.
 *
 * @example
 * ```ts
 * import { listEpisodes, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * assert.equal(listEpisodes(store, { study: "mine" })[0]?.status, "planned");
 * ```
 */
export function putEpisode(store: Store, plan: EpisodePlan): void {
  store.transaction(() =>
    store.prepare(
      `insert or ignore into episodes (id, study, lane, ordinal, identity, world, world_params, game, label, method, memory, condition,
         backbone, attempt, seed, artefact_in, status) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned')`,
    ).run(
      plan.id,
      plan.study,
      plan.lane,
      plan.ordinal,
      JSON.stringify(plan.identity),
      plan.world,
      JSON.stringify(plan.worldParams),
      plan.game ?? null,
      plan.label ?? null,
      plan.method,
      plan.memory,
      plan.condition,
      plan.backbone,
      plan.attempt,
      plan.seed,
      plan.artefactIn ?? null,
    )
  );
}

/** Marks an episode as begun at `now`; the first beginning is kept. */
export function startEpisode(store: Store, id: string, now: number): void {
  store.transaction(() =>
    store.prepare(
      `update episodes set status = 'running', failure_kind = null, failure_message = null, started_at = coalesce(started_at, ?)
       where id = ?`,
    ).run(Math.round(now), id)
  );
}

/**
 * Writes how an episode ended. The last pass is the one that counts; all are kept.
 *
 * @param now milliseconds since 1970
 * @throws {StoreError} `disk` if it cannot be written.
 *
 * @example
 * ```ts
 * import { endEpisode, getEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const pass = { kind: "only", score: 1, maxScore: 1, steps: 12, end: "won" };
 * endEpisode(store, "e1", { status: "completed", passes: [pass] }, 0);
 * assert.equal(getEpisode(store, "e").steps, 12);
 * ```
 */
export function endEpisode(store: Store, id: string, end: EpisodeEnd, now: number): void {
  store.transaction(() => {
    if (end.status !== "completed") {
      store.prepare("update episodes set status = ?, failure_kind = ?, failure_message = ?, finished_at = ? where id = ?")
        .run(end.status, end.failureKind, end.failureMessage, Math.round(now), id);
      return;
    }
    const counts = end.passes.find((pass) => pass.counts) ?? end.passes.at(-1);
    store.prepare(
      `update episodes set status = 'completed', failure_kind = null, failure_message = null, score = ?, max_score = ?, ended = ?,
         steps = ?, passes = ?, artefact_out = ?, finished_at = ? where id = ?`,
    ).run(
      counts?.score ?? null,
      counts?.maxScore ?? null,
      counts?.end ?? null,
      counts?.steps ?? null,
      JSON.stringify(end.passes),
      end.artefactOut ?? null,
      Math.round(now),
      id,
    );
  });
}

/** Removes an episode with all that was recorded of it; the replies of its models stay. */
export function deleteEpisode(store: Store, id: string): void {
  store.transaction(() => {
    eraseRecord(store, id);
    store.prepare("delete from episodes where id = ?").run(id);
  });
}

/** Removes what was recorded of an episode's play, so that it is played anew; the replies of its models stay. */
export function eraseRecord(store: Store, id: string): void {
  store.transaction(() => {
    for (const table of ["turns", "graph_changes", "events", "truths"]) {
      store.prepare(`delete from ${table} where episode = ?`).run(id);
    }
  });
}

/**
 * The episode whose id is or begins with `id`.
 *
 * @throws {StoreError} `missing` if none does, or several do.
 *
 * @example
 * ```ts
 * import { getEpisode, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => getEpisode(store, "beef"), { name: "StoreError", kind: "missing", message: /holds no episode beef/ });
 * ```
 */
export function getEpisode(store: Store, id: string): EpisodeRecord {
  const rows = store.prepare("select * from episodes where substr(id, 1, length(?)) = ? order by id limit 2").all(id, id);
  const [row] = rows;
  if (row && rows.length === 1) return episodeRecord(row);
  const problem = rows.length === 0 ? `holds no episode ${id}` : `holds several episodes that begin with ${id}`;
  throw new StoreError("missing", `the store ${store.path} ${problem}; ./lab show lists them`);
}

/** The episode with exactly this id, or `undefined`. */
export function findEpisode(store: Store, id: string): EpisodeRecord | undefined {
  const row = store.prepare("select * from episodes where id = ?").get(id);
  return row && episodeRecord(row);
}

/**
 * Episodes in order of study, lane and place; of one study, or of one of its lanes, if told.
 *
 * @example
 * ```ts
 * import { listEpisodes, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * assert.deepEqual(listEpisodes(store).map(({ id, condition }) => [id, condition]), [["e1", "arigraph"]]);
 * assert.deepEqual(listEpisodes(store, { study: "mine", lane: "hunt|2" }), []);
 * ```
 */
export function listEpisodes(
  store: Store,
  filter: { readonly study?: string } | { readonly study: string; readonly lane: string } = {},
): EpisodeRecord[] {
  const rows = filter.study === undefined
    ? store.prepare("select * from episodes order by study, lane, ordinal").all()
    : "lane" in filter
    ? store.prepare("select * from episodes where study = ? and lane = ? order by ordinal").all(filter.study, filter.lane)
    : store.prepare("select * from episodes where study = ? order by lane, ordinal").all(filter.study);
  return rows.map(episodeRecord);
}

function episodeRecord(row: Record<string, unknown>): EpisodeRecord {
  const some = <K extends string, T>(key: K, value: unknown, read: (value: never) => T): Partial<Record<K, T>> =>
    value === null || value === undefined ? {} : { [key]: read(value as never) } as Record<K, T>;
  return {
    id: String(row.id),
    study: String(row.study),
    lane: String(row.lane),
    ordinal: Number(row.ordinal),
    identity: JSON.parse(String(row.identity)),
    world: String(row.world),
    worldParams: JSON.parse(String(row.world_params)),
    method: String(row.method),
    memory: String(row.memory),
    condition: String(row.condition),
    backbone: String(row.backbone),
    attempt: Number(row.attempt),
    seed: Number(row.seed),
    status: row.status as EpisodeStatus,
    ...some("game", row.game, String),
    ...some("label", row.label, String),
    ...some("failureKind", row.failure_kind, String),
    ...some("failureMessage", row.failure_message, String),
    ...some("score", row.score, Number),
    ...some("maxScore", row.max_score, Number),
    ...some("ended", row.ended, String),
    ...some("steps", row.steps, Number),
    ...some("passes", row.passes, (text: string): PassRow[] => JSON.parse(text)),
    ...some("artefactIn", row.artefact_in, String),
    ...some("artefactOut", row.artefact_out, String),
    ...some("startedAt", row.started_at, Number),
    ...some("finishedAt", row.finished_at, Number),
  };
}
