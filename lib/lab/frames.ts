/**
 * The record of a study as Polars frames, in the order of its plan. Every frame begins with the
 * columns of `LABELS`. A study that has not been played gives a frame without rows.
 */

import type { Store } from "./store/open.ts";
import { EMBEDDING_ROLE } from "./store/costs.ts";
import { type DataFrame, frameOf, type FrameSchema } from "./frame-of.ts";
import { trainingChains } from "./about.ts";
import { checkHeld } from "./held-study.ts";

/** The first columns of every frame: which episode a row belongs to. */
export const LABELS = {
  /** Id of the episode, 16 hex digits. */
  episode: "text",
  /** The game's label, else the world's id, e.g. `textworld/hunt`. */
  game: "text",
  /** Label of the row in tables, e.g. `arigraph`. */
  condition: "text",
  /** Index of the trial, from 1. */
  attempt: "integer",
} as const satisfies FrameSchema;

const SELECTED = "e.id as episode, coalesce(e.label, e.world) as game, e.condition, e.attempt";

/** Score of an episode, step or pass. */
const SCORES = {
  /** In points of the world. */
  raw_score: "number?",
  /** The most points that there are. */
  max_score: "number?",
  /** `raw_score / max_score`, at most 1. */
  score: "number?",
} as const satisfies FrameSchema;

/** Columns of `episodes`. */
export const EPISODES_COLUMNS = {
  ...LABELS,
  /** Id of the world, of the method (`ariadne`) and of its memory, empty without one. */
  ...{ world: "text", method: "text", memory: "text" },
  /** Ids of the models, joined by `+`. */
  models: "text",
  /** Seed of what is random in the method, as text, because it may exceed a float's digits. */
  seed: "text",
  /** Whether other episodes start from the memory that its chain of episodes has left. */
  is_training: "boolean",
  /**
   * `planned`, `running`, `completed`, `failed` or `paused`; what follows is null unless completed.
   */
  status: "text",
  ...SCORES,
  /** Steps of the pass that counts. */
  steps: "integer?",
  /** `won`, `lost`, `limit`, or null where the agent stopped by itself. */
  ended: "text?",
} as const satisfies FrameSchema;

/**
 * A row for each episode of a study, those not yet completed included. Columns: `EPISODES_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { episodes } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * const frame = episodes(store, "mine");
 * assert.deepEqual([frame.height, frame.columns.at(-1)], [0, "ended"]);
 * ```
 */
export function episodes(store: Store, study: string): DataFrame {
  const training = trainingChains(store, study);
  const rows = selected(store, study, {
    columns: `e.chain, e.world, e.method, e.memory, e.backbone as models,
      cast(e.seed as text) as seed, e.status, ${scoresOf("e")}, e.steps, e.ended`,
    where: "e.method <> 'human' or e.status = 'completed'",
  });
  const flagged = rows.map((row) => ({ ...row, is_training: training.has(String(row["chain"])) }));
  return frameOf(flagged, EPISODES_COLUMNS);
}

/** Columns of `steps`. */
export const STEPS_COLUMNS = {
  ...LABELS,
  /** From 0; an exploring pass comes before the one that exploits. */
  pass: "integer",
  /** From 1; 0 is the world before the first action, where `action` is null. */
  step: "integer",
  action: "text?",
  /** Where the agent is after it, in the world's words; null where the world does not say. */
  location: "text?",
  ...SCORES,
  /** Current triplets after the step; null without a graph. */
  triplets: "integer?",
  /** Triplets removed at the step, as outdated or for others that replace them. */
  replaced: "integer",
} as const satisfies FrameSchema;

/**
 * A row for each step of each completed episode. Columns: `STEPS_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { steps } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.ok(steps(store, "mine").columns.includes("location"));
 * ```
 */
export function steps(store: Store, study: string): DataFrame {
  const rows = selected(store, study, {
    columns: `t.pass, t.step, t.action, json_extract(t.sections, '$.location') as location,
      ${scoresOf("t")}, t.graph_size as triplets, ${changed("remove")} as replaced`,
    join: "join turns t on t.episode = e.id",
    where: "e.status = 'completed'",
    order: "t.pass, t.step",
  });
  return frameOf(rows, STEPS_COLUMNS);
}

/** Columns of `calls`. */
export const CALLS_COLUMNS = {
  ...LABELS,
  /** Null of a call outside of steps. */
  ...{ pass: "integer?", step: "integer?" },
  /** Index among several votes, from 0; null of a single question. */
  vote: "integer?",
  /** From 1 where the question was repeated after a malformed reply; else null. */
  re_ask: "integer?",
  /** Who asked, e.g. `arigraph/extract`. */
  role: "text",
  /** Id of the model that answered. */
  model: "text",
  /** `cached_tokens` are part of the prompt, `reasoning_tokens` of the completion. */
  ...{ prompt_tokens: "integer", cached_tokens: "integer" },
  ...{ completion_tokens: "integer", reasoning_tokens: "integer" },
  /** How long the answer took; next to nothing where it came from the record. */
  seconds: "number",
  /** US dollars at the prices of the time; null where the model has no price. */
  dollars: "number?",
} as const satisfies FrameSchema;

