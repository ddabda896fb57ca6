/** Episodes as typed rows: planned, running, and how they ended. */

import { StoreError } from "../../core/errors.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { deleteDigested, STEP_TABLES, updateDigested } from "./digest.ts";
import type { Store } from "./open.ts";
import { createTable, hidden, insert, json } from "./table.ts";

/**
 * `planned`: not begun; `running`: begun, and resumed if its run was killed; `paused`: waits for an
 * endpoint, quota or budget.
 */
export type EpisodeStatus = "planned" | "running" | "completed" | "failed" | "paused";

/** An episode before it is played. */
export interface EpisodePlan {
  /**
   * First 16 hex digits of SHA-256 over study, chain, ordinal and identity. `getEpisode` takes any
   * unique prefix.
   */
  readonly id: string;
  /** Id of its study, e.g. `arigraph-quick@offline`, which the store must hold. */
  readonly study: string;
  /** Id of its chain, e.g. `textworld/hunt|arigraph|1`. */
  readonly chain: string;
  /** Index in its chain, from 0. */
  readonly ordinal: number;
  /**
   * Everything that decides the trajectory, JSON-able: two episodes of equal identity have equal
   * trajectories.
   */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Id of the world in the catalogue, e.g. `textworld/hunt`. */
  readonly world: string;
  /** The world's parameters that the study names, JSON-able. */
  readonly worldParams: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of the game's content; absent if the game has never been opened. */
  readonly game?: string;
  /** Name of the game in tables; the world's id by default. */
  readonly label?: string;
  /** Id of the method, e.g. `ariadne`. */
  readonly method: string;
  /** Id of the memory, e.g. `arigraph`; empty for a method without memory. */
  readonly memory: string;
  /** The label of the row in tables: episodes of one condition are averaged. */
  readonly condition: string;
  /** Ids of the models, joined by `+`, e.g. `offline`; shown wherever the numbers are. */
  readonly backbone: string;
  /** Index of the trial, from 1; part of the key of every reply: each trial draws its own. */
  readonly attempt: number;
  /** Integer seed of everything random in the method. */
  readonly seed: number;
  /** SHA-256 (hex) of the artefact that the episode loads; absent where it loads none. */
  readonly artefactIn?: string;
}

/** The result of one pass: see `Pass` of `labyrinth/agent`. */
export interface PassRow {
  /** `explore`, `exploit`, `trial` or `only`. */
  readonly kind: string;
  /** Score at the end of the pass, in the world's own units. */
  readonly score: number;
  /** The highest score that the pass could reach, in the world's own units. */
  readonly maxScore: number;
  /** Number of agent steps, ≥ 0; a macro action such as "go to" counts as one. */
  readonly steps: number;
  /** `won`, `lost` or `limit`; absent where the method stopped by itself. */
  readonly end?: string;
  /** Whether this pass is the episode's result. @default the last pass is, if none is marked */
  readonly counts?: boolean;
}

/** An episode with its status and result. Fields that are not known yet are absent. */
export interface EpisodeRecord extends EpisodePlan {
  /** The status of the episode. */
  readonly status: EpisodeStatus;
  /** Of a failed or paused episode: kind of its error, or `budget`, `interrupted` or `error`. */
  readonly failureKind?: string;
  /** Of a failed or paused episode: the message of its error, in one line. */
  readonly failureMessage?: string;
  /** Of a completed episode: the score of the pass that counts, in the world's own units. */
  readonly score?: number;
  /** The highest score that the pass could reach; tables show `score / maxScore`. */
  readonly maxScore?: number;
  /** How the pass that counts ended: `won`, `lost` or `limit`. */
  readonly ended?: string;
  /** Number of agent steps of the pass that counts. */
  readonly steps?: number;
  /** Of a completed episode: every pass in order, at least one. */
  readonly passes?: readonly PassRow[];
  /** SHA-256 (hex) of the artefact that its memory saved for the next episode of the chain. */
  readonly artefactOut?: string;
  /** When the episode was first begun, in milliseconds since 1970; resuming does not change it. */
  readonly startedAt?: number;
  /** When the episode last ended, completed or not, in milliseconds since 1970. */
  readonly finishedAt?: number;
}

export type EpisodeEnd =
  | {
    readonly status: "completed";
    readonly passes: readonly PassRow[];
    readonly artefactOut?: string;
  }
  | {
    readonly status: "failed" | "paused";
    readonly failureKind: string;
    readonly failureMessage: string;
  };

const EPISODES = createTable<EpisodeRecord>("episodes", {
  identity: json,
  worldParams: json,
  passes: json,
  rowid: hidden,
});

/**
 * Enters an episode as planned; an episode that the store holds already stays as it is.
 * @throws {Error} (SQLite, foreign key) if the store does not hold its study.
 */
