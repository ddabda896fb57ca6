/** Benchmarks of the lab itself. Each measures both sides of a ratio in one run, so that the machine cancels out. */

import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { median as medianOf } from "simple-statistics";
import { formatTriplet, type Triplet } from "../../core/graph/triplet.ts";
import { createAsker } from "../../core/llm/asker.ts";
import type { ChatModel } from "../../core/llm/chat-model.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { searchTriplets } from "../../core/retrieval/semantic-search.ts";
import { VectorIndex } from "../../core/retrieval/vector-index.ts";
import { houseAnswer } from "./house.ts";

/** What a benchmark found. */
export interface Measurement {
  readonly name: string;
  /** What is divided by what, and what is wanted. */
  readonly says: string;
  readonly value: number;
  readonly unit: string;
  /** Whether it is as wanted; absent where nothing is wanted. */
  readonly holds?: boolean;
  readonly details: Readonly<Record<string, number>>;
}

/** The words with which Deno runs a program of ours in a process of its own. */
export const RUN = ["run", "--quiet", "--no-check", "--allow-all", "--node-modules-dir=manual"];

/** The most memory that a process ever took, in MB; `undefined` where the system does not tell. */
export function mostMemory(pid: number | "self" = "self"): number | undefined {
  const path = `/proc/${pid}/status`;
  const kilobytes = existsSync(path) ? readFileSync(path, "utf8").match(/^VmHWM:\s+(\d+)/m)?.[1] : undefined;
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Makes a measurement whose value is to keep to a bound, which `says` then names; without `wanted` it is only told. */
export function measurement(
  found: Omit<Measurement, "holds">,
  wanted?: { readonly is: "<" | "≤" | "≥"; readonly bound: number },
): Measurement {
  if (!wanted) return found;
  const { value } = found;
  const { is, bound } = wanted;
  const holds = is === "<" ? value < bound : is === "≤" ? value <= bound : value >= bound;
  return { ...found, says: `${found.says}; wanted ${is} ${bound}`, holds };
}

/** A model that answers at once, in a house of so many rooms: its time is next to nothing. */
export function houseModel(rooms: number): ChatModel {
  return {
    id: "instant",
    chat: ({ role, sample }) =>
      Promise.resolve({
        model: "instant",
        choices: [{ text: houseAnswer(role, sample?.step ?? 0, rooms), finish: "stop" }],
        usage: { prompt: 0, cached: 0, completion: 0, reasoning: 0 },
      }),
  };
}

function houseMemory(rooms: number): (step: number) => Promise<number> {
  const memory = createAriGraph()({ ask: createAsker({ model: houseModel(rooms) }), embedder: createLexicalEmbedder() });
  return (step) => memoryStep(memory, step, rooms);
}

/** Milliseconds of one update and recall. */
async function memoryStep(memory: Memory, step: number, rooms: number): Promise<number> {
  const room = `Room ${step % rooms}`;
  const seen = { step, goal: "look around", observation: `-= ${room} =-`, location: room };
  const started = performance.now();
  await memory.observe({ ...seen, ...(step > 1 ? { action: "go east" } : {}) });
  await memory.recall({ ...seen, plan: "look around" });
  return performance.now() - started;
}

/** AriGraph's update and recall at 2,000 triplets, against Algorithm 2 with every triplet embedded anew at each search. Wanted ≥ 100. */
export async function benchMemoryStep(): Promise<Measurement> {
  const embedder = createLexicalEmbedder();
  const memory = createAriGraph()({ ask: createAsker({ model: houseModel(Infinity) }), embedder });
  let step = 0;
  const ours: number[] = [];
  while ((memory.graph?.size ?? 0) < 2000) {
    ours.push(await memoryStep(memory, ++step, Infinity));
    if (ours.length > 20) ours.shift(); // the last steps before 2,000
  }

  const triplets = memory.graph?.triplets() ?? [];
  async function embedAndRetrieve(queries: readonly string[], width: number): Promise<Triplet[][]> {
    const results: Triplet[][] = [];
    for (const query of queries) {
      const index = new VectorIndex(embedder.dimensions, { normalise: true });
      const [vector, ...vectors] = await embedder.embed([query, ...triplets.map(formatTriplet)]);
      for (const row of vectors) index.add(row);
      results.push(index.search(index.prepare(vector as Float32Array), width).map(({ row }) => triplets[row] as Triplet));
    }
    return results;
  }
  const started = performance.now();
  const queries = [{ text: `room ${step}`, depth: 1 }, { text: `thing ${step * 3}`, depth: 2 }, { text: "shelf 3", depth: 1 }];
  await searchTriplets(queries, { width: 6, retrieve: embedAndRetrieve });
  const naive = performance.now() - started;
  const says = "naive re-embedding of all triplets ÷ AriGraph's update and recall, at 2,000 triplets";
  const details = { naiveMs: naive, oursMs: median(ours), triplets: triplets.length };
  return measurement({ name: "memory-step", says, value: naive / median(ours), unit: "×", details }, { is: "≥", bound: 100 });
}

/**
 * AriGraph's time a step around step 1,000: against around step 10 in a house of 9 rooms that is known by step 9, which is what time alone costs,
 * wanted ≤ 1.2; and against around step 100 in a house without end, 13 new triplets a step, wanted less than the ten times as much that there is to
 * search then.
 */
export async function benchMemoryGrowth(): Promise<Measurement[]> {
  const row = async (name: string, rooms: number, from: number, house: string, bound: number): Promise<Measurement> => {
    const { late, early } = await lateAndEarly(rooms, from);
    const says = `AriGraph's time a step at step 1,000 ÷ at step ${from}, in a house ${house}`;
    return measurement({ name, says, value: late / early, unit: "×", details: { lateMs: late, earlyMs: early } }, { is: "≤", bound });
  };
  return [
    await row("memory-growth", 9, 10, "of 9 rooms", 1.2),
    await row("memory-growth-endless", Infinity, 100, "without end", 10),
  ];
}

async function lateAndEarly(rooms: number, from: number): Promise<{ readonly late: number; readonly early: number }> {
  const early: number[] = [];
  const late: number[] = [];
  for (let walk = 0; walk < 12; walk++) { // first walks warm the engine up; then early and late steps are drawn from many walks alike
    const take = houseMemory(rooms);
    for (let step = 1; step <= from + 10; step++) {
      const time = await take(step);
      if (walk >= 4 && step >= from) early.push(time);
    }
  }
  const take = houseMemory(rooms);
  for (let step = 1; step <= 1040; step++) {
    const time = await take(step);
    if (step > 960) late.push(time);
  }
  return { late: median(late), early: median(early) };
}

/** Milliseconds of processor time since `process.cpuUsage()` gave `start`: other programs on the machine do not lengthen them. */
export function processorMs(start: { readonly user: number; readonly system: number }): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of processor time that some work takes, of one of so many repetitions. */
export function timed(work: () => unknown, repeats = 1): number {
  const started = process.cpuUsage();
  for (let i = 0; i < repeats; i++) work();
  return processorMs(started) / repeats;
}

/** The median; NaN of none. */
export function median(values: readonly number[]): number {
  return values.length === 0 ? NaN : medianOf([...values]);
}
