/**
 * Data frames out of the record of truth: one query, one typed Polars frame, always in a defined order.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import pl from "nodejs-polars";

/** A Polars frame. */
export type DataFrame = pl.DataFrame;

/** Column name → type, in the order of the columns. */
export type FrameSchema = Readonly<Record<string, "text" | "integer" | "number" | "boolean">>;

/**
 * A frame out of rows. Ids and seeds stay text, so that no reader turns them into floats; a missing value is null.
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 1 }], { game: "text", score: "number" });
 * assert.equal(frame.height, 1);
 * ```
 */
export function frameOf(rows: readonly Readonly<Record<string, unknown>>[], schema: FrameSchema): DataFrame {
  const types = { text: pl.Utf8, integer: pl.Int64, number: pl.Float64, boolean: pl.Bool };
  const columns = Object.fromEntries(
    Object.keys(schema).map((name) => [name, rows.map((row) => row[name] ?? null)]),
  );
  return pl.DataFrame(columns, { schema: Object.fromEntries(Object.entries(schema).map(([name, type]) => [name, types[type]])) });
}

/** The rows of a frame as plain objects. */
export function rowsOf<Row>(frame: DataFrame): Row[] {
  return frame.toRecords() as Row[];
}

/** One episode of a study. */
export interface EpisodeRow {
  readonly episode: string;
  readonly study: string;
  readonly game: string;
  readonly condition: string;
  readonly backbone: string;
  readonly attempt: number;
  readonly seed: number;
  readonly status: string;
  readonly failure: string | null;
  /** Score divided by the maximum; null unless completed. */
  readonly normalised: number | null;
  readonly steps: number | null;
  readonly ended: string | null;
}

const EPISODES: FrameSchema = {
  episode: "text",
  study: "text",
  game: "text",
  condition: "text",
  backbone: "text",
  attempt: "integer",
  seed: "text",
  status: "text",
  failure: "text",
  normalised: "number",
  steps: "integer",
  ended: "text",
};

/** Every episode of a study, planned ones included; `normalised` is null unless the episode completed. */
export function episodesFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select id as episode, study, lane, coalesce(label, world) as game, condition, backbone, attempt, cast(seed as text) as seed, status,
      failure_kind as failure, case when status = 'completed' then score / nullif(max_score, 0) end as normalised, steps, ended
    from episodes where study = ? order by game, condition, attempt, id`).all(study);
  return frameOf(rows as Record<string, unknown>[], EPISODES);
}

/** Score and graph size after each step of each completed episode (step 0 is the reset); `updated` counts triplets removed at the step. */
export function stepsFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select t.episode, coalesce(e.label, e.world) as game, e.condition, e.backbone, e.attempt, t.pass, t.step,
      t.score / nullif(t.max_score, 0) as normalised, t.graph_size as triplets,
      (select count(*) from graph_changes c where c.episode = t.episode and c.pass = t.pass and c.step = t.step and c.op = 'remove') as updated
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.status = 'completed' order by game, e.condition, e.attempt, t.episode, t.pass, t.step`).all(study);
  return frameOf(rows as Record<string, unknown>[], {
    episode: "text",
    game: "text",
    condition: "text",
    backbone: "text",
    attempt: "integer",
    pass: "integer",
    step: "integer",
    normalised: "number",
    triplets: "integer",
    updated: "integer",
  });
}

/** Tokens, dollars and calls by condition and role over the completed episodes of a study; `dollars` is null where a model has no price. */
export function costsFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select e.condition, c.role, c.model, c.kind, count(*) as calls, sum(c.prompt_tokens) as prompt, sum(c.cached_tokens) as cached,
      sum(c.completion_tokens) as completion, sum(c.dollars) as dollars
    from calls c join episodes e on e.id = c.episode
    where e.study = ? and e.status = 'completed' group by 1, 2, 3, 4 order by 1, 2, 3, 4`).all(study);
  return frameOf(rows as Record<string, unknown>[], {
    condition: "text",
    role: "text",
    model: "text",
    kind: "text",
    calls: "integer",
    prompt: "number",
    cached: "number",
    completion: "number",
    dollars: "number",
  });
}
