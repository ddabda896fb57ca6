/** What writing a step costs, and how fast the run page reads the store of a long study. */

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { median } from "simple-statistics";
import { systemClock } from "../../core/platform.ts";
import { createDraw } from "../../core/random.ts";
import { putCall } from "../../lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lab/store/episodes.ts";
import { openStore, type Store } from "../../lab/store/open.ts";
import { putReply } from "../../lab/store/replies.ts";
import { putStudy } from "../../lab/store/studies.ts";
import { type GraphChangeRow, observationHash, putTurn } from "../../lab/store/turns.ts";
import { createHandler } from "../view/server.ts";
import { createTally } from "../view/tally.ts";
import { measured, type Measurement, processorMs } from "./measure.ts";

const GAMES = ["hunt", "hunt-hard", "cooking", "cooking-hard", "cleaning"];
const CONDITIONS = ["arigraph", "arigraph-without-episodic", "arigraph-without-exploration"].concat(
  ["full-history", "summary", "rag", "simulacra", "random"],
);
const ROLES = ["ariadne/plan", "ariadne/act", "arigraph/extract"].concat(
  ["arigraph/outdate", "arigraph/entities"],
);
const OBSERVATION =
  "You are in a room with a table, a locker and a chair. There is a door to the north and a way to the east. "
    .repeat(3);
const INSTRUCTIONS =
  "Read what was seen, compare it with what is known, and answer in the form that is asked for, without a word besides. "
    .repeat(20);

/** Rows of a filled store; `characters` are those of its prompts, replies and truths. */
interface Filled {
  readonly study: string;
  readonly turns: number;
  readonly calls: number;
  readonly changes: number;
  readonly characters: number;
}

/** Makes a store of completed episodes with 24 kB of prompts, replies and truths at each step. */
export function fillStore(
  path: string,
  { episodes, steps }: { readonly episodes: number; readonly steps: number },
): Filled {
  using store = openStore(path);
  const study = "arigraph-benchmark@offline";
  const counts = { turns: 0, calls: 0, changes: 0, characters: 0 };
  const draw = createDraw("a long study");
  const factOf = (thing: number): string =>
    `thing ${thing}, is in, room ${Math.floor(draw.next() * 12)}`;
  putStudy(store, { id: study, spec: {}, createdAt: 0 });
  store.transaction(() => {
    for (let number = 0; number < episodes; number++) {
      const world = `textworld/${GAMES[Math.floor(number / 8) % GAMES.length]}`;
      const condition = CONDITIONS[number % CONDITIONS.length] as string;
      const attempt = 1 + Math.floor(number / (CONDITIONS.length * GAMES.length));
      const id = number.toString(16).padStart(16, "0");
      putEpisode(store, {
        ...{ id, study, world, condition, attempt, ordinal: 0, worldParams: {}, game: world },
        ...{ method: "ariadne", memory: condition, backbone: "offline", seed: attempt },
        chain: `${world}|${condition}|${attempt}`,
        identity: { embedder: "lexical-v1" },
      });
      let score = 0;
      const facts = Array.from({ length: 60 }, (_, thing) => factOf(thing));
      for (let step = 0; step <= steps; step++) {
        facts[step % facts.length] = factOf(step % facts.length);
        if (draw.next() < 0.1) score = Math.min(10, score + 1);
        const place = { episode: id, pass: 0, step };
        const changes = condition.startsWith("arigraph") ? changesAt(place, draw.next) : [];
        const sections = { location: `Room ${step % 12}`, inventory: "You carry nothing." };
        const shown = { observation: `${OBSERVATION} ${step}`, sections, score };
        putTurn(store, {
          ...{ ...place, ...shown, goal: "Find the treasure.", frames: [], maxScore: 10 },
          ...step > 0 && { action: "go east" },
          ...changes.length > 0 && { graphSize: 10 + 3 * step },
          observationHash: observationHash(shown),
          details: { plan: OBSERVATION, reason: OBSERVATION },
        }, { changes, truth: { facts } });
        counts.characters += JSON.stringify(facts).length;
        counts.turns++;
        counts.changes += changes.length;
        for (const role of step === 0 ? [] : ROLES) {
          counts.characters += ask(store, place, role, facts);
          counts.calls++;
        }
      }
      const pass = { kind: "only", score, maxScore: 10, steps, end: "limit" };
      endEpisode(store, id, { status: "completed", passes: [pass] }, 0);
    }
  });
  return { study, ...counts };
}

