/**
 * Studies and episodes as typed rows.
 *
 * @module
 */

import { StoreError } from "../errors.ts";
import type { Store } from "./open.ts";

/** `planned` not yet begun; `running` begun (or killed: it is continued); `parked` waits for an endpoint, quota or budget. */
export type EpisodeStatus = "planned" | "running" | "completed" | "failed" | "parked";

/** An episode as planned. Ids, hashes and places are text; `ordinal` counts from 0. */
export interface EpisodePlan {
  readonly id: string;
  readonly study: string;
  readonly lane: string;
  readonly ordinal: number;
  /** Everything that decides the trajectory. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly world: string;
  readonly worldParams: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of the game's content. */
  readonly game?: string;
  /** The game's name in tables, where it is not the world's id (a game file's name). */
  readonly label?: string;
  readonly method: string;
  readonly memory: string;
  /** The label of the row in tables: episodes of one condition are averaged. */
  readonly condition: string;
  /** Shown on everything that the numbers reach, e.g. `offline`. */
  readonly backbone: string;
  readonly attempt: number;
  readonly seed: number;
  readonly artefactIn?: string;
}

/** What one pass reached (see the agent's `Pass`). */
export interface PassRow {
  readonly kind: string;
  readonly score: number;
  readonly maxScore: number;
  readonly steps: number;
  readonly end?: string;
}

/** An episode with what came of it. Score and maximum are in the world's units; times in milliseconds since 1970. */
export interface EpisodeRecord extends EpisodePlan {
  readonly status: EpisodeStatus;
  readonly failureKind?: string;
  readonly failureMessage?: string;
  readonly score?: number;
  readonly maxScore?: number;
  readonly ended?: string;
  readonly steps?: number;
  readonly passes?: readonly PassRow[];
  readonly artefactOut?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

/** How an episode ended. */
export type EpisodeEnd =
  | { readonly status: "completed"; readonly passes: readonly PassRow[]; readonly artefactOut?: string }
  | { readonly status: "failed" | "parked"; readonly failureKind: string; readonly failureMessage: string };

/** Writes the study's plan; a later one takes the earlier one's place. */
export function putStudy(store: Store, study: { id: string; spec: unknown; createdAt: number }): void {
  store.transaction(() =>
    store.prepare("insert into studies (id, spec, created_at) values (?, ?, ?) on conflict (id) do update set spec = excluded.spec")
      .run(study.id, JSON.stringify(study.spec), Math.round(study.createdAt))
  );
}

/** The plan of a study as it was last run, or `undefined`. */
export function getStudy(store: Store, id: string): unknown {
  const row = store.prepare("select spec from studies where id = ?").get(id);
  return row === undefined ? undefined : JSON.parse(String(row.spec));
}

/** Ids of the studies, in order of their making. */
export function listStudies(store: Store): string[] {
  return store.prepare("select id from studies order by created_at, id").all().map((row) => String(row.id));
}

/** Enters an episode as planned; one that is there already stays as it is. */
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

/** Writes how an episode ended. The last pass is the one that counts; all are kept. */
export function endEpisode(store: Store, id: string, end: EpisodeEnd, now: number): void {
  store.transaction(() => {
    if (end.status !== "completed") {
      store.prepare("update episodes set status = ?, failure_kind = ?, failure_message = ?, finished_at = ? where id = ?")
        .run(end.status, end.failureKind, end.failureMessage, Math.round(now), id);
      return;
    }
    const counts = end.passes.at(-1);
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

/** Episodes in order of study, lane and place; of one study if told. */
export function listEpisodes(store: Store, filter: { readonly study?: string } = {}): EpisodeRecord[] {
  const rows = filter.study === undefined
    ? store.prepare("select * from episodes order by study, lane, ordinal").all()
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
