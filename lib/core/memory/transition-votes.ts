/** The majority vote on whether the agent has passed a door (GraphMind, App. A.1). */

import type { Compass } from "../graph/compass.ts";
import { bareName } from "../graph/room-graph.ts";
import type { TransitionVote } from "./room-graph-replies.ts";

/** The outcome of a vote; it is JSON-able. */
export interface Transition {
  /** Whether the agent is in another room now. */
  readonly passed: boolean;
  /** The door without its state; absent without a passage. */
  readonly door?: string;
  /** The direction through it; absent without a passage. */
  readonly direction?: Compass;
  /** Votes for a passage. */
  readonly for: number;
  /** Votes against one. */
  readonly against: number;
  /** Unreadable votes. */
  readonly unread: number;
}

/**
 * The outcome: a passage if more than half of the readable votes are for it, by the door with most
 * of those votes, in the direction with most of the door's votes; ties go to the larger summed
 * confidence.
 * @param asked number of votes asked for
 *
 * @example
 * ```ts
 * import { tallyVotes } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const no = { passed: false, confidence: 0.9 };
 * const yes = { passed: true, door: "red door", direction: "east", confidence: 0.9 } as const;
 * const { passed, for: agreed } = tallyVotes([yes, no, no, no, no], 5);
 * assert.deepEqual([passed, agreed], [false, 1]); // one wrong vote is outvoted
 * ```
 */
export function tallyVotes(votes: readonly TransitionVote[], asked: number): Transition {
  const yes = votes.filter(({ passed }) => passed);
  const counts = {
    for: yes.length,
    against: votes.length - yes.length,
    unread: asked - votes.length,
  };
  if (counts.for <= counts.against) return { passed: false, ...counts };
  const doorOf = (vote: TransitionVote): string | undefined => vote.door && bareName(vote.door);
  const door = most(yes, doorOf);
  const direction = most(yes.filter((vote) => doorOf(vote) === door), (vote) => vote.direction);
  return { passed: true, door, direction, ...counts };
}

/** The value that most votes name; ties go to the larger summed confidence. */
function most<T>(
  votes: readonly TransitionVote[],
  valueOf: (vote: TransitionVote) => T | undefined,
): T | undefined {
  const weights = new Map<T, { count: number; confidence: number }>();
  for (const vote of votes) {
    const value = valueOf(vote);
    if (value === undefined) continue;
    const { count, confidence } = weights.get(value) ?? { count: 0, confidence: 0 };
    weights.set(value, { count: count + 1, confidence: confidence + vote.confidence });
  }
  return [...weights].sort(([, a], [, b]) => b.count - a.count || b.confidence - a.confidence)[0]
    ?.[0];
}
