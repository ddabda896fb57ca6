/**
 * Data frames out of the record of truth: one query, one typed Polars frame, always in a defined order.
 *
 * @module
 */

import { createRequire } from "node:module";
import type pl from "nodejs-polars";
import type { Store } from "../store/open.ts";

/** A Polars frame (nodejs-polars); a notebook shows it as a table. */
export type DataFrame = pl.DataFrame;

/** Polars, loaded when it is first used. */
export function polars(): typeof pl {
  return createRequire(import.meta.url)("nodejs-polars");
}

/** Column name → type, in the order of the columns. */
export type FrameSchema = Readonly<Record<string, "text" | "integer" | "number" | "boolean">>;

/**
 * A frame out of rows. Ids and seeds stay text, so that no reader turns them into floats; a missing value is null.
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 1 }], { game: "text", score: "number" });
 * assert.equal(frame.height, 1);
 * ```
 */
export function frameOf(rows: readonly object[], schema: FrameSchema): DataFrame {
  const { DataFrame, Utf8, Int64, Float64, Bool } = polars();
  const types = { text: Utf8, integer: Int64, number: Float64, boolean: Bool };
  const columns = Object.fromEntries(
    Object.keys(schema).map((name) => [name, rows.map((row) => row[name as keyof typeof row] ?? null)]),
  );
  return DataFrame(columns, { schema: Object.fromEntries(Object.entries(schema).map(([name, type]) => [name, types[type]])) });
}

/**
 * The rows of a frame as plain objects.
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 1 }, { game: "cooking" }], { game: "text", score: "number" });
 * assert.deepEqual(rowsOf(frame), [{ game: "hunt", score: 1 }, { game: "cooking", score: null }]);
 * ```
 */
export function rowsOf<Row>(frame: DataFrame): Row[] {
  return frame.toRecords() as Row[];
}

/** One row of `episodesFrame`. */
export interface EpisodeRow {
  /** Id of the episode, 16 hex digits. */
  readonly episode: string;
  /** Id of its study. */
  readonly study: string;
  /** The game's label, else the world's id, e.g. `textworld/hunt`. */
  readonly game: string;
  /** Label of the row in tables, e.g. `arigraph`. */
  readonly condition: string;
  /** What answered for the models: ids joined by `+`, e.g. `offline`. */
  readonly backbone: string;
  /** From 1. */
  readonly attempt: number;
  /** A whole number as text, so that no reader turns it into a float. */
  readonly seed: string;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** What ended a failed or parked episode: the kind of its error; else null. */
  readonly failure: string | null;
  /** Score divided by the maximum; null unless completed. */
  readonly normalised: number | null;
  /** Agent steps taken, ≥ 0; null unless completed. */
  readonly steps: number | null;
  /** `won`, `lost` or `limit`; null unless completed. */
  readonly ended: string | null;
}