/**
 * A row for each answered question of each completed episode, without embeddings. Of questions
 * repeated by a resumed run the first answer counts, so that an interrupted episode has the rows
 * of an undisturbed one. Columns: `CALLS_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { calls } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.ok(calls(store, "mine").columns.includes("prompt_tokens"));
 * ```
 */
export function calls(store: Store, study: string): DataFrame {
  const rows = selected(store, study, {
    columns: `c.pass, c.step, c.vote, c.re_ask, c.role, c.model, c.prompt_tokens,
      c.cached_tokens, c.completion_tokens, c.reasoning_tokens,
      c.latency_ms / 1000.0 as seconds, c.dollars, min(c.id) as first`,
    join: "join calls c on c.episode = e.id",
    where: `e.status = 'completed' and c.kind <> 'wasted' and c.role <> '${EMBEDDING_ROLE}'`,
    group: "e.id, c.key",
    order: "first",
  });
  return frameOf(rows, CALLS_COLUMNS);
}

/** Columns of `passes`. */
export const PASSES_COLUMNS = {
  ...LABELS,
  /** From 0. */
  pass: "integer",
  /** `explore`, `exploit`, `trial` or `only`. */
  kind: "text",
  /** Whether its score is the episode's. */
  counts: "boolean",
  ...SCORES,
  steps: "integer",
  /** `won`, `lost`, `limit`, or null where the agent stopped by itself. */
  ended: "text?",
} as const satisfies FrameSchema;

/**
 * A row for each pass through the game of each completed episode, such as WESE's exploration and
 * the task after it, or Reflexion's trials. Columns: `PASSES_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { passes } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.ok(passes(store, "mine").columns.includes("kind"));
 * ```
 */
export function passes(store: Store, study: string): DataFrame {
  const field = (name: string): string => `json_extract(p.value, '$.${name}')`;
  const rows = selected(store, study, {
    columns: `p.key as pass, ${field("kind")} as kind, ${field("counts")} as marked,
      max(${field("counts")}) over (partition by e.id) as any_marked,
      p.key = max(p.key) over (partition by e.id) as is_last,
      ${field("score")} as raw_score, ${field("maxScore")} as max_score,
      ${field("score")} * 1.0 / nullif(${field("maxScore")}, 0) as score,
      ${field("steps")} as steps, ${field("end")} as ended`,
    join: "join json_each(e.passes) p",
    where: "e.status = 'completed'",
    order: "p.key",
  });
  const counted = rows.map(({ marked, any_marked, is_last, ...row }) => (
    { ...row, counts: any_marked === 1 ? marked === 1 : is_last === 1 }
  ));
  return frameOf(counted, PASSES_COLUMNS);
}

/** Columns of `graphSteps`. */
export const GRAPH_STEPS_COLUMNS = {
  ...LABELS,
  /** Both from 0. */
  ...{ pass: "integer", step: "integer" },
  /** Current triplets after the step. */
  triplets: "integer",
  /** Triplets added and removed at the step, and since the beginning of the pass. */
  ...{ added: "integer", replaced: "integer" },
  ...{ added_so_far: "integer", replaced_so_far: "integer" },
} as const satisfies FrameSchema;

/**
 * How the graph changes: a row for each step after which an episode has a graph, completed
 * episodes only. Columns: `GRAPH_STEPS_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { graphSteps } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(graphSteps(store, "mine").columns.at(-1), "replaced_so_far");
 * ```
 */
export function graphSteps(store: Store, study: string): DataFrame {
  const rows = selected(store, study, {
    columns: `t.pass, t.step, t.graph_size as triplets, ${changed("add")} as added,
      ${changed("remove")} as replaced`,
    join: "join turns t on t.episode = e.id",
    where: "e.status = 'completed' and t.graph_size is not null",
    order: "t.pass, t.step",
  });
  let [pass, added, replaced] = ["", 0, 0];
  const summed = rows.map((row) => {
    const here = `${row["episode"]} ${row["pass"]}`;
    if (here !== pass) [pass, added, replaced] = [here, 0, 0];
    added += Number(row["added"]);
    replaced += Number(row["replaced"]);
    return { ...row, added_so_far: added, replaced_so_far: replaced };
  });
  return frameOf(summed, GRAPH_STEPS_COLUMNS);
}

type Query =
  & Readonly<Record<"columns" | "where", string>>
  & Partial<Readonly<Record<"join" | "group" | "order", string>>>;

function selected(store: Store, study: string, query: Query): Record<string, unknown>[] {
  checkHeld(store, study);
  const { columns, join = "", where, group, order } = query;
  return store.prepare(`select ${SELECTED}, ${columns} from episodes e ${join}
    where e.study = ? and (${where}) ${group ? `group by ${group}` : ""}
    order by e.rowid ${order ? `, ${order}` : ""}`).all(study) as Record<string, unknown>[];
}

/** The scores of a table; of episodes only once they are completed. */
function scoresOf(table: "e" | "t"): string {
  return `${table}.score as raw_score, ${table}.max_score as max_score,
    ${table}.score / nullif(${table}.max_score, 0) as score`;
}

function changed(op: "add" | "remove"): string {
  return `(select count(*) from graph_changes c where c.episode = e.id and c.pass = t.pass
    and c.step = t.step and c.op = '${op}')`;
}
