/** Rows to test the store with. */

import type { EpisodePlan } from "../../../lib/lab/store/episodes.ts";
import type { TurnRow } from "../../../lib/lab/store/turns.ts";

export function samplePlan(plan: Partial<EpisodePlan>): EpisodePlan {
  return {
    id: "0123456789abcdef",
    study: "study",
    chain: "hunt/arigraph/1",
    ordinal: 0,
    identity: { world: "textworld/hunt" },
    world: "textworld/hunt",
    worldParams: { rooms: 12 },
    game: "f".repeat(64),
    method: "ariadne",
    memory: "arigraph",
    condition: "AriGraph",
    backbone: "offline",
    attempt: 1,
    seed: 7,
    ...plan,
  };
}

export function sampleTurn(turn: Partial<TurnRow>): TurnRow {
  return {
    episode: "0123456789abcdef",
    pass: 0,
    step: 0,
    goal: "Find the treasure",
    observation: "You are in a room.",
    sections: { inventory: "nothing", location: "Room A" },
    frames: [{ action: "north", observation: "A hall.", sections: {} }],
    score: 0,
    maxScore: 5,
    observationHash: "a".repeat(64),
    details: { plan: ["look around"] },
    graphSize: 3,
    ...turn,
  };
}
