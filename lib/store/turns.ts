/**
 * What happened in an episode, step by step, as typed rows.
 *
 * @module
 */

import { canonicalJson, hashOf } from "./canonical.ts";
import type { Store } from "./open.ts";

/** Names one step of an episode. */
export interface StepId {
  /** Id of the episode, in full. */
  readonly episode: string;
  /** 0-based: WESE's exploration and exploitation, Reflexion's trials; 0 for methods of one pass. */
  readonly pass: number;
  /** Agent step, from 1; step 0 is the reset. */
  readonly step: number;
}

/** A primitive step inside a macro, without its picture. */
export interface FrameRow {
  /** The primitive action that was sent, e.g. `go north`. */
  readonly action: string;
  /** What the world answered to it. */
  readonly observation: string;
  /** Parts that the world gave apart, by name, e.g. `location`. */
  readonly sections: Readonly<Record<string, string>>;
}

/** A turn as recorded. Pictures are not kept. */
export interface TurnRow extends StepId {
  /** What the method did at the step; absent at the reset. */
  readonly action?: string;
  /** The task's text, the same in every turn of most worlds. */
  readonly goal: string;
  /** Text as the world gave it, without the sections. */
  readonly observation: string;
  /** Parts that the world gave apart, by name: `inventory`, `location`, … */
  readonly sections: Readonly<Record<string, string>>;
  /** The primitive steps of a macro, in order; empty for a plain step. */
  readonly frames: readonly FrameRow[];
  /** Cumulative, after the step, in the world's own units. */
  readonly score: number;
  /** The highest score that the episode can reach, in the same units. */
  readonly maxScore: number;
  /** `won`, `lost` or `limit` on the last turn; absent before. */
  readonly ended?: string;
  /** What a resumed world must show again: see `observationHash`. */
  readonly observationHash: string;
  /** What helps to understand the step, JSON-able: `plan`, `reason`, `recalled`, `fallback`, … as the method reports them. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Standing triplets after the step, ≥ 0; absent where the memory has no graph. */
  readonly graphSize?: number;
}

/** One addition or removal of a triplet, in order within its step. */
export interface GraphChangeRow extends StepId {
  /** Place within its step, from 0. */
  readonly ordinal: number;
  /** `remove` does not erase: the triplet stood until this step. */
  readonly op: "add" | "remove";
  /** First entity, in normal form, e.g. `key 1`. */
  readonly subject: string;
  /** In normal form, e.g. `is in`. */
  readonly relation: string;
  /** Second entity, in normal form, e.g. `inventory`. */
  readonly object: string;
}

/** Something counted, in order within its step. */
export interface EventRow extends StepId {
  /** Place within its step, from 0. */
  readonly ordinal: number;
  /** Short, from a closed list of its method and memory: `malformed-reply`, `invalid-action`, `fallback`, … */
  readonly kind: string;
  /** The particulars, in one line. */
  readonly detail: string;
}

/**
 * SHA-256 (hex) over observation, sections, score and end: what a resumed world must show again.
 *
 * @example
 * ```ts
 * import { observationHash } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * const hall = { observation: "You are in a hall.", sections: { location: "Hall" }, score: 0 };
 * assert.match(observationHash(hall), /^[0-9a-f]{64}$/);
 * assert.notEqual(observationHash(hall), observationHash({ ...hall, score: 1 }));
 * ```
 */
export function observationHash(
  turn: {
    readonly observation: string;
    readonly sections: Readonly<Record<string, string>>;
    readonly score: number;
    readonly end?: string | undefined;
  },
): string {
  return hashOf([turn.observation, turn.sections, turn.score, turn.end ?? null]);
}

/**
 * Writes a step: turn, changes of the graph, truth. All of it in one transaction, which must not hold the step already.
 *
 * @throws {StoreError} `disk` if it cannot be written.
 * @throws {Error} (SQLite, constraint) if the step is there already, or the episode is not.
 *
 * @example
 * ```ts
 * import { listTurns, observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * const shown = { observation: "You are in a hall.", sections: {}, score: 0 };
 * const turn = { ...place, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
 * putTurn(store, turn);
 * assert.deepEqual(listTurns(store, "e1"), [turn]);
 * ```
 */
export function putTurn(
  store: Store,
  turn: TurnRow,
  more: { readonly changes?: readonly GraphChangeRow[]; readonly truth?: Readonly<Record<string, unknown>> } = {},
): void {
  const { episode, pass, step } = turn;
  store.transaction(() => {
    store.prepare("insert into turns values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      episode,
      pass,
      step,
      turn.action ?? null,
      turn.goal,
      turn.observation,
      canonicalJson(turn.sections),
      JSON.stringify(turn.frames),
      turn.score,
      turn.maxScore,
      turn.ended ?? null,
      turn.observationHash,
      JSON.stringify(turn.details),
      turn.graphSize ?? null,
    );
    for (const change of more.changes ?? []) {
      store.prepare("insert into graph_changes values (?, ?, ?, ?, ?, ?, ?, ?)")
        .run(episode, pass, step, change.ordinal, change.op, change.subject, change.relation, change.object);
    }
    if (more.truth) store.prepare("insert into truths values (?, ?, ?, ?)").run(episode, pass, step, JSON.stringify(more.truth));
  });
}

