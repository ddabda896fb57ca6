/**
 * Writes an episode to the store, and holds a resumed one against what is already written.
 *
 * @module
 */

import type { EpisodeEvent, Recorder, StepRecord } from "../agent/method.ts";
import type { MeasuredEnvironment, Turn } from "../env/environment.ts";
import { WorldError } from "../errors.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Store } from "../store/open.ts";
import { type EventRow, putEvents } from "../store/events.ts";
import { getTurn, type GraphChangeRow, observationHash, putTurn, type TurnRow } from "../store/turns.ts";

/** What a recorder writes, and where. */
export interface RecorderOptions {
  readonly store: Store;
  /** Id of the episode, which the store must hold. */
  readonly episode: string;
  /** The world now played, to ask its ground truth after each step; left out: no truth is recorded. */
  readonly world?: () => MeasuredEnvironment | undefined;
  /** Told of each step, recorded anew or met again. */
  readonly onStep?: (record: StepRecord) => void;
}

/** A recorder whose last events are written when the episode is over. */
export interface EpisodeRecorder extends Recorder {
  flush(): void;
}

/**
 * A recorder of one run of an episode. Each step is written in one transaction, so that a killed run loses no finished step and leaves
 * no half of one.
 *
 * Where the store holds a step already, the run is a resumed one that is finding its way back: the step must show the same action and the
 * same observation (by hash), and nothing is written again.
 *
 * @throws {WorldError} `diverged` from `step` if a resumed run does other than the recorded one.
 */
export function createRecorder(options: RecorderOptions): EpisodeRecorder {
  const { store, episode, world, onStep } = options;
  const written = new WeakMap<KnowledgeGraph, number>();
  const ordinals = new Map<string, number>();
  let waiting: EventRow[] = [];

  function event({ pass, step, kind, detail }: EpisodeEvent): void {
    const place = `${pass}/${step}`;
    const ordinal = ordinals.get(place) ?? 0;
    ordinals.set(place, ordinal + 1);
    waiting.push({ episode, pass, step, ordinal, kind, detail });
  }

  function flush(): void {
    putEvents(store, waiting);
    waiting = [];
  }

  /** The graph's changes since the last record, as rows of this step. */
  function changesOf({ graph, inherited = 0, pass, step }: StepRecord): GraphChangeRow[] {
    if (!graph) return [];
    const from = written.get(graph) ?? inherited;
    written.set(graph, graph.changes.length);
    return graph.changes.slice(from).map(({ op, triplet }, ordinal) => ({ episode, pass, step, ordinal, op, ...triplet }));
  }

  async function step(record: StepRecord): Promise<void> {
    const changes = changesOf(record);
    const turn = turnOf(episode, record);
    const recorded = getTurn(store, turn);
    if (recorded) {
      compare(recorded, turn);
    } else {
      const truth = await world?.()?.truth();
      store.transaction(() => {
        putTurn(store, turn, { changes, ...(truth ? { truth } : {}) });
        flush();
      });
    }
    onStep?.(record);
  }

  return { step, event, flush };
}

function turnOf(episode: string, { pass, step, action, turn, graph, details = {} }: StepRecord): TurnRow {
  return {
    episode,
    pass,
    step,
    ...(action === undefined ? {} : { action }),
    goal: turn.goal,
    observation: turn.observation,
    sections: turn.sections,
    frames: turn.frames.map(({ action, observation, sections }) => ({ action, observation, sections })),
    score: turn.score,
    maxScore: turn.maxScore,
    ...(turn.end ? { ended: turn.end } : {}),
    observationHash: hashOfTurn(turn),
    details,
    ...(graph ? { graphSize: graph.size } : {}),
  };
}

function hashOfTurn({ observation, sections, score, end }: Turn): string {
  return observationHash({ observation, sections, score, end });
}

function compare(recorded: TurnRow, now: TurnRow): void {
  const problem = recorded.action !== now.action
    ? `the recorded action was ${quote(recorded.action)}, now it is ${quote(now.action)}`
    : recorded.observationHash !== now.observationHash
    ? `the world answers ${quote(now.action)} otherwise: ${quote(now.observation)} instead of ${quote(recorded.observation)}`
    : undefined;
  if (problem === undefined) return;
  throw new WorldError(
    "diverged",
    `episode ${now.episode} left its recorded course at pass ${now.pass}, step ${now.step}: ${problem}; ` +
      "its world, method or models have changed since: run again with --retry to play it anew",
  );
}

function quote(text: string | undefined): string {
  if (text === undefined) return "none";
  const line = text.replaceAll(/\s+/g, " ").trim();
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 77)}…` : line);
}
