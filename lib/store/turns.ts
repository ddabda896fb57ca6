/**
 * What happened in an episode, step by step, as typed rows.
 *
 * @module
 */

import { canonicalJson, hashOf } from "./canonical.ts";
import type { Store } from "./open.ts";

/** Names one step of an episode. Passes count from 0; step 0 is the reset. */
export interface StepPlace {
  readonly episode: string;
  readonly pass: number;
  readonly step: number;
}

/** A primitive step inside a macro, without its picture. */
export interface FrameRow {
  readonly action: string;
  readonly observation: string;
  readonly sections: Readonly<Record<string, string>>;
}

/** A turn as recorded. Pictures are not kept. */
export interface TurnRow extends StepPlace {
  readonly action?: string;
  readonly goal: string;
  readonly observation: string;
  readonly sections: Readonly<Record<string, string>>;
  readonly frames: readonly FrameRow[];
  readonly score: number;
  readonly maxScore: number;
  readonly ended?: string;
  readonly observationHash: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Standing triplets after the step. */
  readonly graphSize?: number;
}

/** One addition or removal of a triplet, in order within its step. */
export interface GraphChangeRow extends StepPlace {
  readonly ordinal: number;
  readonly op: "add" | "remove";
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
}

/** Something counted, in order within its step. */
export interface EventRow extends StepPlace {
  readonly ordinal: number;
  readonly kind: string;
  readonly detail: string;
}

/** SHA-256 (hex) over observation, sections, score and end: what a resumed world must show again. */
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

/** Writes a step: turn, changes of the graph, truth. All of it in one transaction, which must not hold the step already. */
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

/** Writes events; those already there stay as they are. */
export function putEvents(store: Store, events: readonly EventRow[]): void {
  store.transaction(() => {
    for (const event of events) {
      store.prepare("insert or ignore into events values (?, ?, ?, ?, ?, ?)")
        .run(event.episode, event.pass, event.step, event.ordinal, event.kind, event.detail);
    }
  });
}

/** The turn at a place, or `undefined`. */
export function getTurn(store: Store, { episode, pass, step }: StepPlace): TurnRow | undefined {
  const row = store.prepare("select * from turns where episode = ? and pass = ? and step = ?").get(episode, pass, step);
  return row && turnRow(row);
}

/** Every turn of an episode, in order of pass and step. */
export function listTurns(store: Store, episode: string): TurnRow[] {
  return store.prepare("select * from turns where episode = ? order by pass, step").all(episode).map(turnRow);
}

/** Every change of the episode's graph, in order. */
export function listGraphChanges(store: Store, episode: string): GraphChangeRow[] {
  return store.prepare("select * from graph_changes where episode = ? order by pass, step, ordinal").all(episode)
    .map((row) => ({ ...(row as unknown as GraphChangeRow) }));
}

/** Every event of an episode, in order. */
export function listEvents(store: Store, episode: string): EventRow[] {
  return store.prepare("select * from events where episode = ? order by pass, step, ordinal").all(episode)
    .map((row) => ({ ...(row as unknown as EventRow) }));
}

/** The ground truths recorded of an episode, in order of pass and step. */
export function listTruths(store: Store, episode: string): (StepPlace & { readonly truth: Readonly<Record<string, unknown>> })[] {
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
