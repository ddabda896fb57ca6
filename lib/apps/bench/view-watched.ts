/** What the run page takes: of memory over a large store, and from a run that it watches. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { quantile } from "simple-statistics";
import { checkoutRoot } from "../../core/platform.ts";
import { openStore } from "../../lab/store/open.ts";
import { type Measurement, measurement, median, mostMemory } from "./benchmarks.ts";
import type { Tab } from "./chromium.ts";
import { withPage } from "./view-page.ts";
import type { Taken } from "./watched-run.ts";

/** The most memory that the server may ever have taken, in MB. */
const MEMORY = 200;
/** How often the page of a study is read anew, as it is while a run goes on. */
const READINGS = 5;

/** Opens every page over a large store, and searches it to its end. */
export async function benchMemory(tab: Tab, store: string): Promise<Measurement[]> {
  const most = await withPage(store, async (address, server) => {
    const studies = Array.from({ length: READINGS }, () => "study/arigraph-benchmark%40offline");
    for (const [at, page] of ["", ...studies, `episode/${"0".repeat(16)}/0.1`, "search?q=nowhere"].entries()) {
      await tab.goTo(`${address}?${at}#/${page}`);
      await tab.until(
        page.startsWith("search") ? "document.body?.innerText.match(/ 0$/mg)?.length > 3" : "document.querySelector('table, .canvas')",
      );
    }
    return mostMemory(server.pid);
  });
  const says = "the most memory that ./lab view took over a store of a million calls";
  return most === undefined
    ? []
    : [measurement({ name: "view-memory", says, value: most, unit: "MB", details: {} }, { is: "<", bound: MEMORY })];
}

/** Pairs of runs, one of which is watched; the most that it may cost as a ratio; and the episodes of a run. */
const PAIRS = 15;
const SLOWER = 1.03;
const EPISODES = 400;

/**
 * Plays a small study again and again in one process; a page watches every other run: alone, watched, watched, alone, and so on. The run's
 * processor time says what it loses; its wall time does, too, where browser, server and run have an idle core each, and is only told elsewhere.
 */
export async function benchRun(tab: Tab, folder: string): Promise<Measurement[]> {
  const store = join(folder, "run.sqlite");
  openStore(store).close();
  const busy = loadavg()[0] ?? Number.NaN;
  const runs = { alone: [] as Taken[], watched: [] as Taken[] };
  await withPage(store, (address) =>
    withPlayer(store, async (play) => {
      await play("warm"); // makes the engine ready
      for (let at = 0; at < 2 * PAIRS; at++) {
        const kind = at % 4 === 1 || at % 4 === 2 ? "watched" : "alone";
        const study = `${kind}-${at}`;
        await tab.goTo(kind === "watched" ? `${address}?${at}#/study/${study}` : "about:blank");
        if (kind === "watched") await tab.until("document.querySelector('.live.on')");
        runs[kind].push(await play(study));
      }
    }));
  return (["processor", "wall"] as const).map((time) => {
    const ratios = runs.watched.map((watched, pair) => watched[time] / (runs.alone[pair] as Taken)[time]);
    const details = {
      pairs: PAIRS,
      quarter: quantile(ratios, 0.25),
      three_quarters: quantile(ratios, 0.75),
      alone_ms: 1000 * median(runs.alone.map((taken) => taken[time])) / EPISODES,
      busy_cores_before: busy,
    };
    const says = `${time} time of a run that a page watches ÷ of the same run alone, median of pairs; alone_ms is of an episode`;
    const found = { name: `view-watched${time === "wall" ? "-wall" : ""}`, says, value: median(ratios), unit: "×", details };
    return measurement(found, time === "processor" || busy + 3 <= availableParallelism() ? { is: "≤", bound: SLOWER } : undefined);
  });
}

/** Starts `watched-run.ts` in a process of its own. */
async function withPlayer(store: string, use: (play: (study: string) => Promise<Taken>) => Promise<void>): Promise<void> {
  const script = join(checkoutRoot(), "lib", "apps", "bench", "watched-run.ts");
  const child = spawn(process.execPath, ["run", "--quiet", "--no-check", "--allow-all", script, store, String(EPISODES)], {
    cwd: checkoutRoot(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await use(async (study) => {
      child.stdin.write(`${study}\n`);
      const { value } = await lines.next();
      return JSON.parse(value ?? assert.fail("the run that is to be watched has failed"));
    });
  } finally {
    child.stdin.end();
    await ended;
  }
}
