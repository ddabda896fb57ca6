/**
 * How well the memory judges whether the agent has changed rooms (GraphMind §4.3, Fig. 6): its votes against the truth.
 *
 * @module
 */

import { z } from "zod";
import { wilsonInterval } from "../../stats/intervals.ts";
import type { Store } from "../../store/open.ts";
import { GRAPHMIND_CONDITIONS } from "./figures/success-and-growth.ts";
import { type GridStep, gridSteps } from "./trace.ts";
import { type GraphMindTrial, roomsOrder } from "./trials.ts";
import type { Cell, Table } from "../../report/table.ts";

/** One verdict. */
export interface TransitionVerdict {
  /** Decision step that it judges, from 1. */
  readonly step: number;
  /** Whether the agent is in another room than before, by the truth. */
  readonly moved: boolean;
  /** What most votes said. */
  readonly passed: boolean;
  /** Whether they were right. */
  readonly right: boolean;
  /** Votes for a passage. */
  readonly for: number;
  /** Votes against one. */
  readonly against: number;
}

const recorded = z.object({
  beliefs: z.object({ transition: z.object({ passed: z.boolean(), for: z.int(), against: z.int() }) }),
});

/** The verdicts of an episode's steps; steps on which nobody was asked, such as those without a primitive, are left out. */
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
 * A row a size: how many steps were judged, how often rightly with Wilson's interval, also by a single vote; of true passages the share that was
 * found, of judged ones the share that was none.
 *
 * @param trials the rows of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { transitionsTable } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(transitionsTable(store, [], { backbone: "offline" }).rows, []);
 * ```
 */
export function transitionsTable(store: Store, trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Table {
  const judged = trials.filter(({ status, ged }) => status === "completed" && ged !== null);
  const groups = Map.groupBy(judged, ({ rooms, condition }) => JSON.stringify([rooms, condition]));
  const rows = [...groups.values()].sort((a, b) => roomsOrder(a[0]?.rooms ?? "") - roomsOrder(b[0]?.rooms ?? "")).flatMap(
    (cell): Cell[][] => {
      const verdicts = cell.flatMap(({ episode }) => transitionsOf(gridSteps(store, episode)));
      if (verdicts.length === 0) return [];
      const [{ rooms, condition }] = cell as [GraphMindTrial, ...GraphMindTrial[]];
      const episodes = cell.map(({ episode }) => episode);
      const votes = verdicts.reduce((sum, verdict) => sum + verdict.for + verdict.against, 0);
      const rightVotes = verdicts.reduce((sum, verdict) => sum + (verdict.moved ? verdict.for : verdict.against), 0);
      const [moved, passed] = [verdicts.filter((verdict) => verdict.moved), verdicts.filter((verdict) => verdict.passed)];
      return [[
        `${rooms}, ${GRAPHMIND_CONDITIONS[condition] ?? condition}, ${backbone}`,
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
