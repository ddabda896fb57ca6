/** How smoothly the run page drags a large graph, in a real browser. */

import { join } from "node:path";
import { endEpisode, putEpisode } from "../../lab/store/episodes.ts";
import { openStore } from "../../lab/store/open.ts";
import { putStudy } from "../../lab/store/studies.ts";
import { type GraphChangeRow, observationHash, putTurn } from "../../lab/store/turns.ts";
import { type Measurement, measurement } from "./benchmarks.ts";
import type { Tab } from "./chromium.ts";
import { withPage } from "./view-page.ts";

/** Triplets of the graph that is dragged, how long it is in s, and frames a second that are wanted. */
const EDGES = 2000;
const DRAG = 3;
const FRAMES = 30;

/** Drags the graph of one episode by the mouse. The browser draws as it would for a user of this machine: by its graphics card, or by software. */
export async function benchDrag(tab: Tab, folder: string): Promise<Measurement> {
  const store = join(folder, "large.sqlite");
  const id = fillLarge(store);
  return await withPage(store, async (address) => {
    await tab.goTo(`${address}#/episode/${id}/0.1`);
    await tab.until("document.querySelector('.canvas canvas')");
    const drawnBy = await tab.read(DRAWN_BY);
    const { times, page } = await framesDragged(tab);
    const says = `frames a second while a graph of ${EDGES} triplets is dragged in Chromium, which draws by ${drawnBy}`;
    const details = { longest_ms: Math.max(...times), page_ms: page };
    return measurement({ name: "view-drag", says, value: times.length / DRAG, unit: "1/s", details }, { is: "≥", bound: FRAMES });
  });
}

/** What WebGL draws with, in the browser's words. */
const DRAWN_BY = `(() => {
  const gl = document.createElement("canvas").getContext("webgl");
  return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL);
})()`;

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
