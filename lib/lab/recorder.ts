/** Records an episode in the store, and compares a resumed one with its record. */

import type { EpisodeEvent, Recorder, StepRecord } from "../core/agent/method.ts";
import type { MeasuredEnvironment } from "../core/env/environment.ts";
import { WorldError } from "../core/errors.ts";
import type { KnowledgeGraph } from "../core/graph/knowledge-graph.ts";
import { snapshotAt } from "../core/graph/snapshot.ts";
import type { Triplet } from "../core/graph/triplet.ts";
import type { Store } from "./store/open.ts";
import { type EventRow, putEvents } from "./store/events.ts";
import {
  getTurn,
  type GraphChangeRow,
  listGraphChanges,
  observationHash,
  putTurn,
  type TurnRow,
} from "./store/turns.ts";

/**
 * Computes the triplets that were current after a step of a pass, in order of addition, from the
 * recorded changes.
 *
 * @example
 * ```ts
 * import { openStore, tripletsAfter } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.deepEqual(tripletsAfter(store, "e1", { pass: 0, step: 1 }), []);
 * ```
 */
export function tripletsAfter(
  store: Store,
  episode: string,
  at: { readonly pass: number; readonly step: number },
): Triplet[] {
  const changes = listGraphChanges(store, episode).filter(({ pass }) => pass === at.pass);
  return snapshotAt(
    changes.map(({ op, step, subject, relation, object }) => ({
      op,
      time: step,
      triplet: { subject, relation, object },
    })),
    at.step,
  );
}

export interface RecorderOptions {
  readonly store: Store;
  readonly episode: string;
  /**
   * Finds the world that is played, whose ground truth is recorded after each step.
   * @default no truth is recorded
   */
  readonly world?: () => MeasuredEnvironment | undefined;
  /** The world's own wording of turns whose text was made safe: recorded as `raw` of the step. */
  readonly heard?: unknown[];
  readonly onStep?: (record: StepRecord) => void;
}

/** A recorder; `flush` records the events after the last step. */
export interface EpisodeRecorder extends Recorder {
  flush(): void;
}

/**
 * Creates the recorder of one run of an episode. Each step is written as a whole, and committed
 * when the event loop turns, so that a killed run leaves no partial one.
 *
 * A step that is recorded already is replayed by a resumed run: it must have the same action and
 * the same observation (by hash), and is not written again.
 *
 * @throws {WorldError} `diverged` from `step` if a replayed step differs from the recorded one.
 */
export function createRecorder(options: RecorderOptions): EpisodeRecorder {
  const { store, episode, world, heard = [], onStep } = options;
  const written = new WeakMap<KnowledgeGraph, number>();
  const ordinals = new Map<string, number>();
  let waiting: EventRow[] = [];

  function event({ pass, step, kind, detail }: EpisodeEvent): void {
    const key = `${pass}/${step}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    waiting.push({ episode, pass, step, ordinal, kind, detail });
  }

  function flush(): void {
    if (waiting.length > 0) store.write(() => putEvents(store, waiting));
    waiting = [];
  }

  /** Makes rows of the graph's changes since the last recorded step. */
  function changesOf({ graph, inherited = 0, pass, step }: StepRecord): GraphChangeRow[] {
    if (!graph) return [];
    const from = written.get(graph) ?? inherited;
    written.set(graph, graph.changes.length);
    return graph.changes.slice(from).map(({ op, triplet }, ordinal) => ({
      episode,
      pass,
      step,
      ordinal,
      op,
      ...triplet,
    }));
  }

  async function step(record: StepRecord): Promise<void> {
    const changes = changesOf(record);
    const raw = heard.splice(0);
    const turn = turnOf(
      episode,
      raw.length === 0 ? record : { ...record, details: { ...record.details, raw } },
    );
    const recorded = getTurn(store, turn);
    if (recorded) {
      compare(recorded, turn);
    } else {
      const truth = await world?.()?.truth();
      store.write(() => {
        putTurn(store, turn, { changes, truth });
        flush();
      });
    }
    onStep?.(record);
  }

  return { step, event, flush };
}

function turnOf(
  episode: string,
  { pass, step, action, turn, graph, details = {} }: StepRecord,
): TurnRow {
  return {
    episode,
    pass,
    step,
    action,
    goal: turn.goal,
    observation: turn.observation,
    sections: turn.sections,
    frames: turn.frames.map(({ action, observation, sections }) => ({
      action,
      observation,
      sections,
    })),
    score: turn.score,
    maxScore: turn.maxScore,
    ended: turn.end,
    observationHash: observationHash(turn),
    details,
    graphSize: graph?.size,
  };
}

function compare(recorded: TurnRow, now: TurnRow): void {
  const problem = recorded.action !== now.action
    ? `the recorded action was ${quote(recorded.action)}, now it is ${quote(now.action)}`
    : recorded.observationHash !== now.observationHash
    ? `the world answers ${quote(now.action)} otherwise: ${quote(now.observation)} instead of ${
      quote(recorded.observation)
    }`
    : undefined;
  if (problem === undefined) return;
  throw new WorldError(
    "diverged",
    `episode ${now.episode} differs from its record at pass ${now.pass}, step ${now.step}: ${problem}; ` +
      "its world, method or models have changed since: run again with --retry",
  );
}

function quote(text: string | undefined): string {
  if (text === undefined) return "none";
  const line = text.replaceAll(/\s+/g, " ").trim();
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 77)}…` : line);
}
