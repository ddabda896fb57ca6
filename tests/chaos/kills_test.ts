/**
 * Random kills of all that a run is made of: what it leaves is what an undisturbed run leaves, and
 * no answered call is asked twice.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { spawnServer } from "../../lib/core/env/server.ts";
import type { Draw } from "../../lib/core/random.ts";
import { digestOf } from "../../lib/lab/digest.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { verifyStore } from "../../lib/lab/store/verify.ts";
import { descendants, isRunning, until } from "../core/env/processes.ts";
import { type Proxy, startProxy } from "../core/env/proxy.ts";
import { type CountingEndpoint, startEndpoint } from "../lab/endpoint.ts";
import { type Accidents, playHunt } from "../lab/play_child.ts";
import { rowsOf, startChild } from "../lab/played.ts";
import { below, chaosDraw, FULL } from "./generators.ts";
import { ownFolder } from "../folder.ts";

// One world server serves all runs but those that are to lose theirs.
const server = spawnServer([]);
const { endpoint: shared, pid: sharedPid } = await server.ready;
Deno.test.afterAll(async () => {
  server.child.stdin?.end();
  await server.exited;
});

type Strike = "lab" | "disk" | "worker" | "server" | "java" | "connection" | "link";

/** A run that is disturbed: what it plays, and what may strike it besides a kill of the lab. */
interface Story {
  readonly chains: "arigraph" | "science";
  readonly steps: number;
  readonly strikes: readonly Strike[];
}

const SHORT: Story = { chains: "arigraph", steps: 6, strikes: [] };
const STORIES: readonly Story[] = [
  { chains: "arigraph", steps: 12, strikes: ["worker", "connection", "disk"] },
  { chains: "arigraph", steps: 12, strikes: ["link", "connection", "worker"] },
  { chains: "science", steps: 8, strikes: ["java", "worker", "connection"] },
  { chains: "arigraph", steps: 12, strikes: ["server", "worker", "connection"] },
];
/** Strikes that the long form deals. */
const STRIKES = 200;

/** What an undisturbed run leaves, and the questions that it asks. */
interface Undisturbed {
  readonly rows: ReturnType<typeof rowsOf>;
  readonly chain: unknown;
  readonly needed: readonly string[];
}

Deno.test("chaos: a run that is killed at any moment leaves what an undisturbed one leaves, and asks no answered question twice", async () => {
  using own = ownFolder();
  const folder = own.path;
  await using endpoint = await startEndpoint();
  const draw = chaosDraw("kills");
  const counts = new Map<Strike, number>();
  const count = (): number => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const known = new Map<Story, Undisturbed>();
  for (let n = 0; FULL ? count() < STRIKES : n < 1; n++) {
    const story = FULL ? STORIES[n % STORIES.length] as Story : SHORT;
    const wanted = known.get(story) ??
      await undisturbed(story, endpoint, join(folder, `whole-${n}.sqlite`));
    known.set(story, wanted);
    const dealt = await disturbed(story, wanted, {
      endpoint,
      draw,
      path: join(folder, `${n}.sqlite`),
    });
    for (const strike of dealt) counts.set(strike, 1 + (counts.get(strike) ?? 0));
    if (FULL) console.log(`  ${n}: ${story.chains}, ${dealt.join(" ")}; ${count()} strikes`);
  }
  if (FULL) console.log(`  ${[...counts].map(([strike, n]) => `${strike} ${n}`).join(", ")}`);
});

async function undisturbed(
  { chains, steps }: Story,
  endpoint: CountingEndpoint,
  path: string,
): Promise<Undisturbed> {
  endpoint.answered.length = 0;
  endpoint.onRequest = () => true;
  assert.equal(
    (await playHunt(path, endpoint.baseUrl, steps, chains, { worlds: shared })).completed,
    1,
  );
  const needed = endpoint.answered.splice(0);
  assert.ok(needed.length > 2 * steps, "a step asks several questions");
  return { rows: rowsOf(path), chain: chainIn(path), needed };
}

function chainIn(path: string): unknown {
  using store = openStore(path);
  return digestOf(store, "hunt");
}

interface Stage {
  readonly endpoint: CountingEndpoint;
  readonly draw: Draw;
  readonly path: string;
}

/** Plays a story to its end with strikes at random questions; returns those that were dealt. */
async function disturbed(
  story: Story,
  wanted: Undisturbed,
  { endpoint, draw, path }: Stage,
): Promise<Strike[]> {
  const dealt: Strike[] = [];
  Object.assign(endpoint, { requests: 0 });
  endpoint.answered.length = 0;
  const link = story.strikes.includes("link") ? await startLink() : undefined;
  try {
    for (let kills = FULL ? 3 : 1; kills > 0; kills--) {
      const hasEnded = await playOn(story, {
        endpoint,
        draw,
        path,
        link,
        dealt,
        needed: wanted.needed.length,
      });
      if (hasEnded) break; // the last strike came too late
    }
    const final = await playHunt(path, endpoint.baseUrl, story.steps, story.chains, {
      retry: true,
      worlds: shared,
    });
    assert.equal(final.completed, 1, JSON.stringify(final.episodes[0]));
  } finally {
    link?.proxy.close();
  }
  assert.deepEqual(rowsOf(path), wanted.rows);
  assert.deepEqual(chainIn(path), wanted.chain);
  assertLedger(path, endpoint, wanted.needed, dealt);
  return dealt;
}

