/**
 * The episodes of a study of GraphMind with their success, their steps, their tokens, and the distance of the graph that was built to the truth; the
 * names of conditions and the order of sizes.
 */

import { asBabyAiTruth, babyAiTruthGraph } from "../../core/graph/babyai-truth.ts";
import { type GraphEditDistance, graphEditDistance } from "../../core/graph/edit-distance.ts";
import { roomObjectGraphOf } from "../../core/graph/room-graph.ts";
import { tripletsAfter } from "../../lab/recorder.ts";
import type { Trial } from "../../report/estimate.ts";
import type { Store } from "../../lab/store/open.ts";
import { comparableTrials, type ModuleTokens, moduleTokens, type RepeatedCharacters, repeatedCharacters } from "./tokens.ts";
import { type GridStep, gridSteps } from "./trace.ts";

/** One episode of a study of GraphMind. */
export interface GraphMindTrial extends Trial {
  /** `PutNextTo` or `OpenDoor`. */
  readonly mission: string;
  /** `2x2`, `3x3`, …: rooms. */
  readonly rooms: string;
  /** Name of the layout, e.g. `3x3-d1-4`. */
  readonly layout: string;
  /** Whether the layout is a user's own (`--games`), for which the paper has no numbers. */
  readonly isOwnLayout: boolean;
  /** Whether the world handed out pictures. */
  readonly image: boolean;
  /** From 1. */
  readonly attempt: number;
  /** A whole number as text. */
  readonly seed: string;
  /** Whether the mission was completed; null unless the episode is. So are the other measures. */
  readonly success: boolean | null;
  /** Decision steps: calls and, with a model as actor, turns of the plan–execute loop; null of the oracle too, which decides nothing. */
  readonly decisions: number | null;
  /** Primitive steps of the world. */
  readonly steps: number | null;
  /** Edits from the built graph to the observed truth at the end; null without a graph. Where it is not proved, the upper end. */
  readonly ged: number | null;
  /** The lower end; equal to `ged` where it is proved. */
  readonly gedLower: number | null;
  /** The same to the whole map. */
  readonly gedWhole: number | null;
  /** Whether an earlier trial of its condition, mission and layout took exactly the same primitives: no measure counts it again. */
  readonly isRepeat: boolean;
  /** Whether its tokens are compared: all of the study's conditions KG, SM and static graph are planned on its map. */
  readonly isCompared: boolean;
  /** Tokens of its modules; none unless it is completed. */
  readonly modules: readonly ModuleTokens[];
  /** Its steps, read from the store on the first call. */
  trace(): readonly GridStep[];
  /** How much of each module's prompts repeats the prompt before, read from the store on the first call. */
  repeated(): readonly RepeatedCharacters[];
}

/** Partial maps that a search for the distance may look at: maps of 4 × 4 rooms are proved within it, of 7 × 7 some. */
export const NODE_LIMIT = 2000;

/**
 * Returns every episode of a study in BabyAI, planned ones included, in order of rooms, mission, condition, layout and attempt. The distance is that
 * of the last recorded graph to the last recorded truth.
 *
 * @example
 * ```ts
 * import { graphmindTrials } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(graphmindTrials(store, "unplayed"), []);
 * ```
 */
export function graphmindTrials(store: Store, study: string): GraphMindTrial[] {
  const rows = store.prepare(`
    select id as episode, condition, attempt, cast(seed as text) as seed, status, score, max_score as maxScore, steps as decisions,
      substr(label, instr(label, '/') + 1) as layout, coalesce(json_extract(world_params, '$.mission'), '') as mission,
      json_extract(world_params, '$.layout') as path, coalesce(json_extract(world_params, '$.image'), 0) as image
    from episodes where study = ? and world = 'babyai' order by cast(layout as integer), mission desc, condition, layout, attempt`)
    .all(study) as unknown as EpisodeRow[];
  const tokens = moduleTokens(store, study);
  const compared = new Set(comparableTrials(rows));
  const walked = new Set<string>();
  return rows.map((row) => {
    const actions = row.status === "completed" ? primitivesOf(store, row.episode) : undefined;
    const key = JSON.stringify([row.condition, row.mission, row.layout, actions]);
    const isRepeat = actions !== undefined && walked.has(key);
    walked.add(key);
    return trialOf(store, row, {
      modules: tokens.get(row.episode) ?? [],
      isCompared: compared.has(row),
      isRepeat,
      steps: actions?.length ?? null,
      trace: once(() => gridSteps(store, row.episode)),
      repeated: once(() => repeatedCharacters(store, row.episode)),
    });
  });
}

