/**
 * How far a study is, for whoever looks on.
 *
 * @module
 */

import type { StepRecord } from "../agent/method.ts";
import type { Clock } from "../platform.ts";
import { totalCallsAfter } from "../store/calls.ts";
import { type EpisodeRecord, type EpisodeStatus, findEpisode, listEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { positionKey } from "./plan.ts";

/** How far a study is. */
export interface Progress {
  /** What has just happened. */
  readonly kind: "begin" | "step" | "end";
  /** The episode it happened to; after `end` with what came of it. */
  readonly episode: EpisodeRecord;
  /** Agent step of the episode, from 0. */
  readonly step: number;
  /** Episodes of the study. */
  readonly planned: number;
  /** Episodes with a score. */
  readonly completed: number;
  /** Episodes that ended without one. */
  readonly failed: number;
  /** Episodes that wait to be resumed. */
  readonly parked: number;
  /** Share of the planned work that is over, [0, 1]; running episodes count by their steps. */
  readonly share: number;
  /** Seconds that the rest may take at the pace of this run; absent before it has one. */
  readonly secondsLeft?: number;
  /** Prompt and completion tokens paid for so far, earlier runs included, and those of episodes that this run has discarded. */
  readonly tokens: number;
  /** US dollars for these. */
  readonly dollars: number;
}

/** How often the costs are added up anew between two ends, in ms. */
const COST_INTERVAL = 1000;

/**
 * Keeps count of a study and tells `onProgress` of each beginning, step and end. It reads the whole study once, and later only what is new: a
 * study may have ten thousand episodes and half a million calls.
 */
export function createTracker(store: Store, study: string, clock: Clock, onProgress: (progress: Progress) => void = () => {}): {
  /** `limit` is the most agent steps that the episode can have, where that is known. */
  begin(episode: EpisodeRecord, limit: number | undefined): void;
  step(id: string, record: StepRecord): void;
  end(id: string): void;
} {
  const began = clock.now();
  const running = new Map<string, { episode: EpisodeRecord; step: number; limit: number }>();
  const statuses = new Map(listEpisodes(store, { study }).map((row) => [positionKey(row.lane, row.ordinal), row.status]));
  let counts = count(statuses.values());
  const overBefore = counts.completed + counts.failed;
  const cost = { at: -Infinity, call: 0, tokens: 0, dollars: 0 };

  function costs(now: number, kind: Progress["kind"]): Pick<Progress, "tokens" | "dollars"> {
    if (kind === "end" || now - cost.at >= COST_INTERVAL) {
      const { totals: { paid, wasted }, last } = totalCallsAfter(store, study, cost.call);
      cost.at = now;
      cost.call = last;
      cost.tokens += paid.tokens + wasted.tokens;
      cost.dollars += paid.dollars + wasted.dollars;
    }
    return { tokens: cost.tokens, dollars: cost.dollars };
  }

  function mark({ lane, ordinal }: EpisodeRecord, status: EpisodeStatus): void {
    statuses.set(positionKey(lane, ordinal), status);
    counts = count(statuses.values());
  }

  function tell(kind: Progress["kind"], episode: EpisodeRecord, step: number): void {
    const now = clock.now();
    const partly = [...running.values()].reduce((sum, { step, limit }) => sum + Math.min(step / limit, 1), 0);
    const over = counts.completed + counts.failed;
    const done = over - overBefore + partly;
    const left = counts.planned - over - partly;
    onProgress({
      kind,
      episode,
      step,
      ...counts,
      share: (counts.planned - left) / counts.planned,
      ...(done > 0 && now > began ? { secondsLeft: (now - began) / 1000 / done * left } : {}),
      ...costs(now, kind),
    });
  }

  return {
    begin: (episode, limit = Infinity) => {
      running.set(episode.id, { episode, step: 0, limit });
      mark(episode, "running");
      tell("begin", episode, 0);
    },
    step: (id, { step }) => {
      const entry = running.get(id);
      if (!entry) return;
      entry.step = step;
      tell("step", entry.episode, step);
    },
    end: (id) => {
      const step = running.get(id)?.step ?? 0;
      const episode = findEpisode(store, id);
      if (!running.delete(id) || !episode) return;
      mark(episode, episode.status);
      tell("end", episode, step);
    },
  };
}

function count(statuses: Iterable<EpisodeStatus>): Pick<Progress, "planned" | "completed" | "failed" | "parked"> {
  const counts = { planned: 0, completed: 0, failed: 0, parked: 0 };
  for (const status of statuses) {
    counts.planned++; // in whatever state it is
    if (status === "completed" || status === "failed" || status === "parked") counts[status]++;
  }
  return counts;
}