/**
 * Every question is answered; one that is answered again was in flight when it was struck; each
 * request has a row.
 */
function assertLedger(
  path: string,
  endpoint: CountingEndpoint,
  needed: readonly string[],
  dealt: readonly Strike[],
): void {
  using store = openStore(path);
  const { episodes, problems, replies } = verifyStore(store);
  assert.deepEqual([episodes.map(({ state }) => state), problems, replies.broken], [
    ["whole"],
    [],
    0,
  ]);
  assert.deepEqual([...new Set(endpoint.answered)].sort(), [...new Set(needed)].sort());
  const rows = store.prepare("select kind, error from calls where kind <> 'replayed'").all();
  const wasted = rows.filter(({ kind }) => kind === "wasted").length;
  const killed = dealt.filter((strike) => strike === "lab" || strike === "disk").length;
  assert.ok(
    endpoint.answered.length - needed.length <= wasted,
    `${endpoint.answered.length} answers for ${needed.length}, ${wasted} wasted`,
  );
  const unsent = rows.length - endpoint.requests; // an attempt is written before it is sent, and a kill may come between
  assert.ok(
    unsent >= 0 && unsent <= killed,
    `${rows.length} rows for ${endpoint.requests} requests`,
  );
  assert.equal(
    store.prepare("select count(*) as n from attempts where outcome is null").get()?.["n"],
    0,
  );
}

interface Scene extends Stage {
  readonly link?: Link;
  readonly dealt: Strike[];
  /** Number of questions of an undisturbed run. */
  readonly needed: number;
}

/**
 * Starts the lab, strikes it, and waits for its end; returns whether it got to the end of the
 * story.
 */
async function playOn({ chains, steps, strikes }: Story, scene: Scene): Promise<boolean> {
  const { endpoint, draw, path, link, dealt, needed } = scene;
  const isFull = strikes.includes("disk") && draw.next() < 0.4;
  const ownServer = strikes.includes("server");
  const accidents: Accidents = {
    pages: isFull ? below(draw, 30) : undefined,
    worlds: ownServer ? undefined : link?.proxy.endpoint ?? shared,
  };
  const child = startChild(path, endpoint.baseUrl, steps, chains, accidents, true);
  const exited = once(child, "exit");
  const left = Math.max(1, needed - endpoint.answered.length);
  const soft = strikes.filter((strike) => strike !== "disk");
  const plan = soft.length === 0 ? [] : Array.from(
    { length: 1 + below(draw, 2) },
    () => ({ at: below(draw, left), strike: draw.pick(soft) }),
  );
  if (!isFull) plan.push({ at: below(draw, left), strike: "lab" });
  plan.sort((a, b) => a.at - b.at);
  const from = endpoint.answered.length;
  const family = new Set<number>();
  const watched = watchBelow(child, family);
  endpoint.onRequest = (answered) => {
    const next = plan[0];
    if (!next || answered - from < next.at || child.exitCode !== null) return true;
    plan.shift();
    dealt.push(next.strike);
    if (next.strike === "connection") return "drop";
    const isAnswered = draw.next() < 0.5;
    const strike = (): void =>
      deal(next.strike, child, { link, root: ownServer ? child.pid : sharedPid });
    if (isAnswered) globalThis.setTimeout(strike, below(draw, 40)); // at any moment after the answer
    else strike();
    return next.strike === "lab" ? isAnswered : true;
  };
  const [status] = await exited;
  clearInterval(watched);
  endpoint.onRequest = () => true;
  if (isFull && status !== 0) dealt.push("disk");
  assert.ok(await until(() => ![...family].some(isRunning), 60_000), "a process is left behind");
  return status === 0;
}

/** Collects the processes below a child while it runs. */
function watchBelow(child: ChildProcess, found: Set<number>): ReturnType<typeof setInterval> {
  return setInterval(
    () => descendants(child.pid ?? -1).forEach((pid) => found.add(pid)),
    FULL ? 300 : 100,
  );
}

function deal(
  strike: Strike,
  child: ChildProcess,
  { link, root = -1 }: { readonly link?: Link; readonly root?: number },
): void {
  if (strike === "lab") return void child.kill("SIGKILL");
  if (strike === "link") return link?.lose();
  const processes = descendants(root).map((pid) => ({ pid, command: commandOf(pid) }));
  const java = processes.filter(({ command }) => command === "java");
  const python = processes.filter(({ command }) => command.startsWith("python"));
  const parents = root === sharedPid ? 2 : 3; // of a worker: the server, what workers are forked from, and its helper
  const victims = {
    java,
    server: python.slice(0, 1),
    worker: python.slice(parents).slice(-1),
  }[strike as "java" | "server" | "worker"];
  for (const { pid } of victims) kill(pid);
}

function commandOf(pid: number): string {
  return spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch { /* it has ended meanwhile */ }
}

/** A link to the world server that loses what it carries. */
interface Link {
  readonly proxy: Proxy;
  /** Loses the next answer, or garbles it. */
  lose(): void;
}

async function startLink(): Promise<Link> {
  const proxy = await startProxy(shared);
  let lost = 0;
  return {
    proxy,
    lose: () => {
      const isGarbled = lost++ % 2 === 1;
      proxy.fate = (frames) => {
        proxy.fate = (all) => all;
        return isGarbled ? frames.map((frame) => frame.slice(0, frame.length / 2)) : undefined;
      };
    },
  };
}
