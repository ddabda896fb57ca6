/**
 * What became of GraphMind's episodes: success, steps, and how far the graph that was built is from the truth. One row an episode, from the store alone.
 *
 * @module
 */

import { asBabyAiTruth, type BabyAiTruth, babyAiTruthGraph } from "../../graph/babyai-truth.ts";
import { type GraphEditDistance, graphEditDistance } from "../../graph/edit-distance.ts";
import { roomObjectGraphOf } from "../../graph/room-graph.ts";
import { tripletsAfter } from "../../lab/recorded-graph.ts";
import type { Store } from "../../store/open.ts";
import { type DataFrame, frameOf, type FrameSchema, rowsOf } from "../../report/frame.ts";

/** One row of `graphmindTrialsFrame`. */
export interface GraphMindTrial {
  /** Id of the episode. */
  readonly episode: string;
  /** Label of the study's row, e.g. `kg`. */
  readonly condition: string;
  /** What answered for the models. */
  readonly backbone: string;
  /** `PutNextTo` or `OpenDoor`. */
  readonly mission: string;
  /** `2x2`, `3x3`, …: rooms. */
  readonly rooms: string;
  /** Id of the layout, e.g. `3x3-d1-4`. */
  readonly layout: string;
  /** Whether the world handed out pictures. */
  readonly image: boolean;
  /** From 1. */
  readonly attempt: number;
  /** A whole number as text. */
  readonly seed: string;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** Whether the mission was completed; null unless the episode is. So are the other measures. */
  readonly success: boolean | null;
  /** Decisions: calls and, with a model as actor, turns of the plan–execute loop; null of the oracle too, which decides nothing. */
  readonly decisions: number | null;
  /** Primitive steps of the world. */
  readonly steps: number | null;
  /** Edits from the built graph to the observed truth at the end; null without a graph. Where it is not proved, the upper end. */
  readonly ged: number | null;
  /** The lower end; equal to `ged` where it is proved. */
  readonly gedLower: number | null;
  /** The same to the whole map. */
  readonly gedWhole: number | null;
}

/** Columns of `graphmindTrialsFrame`. */
export const TRIAL_COLUMNS: FrameSchema = {
  episode: "text",
  condition: "text",
  backbone: "text",
  mission: "text",
  rooms: "text",
  layout: "text",
  image: "boolean",
  attempt: "integer",
  seed: "text",
  status: "text",
  success: "boolean",
  decisions: "integer",
  steps: "integer",
  ged: "integer",
  gedLower: "integer",
  gedWhole: "integer",
};

/** Partial maps that a search for the distance may look at: maps of 4 × 4 rooms are proved within it, of 7 × 7 some. */
const NODE_LIMIT = 2000;

/**
 * Every episode of a study in BabyAI, planned ones included, in order of rooms, mission, condition, layout and attempt.
 *
 * Columns are those of `GraphMindTrial`. The distance is that of the last recorded graph to the last recorded truth.
 *
 * @example
 * ```ts
 * import { graphmindTrialsFrame } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(graphmindTrialsFrame(store, "unplayed").height, 0);
 * ```
 */
