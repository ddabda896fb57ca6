/** What the lab costs a step and a call of a model, and what AriGraph's update and recall cost. */

import { join } from "node:path";
import process from "node:process";
import { median } from "simple-statistics";
import { createAriadne } from "../../core/agent/ariadne.ts";
import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import { formatTriplet, type Triplet } from "../../core/graph/triplet.ts";
import { createAsker } from "../../core/llm/asker.ts";
import type { ChatModel } from "../../core/llm/chat-model.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import { systemClock } from "../../core/platform.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { searchTriplets } from "../../core/retrieval/semantic-search.ts";
import { VectorIndex } from "../../core/retrieval/vector-index.ts";
import { runStudy } from "../../lab/runner.ts";
import { openStore, type Store } from "../../lab/store/open.ts";
import { measured, type Measurement, processorMs } from "./measure.ts";

/** Steps of an episode, and rounds after the first. */
const [STEPS, ROUNDS] = [100, 5];

/** Answers a role at a step of an agent that walks through a house of rooms of 13 triplets. */
function houseAnswer(role: string, step: number, rooms: number): string {
  const place = step % rooms;
  const things = Array.from({ length: 6 }, (_, i) => `thing ${place * 6 + i}`);
  switch (role) {
    case "arigraph/extract":
      return [
        `room ${place}, has exit, east`,
        ...things.map((thing, i) => `${thing}, is on, shelf ${i}`),
        ...things.map((thing) => `room ${place}, contains, ${thing}`),
      ].join("; ");
    case "arigraph/outdate":
      return "[]";
    case "arigraph/entities":
      return `{"room ${place}": 1, "thing ${Math.floor(place / 2) * 6}": 2, "shelf 3": 1}`;
    case "arigraph/explore":
      return "False";
    case "ariadne/plan":
      return `{"plan_steps": [{"sub_goal_1": "look around", "reason": ""}]}`;
    default:
      return `{"reason_for_action": "", "action_to_take": "look"}`;
  }
}

/** A model in this process that answers at once, in a house of so many rooms. */
function houseModel(rooms: number): ChatModel {
  const usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
  return {
    id: "instant",
    chat: ({ role, sample }) => {
      const text = houseAnswer(role, sample?.step ?? 0, rooms);
      return Promise.resolve({ model: "instant", choices: [{ text, finish: "stop" }], usage });
    },
  };
}

export async function benchOverhead(folder: string): Promise<Measurement[]> {
  using store = openStore(join(folder, "overhead.sqlite"));
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await houseEpisode(round, store));
  const values = rounds.slice(1); // the first round warms the engine up
  return [measured(
    "overhead",
    "the lab's processor time for a step of Ariadne with AriGraph, without model and world",
    median(values),
    "ms",
    { most: 5, details: { low: Math.min(...values), high: Math.max(...values) } },
  )];
}

/** Plays one episode in the house, and returns its processor time a step, in ms. */
async function houseEpisode(round: number, store: Store): Promise<number> {
  const method = {
    id: "ariadne-instant",
    version: "1",
    create: () => createAriadne({ memory: createAriGraph(), maxSteps: STEPS }),
  };
  const episode = { world: "constant", method, attempt: 1 + round, seed: 1 };
  const study = {
    id: `overhead ${round}`,
    title: "What the lab costs a step",
    models: { "*": "instant" },
    chains: [{ id: "only", episodes: [episode] }],
  };
  const cpu = process.cpuUsage();
  const { completed, episodes: [played] } = await runStudy(study, {
    store,
    clock: systemClock,
    worlds: { open: () => Promise.resolve(constantWorld()) },
    models: () => houseModel(9),
    embedder: createLexicalEmbedder(),
  });
  if (completed !== 1) {
    throw new Error(`the benchmark's episode did not complete: ${JSON.stringify(played)}`);
  }
  return processorMs(cpu) / STEPS;
}

/** A world that costs nothing: it shows the same room for ever. */
function constantWorld(): MeasuredEnvironment {
  const turn: Turn = {
    goal: "look around",
    observation: "-= Hall =-\nYou are in a hall. There is nothing here.",
    sections: { location: "Hall", inventory: "You are carrying nothing." },
    ...{ frames: [], score: 0, maxScore: 1 },
  };
  const sections = Object.keys(turn.sections);
  return {
    spec: {
      id: "constant",
      version: "1",
      parameters: {},
      sections,
      actions: [],
      fallback: "look",
      identity: "constant",
    },
    reset: () => Promise.resolve(turn),
    step: () => Promise.resolve(turn),
    validActions: () => Promise.resolve(["look"]),
    truth: () => Promise.resolve({}),
    close: () => Promise.resolve(),
  };
}

/** AriGraph at 2,000 triplets, compared with embedding every triplet again at each search. */
export async function benchMemoryStep(): Promise<Measurement[]> {
  const embedder = createLexicalEmbedder();
  const memory = createAriGraph()({ ask: createAsker({ model: houseModel(Infinity) }), embedder });
  const ours: number[] = [];
  while ((memory.graph?.size ?? 0) < 2000) {
    const step = ours.length + 1;
    const seen = {
      step,
      goal: "look around",
      observation: `-= Room ${step} =-`,
      location: `Room ${step}`,
    };
    const started = performance.now();
    await memory.observe({ ...seen, ...(step > 1 ? { action: "go east" } : {}) });
    await memory.recall({ ...seen, plan: "look around" });
    ours.push(performance.now() - started);
  }
  const triplets = memory.graph?.triplets() ?? [];
  const retrieve = async (queries: readonly string[], width: number): Promise<Triplet[][]> => {
    const results: Triplet[][] = [];
    for (const query of queries) {
      const index = new VectorIndex(embedder.dimensions, { normalise: true });
      const [vector, ...vectors] = await embedder.embed([query, ...triplets.map(formatTriplet)]);
      for (const row of vectors) index.add(row);
      results.push(
        index.search(index.prepare(vector as Float32Array), width).map(({ row }) =>
          triplets[row] as Triplet
        ),
      );
    }
    return results;
  };
  const [started, at] = [performance.now(), ours.length];
  const queries = [{ text: `room ${at}`, depth: 1 }, { text: `thing ${at * 3}`, depth: 2 }, {
    text: "shelf 3",
    depth: 1,
  }];
  await searchTriplets(queries, { width: 6, retrieve });
  const [naiveMs, oursMs] = [performance.now() - started, median(ours.slice(-20))];
  return [measured(
    "memory-step",
    "embedding all triplets again ÷ AriGraph's update and recall, at 2,000 triplets",
    naiveMs / oursMs,
    "×",
    { least: 100, details: { naiveMs, oursMs } },
  )];
}