type Place = Pick<GraphChangeRow, "episode" | "pass" | "step">;

/** Stores a call with its reply, and returns the characters of both. */
function ask(store: Store, place: Place, role: string, facts: readonly string[]): number {
  const prompt = `${role}\n${INSTRUCTIONS}\n${facts.join("; ")}\n${OBSERVATION} ${place.step}`;
  const text = `${facts.slice(0, 8).join("; ")} ${place.step}`;
  const key = `${place.episode}-${place.step}-${role}`.padEnd(64, "0");
  const request = { role, model: "offline", messages: [{ role: "user", content: prompt }] };
  const reply = { model: "offline", choices: [{ text, finish: "stop" }] };
  putReply(store, { key, request, reply, endpoint: "local", codeVersion: "benchmark", at: 0 });
  putCall(store, {
    ...{ ...place, role, model: "offline", key, kind: "paid", latencyMs: 1, recorded: 1, at: 0 },
    ...{ promptTokens: 1000, cachedTokens: 0, completionTokens: 80, reasoningTokens: 0 },
    dollars: 0,
  });
  return prompt.length + text.length;
}

function changesAt(place: Place, next: () => number): GraphChangeRow[] {
  return Array.from({ length: 4 }, (_, ordinal) => ({
    ...{ ...place, ordinal, op: ordinal === 3 && place.step > 0 ? "remove" : "add" },
    subject: `thing ${Math.floor(next() * 60)}`,
    relation: "is in",
    object: `room ${Math.floor(next() * 12)}`,
  }));
}

/** Processor time of writing a step with five calls, and bytes on disk a character. */
export function benchStore(folder: string): Measurement[] {
  const path = join(folder, "written.sqlite");
  fillStore(join(folder, "warm.sqlite"), { episodes: 40, steps: 20 });
  const started = process.cpuUsage();
  const { turns, characters } = fillStore(path, { episodes: 400, steps: 20 });
  const ms = processorMs(started) / turns;
  const size = statSync(path).size / characters;
  return [
    measured("store-step", "processor time of writing a step with five calls", ms, "ms"),
    measured("store-size", "bytes of a store ÷ characters of its texts", size, "×"),
  ];
}

/** Asks for each page of a store with a million calls and of one with a long episode. */
export async function benchView(folder: string): Promise<Measurement[]> {
  const [many, long] = [join(folder, "many.sqlite"), join(folder, "long.sqlite")];
  const { study, calls } = fillStore(many, { episodes: 10_000, steps: 20 });
  fillStore(long, { episodes: 1, steps: 400 });
  const id = "0".repeat(16);
  return [
    ...await pagesOf(many, [
      ["view-first", `the first page of 10,000 episodes and ${calls} calls`, ["studies"], 1],
      ["view-summed", "the same page when the calls are summed", ["studies"]],
      ["view-study", "a study of 10,000 episodes", [`study/${encodeURIComponent(study)}`]],
    ]),
    ...await pagesOf(long, [
      ["view-episode", "an episode of 400 steps with its graph", [`episode/${id}`, `graph/${id}`]],
      ["view-step", "one of its steps", [`step/${id}/0.200`], 5, 100],
    ]),
  ];
}

type Page = readonly [
  name: string,
  what: string,
  paths: readonly string[],
  rounds?: number,
  most?: number,
];

/** The median processor time until the page's server has answered the requests of each page. */
async function pagesOf(path: string, pages: readonly Page[]): Promise<Measurement[]> {
  using store = openStore(path, { readOnly: true });
  const source = { store, tally: createTally(store), now: systemClock.now };
  const handler = createHandler({ ...source, page: new Map() });
  const found: Measurement[] = [];
  for (const [name, what, paths, rounds = 5, most = 1000] of pages) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started = process.cpuUsage();
      await Promise.all(paths.map(async (path) => {
        const response = await handler.answer(new Request(`http://localhost/data/${path}`));
        assert.equal(response.status, 200, path);
        await response.arrayBuffer();
      }));
      times.push(processorMs(started));
    }
    const description = `processor time until the run page has ${what}`;
    found.push(measured(name, description, median(times), "ms", { most }));
  }
  handler.close();
  return found;
}
