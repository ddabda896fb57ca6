/** How many calls a second a study makes, compared with an ideal runner; processor time; memory. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { playStudy } from "../../lab/lab.ts";
import type { PlannedEpisode, Study } from "../../lab/study.ts";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { openStore } from "../../lab/store/open.ts";
import { withEndpoint } from "./endpoint.ts";
import { measured, type Measurement, processorMs } from "./measure.ts";

/** Requests in flight, and the share of the ideal rate that is wanted there. */
const WIDTHS = [[16, 0.95], [64, 0.95], [256, 0.9], [1024, 0.6]] as const;
/** Steps of an episode, each a call of one second. */
const STEPS = 24;
/** Calls of a study at least. */
const CALLS = 2048;
/** First calls whose processor time is not counted, because V8 compiles meanwhile. */
const FIRST_CALLS = 256;

/** What is played: episodes of so many calls, whose every answer is `answer`. */
interface Workload {
  readonly name: string;
  readonly answer: string;
  readonly calls: number;
  readonly episode: (index: number) => Omit<PlannedEpisode, "attempt" | "seed">;
}

const acting = (name: string, world: string, answer: string): Workload => ({
  ...{ name, answer, calls: STEPS },
  episode: () => ({
    world,
    params: { stepLimit: STEPS },
    method: "act",
    options: { method: { maxSteps: STEPS } },
  }),
});
const WORKLOADS: readonly Workload[] = [
  {
    ...{ name: "questions", answer: "Direct answer: nobody", calls: 1 },
    episode: (index) => ({
      world: "questions/encyclopedia",
      params: { index: index % 60, documents: "supporting" },
      method: "cot",
    }),
  },
  acting("babyai", "babyai", "turn left"),
  acting("textworld", "textworld/hunt", "look"),
];
const PARTS = WORKLOADS.flatMap((workload) =>
  WIDTHS.map(([width, share]) => ({ name: `${workload.name}-${width}`, workload, width, share }))
);
type Part = typeof PARTS[number];

/**
 * Plays each workload at each width, each in a process of its own. `LAB_BENCH_IN_FLIGHT` limits it
 * to some, e.g. `babyai-64`.
 */
export async function benchInFlight(scratch: string): Promise<Measurement[]> {
  const only = process.env["LAB_BENCH_IN_FLIGHT"]?.split(",");
  const unknown = only?.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) {
    const names = PARTS.map(({ name }) => name).join(", ");
    throw new UsageError(`unknown LAB_BENCH_IN_FLIGHT "${unknown}"; choose from ${names}`);
  }
  const parts = PARTS.filter(({ name }) => !only || only.includes(name));
  const [part] = parts;
  if (!part || parts.length > 1) return (await Array.fromAsync(parts, inOwnProcess)).flat();
  return await withEndpoint((baseUrl) => measure(part, baseUrl, scratch));
}

async function inOwnProcess({ name }: Part): Promise<Measurement[]> {
  const options = { env: { ...process.env, LAB_BENCH_IN_FLIGHT: name } };
  const ended = await promisify(execFile)(join(checkoutRoot(), "lab"), [
    "bench",
    "in-flight",
    "--json",
  ], options).catch((error) => {
    if (error.code === 1) return error; // a bound is missed
    throw new Error(`the benchmark in-flight of ${name} gave no measurements: ${error.message}`, {
      cause: error,
    });
  });
  return JSON.parse(ended.stdout) as Measurement[];
}

async function measure(
  { name, workload, width, share }: Part,
  baseUrl: string,
  scratch: string,
): Promise<Measurement[]> {
  const { answer, calls, episode } = workload;
  const episodes = width +
    Math.max(width * (calls === 1 ? STEPS - 1 : 2), Math.ceil(CALLS / calls));
  const study: Study = {
    id: `in-flight-${name}`,
    title: "Calls in flight",
    models: { "*": { model: answer, baseUrl, timeoutSeconds: 600 } },
    chains: Array.from({ length: episodes }, (_, index) => ({
      id: `${index}`,
      episodes: [{ ...episode(index), attempt: index + 1, seed: 1 }],
    })),
  };
  using store = openStore(join(scratch, `${study.id}.sqlite`));
  const times: number[] = [];
  const begun = new Set<string | undefined>();
  let [memory, ended, from, to] = [0, 0, 0, 0];
  let [cpuFrom, cpuTo] = [NaN, NaN]; // read twice alone, because reading costs as much as a call
  const cpu = process.cpuUsage();
  const { completed } = await playStudy(study, {
    store,
    inFlight: width,
    onCall: ({ episode }) => {
      times.push(performance.now());
      if (begun.size < width && begun.add(episode).size === width) from = times.length;
      if (from > 0 && times.length === from + FIRST_CALLS) cpuFrom = processorMs(cpu);
      if (times.length % width === 0) {
        memory = Math.max(memory, process.memoryUsage.rss() / 2 ** 20);
      }
    },
    onProgress: ({ kind }) => {
      if (kind === "end" && ++ended === episodes - width) {
        [to, cpuTo] = [times.length, processorMs(cpu)];
      }
    },
  });
  if (completed !== episodes) {
    throw new Error(`the study ${study.id} has ${completed} of ${episodes} episodes`);
  }
  // From when as many chains play as the endpoint takes requests, until fewer are left.
  const [first, last] = [times[from - 1], times[to - 1]];
  if (first === undefined || last === undefined || to <= from) {
    throw new Error(`the study ${study.id} was never as wide as wanted`);
  }
  const perSecond = (to - from) / (last - first) * 1000;
  const row = (part: string, what: string, value: number, unit: string, bound: object) =>
    measured(`in-flight-${name}${part}`, `${what}, ${width} in flight`, value, unit, {
      ...bound,
      details: { calls: to - from, perSecond },
    });
  const rate = `calls a second of ${workload.name} ÷ the endpoint's`;
  const perCall = (cpuTo - cpuFrom) / (to - from - FIRST_CALLS);
  return [
    row("", rate, perSecond / width, "×", { least: share }),
    row("-call", "the runner's processor time a call", perCall, "ms", { most: 2 }),
    row("-memory", "resident memory of the runner", memory, "MB", { most: 400 }),
  ];
}
