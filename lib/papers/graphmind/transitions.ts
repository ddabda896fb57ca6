/**
 * Compares the memory's votes on whether the agent has changed rooms with the truth (GraphMind §4.3, Fig. 6).
 *
 * @module
 */

import { z } from "zod";
import { wilsonInterval } from "../../stats/intervals.ts";
import type { Store } from "../../store/open.ts";
import { byRooms, GRAPHMIND_CONDITIONS } from "./conditions.ts";
import { type GridStep, gridSteps } from "./trace.ts";
import type { GraphMindTrial } from "./trials.ts";
import type { Cell, Table } from "../../report/table.ts";

/** What the memory judged of one decision step. */
export interface TransitionVerdict {
  /** The decision step, from 1. */
  readonly step: number;
  /** Whether the agent is in another room than before, by the truth. */
  readonly moved: boolean;
  /** The verdict of most votes. */
  readonly passed: boolean;
  /** Whether the verdict is right. */
  readonly right: boolean;
  /** Votes for a passage. */
  readonly for: number;
  /** Votes against one. */
  readonly against: number;
}

const recorded = z.object({
  beliefs: z.object({ transition: z.object({ passed: z.boolean(), for: z.int(), against: z.int() }) }),
});

/** The verdicts on an episode's steps; steps without a vote, such as those without a primitive, are left out. */
export function transitionsOf(steps: readonly GridStep[]): TransitionVerdict[] {
  return steps.flatMap(({ step, details, from, to, path }): TransitionVerdict[] => {
    const parsed = recorded.safeParse(details);
    if (step === 0 || !parsed.success || path.length < 2) return [];
    const { passed, for: yes, against } = parsed.data.beliefs.transition;
    if (yes + against === 0) return [];
    const moved = from !== to;
    return [{ step, moved, passed, right: passed === moved, for: yes, against }];
  });
}

/**
 * The table of verdicts by size and condition: how many steps were judged, the share judged rightly by most votes and by a single vote, the share of
 * true passages that was found, and the share of judged passages that was none; shares with Wilson's interval.
 */
export function transitionsTable(store: Store, trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Table {
  const judged = trials.filter(({ status, ged }) => status === "completed" && ged !== null);
  const groups = Map.groupBy(judged, ({ rooms, condition }) => JSON.stringify([rooms, condition]));
  const rows = [...groups.values()].sort(([a], [b]) => a && b ? byRooms(a, b) : 0).flatMap(
    (cell): Cell[][] => {
      const verdicts = cell.flatMap(({ episode }) => transitionsOf(gridSteps(store, episode)));
      if (verdicts.length === 0) return [];
      const [{ rooms, condition }] = cell as [GraphMindTrial, ...GraphMindTrial[]];
      const episodes = cell.map(({ episode }) => episode);
      const votes = verdicts.reduce((sum, verdict) => sum + verdict.for + verdict.against, 0);
      const rightVotes = verdicts.reduce((sum, verdict) => sum + (verdict.moved ? verdict.for : verdict.against), 0);
      const [moved, passed] = [verdicts.filter((verdict) => verdict.moved), verdicts.filter((verdict) => verdict.passed)];
      return [[
        `${rooms}, ${GRAPHMIND_CONDITIONS[condition] ?? condition}`,
        `${verdicts.length}`,
        withEpisodes(share(verdicts.filter(({ right }) => right).length, verdicts.length), episodes),
        { value: 100 * rightVotes / votes, digits: 1 },
        share(moved.filter((verdict) => verdict.passed).length, moved.length),
        share(passed.filter((verdict) => !verdict.moved).length, passed.length),
      ]];
    },
  );
  return {
    id: `graphmind-transitions-${backbone}`,
    title: `GraphMind, §4.3: was a door passed? Verdicts against the truth (${backbone})`,
    caption:
      `Backbone ${backbone}; n = ${judged.length} trials with a room graph. In percent, with Wilson's 95 % interval: majority verdicts that agree with ` +
      `the world's own record of the rooms; single votes that do; true passages that were found; judged passages that were none. The paper gives no number.`,
    columns: ["Rooms, condition", "Steps judged", "Right", "Right, single vote", "Passages found", "False among judged passages"],
    rows,
  };
}

function withEpisodes(cell: Cell, episodes: readonly string[]): Cell {
  return cell !== null && typeof cell === "object" && "value" in cell ? { ...cell, episodes } : cell;
}

function share(part: number, whole: number): Cell {
  if (whole === 0) return "none";
  const { low, high } = wilsonInterval(part, whole);
  return { value: 100 * part / whole, low: 100 * low, high: 100 * high, digits: 1 };
}
