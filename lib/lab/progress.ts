/** The progress of a run: counts, share of the work, time left and cost. */

import type { StepRecord } from "../core/agent/method.ts";
import type { Clock } from "../core/platform.ts";
import { totalCallsAfter } from "./store/calls.ts";
import { count, duration } from "../core/text/amounts.ts";
import {
  type EpisodeRecord,
  type EpisodeStatus,
  findEpisode,
  listPositions,
} from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { positionKey } from "./study.ts";

/** Numbers of episodes of a study. */
export interface EpisodeCounts {
  /** Number of episodes. */
  readonly planned: number;
  /** Number of episodes with a score. */
  readonly completed: number;
  /** Number of episodes that ended with an error. */
  readonly failed: number;
  /** Number of episodes that wait to be resumed. */
  readonly paused: number;
}

/** The progress of a study at one moment. */
export interface Progress extends EpisodeCounts {
  /** The event that is reported. */
  readonly kind: "begin" | "step" | "end";
  /** The episode of the event; at `end` with its result. */
  readonly episode: EpisodeRecord;
  /** Agent step of the episode, from 0 (the reset). */
  readonly step: number;
  /** The action of that step, where the event is one. */
  readonly action?: string;
  /** Share of the planned work that is done, in [0, 1]; running episodes count by their steps. */
  readonly share: number;
  /** Estimated seconds left at the pace of this run; absent while there is no pace yet. */
  readonly secondsLeft?: number;
  /** Prompt and completion tokens paid so far, earlier runs and discarded episodes included. */
  readonly tokens: number;
  /** US dollars paid so far, in the same sense. */
  readonly dollars: number;
}

/** The counts of a run in one line: `3/18 done, 1 failed, 4 min left, 1.2 M tokens, $0.53`. */
export function progressText(
  { completed, planned, failed, paused, secondsLeft, tokens, dollars }: Progress,
): string {
  return [
    `${completed}/${planned} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
    `${count(tokens)} tokens`,
    `$${dollars.toFixed(2)}`,
  ].join(", ");
}

/** Interval in milliseconds at which the cost is summed again between two ends. */
const COST_INTERVAL = 1000;

/**
 * Tracks a run and calls `onProgress` at each start, step and end of an episode. It reads the study
 * once and then only new rows: a study may have half a million calls.
 */
export function createTracker(
  store: Store,
  study: string,
  clock: Clock,
  onProgress: (progress: Progress) => void = () => {},
): {
  /** `limit` is the step limit of the episode, where it is known. */
  begin(episode: EpisodeRecord, limit: number | undefined): void;
  step(id: string, record: StepRecord): void;
  /** Notes an end as it is written; the function reports it, once it is on the disk. */
  end(id: string): () => EpisodeRecord | undefined;
} {
  const began = clock.now();
  const running = new Map<string, { episode: EpisodeRecord; step: number; limit: number }>();
  let partly = 0; // the shares of the running episodes, summed as they change: there may be a thousand of them
  const statuses = new Map(
    listPositions(store, study).map((row) => [positionKey(row.chain, row.ordinal), row.status]),
  );
  const counts = countStatuses(statuses.values());
  const overBefore = counts.completed + counts.failed;
  const cost: { at: number; call?: number; tokens: number; dollars: number } = {
    at: -Infinity,
    tokens: 0,
    dollars: 0,
  };

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

  function mark({ chain, ordinal }: EpisodeRecord, status: EpisodeStatus): void {
    const key = positionKey(chain, ordinal);
    tally(counts, statuses.get(key), -1);
    tally(counts, status, 1);
    statuses.set(key, status);
  }

  function report(
    kind: Progress["kind"],
    episode: EpisodeRecord,
    step: number,
    action?: string,
  ): void {
    const now = clock.now();
    const over = counts.completed + counts.failed;
    const done = over - overBefore + partly;
    const left = counts.planned - over - partly;
    onProgress({
      kind,
      episode,
      step,
      action,
      ...counts,
      share: (counts.planned - left) / counts.planned,
      secondsLeft: done > 0 && now > began ? (now - began) / 1000 / done * left : undefined,
      ...costs(now, kind),
    });
  }

  return {
    begin: (episode, limit = Infinity) => {
      running.set(episode.id, { episode, step: 0, limit });
      mark(episode, "running");
      report("begin", episode, 0);
    },
    step: (id, { step, action }) => {
      const entry = running.get(id);
      if (!entry) return;
      partly -= shareOf(entry);
      entry.step = step;
      partly += shareOf(entry);
      report("step", entry.episode, step, action);
    },
    end: (id) => {
      const entry = running.get(id);
      const episode = findEpisode(store, id);
      if (!entry || !episode) return () => episode;
      running.delete(id);
      partly = running.size === 0 ? 0 : partly - shareOf(entry); // at the end without what rounding has left
      mark(episode, episode.status);
      return () => {
        report("end", episode, entry.step);
        return episode;
      };
    },
  };
}

/** The share of its steps that a running episode has taken, in [0, 1]; 0 without a limit. */
function shareOf({ step, limit }: { readonly step: number; readonly limit: number }): number {
  return Math.min(step / limit, 1);
}

export function countStatuses(statuses: Iterable<EpisodeStatus>): EpisodeCounts {
  const counts = { planned: 0, completed: 0, failed: 0, paused: 0 };
  for (const status of statuses) tally(counts, status, 1);
  return counts;
}

/** Counts an episode of some status in, or out again; one that was not known has none. */
function tally(
  counts: { -readonly [count in keyof EpisodeCounts]: number },
  status: EpisodeStatus | undefined,
  by: 1 | -1,
): void {
  if (status === undefined) return;
  counts.planned += by;
  if (status === "completed" || status === "failed" || status === "paused") counts[status] += by;
}
