/** The steps of an episode as typed rows: turns, changes of the graph, ground truths. */

import type { FrameRow } from "../../core/env/environment.ts";
import { hashOf } from "../../core/text/canonical.ts";
import type { Store } from "./open.ts";
import { createTable, insert, json, sortedJson } from "./table.ts";

/** The key of one step of an episode. */
export interface StepId {
  /** Id of the episode, in full. */
  readonly episode: string;
  /**
   * Index of the pass, from 0: WESE's exploration and exploitation, Reflexion's trials; 0 for
   * methods of one pass.
   */
  readonly pass: number;
  /** Agent step, from 1; step 0 is the reset. */
  readonly step: number;
}

/** A recorded turn: what the world shows after a step. Pictures are not kept. */
export interface TurnRow extends StepId {
  /** The action of the step; absent at the reset. */
  readonly action?: string;
  /** The text of the task, which is the same in every turn of most worlds. */
  readonly goal: string;
  /** The world's text, without the sections. */
  readonly observation: string;
  /** Parts of the observation that the world reports by name: `inventory`, `location`, … */
  readonly sections: Readonly<Record<string, string>>;
  /** The primitive steps of a macro action, in order; empty for a plain step. */
  readonly frames: readonly FrameRow[];
  /** Cumulative score after the step, in the world's own units. */
  readonly score: number;
  /** The highest score that the episode can reach, in the same units. */
  readonly maxScore: number;
  /** `won`, `lost` or `limit` on the last turn; absent before. */
  readonly ended?: string;
  /** The hash that a resumed episode must reproduce: see `observationHash`. */
  readonly observationHash: string;
  /** What the method reports of the step, JSON-able: `plan`, `reason`, `recalled`, `fallback`, … */
  readonly details: Readonly<Record<string, unknown>>;
  /** Number of triplets in the graph after the step, ≥ 0; absent where the memory has no graph. */
  readonly graphSize?: number;
}

/** One addition or removal of a triplet. */
export interface GraphChangeRow extends StepId {
  /** Index within its step, from 0. */
  readonly ordinal: number;
  /** `add` makes the triplet current, `remove` ends that from this step on. */
  readonly op: "add" | "remove";
  /** First entity, in normal form, e.g. `key 1`. */
  readonly subject: string;
  /** Relation, in normal form, e.g. `is in`. */
  readonly relation: string;
  /** Second entity, in normal form, e.g. `inventory`. */
  readonly object: string;
}

/** The ground truth of a step, which no method sees. */
export interface TruthRow extends StepId {
  /** The world's own report, JSON-able; its keys depend on the world. */
  readonly truth: Readonly<Record<string, unknown>>;
}

const TURNS = createTable<TurnRow>("turns", { sections: sortedJson, frames: json, details: json });
const CHANGES = createTable<GraphChangeRow>("graph_changes");
const TRUTHS = createTable<TruthRow>("truths", { truth: json });

/**
 * Hashes what a resumed episode must reproduce: SHA-256 (hex) over observation, sections, score and
 * end.
 */
export function observationHash(
  turn: Pick<TurnRow, "observation" | "sections" | "score"> & { readonly end?: string },
): string {
  return hashOf([turn.observation, turn.sections, turn.score, turn.end ?? null]);
}

/**
 * Inserts a step in one transaction: its turn, the changes of the graph, and the ground truth if
 * any.
 * @throws {Error} (SQLite, constraint) if the step is recorded already, or the episode is not.
 */
export function putTurn(
  store: Store,
  turn: TurnRow,
  more: { readonly changes?: readonly GraphChangeRow[]; readonly truth?: TruthRow["truth"] } = {},
): void {
  const { episode, pass, step } = turn;
  store.transaction(() => {
    insert(store, "turns", TURNS, turn);
    more.changes?.forEach((change) => insert(store, "graph_changes", CHANGES, change));
    if (more.truth) insert(store, "truths", TRUTHS, { episode, pass, step, truth: more.truth });
  });
}

/** Finds the turn of a step; `undefined` if it is not recorded. */
export function getTurn(store: Store, { episode, pass, step }: StepId): TurnRow | undefined {
  return TURNS.select(store, "where episode = ? and pass = ? and step = ?", episode, pass, step)[0];
}

/**
 * Lists every turn of an episode, by pass and step.
 *
 * @example
 * ```ts
 * import { listTurns, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.deepEqual(listTurns(store, "e1").map(({ step, action }) => [step, action]), []);
 * ```
 */
export function listTurns(store: Store, episode: string): TurnRow[] {
  return TURNS.select(store, "where episode = ? order by pass, step", episode);
}

/**
 * Lists every change of an episode's graph, by pass, step and ordinal.
 *
 * @example
 * ```ts
 * import { listGraphChanges, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(listGraphChanges(store, "e1").filter(({ op }) => op === "add").length, 0);
 * ```
 */
export function listGraphChanges(store: Store, episode: string): GraphChangeRow[] {
  return CHANGES.select(store, "where episode = ? order by pass, step, ordinal", episode);
}

/**
 * Lists the ground truths recorded of an episode, by pass and step.
 *
 * @example
 * ```ts
 * import { listTruths, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // a study records truths where its field `truth` is set
 * assert.deepEqual(listTruths(store, "e1"), []);
 * ```
 */
export function listTruths(store: Store, episode: string): TruthRow[] {
  return TRUTHS.select(store, "where episode = ? order by pass, step", episode);
}

/** Finds the ground truth recorded with a step; `undefined` if there is none. */
export function getTruth(
  store: Store,
  { episode, pass, step }: StepId,
): TruthRow["truth"] | undefined {
  return TRUTHS.select(store, "where episode = ? and pass = ? and step = ?", episode, pass, step)[0]
    ?.truth;
}
