/**
 * An episode in a grid world step by step: what was done, the true map after it, and the way that
 * was walked, from the store alone.
 */

import { asBabyAiTruth, babyAiRoomAt, type BabyAiTruth } from "../../core/graph/babyai-truth.ts";
import type { Store } from "../../lab/store/open.ts";
import type { FrameRow } from "../../core/env/environment.ts";
import { listTruths, listTurns } from "../../lab/store/turns.ts";

/** The agent's cell and direction: 0 east, 1 south, 2 west, 3 north. */
export type GridPose = readonly [x: number, y: number, direction: number];

/** One agent step. */
export interface GridStep {
  /** From 1; step 0 is the reset. */
  readonly step: number;
  /** As the method says it, e.g. `pass_door(red door)`; empty at the reset. */
  readonly action: string;
  /** The truth after it. */
  readonly truth: BabyAiTruth;
  /** The agent's pose before it, and after each of its primitives. */
  readonly path: readonly GridPose[];
  /**
   * Whether `path` has every primitive: of a model that acts by primitives the truth traces the
   * last one alone, the others follow from what was done.
   */
  readonly isTraced: boolean;
  /** The room that the agent was in before it; `undefined` if that is not known. */
  readonly from: number | undefined;
  /** The room that it was in last. */
  readonly to: number | undefined;
  /** The world's sections after it, and the method's details. */
  readonly sections: Readonly<Record<string, string>>;
  /** As the method recorded them. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The observation after it. */
  readonly observation: string;
}

/**
 * The steps of the first pass of an episode, in order, the reset first; none without a truth of
 * BabyAI.
 *
 * @example
 * ```ts
 * import { gridSteps } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(gridSteps(store, "0123456789abcdef"), []);
 * ```
 */
export function gridSteps(store: Store, episode: string): GridStep[] {
  const turns = new Map(
    listTurns(store, episode).filter(({ pass }) => pass === 0).map((turn) => [turn.step, turn]),
  );
  const steps: GridStep[] = [];
  for (const { pass, step, truth: value } of listTruths(store, episode)) {
    const truth = asBabyAiTruth(value);
    const turn = turns.get(step);
    if (pass !== 0 || !truth || !turn) continue;
    const before = steps.at(-1);
    const last = before?.path.at(-1);
    const isWhole = truth.trace.length === (step === 0 ? 1 : turn.frames.length);
    const followed = isWhole || !last ? undefined : follow(last, turn.frames, truth.trace.at(-1));
    const trace = followed ?? truth.trace;
    const path = [...(last ? [last] : []), ...trace];
    const { action, sections, details, observation } = turn;
    const rooms = trace.flatMap(([x, y]) => babyAiRoomAt(truth, x, y) ?? []);
    const moved = {
      path,
      isTraced: isWhole || followed !== undefined,
      from: before?.to,
      to: rooms.at(-1) ?? before?.to,
    };
    steps.push({ step, action: action ?? "", truth, ...moved, sections, details, observation });
  }
  return steps;
}

/**
 * The poses after each primitive, worked out from the first pose; `undefined` where they do not end
 * at the pose that the truth tells.
 */
function follow(
  [x, y, facing]: GridPose,
  frames: readonly FrameRow[],
  end: GridPose | undefined,
): GridPose[] | undefined {
  const poses = frames.map(({ action, sections }): GridPose => {
    if (action === "left") facing = (facing + 3) % 4;
    else if (action === "right") facing = (facing + 1) % 4;
    else if (action === "forward" && sections["result"] === "done") {
      [x, y] = [x + (AHEAD[facing]?.[0] ?? 0), y + (AHEAD[facing]?.[1] ?? 0)];
    }
    return [x, y, facing];
  });
  return String(poses.at(-1)) === String(end) ? poses : undefined;
}

/** The change of x and y by a step forward, facing east, south, west, north. */
const AHEAD = [[1, 0], [0, 1], [-1, 0], [0, -1]] as const;

/**
 * The whole path of some steps, each pose once.
 *
 * @example
 * ```ts
 * import { wholePath } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(wholePath([]), []);
 * ```
 */
export function wholePath(steps: readonly GridStep[]): GridPose[] {
  return steps.flatMap(({ path }, index) => index === 0 ? path : path.slice(1));
}
