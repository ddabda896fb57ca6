/**
 * What was answered to questions, one row an episode.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import { type DataFrame, frameOf, type FrameSchema } from "./frame.ts";

/** One row of `answersFrame`; what an unfinished episode does not have is null. */
export interface AnswerRow {
  /** Id of the episode, 16 hex digits. */
  readonly episode: string;
  /** The world's id, which is that of the set: `questions/musique`. */
  readonly game: string;
  /** Label of the row in tables, e.g. `arigraph`. */
  readonly condition: string;
  /** What answered for the models, e.g. `offline`. */
  readonly backbone: string;
  /** Place of the question in its set, from 0. */
  readonly question: number;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** As it was given. */
  readonly answer: string | null;
  /** Official exact match of the set: 0 or 1. */
  readonly em: number | null;
  /** Official F1 of the set, in [0, 1]. */
  readonly f1: number | null;
  /** Different words that answer and gold answer share; this and the next three make up the pooled score (`WordCounts`). */
  readonly shared: number | null;
  /** Words of the answer. */
  readonly answered: number | null;
  /** Words of the gold answer. */
  readonly wanted: number | null;
  /** 1 if both are the same list of words, else 0. */
  readonly equal: number | null;
}

const ANSWERS: FrameSchema = {
  episode: "text",
  game: "text",
  condition: "text",
  backbone: "text",
  question: "integer",
  status: "text",
  answer: "text",
  em: "number",
  f1: "number",
  shared: "integer",
  answered: "integer",
  wanted: "integer",
  equal: "integer",
};

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
  return frameOf(answerRows(store, study), ANSWERS);
}

/** The rows of `answersFrame` as plain objects. */
export function answerRows(store: Store, study: string): AnswerRow[] {
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
