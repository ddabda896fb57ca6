/**
 * The run page in use: how smoothly a large graph is dragged, what the server takes of memory, and what a run loses by being watched.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { quantile } from "simple-statistics";
import { checkoutRoot } from "../platform.ts";
import { openStore } from "../store/open.ts";
import { endEpisode, putEpisode } from "../store/episodes.ts";
import { putStudy } from "../store/studies.ts";
import { type GraphChangeRow, observationHash, putTurn } from "../store/turns.ts";
import { type Measurement, measurement, median, mostMemory, RUN } from "./benchmarks.ts";
import { findChromium, type Tab, withBrowser } from "./chromium.ts";

/** Triplets of the graph that is dragged, how long it is in s, and frames a second that are wanted. */
const EDGES = 2000;
const DRAG = 3;
const FRAMES = 30;
/** The most memory that the server may ever have taken, in MB. */
const MEMORY = 200;
/** Rounds with and without a page that watches, and the most that it may cost the run, as a ratio. */
const ROUNDS = 7;
const SLOWER = 1.03;

/** Measures what a browser is not needed for, and all else where there is one. `many` is a large store. */
export async function benchWatched(folder: string, many: string): Promise<Measurement[]> {
  const found: Measurement[] = [];
  const chromium = findChromium();
  if (!chromium) process.stderr.write("skipped: dragging, memory and watching, because there is no Chromium on this machine\n");
  else await withBrowser(chromium, async (tab) => void found.push(...await benchPage(tab, folder, many)));
  return found;
}

async function benchPage(tab: Tab, folder: string, many: string): Promise<Measurement[]> {
  const large = join(folder, "large.sqlite");
  const id = fillLarge(large);
  const [drag, memory] = [
    await served(large, async (address) => {
      await tab.goTo(`${address}#/episode/${id}/0.1`);
      await tab.until("document.querySelector('.canvas canvas')");
      return await framesDragged(tab);
    }),
    await served(many, async (address, server) => {
      for (const page of ["", "study/arigraph-benchmark%40offline", `episode/${"0".repeat(16)}/0.1`, "search?q=table"]) {
        await tab.goTo(`${address}?${page}#/${page}`);
        await tab.until("document.querySelector('table, .canvas, .hits li')");
      }
      return mostMemory(server.pid);
    }),
  ];
  const rate = measurement({
    name: "view-drag",
    says: `frames a second while a graph of ${EDGES} triplets is dragged in Chromium, without a graphics card`,
    value: drag.times.length / DRAG,
    unit: "1/s",
    details: { longest_ms: Math.max(...drag.times), page_ms: drag.page },
  }, { is: "≥", bound: FRAMES });
  const server = memory === undefined ? [] : [measurement(
    {
      name: "view-memory",
      says: "the most memory that ./lab view took over a store of a million calls",
      value: memory,
      unit: "MB",
      details: {},
    },
    { is: "<", bound: MEMORY },
  )];
  return [rate, ...server, await benchRun(tab, folder)];
}

/** One episode whose graph has so many triplets after its first step: rooms in rows, each with things. */
function fillLarge(path: string): string {
  using store = openStore(path);
  const episode = "1".repeat(16);
  putStudy(store, { id: "large", spec: {}, createdAt: 0 });
  const plan = { lane: "1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
  putEpisode(store, {
    id: episode,
    study: "large",
    ...plan,
    method: "ariadne",
    memory: "arigraph",
    condition: "arigraph",
    backbone: "offline",
  });
  const shown = { observation: "You are in a room.", sections: { location: "room 0" }, score: 0 };
  const turn = { episode, pass: 0, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
  const changes = Array.from({ length: EDGES }, (_, ordinal): GraphChangeRow => {
    const room = Math.floor(ordinal / 10);
    const triplet = ordinal % 10 === 0
      ? {
        subject: `room ${room + 1}`,
        relation: room % 14 === 13 ? "is south of" : room % 28 < 14 ? "is east of" : "is west of",
        object: `room ${room}`,
      }
      : { subject: `thing ${ordinal}`, relation: "is in", object: `room ${room}` };
    return { episode, pass: 0, step: 1, ordinal, op: "add", ...triplet };
  });
  putTurn(store, { ...turn, step: 0 });
  putTurn(store, { ...turn, step: 1, action: "look", graphSize: EDGES }, { changes });
  endEpisode(store, episode, { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 1, steps: 1, end: "limit" }] }, 0);
  return episode;
}

