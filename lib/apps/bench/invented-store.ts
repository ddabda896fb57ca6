/** A store as a long study leaves it, for benchmarks: the rows are invented, their number and size are not. */

import { createDraw } from "../../core/random.ts";
import { putCall } from "../../lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lab/store/episodes.ts";
import { openStore } from "../../lab/store/open.ts";
import { putReply } from "../../lab/store/replies.ts";
import { putStudy } from "../../lab/store/studies.ts";
import { type GraphChangeRow, observationHash, putTurn } from "../../lab/store/turns.ts";

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
  /** Characters of prompts, replies and truths as they were before they were packed. */
  readonly characters: number;
}

/**
 * Makes a store of completed episodes of so many steps: five games, eight conditions, as many attempts as are needed; with prompts, replies and
 * truths at each step, 24 kB together, which differ from one step to the next as much as they do in play.
 */
export function fillStore(path: string, { episodes, steps }: { readonly episodes: number; readonly steps: number }): Filled {
  using store = openStore(path);
  const study = "arigraph-benchmark@offline";
  const counts = { turns: 0, calls: 0, changes: 0, characters: 0 };
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
      const facts = Array.from({ length: 60 }, (_, thing) => factOf(thing, draw.next));
      for (let step = 0; step <= steps; step++) {
        facts[step % facts.length] = factOf(step % facts.length, draw.next);
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
        }, { changes, truth: { ...TRUTH, facts } });
        counts.characters += JSON.stringify(facts).length;
        counts.turns++;
        counts.changes += changes.length;
        for (const role of step === 0 ? [] : ROLES) {
          const tokens = { promptTokens: 1000, cachedTokens: 0, completionTokens: 80, reasoningTokens: 0, dollars: 0 };
          const key = `${id}-${step}-${role}`.padEnd(64, "0");
          const messages = [{ role: "user", content: `${role}\n${INSTRUCTIONS}\n${facts.join("; ")}\n${OBSERVATION} ${step}` }];
          const reply = { model: "offline", choices: [{ text: `${facts.slice(0, 8).join("; ")} ${step}`, finish: "stop" }] };
          const made = { endpoint: "local", codeVersion: "benchmark", at: 0 };
          putReply(store, { key, request: { role, model: "offline", messages }, reply, ...made });
          counts.characters += (messages[0]?.content.length ?? 0) + (reply.choices[0]?.text.length ?? 0);
          putCall(store, {
            ...place,
            role,
            model: "offline",
            key,
            kind: "paid",
            ...tokens,
            latencyMs: 1,
            recorded: 1,
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

/** What a prompt says at every step. */
const INSTRUCTIONS = "Read what was seen, compare it with what is known, and answer in the form that is asked for, without a word besides. "
  .repeat(20);

const TRUTH = {
  rooms: ["Hall", "Kitchen"],
  exits: [{ from: "Hall", direction: "north", to: "Kitchen", door: null }],
  location: "Hall",
};

function factOf(thing: number, next: () => number): string {
  return `thing ${thing}, is in, room ${Math.floor(next() * 12)}`;
}

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
