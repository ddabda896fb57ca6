/**
 * What the lab itself costs a step and a call of a model, with a world that costs nothing; and what
 * AriGraph's update and recall cost.
 */

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
import { studyModels } from "../../lab/models.ts";
import { runStudy } from "../../lab/runner.ts";
import type { Study } from "../../lab/study.ts";
import { totalCalls } from "../../lab/store/calls.ts";
import { openStore, type Store } from "../../lab/store/open.ts";
import { HOUSE_ROLES, houseAnswer, withEndpoint } from "./endpoint.ts";
import { bounded, type Measurement, processorMs } from "./measure.ts";

/** Steps of an episode, and rounds after the first. */
const [STEPS, ROUNDS] = [100, 5];

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

/**
 * Processor time of a step of Ariadne with AriGraph: with a model in this process that answers at
 * once, and with the whole model stack in front of an endpoint over HTTP, which is another process.
 * The sides take turns; a value is the median of the rounds.
 */
export async function benchOverhead(folder: string): Promise<Measurement[]> {
  using plain = openStore(join(folder, "overhead.sqlite"));
  using whole = openStore(join(folder, "overhead-http.sqlite"));
  return await withEndpoint(["house"], async (baseUrl) => {
    const models = Object.fromEntries(HOUSE_ROLES.map((role) => [role, { model: role, baseUrl }]));
    const rounds: { readonly step: number; readonly stack: number; readonly call: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const instant = await houseEpisode(round, plain, { "*": "instant" });
      const served = await houseEpisode(round, whole, models);
      if (round === 0) continue; // warms the engine up
      rounds.push({
        step: instant.ms / STEPS,
        stack: served.ms / STEPS,
        call: (served.ms - instant.ms) / served.calls,
      });
    }
    const row = (
      name: string,
      description: string,
      which: "step" | "stack" | "call",
    ): Measurement => {
      const values = rounds.map((round) => round[which]);
      const details = { low: Math.min(...values), high: Math.max(...values) };
      return { name, description, value: median(values), unit: "ms", details };
    };
    return [
      bounded(
        row(
          "overhead",
          "the lab's processor time for a step of Ariadne with AriGraph, without model and world",
          "step",
        ),
        "≤",
        5,
      ),
      row("overhead-http", "the same with the whole model stack, over HTTP", "stack"),
      bounded(row("overhead-call", "what one call adds to that over HTTP", "call"), "≤", 2),
    ];
  });
}

/** Plays one episode in the house: its processor time, and how often a model was asked. */
async function houseEpisode(
  round: number,
  store: Store,
  models: Study["models"],
): Promise<{ readonly ms: number; readonly calls: number }> {
  const method = {
    id: "ariadne-instant",
    version: "1",
    create: () => createAriadne({ memory: createAriGraph(), maxSteps: STEPS }),
  };
  const chains = [{
    id: "only",
    episodes: [{ world: "constant", method, attempt: 1 + round, seed: 1 }],
  }];
  const study = { id: `overhead ${round}`, title: "What the lab costs a step", models, chains };
  const worlds = { open: () => Promise.resolve(constantWorld()) };
  const ports = {
    store,
    clock: systemClock,
    worlds,
    models: () => houseModel(9),
    embedder: createLexicalEmbedder(),
  };
  const cpu = process.cpuUsage();
  const { completed, episodes: [episode] } = await runStudy(
    study,
    "*" in models ? ports : { ...ports, ...studyModels(study, { store }) },
  );
  const ms = processorMs(cpu);
  if (completed !== 1) {
    throw new Error(`the benchmark's episode did not complete: ${JSON.stringify(episode)}`);
  }
  return { ms, calls: totalCalls(store, study.id).paid.calls };
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

/**
 * AriGraph's update and recall at 2,000 triplets, compared with Algorithm 2 where every triplet is
 * embedded again at each search.
 */
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
  const description =
    "embedding all triplets again ÷ AriGraph's update and recall, at 2,000 triplets";
  return [
    bounded(
      {
        name: "memory-step",
        description,
        value: naiveMs / oursMs,
        unit: "×",
        details: { naiveMs, oursMs },
      },
      "≥",
      100,
    ),
  ];
}
