/**
 * What the runs of a NetHack study came to, in the game's own units.
 *
 * @module
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { bootstrapInterval } from "../../stats/intervals.ts";
import type { Store } from "../../store/open.ts";
import { type DataFrame, frameOf } from "../../report/frame.ts";

/** Condition → its name and its row in the paper's Table 1, in the order of rows. */
export const NETHACK_AGENTS: Readonly<
  Record<string, { readonly name: string; readonly paper?: { readonly method: string; readonly observation: string } }>
> = {
  "ariadne-room": { name: "Ariadne [Room obs]", paper: { method: "Ariadne", observation: "room" } },
  "netplay-room": { name: "NetPlay [Room obs]", paper: { method: "NetPlay", observation: "room" } },
  "netplay-level": { name: "NetPlay [Level obs]", paper: { method: "NetPlay", observation: "level" } },
  "random-skills": { name: "Random skills" },
};

/** One run. */
export interface NetHackRun {
  /** Id of the episode, 16 hex digits. */
  readonly episode: string;
  /** Label of the row, e.g. `ariadne-room`. */
  readonly condition: string;
  /** What answered for the models. */
  readonly backbone: string;
  /** The game's seed, as text. */
  readonly seed: string;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** The game's own score; null unless completed. */
  readonly score: number | null;
  /** Dungeon levels completed: the deepest depth less one; null unless completed. */
  readonly levels: number | null;
  /** Game turns. */
  readonly turns: number | null;
  /** Skill calls. */
  readonly calls: number | null;
  /** `lost` or `limit`. */
  readonly ended: string | null;
  /** How the game ended, in the game's word; empty where it did not. */
  readonly cause: string | null;
}

/**
 * Every run of a NetHack study, planned ones included, in order of condition and seed. Columns are those of `NetHackRun`.
 *
 * @example
 * ```ts
 * import { nethackRunsFrame } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(nethackRunsFrame(store, "unplayed").height, 0);
 * ```
 */
export function nethackRunsFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    with last as (
      select e.id, t.sections, h.truth from episodes e
      join turns t on t.episode = e.id and t.pass = 0 and t.step = e.steps
      left join truths h on h.episode = e.id and h.pass = 0 and h.step = e.steps
      where e.study = :study and e.status = 'completed'
    )
    select e.id as episode, e.condition, e.backbone, cast(e.seed as text) as seed, e.status, case when e.status = 'completed' then e.score end as score,
      cast(json_extract(last.sections, '$.deepest') as integer) - 1 as levels, cast(json_extract(last.sections, '$.turn') as integer) as turns,
      e.steps as calls, e.ended, json_extract(last.truth, '$.cause') as cause
    from episodes e left join last on last.id = e.id where e.study = :study and e.world = 'nethack' order by e.condition, e.seed, e.id`)
    .all({ study });
  return frameOf(rows as Record<string, unknown>[], {
    episode: "text",
    condition: "text",
    backbone: "text",
    seed: "text",
    status: "text",
    score: "number",
    levels: "integer",
    turns: "integer",
    calls: "integer",
    ended: "text",
    cause: "text",
  });
}

/** Mean and standard deviation of a measure over runs; the paper's are of samples: 5, 5 and 9 levels give its 6.33 ± 2.31. */
export interface Spread {
  readonly mean: number;
  /** Of the sample; absent below 2 runs. */
  readonly sd?: number;
  /** 95 % percentile bootstrap interval of the mean (seeded); absent below 2 runs. */
  readonly interval?: { readonly low: number; readonly high: number };
}

/** The spread of a measure over completed runs; `undefined` where there is none. */
export function spreadOf(runs: readonly NetHackRun[], measure: "score" | "levels" | "turns" | "calls"): Spread | undefined {
  const values = runs.flatMap((run) => run[measure] ?? []);
  if (values.length === 0) return undefined;
  if (values.length === 1) return { mean: mean(values) };
  return { mean: mean(values), sd: sampleStandardDeviation(values), interval: bootstrapInterval(values, { seed: 0 }) };
}

/** Order of a condition in tables and figures; unknown ones come last. */
export function agentOrder(condition: string): number {
  const place = Object.keys(NETHACK_AGENTS).indexOf(condition);
  return place < 0 ? Object.keys(NETHACK_AGENTS).length : place;
}

/** The name of a condition in tables and figures. */
export function agentName(condition: string): string {
  return NETHACK_AGENTS[condition]?.name ?? condition;
}
