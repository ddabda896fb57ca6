/** How soon the run page has its data, from a store as a long study leaves it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { median } from "simple-statistics";
import { systemClock } from "../../core/platform.ts";
import { listEpisodes } from "../../lab/store/episodes.ts";
import { openStore } from "../../lab/store/open.ts";
import { createHandler, type Handler } from "../view/server.ts";
import { createTally } from "../view/tally.ts";
import { type Measurement, measurement, processorMs } from "./benchmarks.ts";
import { fillStore } from "./invented-store.ts";
import { findChromium, withBrowser } from "./chromium.ts";
import { benchDrag } from "./view-drag.ts";
import { benchMemory, benchRun } from "./view-watched.ts";

/** Episodes and steps of a store with a million calls, and the steps of a long episode. */
const MANY = { episodes: 10_000, steps: 20 };
const LONG = { episodes: 1, steps: 400 };
const ROUNDS = 5;

/** Longest times that are wanted, in ms. */
const PAGE = 1000;
const STEP = 100;

/** Fills two stores in the folder and asks for each page of them, in this process. */
export async function benchView(folder: string): Promise<Measurement[]> {
  const [many, long] = [join(folder, "many.sqlite"), join(folder, "long.sqlite")];
  const filled = fillStore(many, MANY);
  fillStore(long, LONG);
  const found: Measurement[] = [];
  await served(many, async (answer, _id, study) => {
    found.push(
      await timed("view-first", `the first page of ${MANY.episodes} episodes and ${filled.calls} calls`, PAGE, 1, () => answer("studies")),
    );
    found.push(await timed("view-summed", "the same page when the calls are summed", PAGE, ROUNDS, () => answer("studies")));
    found.push(
      await timed("view-study", `a study of ${MANY.episodes} episodes`, PAGE, ROUNDS, () => answer(`study/${encodeURIComponent(study)}`)),
    );
  });
  await served(long, async (answer, id) => {
    const episode = async (): Promise<void> => void await Promise.all([answer(`episode/${id}`), answer(`graph/${id}`)]);
    found.push(await timed("view-episode", `an episode of ${LONG.steps} steps with its graph`, PAGE, ROUNDS, episode));
    found.push(await timed("view-step", "one of its steps", STEP, ROUNDS, () => answer(`step/${id}/0.200`)));
  });
  const chromium = findChromium();
  if (!chromium) process.stderr.write("skipped: dragging, memory and watching, because there is no Chromium on this machine\n");
  else {
    await withBrowser(chromium, async (tab) => {
      found.push(await benchDrag(tab, folder), ...await benchMemory(tab, many), ...await benchRun(tab, folder));
    });
  }
  return found;
}

type Ask = (path: string) => Promise<void>;

async function served(path: string, use: (answer: Ask, episode: string, study: string) => Promise<void>): Promise<void> {
  using store = openStore(path, { readOnly: true });
  const handler: Handler = createHandler({ store, tally: createTally(store), figures: "", now: systemClock.now, page: new Map() });
  const [first] = listEpisodes(store);
  const answer: Ask = async (path) => {
    const response = await handler.answer(new Request(`http://localhost/data/${path}`));
    assert.equal(response.status, 200, path);
    await response.arrayBuffer();
  };
  await use(answer, first?.id ?? "", first?.study ?? "");
  handler.close();
}

async function timed(name: string, what: string, bound: number, rounds: number, work: () => Promise<void>): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage();
    await work();
    times.push(processorMs(begin));
  }
  const says = `processor time until the run page has ${what}`;
  return measurement({ name, says, value: median(times), unit: "ms", details: { rounds } }, { is: "<", bound });
}
