/**
 * Adding up the votes on whether the agent has passed a door (GraphMind, App. A.1).
 *
 * @module
 */

import type { Compass } from "../graph/compass.ts";
import { bareName } from "../graph/room-graph.ts";
import type { TransitionVote } from "./room-graph.prompts.ts";

/** What most voted for. JSON-able. */
export interface Transition {
  /** Whether the agent is in another room now. */
  readonly passed: boolean;
  /** The door without its state; only of a passage. */
  readonly door?: string;
  /** The way through it; only of a passage. */
  readonly direction?: Compass;
  /** Votes for a passage. */
  readonly for: number;
  /** Votes against one. */
  readonly against: number;
  /** Votes that could not be read. */
  readonly unread: number;
}

/**
 * The outcome of a vote: a passage if more than half of the votes that could be read are for it. Of those the door and, of those that name it,
 * the direction with most votes count; of equally many the ones with more confidence.
 *
 * @param asked How many were asked to vote.
 */
export function tallyVotes(votes: readonly TransitionVote[], asked: number): Transition {
  const yes = votes.filter(({ passed }) => passed);
  const counts = { for: yes.length, against: votes.length - yes.length, unread: asked - votes.length };
  if (counts.for <= counts.against) return { passed: false, ...counts };
  const doorOf = (vote: TransitionVote): string | undefined => vote.door && bareName(vote.door);
  const door = most(yes, doorOf);
  const direction = most(yes.filter((vote) => doorOf(vote) === door), (vote) => vote.direction);
  return { passed: true, ...(door ? { door } : {}), ...(direction ? { direction } : {}), ...counts };
}

/** The value that most votes name. */
function most<T>(votes: readonly TransitionVote[], valueOf: (vote: TransitionVote) => T | undefined): T | undefined {
  const weights = new Map<T, { count: number; confidence: number }>();
  for (const vote of votes) {
    const value = valueOf(vote);
    if (value === undefined) continue;
    const { count, confidence } = weights.get(value) ?? { count: 0, confidence: 0 };
    weights.set(value, { count: count + 1, confidence: confidence + vote.confidence });
  }
  return [...weights].sort(([, a], [, b]) => b.count - a.count || b.confidence - a.confidence)[0]?.[0];
}