/**
 * Writes events; those already there stay as they are.
 *
 * @throws {StoreError} `disk` if they cannot be written.
 *
 * @example
 * ```ts
 * import { listEvents, openStore, putEpisode, putEvents, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * const event = { ...place, ordinal: 0, kind: "fallback", detail: "look, after invalid-action" };
 * putEvents(store, [event]);
 * putEvents(store, [event]);
 * assert.deepEqual(listEvents(store, "e1"), [event]);
 * ```
 */
export function putEvents(store: Store, events: readonly EventRow[]): void {
  store.transaction(() => {
    for (const event of events) {
      store.prepare("insert or ignore into events values (?, ?, ?, ?, ?, ?)")
        .run(event.episode, event.pass, event.step, event.ordinal, event.kind, event.detail);
    }
  });
}

/** The turn at a place, or `undefined`. */
export function getTurn(store: Store, { episode, pass, step }: StepId): TurnRow | undefined {
  const row = store.prepare("select * from turns where episode = ? and pass = ? and step = ?").get(episode, pass, step);
  return row && turnRow(row);
}

/**
 * Every turn of an episode, in order of pass and step.
 *
 * @example
 * ```ts
 * import { listTurns, observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * const shown = { observation: "You are in a hall.", sections: {}, score: 0 };
 * const turn = { ...place, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
 * putTurn(store, { ...turn, step: 1, action: "look" });
 * putTurn(store, turn);
 * assert.deepEqual(listTurns(store, "e1").map(({ step, action }) => [step, action]), [[0, undefined], [1, "look"]]);
 * ```
 */
export function listTurns(store: Store, episode: string): TurnRow[] {
  return store.prepare("select * from turns where episode = ? order by pass, step").all(episode).map(turnRow);
}

/**
 * Every change of the episode's graph, in order.
 *
 * @example
 * ```ts
 * import { listGraphChanges, observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * const shown = { observation: "You are in a hall.", sections: {}, score: 0 };
 * const turn = { ...place, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
 * const change = { ...place, ordinal: 0, op: "add" as const, subject: "key", relation: "is in", object: "locker" };
 * putTurn(store, turn, { changes: [change] });
 * assert.deepEqual(listGraphChanges(store, "e1"), [change]);
 * ```
 */
export function listGraphChanges(store: Store, episode: string): GraphChangeRow[] {
  return store.prepare("select * from graph_changes where episode = ? order by pass, step, ordinal").all(episode)
    .map((row) => ({ ...(row as unknown as GraphChangeRow) }));
}

/**
 * Every event of an episode, in order.
 *
 * @example
 * ```ts
 * import { listEvents, openStore, putEpisode, putEvents, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * putEvents(store, [{ ...place, ordinal: 0, kind: "malformed-reply", detail: "ariadne/plan: there is no JSON in it" }]);
 * assert.deepEqual(listEvents(store, "e1").map(({ kind }) => kind), ["malformed-reply"]);
 * ```
 */
export function listEvents(store: Store, episode: string): EventRow[] {
  return store.prepare("select * from events where episode = ? order by pass, step, ordinal").all(episode)
    .map((row) => ({ ...(row as unknown as EventRow) }));
}

/**
 * The ground truths recorded of an episode, in order of pass and step.
 *
 * @example
 * ```ts
 * import { listTruths, observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const place = { episode: "e1", pass: 0, step: 0 };
 * const shown = { observation: "You are in a hall.", sections: {}, score: 0 };
 * const turn = { ...place, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
 * putTurn(store, turn, { truth: { rooms: 3 } });
 * assert.deepEqual(listTruths(store, "e1"), [{ ...place, truth: { rooms: 3 } }]);
 * ```
 */
export function listTruths(store: Store, episode: string): (StepId & { readonly truth: Readonly<Record<string, unknown>> })[] {
  return store.prepare("select * from truths where episode = ? order by pass, step").all(episode).map((row) => ({
    episode,
    pass: Number(row.pass),
    step: Number(row.step),
    truth: JSON.parse(String(row.truth)),
  }));
}

function turnRow(row: Record<string, unknown>): TurnRow {
  return {
    episode: String(row.episode),
    pass: Number(row.pass),
    step: Number(row.step),
    goal: String(row.goal),
    observation: String(row.observation),
    sections: JSON.parse(String(row.sections)),
    frames: JSON.parse(String(row.frames)),
    score: Number(row.score),
    maxScore: Number(row.max_score),
    observationHash: String(row.observation_hash),
    details: JSON.parse(String(row.details)),
    ...(row.action === null ? {} : { action: String(row.action) }),
    ...(row.ended === null ? {} : { ended: String(row.ended) }),
    ...(row.graph_size === null ? {} : { graphSize: Number(row.graph_size) }),
  };
}
