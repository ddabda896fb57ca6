/** What the lab itself costs a step, an episode of a long study and a call of a model, with a world that costs nothing. */

import { join } from "node:path";
import process from "node:process";
import { createAriadne } from "../../core/agent/ariadne.ts";
import type { Method } from "../../core/agent/method.ts";
import { startServer, stopServer } from "../../core/child-server.ts";
import type { ChatModel } from "../../core/llm/chat-model.ts";
import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import { studyModels } from "../../lab/models.ts";
import type { RunPorts } from "../../lab/plan.ts";
import { runStudy } from "../../lab/runner.ts";
import type { Lane, Study } from "../../lab/study.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import { checkoutRoot, systemClock } from "../../core/platform.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { totalCalls } from "../../lab/store/calls.ts";
import { openStore, type Store } from "../../lab/store/open.ts";
import { houseModel, type Measurement, measurement, median, processorMs, RUN } from "./benchmarks.ts";
import { HOUSE_ROLES } from "./house.ts";

/** Wanted of a step of Ariadne with AriGraph at most, and of a call over HTTP, in milliseconds of processor time. */
const [STEP_MS, CALL_MS] = [5, 2];
/** Steps of an episode, and rounds after the first. */
const [STEPS, ROUNDS] = [100, 5];

/** Calls `work` with the address of the mock endpoint, a process of its own, started with `words`. */
export async function withMockEndpoint<T>(words: readonly string[], work: (baseUrl: string) => Promise<T>): Promise<T> {
  const endpoint = startServer(process.execPath, [...RUN, join(checkoutRoot(), "lib", "apps", "bench", "mock-endpoint.ts"), ...words], {
    failure: (why) => new Error(`the mock endpoint did not start (${why})`),
  });
  try {
    return await work((await endpoint.ready).endpoint);
  } finally {
    await stopServer(endpoint);
  }
}

/**
 * What the lab itself costs a step of Ariadne with AriGraph: with a model in this process that answers at once, and with the whole model stack in
 * front of an endpoint over HTTP, which is another process. The sides take turns; a value is the median of the rounds.
 */
export async function benchOverhead(folder: string): Promise<Measurement[]> {
  using plain = openStore(join(folder, "overhead.sqlite"));
  using whole = openStore(join(folder, "overhead-http.sqlite"));
  return await withMockEndpoint(["house"], async (baseUrl) => {
    const models = Object.fromEntries(HOUSE_ROLES.map((role) => [role, { model: role, baseUrl }]));
    const rounds: { readonly step: number; readonly stack: number; readonly call: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const instant = await houseEpisode(round, plain, { "*": "instant" });
      const served = await houseEpisode(round, whole, models);
      if (round > 0) rounds.push({ step: instant.ms, stack: served.ms, call: (served.ms - instant.ms) / served.calls }); // the first warms the engine up
    }
    const side = (which: "step" | "stack" | "call"): Omit<Measurement, "name" | "says" | "holds"> => {
      const values = rounds.map((round) => round[which] / (which === "call" ? 1 : STEPS));
      return {
        value: median(values),
        unit: "ms",
        details: { low: Math.min(...values), high: Math.max(...values), steps: STEPS, rounds: ROUNDS },
      };
    };
    const says = "the lab's own processor time a step of Ariadne with AriGraph, model and world excluded";
    const stack = "the same with the whole model stack, over HTTP";
    return [
      measurement({ name: "overhead", says, ...side("step") }, { is: "<", bound: STEP_MS }),
      measurement({ name: "overhead-http", says: stack, ...side("stack") }),
      measurement({ name: "overhead-call", says: "what a call takes of that over HTTP", ...side("call") }, { is: "≤", bound: CALL_MS }),
    ];
  });
}

/** Plays one episode in the house: its processor time, and how often a model was asked. */
async function houseEpisode(
  round: number,
  store: Store,
  models: Study["models"],
): Promise<{ readonly ms: number; readonly calls: number }> {
  const create = (): Method => createAriadne({ memory: createAriGraph(), maxSteps: STEPS });
  const method = { id: "ariadne-instant", version: "1", create };
  const lanes = [{ id: "only", episodes: [{ world: "constant", method, attempt: 1 + round, seed: 1 }] }];
  const study = { id: `overhead ${round}`, title: "What the lab costs a step", models, lanes };
  const ports = instantPorts(store, houseModel(9));
  const cpu = process.cpuUsage();
  const { completed, episodes: [episode] } = await runStudy(study, "*" in models ? ports : { ...ports, ...studyModels(study, { store }) });
  const ms = processorMs(cpu);
  if (completed !== 1) throw new Error(`the benchmark's episode did not complete: ${JSON.stringify(episode)}`);
  return { ms, calls: totalCalls(store, study.id).paid.calls };
}

/** What an episode of one step costs the lab in a long study, beside a short one: it should not grow with what else is planned. */
export async function benchStudyLength(folder: string): Promise<Measurement> {
  const method: Method = {
    id: "one-step",
    run: async ({ world, recorder }) => {
      const env = await world();
      await recorder.step({ pass: 0, step: 0, turn: await env.reset() });
      const turn = await env.step("look");
      await recorder.step({ pass: 0, step: 1, action: "look", turn });
      await env.close();
      return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: 1 }] };
    },
  };

  async function msOf(episodes: number): Promise<number> {
    using store = openStore(`${folder}/study-${episodes}.sqlite`);
    const lane = (number: number): Lane => ({
      id: `lane ${number}`,
      episodes: [{ world: "constant", method: { id: "one-step", version: "1", create: () => method }, attempt: 1, seed: number }],
    });
    const cpu = process.cpuUsage();
    const { completed } = await runStudy(
      { id: "long", title: "A long study", models: { "*": "instant" }, lanes: Array.from({ length: episodes }, (_, i) => lane(i + 1)) },
      instantPorts(store, houseModel(1)),
    );
    if (completed !== episodes) throw new Error(`the benchmark's study has ${completed} of ${episodes} episodes`);
    return processorMs(cpu) / episodes;
  }

  const [few, many] = [200, 2000];
  await msOf(few - 1); // warms the engine up
  const short = await msOf(few);
  const long = await msOf(many);
  const says = `processor time of an episode in a study of ${many} ÷ in one of ${few}`;
  const details = { longMs: long, shortMs: short };
  return measurement({ name: "study-length", says, value: long / short, unit: "×", details }, { is: "<", bound: 1.5 });
}

/** The ports of a run in which model and world answer at once. */
function instantPorts(store: Store, model: ChatModel): RunPorts {
  const worlds = { open: () => Promise.resolve(constantWorld()) };
  return { store, clock: systemClock, worlds, models: () => model, embedder: createLexicalEmbedder() };
}

/** A world that costs nothing: it shows the same room for ever. */
function constantWorld(): MeasuredEnvironment {
  const turn: Turn = {
    goal: "look around",
    observation: "-= Hall =-\nYou are in a hall. There is nothing here.",
    sections: { location: "Hall", inventory: "You are carrying nothing." },
    frames: [],
    score: 0,
    maxScore: 1,
  };
  return {
    spec: {
      id: "constant",
      version: "1",
      parameters: {},
      sections: Object.keys(turn.sections),
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