export function putEpisode(store: Store, plan: EpisodePlan): void {
  store.transaction(() =>
    insert(store, "episodes", EPISODES, { ...plan, status: "planned" }, "or ignore")
  );
}

/** Marks an episode as running from `now`, ms since 1970; its first start is kept. */
export function startEpisode(store: Store, id: string, now: number): void {
  store.transaction(() => {
    const set =
      "status = 'running', failure_kind = null, failure_message = null, started_at = coalesce(started_at, ?)";
    updateDigested(store, "episodes", set, id, Math.round(now));
  });
}

/**
 * Records the end of an episode durably; inside of `Store.write` it is on the disk once
 * `Store.settled` says so. Its score is that of the marked pass, else of the last one. `now`:
 * milliseconds since 1970.
 */
export function endEpisode(store: Store, id: string, end: EpisodeEnd, now: number): void {
  store.transaction(() => writeEnd(store, id, end, Math.round(now)), { durable: true });
}

function writeEnd(store: Store, id: string, end: EpisodeEnd, now: number): void {
  if (end.status !== "completed") {
    const set = "status = ?, failure_kind = ?, failure_message = ?, finished_at = ?";
    updateDigested(
      store,
      "episodes",
      set,
      id,
      end.status,
      end.failureKind,
      end.failureMessage,
      now,
    );
    return;
  }
  const counts = end.passes.find((pass) => pass.counts) ?? end.passes.at(-1);
  updateDigested(
    store,
    "episodes",
    `status = 'completed', failure_kind = null, failure_message = null, score = ?, max_score = ?, ended = ?,
       steps = ?, passes = ?, artefact_out = ?, finished_at = ?`,
    id,
    counts?.score ?? null,
    counts?.maxScore ?? null,
    counts?.end ?? null,
    counts?.steps ?? null,
    JSON.stringify(end.passes),
    end.artefactOut ?? null,
    now,
  );
}

/** Deletes an episode with its recorded steps; the replies of its models are kept. */
export function deleteEpisode(store: Store, id: string): void {
  store.transaction(() => {
    eraseRecord(store, id);
    deleteDigested(store, "episodes", "id = ?", id);
  });
}

/** Deletes the recorded steps of an episode; the replies of its models are kept. */
export function eraseRecord(store: Store, id: string): void {
  store.transaction(() => {
    for (const table of STEP_TABLES) deleteDigested(store, table, "episode = ?", id);
  });
}

/**
 * Finds the episode whose id starts with `id`.
 *
 * @throws {StoreError} `missing` if there is none, or more than one.
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
  const rows = EPISODES.select(
    store,
    "where substr(id, 1, length(?1)) = ?1 order by id limit 2",
    id,
  );
  if (rows[0] && rows.length === 1) return rows[0];
  const starts = (): string[] =>
    listEpisodes(store).map((episode) => episode.id.slice(0, id.length));
  const problem = rows.length === 0
    ? `holds no episode ${id}${didYouMean(id, starts())}`
    : `holds several episodes that begin with ${id}`;
  throw new StoreError("missing", `the store ${store.path} ${problem}; ./lab show lists them`);
}

/** Finds the episode with exactly this id; `undefined` if there is none. */
export function findEpisode(store: Store, id: string): EpisodeRecord | undefined {
  return EPISODES.select(store, "where id = ?", id)[0];
}

/**
 * Lists episodes by study, chain and ordinal: all of them, or those of a study or chain.
 *
 * @example
 * ```ts
 * import { listEpisodes, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.deepEqual(listEpisodes(store, { study: "mine" }).filter(({ status }) => status === "completed"), []);
 * ```
 */
export function listEpisodes(
  store: Store,
  filter: { readonly study?: string } | { readonly study: string; readonly chain: string } = {},
): EpisodeRecord[] {
  const { study, chain } = filter as { readonly study?: string; readonly chain?: string };
  const where = chain !== undefined
    ? "where study = ? and chain = ?"
    : study !== undefined
    ? "where study = ?"
    : "";
  const values = [study, chain].filter((value) => value !== undefined);
  return EPISODES.select(store, `${where} order by study, chain, ordinal`, ...values);
}

/** The positions of a study with their status: there may be ten thousands. */
export function listPositions(
  store: Store,
  study: string,
): Pick<EpisodeRecord, "chain" | "ordinal" | "status" | "failureKind">[] {
  return store.prepare(
    "select chain, ordinal, status, failure_kind from episodes where study = ? order by chain, ordinal",
  ).all(study).map(EPISODES.read);
}

/** The episodes at a position: more than one only if their identity has changed. */
export function episodesAt(
  store: Store,
  { study, chain, ordinal }: Pick<EpisodePlan, "study" | "chain" | "ordinal">,
): string[] {
  const rows = store.prepare(
    "select id from episodes where study = ? and chain = ? and ordinal = ?",
  )
    .all(study, chain, ordinal);
  return rows.map(({ id }) => String(id));
}
