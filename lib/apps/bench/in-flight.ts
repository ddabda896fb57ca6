/** How near a study comes to an endpoint's width: calls a second beside those of an ideal runner, processor time a call, and memory. */

import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { playStudy } from "../../lab/lab.ts";
import type { Lane, PlannedEpisode, Study } from "../../lab/study.ts";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { openStore } from "../../lab/store/open.ts";
import { type Measurement, measurement, processorMs } from "./benchmarks.ts";
import { withMockEndpoint } from "./overhead.ts";

/** Requests in flight, and the share of the ideal rate that is wanted there. */
const WIDTHS = [[16, 0.95], [64, 0.95], [256, 0.9], [1024, 0.6]] as const;
/** Wanted of the runner at most: processor time of a call in milliseconds, and resident memory in megabytes. */
const [CALL_MS, MEGABYTES] = [2, 400];
/** Steps of an episode, each a call of one second. */
const STEPS = 24;
/** Calls of a study at least, as few as a small one of real use has; V8 compiles in the first thousand what all of them run. */
const CALLS = 2048;
/** Calls at its beginning whose processor time is told apart. */
const FIRST_CALLS = 256;

/** What is played: episodes of so many calls, whose every answer is `answer`. */
interface Workload {
  readonly name: string;
  readonly answer: string;
  readonly calls: number;
  readonly episode: (index: number) => Omit<PlannedEpisode, "attempt" | "seed">;
}

const WORKLOADS: readonly Workload[] = [
  {
    name: "questions",
    answer: "Direct answer: nobody",
    calls: 1,
    episode: (index) => ({
      world: "questions/encyclopedia",
      params: { index: index % 60, documents: "supporting" },
      method: "cot",
    }),
  },
  ...[["babyai", "turn left"], ["textworld/hunt", "look"]].map(([world = "", answer = ""]): Workload => ({
    name: world.replace(/\/.*/, ""),
    answer,
    calls: STEPS,
    episode: () => ({ world, params: { stepLimit: STEPS }, method: "act", options: { method: { maxSteps: STEPS } } }),
  })),
];

const PARTS = WORKLOADS.flatMap((workload) =>
  WIDTHS.map(([width, share]) => ({ name: `${workload.name}-${width}`, workload, width, share }))
);

/**
 * Plays each workload at each width (`LAB_BENCH_IN_FLIGHT` names some of them, as in `babyai-64,questions-16`) against a mock endpoint of 1.0 s; of
 * several each in a process of its own, so that none has the memory of those before.
 */
export async function benchInFlight(scratch: string): Promise<Measurement[]> {
  const only = process.env["LAB_BENCH_IN_FLIGHT"]?.split(",");
  const names = PARTS.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`LAB_BENCH_IN_FLIGHT names ${unknown || "nothing"}; there are ${names.join(", ")}`);
  const parts = PARTS.filter(({ name }) => !only || only.includes(name));
  const [part] = parts;
  if (!part || parts.length > 1) return (await Array.fromAsync(parts, ({ name }) => inOwnProcess(name))).flat();
  return await withMockEndpoint([], (baseUrl) => measure(part.workload, { ...part, baseUrl, scratch }));
}

async function inOwnProcess(part: string): Promise<Measurement[]> {
  const options = { env: { ...process.env, LAB_BENCH_IN_FLIGHT: part } };
  try {
    const stdout = await promisify(execFile)(join(checkoutRoot(), "lab"), ["bench", "in-flight", "--json"], options)
      .then((answer) => answer.stdout, (error) => {
        if (error.code === 1) return String(error.stdout); // a bound is missed
        throw error;
      });
    return JSON.parse(stdout) as Measurement[];
  } catch (error) {
    throw new Error(`the benchmark in-flight of ${part} gave no measurements: ${(error as Error).message}`, { cause: error });
  }
}

async function measure(
  { name, answer, calls, episode }: Workload,
  { width, share, baseUrl, scratch }: {
    readonly width: number;
    readonly share: number;
    readonly baseUrl: string;
    readonly scratch: string;
  },
): Promise<Measurement[]> {
  const episodes = width + Math.max(width * (calls === 1 ? STEPS - 1 : 2), Math.ceil(CALLS / calls));
  const lane = (index: number): Lane => ({ id: `${index}`, episodes: [{ ...episode(index), attempt: index + 1, seed: 1 }] });
  const study: Study = {
    id: `in-flight-${name}-${width}`,
    title: "Calls in flight",
    models: { "*": { model: answer, baseUrl, timeoutSeconds: 600 } },
    lanes: Array.from({ length: episodes }, (_, index) => lane(index)),
  };
  using store = openStore(join(scratch, `${study.id}.sqlite`));
  const answers: { readonly at: number; readonly latency: number }[] = [];
  const begun = new Set<string | undefined>();
  let [memory, ended, from, to] = [0, 0, 0, 0];
  let [cpuFrom, cpuFirst, cpuTo] = [NaN, NaN, NaN]; // asked for three times alone, because asking costs as much as a call
  const started = performance.now();
  const cpu = process.cpuUsage();
  const { completed } = await playStudy(study, {
    store,
    inFlight: width,
    onCall: ({ episode, latencyMs: latency }) => {
      answers.push({ at: performance.now(), latency });
      if (begun.size < width && begun.add(episode).size === width) [from, cpuFrom] = [answers.length, processorMs(cpu)];
      if (from > 0 && answers.length === from + FIRST_CALLS) cpuFirst = processorMs(cpu);
      if (answers.length % width === 0) memory = Math.max(memory, process.memoryUsage.rss() / 2 ** 20);
    },
    onProgress: ({ kind }) => {
      if (kind === "end" && ++ended === episodes - width) [to, cpuTo] = [answers.length, processorMs(cpu)];
    },
  });
  if (completed !== episodes) throw new Error(`the study ${study.id} has ${completed} of ${episodes} episodes`);
  // From when as many lanes play as the endpoint takes requests, until fewer are left.
  const [first, last] = [answers[from - 1], answers[to - 1]];
  if (!first || !last || to <= from) throw new Error(`the study ${study.id} was never as wide as wanted`);
  const rate = (to - from) / (last.at - first.at) * 1000;
  const details = {
    calls: to - from,
    perSecond: rate,
    // Shares of the requests that were in flight: on a busy machine answers take longer than the endpoint waits.
    full: answers.slice(from, to).reduce((sum, { latency }) => sum + latency, 0) / (last.at - first.at) / width,
    firstAnswerSeconds: ((answers[0]?.at ?? 0) - started) / 1000,
    wideSeconds: (first.at - started) / 1000,
    load: loadavg()[0] ?? 0,
  };
  const says = (what: string): string => `${what}, ${width} in flight`;
  const id = `in-flight-${name}-${width}`;
  return [
    measurement(
      { name: id, says: says(`calls a second of ${name} ÷ the endpoint's`), value: rate / width, unit: "×", details },
      { is: "≥", bound: share },
    ),
    measurement({
      name: `${id}-call`,
      says: says("the runner's processor time a call"),
      value: (cpuTo - cpuFrom) / (to - from),
      unit: "ms",
      details: { ofTheFirst: FIRST_CALLS, firstCallMs: (cpuFirst - cpuFrom) / FIRST_CALLS },
    }, { is: "≤", bound: CALL_MS }),
    measurement({ name: `${id}-memory`, says: says("resident memory of the runner"), value: memory, unit: "MB", details: {} }, {
      is: "≤",
      bound: MEGABYTES,
    }),
  ];
}
