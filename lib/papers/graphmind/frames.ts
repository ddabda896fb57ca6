/**
 * What GraphMind alone measures, as frames: the distance of the built graph to the truth, verdicts
 * on passages, plans, and maps to draw.
 *
 * | GraphMind | here |
 * |---|---|
 * | GED to the ground truth (§4.3) | `ged`, to what the agent has seen; `ged_whole`, to the whole map |
 * | Verify Node Transition, right or wrong (Fig. 6) | `transitions`, compared with the world's record |
 * | plan sequences (Figs. 4, 8, 9) | `plans` |
 */

import { z } from "zod";
import { asBabyAiTruth, babyAiTruthGraph } from "../../core/graph/babyai-truth.ts";
import { type GraphEditDistance, graphEditDistance } from "../../core/graph/edit-distance.ts";
import { roomObjectGraphOf } from "../../core/graph/room-graph.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import { LABELS } from "../../lab/frames.ts";
import { tripletsAfter } from "../../lab/recorder.ts";
import type { Store } from "../../lab/store/open.ts";
import { type GridStep, gridSteps } from "./trace.ts";

/** Columns of `measures`. */
export const MEASURES_COLUMNS = {
  ...LABELS,
  /** `PutNextTo` or `OpenDoor`; rooms of the map, `3x3`; its name, `3x3-d1-4`. */
  ...{ mission: "text", rooms: "text", layout: "text" },
  /** Decision steps: instructions carried out; null of the oracle, which decides nothing. */
  decisions: "integer?",
  /** Primitive steps of the world. */
  world_steps: "integer",
  /**
   * Edits from the built graph to what was seen, at the end: the least number that was found, and
   * the least that there can be (equal where it is proved). Null without a graph.
   */
  ...{ ged: "integer?", ged_lower: "integer?" },
  /** The same to the whole map. */
  ged_whole: "integer?",
  /** Whether a trial before it of its condition and game took exactly the same primitive steps. */
  is_repeat: "boolean",
} as const satisfies FrameSchema;

/**
 * A row for each completed episode of a study in BabyAI, in the order of the plan. Columns:
 * `MEASURES_COLUMNS`.
 *
 * @example
 * ```ts
 * import { measures } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(measures(store, "mine").height, 0);
 * ```
 */
export function measures(store: Store, study: string): DataFrame {
  const walked = new Set<string>();
  const rows = played(store, study).map((row) => {
    const actions = primitivesOf(store, row.episode);
    const path = JSON.stringify([row.condition, row.game, actions]);
    const isRepeat = walked.has(path);
    walked.add(path);
    const hasGraph = store
      .prepare("select 1 from turns where episode = ? and graph_size is not null limit 1")
      .get(row.episode) !== undefined;
    const seen = hasGraph ? graphErrorOf(store, row.episode) : undefined;
    const whole = hasGraph ? graphErrorOf(store, row.episode, { scope: "whole" }) : undefined;
    const layout = row.game.slice(row.game.indexOf("/") + 1);
    return {
      ...row,
      mission: MISSIONS[row.mission] ?? row.mission,
      layout,
      rooms: layout.match(/^\d+x\d+/)?.[0] ?? "?",
      decisions: row.method === "oracle" ? null : row.steps,
      world_steps: actions.length,
      ged: seen?.upper,
      ged_lower: seen?.lower,
      ged_whole: whole?.upper,
      is_repeat: isRepeat,
    };
  });
  return frameOf(rows, MEASURES_COLUMNS);
}

const MISSIONS: Readonly<Record<string, string>> = {
  "put-next-to": "PutNextTo",
  "open-door": "OpenDoor",
};

/**
 * Partial maps that a search may look at: maps of 4 × 4 rooms are proved within it, of 7 × 7 some.
 */
const NODE_LIMIT = 2000;

/**
 * The graph edit distance from the graph that an episode built to the truth after a step;
 * `undefined` without a truth of BabyAI.
 *
 * @param at the step, by default the last one; to what was seen until then, or to the whole map
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
  const last = store.prepare(`select step, truth from truths
    where episode = ? and pass = 0 and step <= ? order by step desc limit 1`)
    .get(episode, at.step ?? Number.MAX_SAFE_INTEGER);
  const truth = last && asBabyAiTruth(JSON.parse(String(last["truth"])));
  if (!truth) return undefined;
  const step = Number(last["step"]);
  const built = roomObjectGraphOf(tripletsAfter(store, episode, { pass: 0, step }));
  const real = babyAiTruthGraph(truth, { scope: at.scope ?? "observed" });
  return graphEditDistance(built, real, { nodeLimit: NODE_LIMIT });
}

/** Columns of `transitions`. */
export const TRANSITIONS_COLUMNS = {
  ...LABELS,
  /** Decision step, from 1. */
  step: "integer",
  /** Whether the agent ended the step in another room, as the world records it. */
  moved: "boolean",
  /** Whether the majority held that it passed a door; votes for it and against it. */
  ...{ passed: "boolean", for: "integer", against: "integer" },
  /** Whether the majority is right, and the share of single votes that are. */
  ...{ right: "boolean", right_votes: "number" },
} as const satisfies FrameSchema;

