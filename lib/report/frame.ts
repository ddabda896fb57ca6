/** Data frames out of the record of truth: one query, one typed Polars frame, always in a defined order. */

import { type DataFrame, frameOf, type FrameSchema, type RowOf } from "../lab/frame-of.ts";
import { checkHeld } from "../lab/held-study.ts";
import type { Store } from "../lab/store/open.ts";

export { type ColumnTypes, type DataFrame, frameOf, type FrameSchema, polars, type RowOf, rowsOf } from "../lab/frame-of.ts";

const EPISODE = {
  /** Id of the episode, 16 hex digits. */
  episode: "text",
} as const;

const LABELS = {
  /** The game's label, else the world's id, e.g. `textworld/hunt`. */
  game: "text",
  /** Label of the row in tables, e.g. `arigraph`. */
  condition: "text",
  /** The backbone: ids of models joined by `+`, e.g. `offline`. */
  backbone: "text",
} as const;

const TRIAL = {
  /** Index of the trial, from 1. */
  attempt: "integer",
  /** A whole number as text, so that no reader turns it into a float. */
  seed: "text",
} as const;

/** Columns of `episodesFrame`. */
export const EPISODE_COLUMNS = {
  ...EPISODE,
  /** Id of its study. */
  study: "text",
  ...LABELS,
  ...TRIAL,
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  status: "text",
  /** The kind of error that ended a failed or parked episode; else null. */
  failure: "text?",
  /** Score divided by the maximum; null unless completed. */
  normalised: "number?",
  /** Agent steps taken, ≥ 0; null unless completed. */
  steps: "integer?",
  /** `won`, `lost` or `limit`; null unless completed. */
  ended: "text?",
} as const satisfies FrameSchema;

/** One row of `episodesFrame`. */
export type EpisodeRow = RowOf<typeof EPISODE_COLUMNS>;

/**
 * Every episode of a study, planned ones included, in order of game, condition and attempt; of human games only those that were played to their
 * end. Columns are `EPISODE_COLUMNS`.
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
  checkHeld(store, study);
  return store.prepare(`
    select id as episode, study, lane, coalesce(label, world) as game, condition, backbone, attempt, cast(seed as text) as seed, status,
      failure_kind as failure, case when status = 'completed' then score / nullif(max_score, 0) end as normalised, steps, ended
    from episodes where study = ? and (method <> 'human' or status = 'completed') order by game, condition, attempt, id`)
    .all(study) as unknown as EpisodeRow[];
}

/** Columns of `stepsFrame`. */
export const STEP_COLUMNS = {
  ...EPISODE,
  ...LABELS,
  ...TRIAL,
  /** From 0. */
  pass: "integer",
  /** From 1; 0 is the reset. */
  step: "integer",
  /** Score divided by the maximum. */
  normalised: "number?",
  /** Current triplets after the step; null without a graph. */
  triplets: "integer?",
  /** Triplets removed at the step. */
  updated: "integer",
} as const satisfies FrameSchema;

/** One row of `stepsFrame`. */
export type StepRow = RowOf<typeof STEP_COLUMNS>;

/**
 * Score and graph size after each step of each completed episode, in order of game, condition, attempt, pass and step. Columns are `STEP_COLUMNS`.
 *
 * @example
 * ```ts
 * import { openStore, stepsFrame } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.deepEqual(stepsFrame(store, "mine").columns.slice(-3), ["normalised", "triplets", "updated"]);
 * ```
 */
export function stepsFrame(store: Store, study: string): DataFrame {
  return frameOf(stepRows(store, study), STEP_COLUMNS);
}

/** The rows of `stepsFrame` as plain objects. */
export function stepRows(store: Store, study: string): StepRow[] {
  checkHeld(store, study);
  return store.prepare(`
    select t.episode, coalesce(e.label, e.world) as game, e.condition, e.backbone, e.attempt, cast(e.seed as text) as seed, t.pass, t.step,
      t.score / nullif(t.max_score, 0) as normalised, t.graph_size as triplets,
      (select count(*) from graph_changes c where c.episode = t.episode and c.pass = t.pass and c.step = t.step and c.op = 'remove') as updated
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.status = 'completed' order by game, e.condition, e.attempt, t.episode, t.pass, t.step`)
    .all(study) as unknown as StepRow[];
}