export function graphmindTrialsFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select id as episode, condition, backbone, attempt, cast(seed as text) as seed, status, score, max_score as maxScore, steps as decisions,
      coalesce(json_extract(world_params, '$.layout'), '') as layout, coalesce(json_extract(world_params, '$.mission'), '') as mission,
      coalesce(json_extract(world_params, '$.image'), 0) as image
    from episodes where study = ? and world = 'babyai'`).all(study) as unknown as EpisodeRow[];
  const trials = rows.map((row) => trialOf(store, row));
  return frameOf(
    trials.sort((a, b) =>
      roomsOrder(a.rooms) - roomsOrder(b.rooms) || compare(b.mission, a.mission) || compare(a.condition, b.condition) ||
      compare(a.layout, b.layout) || a.attempt - b.attempt
    ) as unknown as Record<string, unknown>[],
    TRIAL_COLUMNS,
  );
}

/**
 * How far the graph that an episode built is from the truth after a step; `undefined` without a truth of BabyAI.
 *
 * @param at the step; the last one unless told
 *
 * @example
 * ```ts
 * import { graphErrorOf } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(graphErrorOf(store, "0123456789abcdef"), undefined);
 * ```
 */
export function graphErrorOf(
  store: Store,
  episode: string,
  at: { readonly step?: number; readonly scope?: "observed" | "whole" } = {},
): GraphEditDistance | undefined {
  const last = truthAt(store, episode, at.step);
  if (!last) return undefined;
  const built = roomObjectGraphOf(tripletsAfter(store, episode, { pass: 0, step: last.step }));
  return graphEditDistance(built, babyAiTruthGraph(last.truth, { scope: at.scope ?? "observed" }), { nodeLimit: NODE_LIMIT });
}

/** The recorded truth after a step, or after the last one. */
export function truthAt(store: Store, episode: string, step?: number): { readonly step: number; readonly truth: BabyAiTruth } | undefined {
  const row = store.prepare("select step, truth from truths where episode = ? and pass = 0 and step <= ? order by step desc limit 1")
    .get(episode, step ?? Number.MAX_SAFE_INTEGER);
  const truth = row && asBabyAiTruth(JSON.parse(String(row.truth)));
  return truth && { step: Number(row.step), truth };
}

/** Place of a size among sizes: `2x2` before `3x3`. */
export function roomsOrder(rooms: string): number {
  return Number.parseInt(rooms) || Infinity;
}

/** The rows of the frame. */
export function trialsOf(frame: DataFrame): GraphMindTrial[] {
  return rowsOf<GraphMindTrial>(frame);
}

interface EpisodeRow {
  readonly episode: string;
  readonly condition: string;
  readonly backbone: string;
  readonly attempt: number;
  readonly seed: string;
  readonly status: string;
  readonly score: number | null;
  readonly maxScore: number | null;
  readonly decisions: number | null;
  readonly layout: string;
  readonly mission: string;
  readonly image: number;
}

const MISSIONS: Readonly<Record<string, string>> = { "put-next-to": "PutNextTo", "open-door": "OpenDoor" };

function trialOf(store: Store, { score, maxScore, decisions, mission, layout, image, ...row }: EpisodeRow): GraphMindTrial {
  const done = row.status === "completed";
  const measured = done ? measure(store, row.episode) : undefined;
  const size = layout.match(/^(\d+x\d+)-/)?.[1] ?? measured?.rooms ?? "?";
  return {
    ...row,
    mission: MISSIONS[mission] ?? mission,
    rooms: size,
    layout,
    image: image !== 0,
    success: done ? (score ?? 0) >= (maxScore ?? 1) : null,
    decisions: done && row.condition !== "oracle" ? decisions : null, // the oracle walks a path that is given
    steps: measured?.steps ?? null,
    ged: measured?.observed?.upper ?? null,
    gedLower: measured?.observed?.lower ?? null,
    gedWhole: measured?.whole?.upper ?? null,
  };
}

function measure(store: Store, episode: string): {
  readonly steps: number;
  readonly rooms?: string;
  readonly observed?: GraphEditDistance | undefined;
  readonly whole?: GraphEditDistance | undefined;
} {
  const steps = Number(
    store.prepare("select coalesce(sum(json_array_length(frames)), 0) as n from turns where episode = ? and pass = 0").get(episode)?.n,
  );
  const truth = truthAt(store, episode);
  if (!truth) return { steps };
  const { size } = truth.truth.grid;
  const hasGraph = store.prepare("select 1 from turns where episode = ? and graph_size is not null limit 1").get(episode) !== undefined;
  return {
    steps,
    rooms: `${size}x${size}`,
    ...(hasGraph ? { observed: graphErrorOf(store, episode), whole: graphErrorOf(store, episode, { scope: "whole" }) } : {}),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
