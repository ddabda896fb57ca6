/**
 * Trials in a grid world of two by two rooms, written through the store as the recorder writes
 * them.
 */

import type { BabyAiTruth } from "../../../lib/core/graph/babyai-truth.ts";
import type { Triplet } from "../../../lib/core/graph/triplet.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { type GraphChangeRow, putTurn } from "../../../lib/lab/store/turns.ts";

export const STUDY = "graphmind-quick@mute";

/**
 * The map: rooms 0 to 3; a blue ball in 0, a red key in 1; 0-1 red and open, 1-3 purple and locked,
 * 0-2 green and never seen.
 */
export const TRUTH: BabyAiTruth = {
  grid: { size: 2, side: 13, pitch: 6 },
  rooms: [0, 1, 2, 3].map((id) => ({ id, visited: id < 2 })),
  doors: [
    { a: 0, b: 1, colour: "red", state: "open", seen: true, x: 6, y: 2 },
    { a: 1, b: 3, colour: "purple", state: "locked", seen: true, x: 9, y: 6 },
    { a: 0, b: 2, colour: "green", state: "closed", seen: false, x: 2, y: 6 },
  ],
  objects: [
    { id: 0, colour: "blue", type: "ball", room: 0, seen: true, x: 2, y: 4 },
    { id: 1, colour: "red", type: "key", room: 1, seen: true, x: 8, y: 3 },
    { id: 2, colour: "grey", type: "box", room: 2, seen: false, x: 3, y: 9 },
  ],
  agent: { x: 7, y: 2, direction: "east", room: 1 },
  trace: [[5, 2, 0], [6, 2, 0], [7, 2, 0]],
};

/** The truth at the reset: the agent in room 0. */
export const START: BabyAiTruth = {
  ...TRUTH,
  rooms: TRUTH.rooms.map(({ id }) => ({ id, visited: id === 0 })),
  doors: TRUTH.doors.map((door) => ({
    ...door,
    seen: door.x === 6,
    state: door.x === 6 ? "closed" : door.state,
  })),
  agent: { x: 4, y: 2, direction: "east", room: 0 },
  trace: [[4, 2, 0]],
};

/** What a memory knows that saw everything; with `without` it lacks what is in room 1. */
export function knowledge({ without = false }: { readonly without?: boolean } = {}): Triplet[] {
  return [
    { subject: "room 1", relation: "contains", object: "blue ball (room 1)" },
    { subject: "room 1", relation: "is_connected_with red door", object: "room 2" },
    ...(without ? [] : [
      { subject: "room 2", relation: "contains", object: "red key (room 2)" },
      { subject: "room 2", relation: "contains", object: "purple locked door (room 2)" },
    ]),
  ];
}

/** One trial. */
export interface SampleTrial {
  readonly id: string;
  readonly condition: string;
  readonly mission?: "put-next-to" | "open-door";
  readonly layout?: string;
  readonly attempt?: number;
  readonly success?: boolean;
  /** Left out: the memory has no graph. */
  readonly triplets?: readonly Triplet[];
  /** Those of them that it knows from the reset on. */
  readonly earlier?: readonly Triplet[];
  /** Verdict on the one passage that there is. */
  readonly transition?: {
    readonly passed: boolean;
    readonly for: number;
    readonly against: number;
  };
  /**
   * Primitives with what came of each, of a model that acts by them: the truth then has the last
   * pose alone.
   */
  readonly primitives?: readonly (readonly [action: string, result: string])[];
  /** Whether its primitives are those of every other trial that says so; else they are its own. */
  readonly isRepeat?: boolean;
  /** Left out: completed. */
  readonly status?: "planned" | "failed";
}

/**
 * A store with these trials: each a reset and one call of three primitives, from room 0 through the
 * red door.
 */
export function storeOf(trials: readonly SampleTrial[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: 0 });
  for (const trial of trials) putTrial(store, trial);
  return store;
}

function putTrial(store: Store, trial: SampleTrial): void {
  const {
    id,
    condition,
    mission = "put-next-to",
    layout = "2x2-d1-0",
    attempt = 1,
    success = true,
    triplets,
    transition,
  } = trial;
  putEpisode(store, {
    id,
    study: STUDY,
    chain: id,
    ordinal: 0,
    identity: {},
    world: "babyai",
    worldParams: { layout, mission },
    label: `${mission}/${layout}`,
    method: "graphmind",
    memory: condition,
    condition,
    backbone: "mute",
    attempt,
    seed: attempt,
  });
  if (trial.status === "planned") return;
  if (trial.status === "failed") {
    return endEpisode(store, id, {
      status: "failed",
      failureKind: "unknown-role",
      failureMessage: "no answer",
    }, 0);
  }
  const shown = {
    goal: "Put the blue ball next to the red key.",
    maxScore: 1,
    observationHash: "0".repeat(64),
  };
  const size = triplets === undefined ? {} : { graphSize: triplets.length };
  putTurn(store, {
    ...{
      episode: id,
      pass: 0,
      step: 0,
      ...shown,
      observation: VIEW,
      score: 0,
      frames: [],
      details: {},
      ...size,
    },
    sections: { facing: "east", inventory: "nothing" },
  }, { changes: added(trial.earlier, { episode: id, step: 0 }), truth: { ...START } });
  putTurn(store, {
    ...{
      episode: id,
      pass: 0,
      step: 1,
      action: "pass_door(red door)",
      ...shown,
      observation: VIEW,
      score: success ? 1 : 0,
      ...size,
    },
    sections: {
      ...{
        facing: "east",
        inventory: "nothing",
        result: "done",
        door_change: "The red door changed from closed to open.",
      },
      passed_door: "red door, east",
    },
    frames: trial.primitives?.map(([action, result]) => ({
      action,
      observation: VIEW,
      sections: { result },
    })) ??
      [trial.isRepeat ? "toggle" : `toggle ${id}`, "forward", "forward"].map((action) => ({
        action,
        observation: VIEW,
        sections: {},
      })),
    details: {
      ...{
        plan: ["pass_door(red door)"],
        target: "red door",
        planned: true,
        verdict: { complete: true, adjust: false },
      },
      beliefs: {
        room: 2,
        rooms: 2,
        ...(transition ? { transition: { ...transition, unread: 0 } } : {}),
      },
    },
    ...(success ? { ended: "won" } : {}),
  }, {
    changes: added(triplets?.slice(trial.earlier?.length ?? 0), { episode: id, step: 1 }),
    truth: { ...TRUTH, ...(trial.primitives ? { trace: TRUTH.trace.slice(-1) } : {}) },
  });
  endEpisode(store, id, {
    status: "completed",
    passes: [{
      kind: "only",
      score: success ? 1 : 0,
      maxScore: 1,
      steps: 1,
      end: success ? "won" : "limit",
    }],
  }, 0);
}

function added(
  triplets: readonly Triplet[] = [],
  place: { readonly episode: string; readonly step: number },
): GraphChangeRow[] {
  return triplets.map((triplet, ordinal) => ({
    ...place,
    pass: 0,
    ordinal,
    op: "add",
    ...triplet,
  }));
}

const VIEW =
  "Wall; Red_Open_Door; Wall\nEmpty; Blue_Ball; Unseen\nEmpty; Agent; Purple_Locked_Door";