/**
 * A row for each verdict of Verify Node Transition in the completed episodes of a study. Steps
 * without a vote or without a primitive step are left out. Columns: `TRANSITIONS_COLUMNS`.
 *
 * @example
 * ```ts
 * import { transitions } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.ok(transitions(store, "mine").columns.includes("right"));
 * ```
 */
export function transitions(store: Store, study: string): DataFrame {
  const rows = played(store, study).flatMap((row) =>
    gridSteps(store, row.episode).flatMap((step) => {
      const verdict = verdictOf(step);
      if (!verdict) return [];
      const moved = step.from !== step.to;
      const votes = moved ? verdict.for : verdict.against;
      const share = votes / (verdict.for + verdict.against);
      const right = verdict.passed === moved;
      return [{ ...row, step: step.step, moved, ...verdict, right, right_votes: share }];
    })
  );
  return frameOf(rows, TRANSITIONS_COLUMNS);
}

const recorded = z.object({
  beliefs: z.object({
    transition: z.object({ passed: z.boolean(), for: z.int(), against: z.int() }),
  }),
});

/** What the memory recorded of its votes on a step. */
type Votes = z.output<typeof recorded>["beliefs"]["transition"];

function verdictOf({ step, details, path }: GridStep): Votes | undefined {
  const verdict = recorded.safeParse(details).data?.beliefs.transition;
  if (step === 0 || !verdict || path.length < 2 || verdict.for + verdict.against === 0) return;
  return verdict;
}

/** Columns of `plans`. */
export const PLANS_COLUMNS = {
  ...LABELS,
  /** Number of the plan in its episode, and the decision step at which it was made, from 1. */
  ...{ plan: "integer", step: "integer" },
  /** The entity that it is about; empty where none was named. */
  target: "text",
  /** Its instructions in order, with `; ` between them. */
  instructions: "text",
  /** How many of them the verifier judged carried out. */
  done: "integer",
} as const satisfies FrameSchema;

/**
 * A row for each plan that was made in the completed episodes of a study. Columns: `PLANS_COLUMNS`.
 *
 * @example
 * ```ts
 * import { plans } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(plans(store, "mine").columns.at(-1), "done");
 * ```
 */
export function plans(store: Store, study: string): DataFrame {
  const rows = played(store, study).flatMap((row) => {
    const made: {
      plan: number;
      step: number;
      target: string;
      instructions: string;
      done: number;
    }[] = [];
    for (const { step, details } of gridSteps(store, row.episode)) {
      const { planned, plan = [], target = "", verdict } = details as Planned;
      if (planned) {
        made.push({ plan: made.length + 1, step, target, instructions: plan.join("; "), done: 0 });
      }
      const last = made.at(-1);
      if (last && verdict?.complete) last.done++;
    }
    return made.map((one) => ({ ...row, ...one }));
  });
  return frameOf(rows, PLANS_COLUMNS);
}

/** What GraphMind records of a decision step. */
interface Planned {
  readonly planned?: boolean;
  readonly plan?: readonly string[];
  readonly target?: string;
  readonly verdict?: { readonly complete: boolean };
}

interface Played {
  readonly episode: string;
  readonly game: string;
  readonly condition: string;
  readonly attempt: number;
  readonly mission: string;
  readonly method: string;
  readonly steps: number;
}

/** The completed episodes of a study in BabyAI, in the order of its plan. */
function played(store: Store, study: string): readonly Played[] {
  return store.prepare(`select id as episode, coalesce(label, world) as game, condition, attempt,
      coalesce(json_extract(world_params, '$.mission'), '') as mission, method, steps
    from episodes where study = ? and world = 'babyai' and status = 'completed' order by rowid`)
    .all(study) as unknown as Played[];
}

/** The primitives of an episode's first pass, in order. */
function primitivesOf(store: Store, episode: string): readonly string[] {
  const row = store.prepare(`
    select json_group_array(json_extract(f.value, '$.action') order by t.step, f.key) as actions
    from turns t, json_each(t.frames) f where t.episode = ? and t.pass = 0`).get(episode);
  return JSON.parse(String(row?.["actions"]));
}