/** Columns of `episodesFrame`. */
export const EPISODE_COLUMNS: FrameSchema = {
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

/**
 * Every episode of a study, planned ones included; `normalised` is null unless the episode completed. Of people's games only those are in it that
 * were played to their end.
 *
 * Columns are those of `EpisodeRow`; rows in order of game, condition and attempt.
 *
 * @example
 * ```ts
 * import { endEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import { type EpisodeRow, episodesFrame, rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 3, maxScore: 4, steps: 12, end: "limit" }] }, 0);
 * const [row] = rowsOf<EpisodeRow>(episodesFrame(store, "mine"));
 * assert.deepEqual([row?.game, row?.normalised, row?.seed], ["textworld/hunt", 0.75, "1"]);
 * ```
 */
export function episodesFrame(store: Store, study: string): DataFrame {
  return frameOf(episodeRows(store, study), EPISODE_COLUMNS);
}

/** The rows of `episodesFrame` as plain objects. */
export function episodeRows(store: Store, study: string): EpisodeRow[] {
  return store.prepare(`
    select id as episode, study, lane, coalesce(label, world) as game, condition, backbone, attempt, cast(seed as text) as seed, status,
      failure_kind as failure, case when status = 'completed' then score / nullif(max_score, 0) end as normalised, steps, ended
    from episodes where study = ? and (method <> 'human' or status = 'completed') order by game, condition, attempt, id`).all(
    study,
  ) as unknown as EpisodeRow[];
}

/**
 * Score and graph size after each step of each completed episode, in order of game, condition, attempt, pass and step.
 *
 * Columns: `episode`, `game`, `condition`, `backbone` (text); `attempt` (from 1), `seed` (text), `pass` (from 0), `step` (0 is the reset); `normalised`
 * (score divided by the maximum); `triplets` (standing after the step, null without a graph), `updated` (removed at the step).
 *
 * @example
 * ```ts
 * import { endEpisode, observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import { stepsFrame } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const shown = { observation: "You are in a hall.", sections: {}, score: 1 };
 * const turn = { goal: "Win.", frames: [], maxScore: 4, observationHash: observationHash(shown), details: {}, graphSize: 5 };
 * putTurn(store, { episode: "e1", pass: 0, step: 0, ...shown, ...turn });
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 3, maxScore: 4, steps: 12, end: "limit" }] }, 0);
 * const steps = stepsFrame(store, "mine").select("step", "normalised", "triplets", "updated");
 * assert.deepEqual(steps.toRecords(), [{ step: 0, normalised: 0.25, triplets: 5, updated: 0 }]);
 * ```
 */
export function stepsFrame(store: Store, study: string): DataFrame {
  return frameOf(stepRows(store, study), STEP_COLUMNS);
}

/** One row of `stepsFrame`. */
export interface StepRow extends Pick<EpisodeRow, "episode" | "game" | "condition" | "backbone" | "attempt" | "seed"> {
  /** From 0. */
  readonly pass: number;
  /** From 1; 0 is the reset. */
  readonly step: number;
  /** Score divided by the maximum. */
  readonly normalised: number | null;
  /** Current triplets after the step; null without a graph. */
  readonly triplets: number | null;
  /** Triplets removed at the step. */
  readonly updated: number;
}

/** The rows of `stepsFrame` as plain objects. */
export function stepRows(store: Store, study: string): StepRow[] {
  return store.prepare(`
    select t.episode, coalesce(e.label, e.world) as game, e.condition, e.backbone, e.attempt, cast(e.seed as text) as seed, t.pass, t.step,
      t.score / nullif(t.max_score, 0) as normalised, t.graph_size as triplets,
      (select count(*) from graph_changes c where c.episode = t.episode and c.pass = t.pass and c.step = t.step and c.op = 'remove') as updated
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.status = 'completed' order by game, e.condition, e.attempt, t.episode, t.pass, t.step`).all(
    study,
  ) as unknown as StepRow[];
}

/** Columns of `stepsFrame`. */
export const STEP_COLUMNS: FrameSchema = {
  episode: "text",
  game: "text",
  condition: "text",
  backbone: "text",
  attempt: "integer",
  seed: "text",
  pass: "integer",
  step: "integer",
  normalised: "number",
  triplets: "integer",
  updated: "integer",
};

/**
 * What the completed episodes of a study asked of models, by condition, role, model and kind of call, in that order.
 *
 * Columns: `condition`, `role`, `model`, `kind` (`paid`, `replayed` or `wasted`); `calls`; `prompt`, `cached` and `completion` (tokens);
 * `dollars` (US dollars, null where a model has no price).
 *
 * @example
 * ```ts
 * import { costsFrame } from "labyrinth/report";
 * import { createModels, localProvider, scripted } from "labyrinth/llm";
 * import { endEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const mine = scripted(["True"], { id: "mine", usage: { prompt: 12, cached: 0, completion: 1, reasoning: 0 } });
 * const model = createModels({ map: { "*": "mine" }, store, codeVersion: "0", episode: "e1", providers: [localProvider(mine)] });
 * await model.chat({ role: "arigraph/explore", messages: [{ role: "user", content: "Explore?" }] });
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 3, maxScore: 4, steps: 12, end: "limit" }] }, 0);
 * const costs = costsFrame(store, "mine").select("role", "kind", "calls", "prompt", "dollars");
 * assert.deepEqual(costs.toRecords(), [{ role: "arigraph/explore", kind: "paid", calls: 1, prompt: 12, dollars: null }]);
 * ```
 */
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