/** Drags the graph to and fro: the time of each frame meanwhile, and what the page's own thread worked for one, in ms; the rest is drawing. */
async function framesDragged(tab: Tab): Promise<{ readonly times: readonly number[]; readonly page: number }> {
  const [x, y] = await tab.read<number[]>(
    "(() => { const { x, y, width, height } = document.querySelector('.canvas').getBoundingClientRect(); return [x + width / 2, y + height / 2] })()",
  ) as [number, number];
  const mouse = (type: string, at: number): Promise<unknown> =>
    tab.send("Input.dispatchMouseEvent", { type, x: x + at, y, button: "left", buttons: 1, clickCount: 1 });
  const busy = async (): Promise<number> => {
    const { metrics } = await tab.send("Performance.getMetrics") as { metrics: { name: string; value: number }[] };
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  await tab.send("Performance.enable");
  const before = await busy();
  await mouse("mousePressed", 0);
  const times = tab.read<number[]>(`new Promise((resolve) => {
    const times = [];
    let last = performance.now();
    const end = last + ${1000 * DRAG};
    const frame = (now) => { times.push(now - last); last = now; now < end ? requestAnimationFrame(frame) : resolve(times); };
    requestAnimationFrame(frame);
  })`);
  let isOver = false;
  times.finally(() => isOver = true);
  for (let at = 0; !isOver; at += 5) await mouse("mouseMoved", 100 * Math.sin(at / 40));
  await mouse("mouseReleased", 0);
  const frames = await times;
  return { times: frames, page: (await busy() - before) / frames.length };
}

/** Starts `./lab view` in a process of its own for the time of `use`. */
async function served<T>(store: string, use: (address: string, server: ChildProcess) => Promise<T>): Promise<T> {
  const args = [...RUN, join(checkoutRoot(), "lib", "cli", "main.ts"), "view", "--store", store];
  const server = spawn(process.execPath, args, { cwd: checkoutRoot(), stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    for await (const line of createInterface({ input: server.stdout ?? assert.fail() })) {
      const address = line.match(/http:\S+\//)?.[0];
      if (address) return await use(address, server);
    }
    return assert.fail("./lab view did not start");
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

/** Plays the same small study again and again, watched by a page in every other round, in processes of their own. */
async function benchRun(tab: Tab, folder: string): Promise<Measurement> {
  const rounds: { readonly alone: Played; readonly watched: Played }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const store = join(folder, `run-${round}.sqlite`);
    const alone = await played(join(folder, `alone-${round}.sqlite`));
    openStore(store).close();
    const watched = await served(store, async (address) => {
      await tab.goTo(`${address}?${round}#/study/watched`);
      await tab.until("document.querySelector('.live.on')");
      return await played(store);
    });
    await tab.goTo("about:blank");
    rounds.push({ alone, watched });
  }
  const ratios = rounds.map(({ alone, watched }) => watched.seconds / alone.seconds);
  const details = {
    rounds: ROUNDS,
    quarter: quantile(ratios, 0.25),
    three_quarters: quantile(ratios, 0.75),
    alone_s: median(rounds.map(({ alone }) => alone.seconds)),
    processor: median(rounds.map(({ alone, watched }) => watched.processor / alone.processor)),
  };
  return measurement(
    {
      name: "view-watched",
      says: "time of a run that a page watches ÷ time of the same run alone, median of rounds side by side",
      value: median(ratios),
      unit: "×",
      details,
    },
    { is: "≤", bound: SLOWER },
  );
}

/** Seconds that a run took without starting, and those of processor time. */
interface Played {
  readonly seconds: number;
  readonly processor: number;
}

/** Plays questions by rule into a store, in a process of its own. */
async function played(store: string): Promise<Played> {
  const program = `
    import process from "node:process";
    import { matrixLanes, openStore, playStudy } from "labyrinth";
    import "labyrinth/offline";
    using store = openStore(${JSON.stringify(store)});
    const lanes = matrixLanes({ worlds: [{ world: "wiki/encyclopedia" }], conditions: [{ method: "act" }, { method: "react" }], attempts: 100 });
    const [begin, used] = [performance.now(), process.cpuUsage()];
    await playStudy({ id: "watched", title: "Watched", models: { "*": "offline" }, lanes }, { store });
    const { user, system } = process.cpuUsage(used);
    console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000, processor: (user + system) / 1e6 }));`;
  const child = spawn(process.execPath, [...RUN, "--ext=ts", "-"], {
    cwd: checkoutRoot(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin?.end(program);
  for await (const line of createInterface({ input: child.stdout ?? assert.fail() })) return JSON.parse(line);
  return assert.fail("the run that is to be watched did not end");
}
