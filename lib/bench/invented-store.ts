/** A store as a long study leaves it, for benchmarks: the rows are invented, their number and size are not. */

import { createDraw } from "../random.ts";
import { putCall } from "../store/calls.ts";
import { endEpisode, putEpisode } from "../store/episodes.ts";
import { openStore } from "../store/open.ts";
import { putStudy } from "../store/studies.ts";
import { type GraphChangeRow, observationHash, putTurn } from "../store/turns.ts";

const GAMES = ["hunt", "hunt-hard", "cooking", "cooking-hard", "cleaning"];
const CONDITIONS = [
  "arigraph",
  "arigraph-without-episodic",
  "arigraph-without-exploration",
  "full-history",
  "summary",
  "rag",
  "simulacra",
  "random",
];
const ROLES = ["ariadne/plan", "ariadne/act", "arigraph/extract", "arigraph/outdate", "arigraph/entities"];

/** What a filled store holds. */
export interface Filled {
  readonly study: string;
  readonly turns: number;
  readonly calls: number;
  readonly changes: number;
}

/** Makes a store of completed episodes of so many steps: five games, eight conditions, as many attempts as are needed. */
export function fillStore(path: string, { episodes, steps }: { readonly episodes: number; readonly steps: number }): Filled {
  using store = openStore(path);
  const study = "arigraph-benchmark@offline";
  const counts = { turns: 0, calls: 0, changes: 0 };
  const draw = createDraw("a long study");
  putStudy(store, { id: study, spec: {}, createdAt: 0 });
  store.transaction(() => {
    for (let number = 0; number < episodes; number++) {
      const id = number.toString(16).padStart(16, "0");
      const [condition, world] = [
        CONDITIONS[number % CONDITIONS.length] ?? "",
        `textworld/${GAMES[Math.floor(number / 8) % GAMES.length]}`,
      ];
      const attempt = 1 + Math.floor(number / (CONDITIONS.length * GAMES.length));
      putEpisode(store, {
        id,
        study,
        lane: `${world}|${condition}|${attempt}`,
        ordinal: 0,
        identity: { embedder: "lexical-v1" },
        world,
        worldParams: {},
        game: world,
        method: "ariadne",
        memory: condition,
        condition,
        backbone: "offline",
        attempt,
        seed: attempt,
      });
      let score = 0;
      for (let step = 0; step <= steps; step++) {
        if (draw.next() < 0.1) score = Math.min(10, score + 1);
        const place = { episode: id, pass: 0, step };
        const changes = condition.startsWith("arigraph") ? changesAt(place, draw.next) : [];
        const shown = {
          observation: `${OBSERVATION} ${step}`,
          sections: { location: `Room ${step % 12}`, inventory: "You carry nothing." },
          score,
        };
        putTurn(store, {
          ...place,
          ...shown,
          ...(step === 0 ? {} : { action: "go east" }),
          goal: "Find the treasure.",
          frames: [],
          maxScore: 10,
          observationHash: observationHash(shown),
          details: { plan: OBSERVATION, reason: OBSERVATION },
          ...(changes.length > 0 ? { graphSize: 10 + 3 * step } : {}),
        }, { changes, ...(step === 0 ? { truth: TRUTH } : {}) });
        counts.turns++;
        counts.changes += changes.length;
        for (const role of step === 0 ? [] : ROLES) {
          const tokens = { promptTokens: 1000, cachedTokens: 0, completionTokens: 80, reasoningTokens: 0, dollars: 0 };
          putCall(store, {
            ...place,
            role,
            model: "offline",
            key: `${id}-${step}-${role}`.padEnd(64, "0"),
            kind: "paid",
            ...tokens,
            latencyMs: 1,
            at: 0,
          });
          counts.calls++;
        }
      }
      endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score, maxScore: 10, steps, end: "limit" }] }, 0);
    }
  });
  return { study, ...counts };
}

const OBSERVATION = "You are in a room with a table, a locker and a chair. There is a door to the north and a way to the east. ".repeat(3);

const TRUTH = {
  rooms: ["Hall", "Kitchen"],
  exits: [{ from: "Hall", direction: "north", to: "Kitchen", door: null }],
  location: "Hall",
  facts: [["egg", "in", "Kitchen"]],
};

function changesAt(
  place: { readonly episode: string; readonly pass: number; readonly step: number },
  next: () => number,
): GraphChangeRow[] {
  return Array.from({ length: 4 }, (_, ordinal) => ({
    ...place,
    ordinal,
    op: ordinal === 3 && place.step > 0 ? "remove" : "add",
    subject: `thing ${Math.floor(next() * 60)}`,
    relation: "is in",
    object: `room ${Math.floor(next() * 12)}`,
  }));
}