/** Columns of `answersFrame`, whose `game` is the world's id; what an unfinished episode does not have is null. */
export const ANSWER_COLUMNS = {
  ...EPISODE,
  ...LABELS,
  /** Index of the question in its set, from 0. */
  question: "integer",
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  status: "text",
  /** The answer as it was given. */
  answer: "text?",
  /** Official exact match of the set: 0 or 1. */
  em: "number?",
  /** Official F1 of the set, in [0, 1]. */
  f1: "number?",
  /** Different words that answer and gold answer share; this and the next three make up the pooled score (`WordCounts`). */
  shared: "integer?",
  /** Words of the answer. */
  answered: "integer?",
  /** Words of the gold answer. */
  wanted: "integer?",
  /** 1 if both are the same list of words, else 0. */
  equal: "integer?",
} as const satisfies FrameSchema;

/** One row of `answersFrame`. */
export type AnswerRow = RowOf<typeof ANSWER_COLUMNS>;

/**
 * Every episode of a study of questions, planned ones included, in order of set, condition and question.
 *
 * @example
 * ```ts
 * import { answersFrame } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(answersFrame(store, "unplayed").height, 0);
 * ```
 */
export function answersFrame(store: Store, study: string): DataFrame {
  return frameOf(answerRows(store, study), ANSWER_COLUMNS);
}

/** The rows of `answersFrame` as plain objects. */
export function answerRows(store: Store, study: string): AnswerRow[] {
  checkHeld(store, study);
  const rows = store.prepare(`
    select e.id as episode, e.world as game, e.condition, e.backbone, json_extract(e.world_params, '$.index') as question, e.status, t.sections
    from episodes e left join turns t on t.episode = e.id and t.step = 1 and e.status = 'completed'
    where e.study = ? order by game, e.condition, question, e.id`).all(study);
  return rows.map(({ sections, ...row }) =>
    ({ ...NOT_ANSWERED, ...row, ...(typeof sections === "string" ? scoresIn(JSON.parse(sections)) : {}) }) as AnswerRow
  );
}

const NOT_ANSWERED = { answer: null, em: null, f1: null, shared: null, answered: null, wanted: null, equal: null };

/** The sections of a question's last turn as numbers. */
function scoresIn({ answer, em, f1, words = "" }: Readonly<Record<string, string>>): Partial<AnswerRow> {
  const [shared, answered, wanted, equal] = words.split(" ").map(Number);
  return { answer: answer ?? null, em: Number(em), f1: Number(f1), ...{ shared, answered, wanted, equal } } as Partial<AnswerRow>;
}

/**
 * What the completed episodes of a study asked of models, by condition, role, model and kind of call, in that order.
 *
 * Columns: `condition`, `role`, `model`, `kind` (`paid`, `replayed` or `wasted`); `calls`; `prompt`, `cached` and `completion` (tokens);
 * `dollars` (US dollars, null where a model has no price).
 *
 * @example
 * ```ts
 * import { costsFrame } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.deepEqual(costsFrame(store, "mine").columns.slice(-4), ["prompt", "cached", "completion", "dollars"]);
 * ```
 */
export function costsFrame(store: Store, study: string): DataFrame {
  checkHeld(store, study);
  const rows = store.prepare(`
    select e.condition, c.role, c.model, c.kind, count(*) as calls, sum(c.prompt_tokens) as prompt, sum(c.cached_tokens) as cached,
      sum(c.completion_tokens) as completion, sum(c.dollars) as dollars
    from calls c join episodes e on e.id = c.episode
    where e.study = ? and e.status = 'completed' group by 1, 2, 3, 4 order by 1, 2, 3, 4`).all(study);
  return frameOf(rows, {
    ...{ condition: "text", role: "text", model: "text", kind: "text", calls: "integer" },
    ...{ prompt: "number", cached: "number", completion: "number", dollars: "number" },
  });
}