/** The fields that exhibits of this study share. */
export const GRAPHMIND_TRIALS = { trial: "trial", trials: graphmindTrials };

/** The function, computed on its first call alone. */
function once<Value extends object>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => value ??= compute();
}

/** The primitives of an episode's first pass, in order. */
function primitivesOf(store: Store, episode: string): readonly string[] {
  const row = store.prepare(`
    select json_group_array(json_extract(f.value, '$.action') order by t.step, f.key) as actions
    from turns t, json_each(t.frames) f where t.episode = ? and t.pass = 0`).get(episode);
  return JSON.parse(String(row?.actions));
}

/**
 * Returns the graph edit distance from the graph that an episode built to the truth after a step; `undefined` without a truth of BabyAI.
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
  const last = store.prepare("select step, truth from truths where episode = ? and pass = 0 and step <= ? order by step desc limit 1")
    .get(episode, at.step ?? Number.MAX_SAFE_INTEGER);
  const truth = last && asBabyAiTruth(JSON.parse(String(last.truth)));
  if (!truth) return undefined;
  const built = roomObjectGraphOf(tripletsAfter(store, episode, { pass: 0, step: Number(last.step) }));
  return graphEditDistance(built, babyAiTruthGraph(truth, { scope: at.scope ?? "observed" }), { nodeLimit: NODE_LIMIT });
}

/** An episode as the query reads it. */
type EpisodeRow =
  & Trial
  & Readonly<Record<"seed" | "layout" | "mission" | "path", string> & Record<"attempt" | "image", number>>
  & Readonly<Record<"score" | "maxScore" | "decisions", number | null>>;

const MISSIONS: Readonly<Record<string, string>> = { "put-next-to": "PutNextTo", "open-door": "OpenDoor" };

function trialOf(
  store: Store,
  { score, maxScore, decisions, mission, layout, path, image, ...row }: EpisodeRow,
  read: Pick<GraphMindTrial, "modules" | "isCompared" | "isRepeat" | "steps" | "trace" | "repeated">,
): GraphMindTrial {
  const done = row.status === "completed";
  const hasGraph = done &&
    store.prepare("select 1 from turns where episode = ? and graph_size is not null limit 1").get(row.episode) !== undefined;
  const observed = hasGraph ? graphErrorOf(store, row.episode) : undefined;
  return {
    ...row,
    ...read,
    mission: MISSIONS[mission] ?? mission,
    rooms: layout.match(/^\d+x\d+/)?.[0] ?? "?",
    layout,
    isOwnLayout: path !== layout,
    image: image !== 0,
    success: done ? (score ?? 0) >= (maxScore ?? 1) : null,
    decisions: done && row.condition !== "oracle" ? decisions : null, // the oracle walks a path that is given
    ged: observed?.upper ?? null,
    gedLower: observed?.lower ?? null,
    gedWhole: hasGraph ? graphErrorOf(store, row.episode, { scope: "whole" })?.upper ?? null : null,
  };
}

/** Condition → its name, in the order of the paper. */
export const GRAPHMIND_CONDITIONS: Readonly<Record<string, string>> = {
  kg: "KG",
  sm: "SM",
  none: "w/o Memory",
  "kg-static": "KG, static",
  "kg-global-map": "KG, global map (ours)",
  "kg-llm-actor": "KG, LLM as actor",
  "kg-text": "KG, text only",
  "random-dsl": "Random DSL",
  oracle: "Oracle",
};

/** The sizes of maps that tables have rows for. */
export const SIZES: readonly string[] = Array.from({ length: 9 }, (_, index) => `${index + 2}x${index + 2}`);

/** The sentence of a caption on the paper; for a user's own layouts, that it has no numbers for them. */
export function paperText(trials: readonly GraphMindTrial[], text: string): string {
  return trials.some(({ isOwnLayout }) => isOwnLayout) ? "The layouts are a user's own: the paper has no numbers for them." : text;
}

/** Compares sizes of maps: `2x2` comes before `3x3`. */
export function byRooms(a: { readonly rooms: string }, b: { readonly rooms: string }): number {
  return roomsOrder(a.rooms) - roomsOrder(b.rooms);
}

/** The rank of a size, or of a layout by its size. */
export function roomsOrder(rooms: string): number {
  return Number.parseInt(rooms) || Infinity;
}
