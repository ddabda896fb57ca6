/**
 * Hunts that are drawn when the test runs, with every name replaced by an invented word, order the memories as the games of the studies do, within
 * their intervals. LAB_SLOW=1 plays it; LAB_SEED repeats a draw.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import process from "node:process";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { env } from "../../lib/platform.ts";
import { type ExperimentRow, readExperiment } from "../../lib/report/experiment.ts";
import { comparePaired } from "../../lib/stats/paired.ts";
import { longHunt } from "../../lib/papers/evidence/memory-length.ts";
import { openStore } from "../../lib/store/open.ts";
import "../../lib/offline/mod.ts";

const MEMORIES = ["arigraph", "full-history", "summary", "rag"];
/** The reader that stands for all, by the rule of docs/offline.md. */
const READER = "reader:command-r-plus";
const GAMES = 12;

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

/** The normalised scores of each memory, by game, in hunts of 16 rooms. */
async function scoresIn(games: readonly { readonly seed: number; readonly rename?: number }[]): Promise<Map<string, number[]>> {
  using store = openStore(":memory:");
  const study = experiment({
    id: "hunts",
    worlds: games.map((game) => ({
      world: "textworld/long-hunt",
      label: `game ${game.seed}`,
      params: { ...longHunt(16), ...game },
    })),
    memories: MEMORIES,
    steps: 500,
    models: { "*": READER },
  });
  const { completed, planned, episodes } = await playStudy(study, { store, worlds });
  assert.equal(completed, planned, episodes.find(({ failureMessage }) => failureMessage)?.failureMessage ?? "");
  const scoreOf = ({ values: { score } }: ExperimentRow): number => score ?? NaN;
  const rows = readExperiment(store, "hunts").rows.toSorted((a, b) => a.game < b.game ? -1 : 1);
  return new Map(MEMORIES.map((memory) => [memory, rows.filter(({ condition }) => condition === memory).map(scoreOf)]));
}

Deno.test({
  name: "unseen hunts with invented names order the memories as the studies' hunts do, within the intervals of the differences",
  ignore: env("LAB_SLOW") !== "1",
  async fn(): Promise<void> {
    const first = Number(env("LAB_SEED") ?? randomInt(1000, 2 ** 30));
    process.stderr.write(`unseen hunts: seeds ${first} … ${first + GAMES - 1} (LAB_SEED=${first})\n`);
    const numbers = Array.from({ length: GAMES }, (_, number) => number);
    const shipped = await scoresIn(numbers.map((seed) => ({ seed })));
    const unseen = await scoresIn(numbers.map((number) => ({ seed: first + number, rename: first + number })));
    for (const [at, one] of MEMORIES.entries()) {
      for (const other of MEMORIES.slice(at + 1)) {
        const [known, fresh] = [shipped, unseen].map((scores) =>
          comparePaired(scores.get(one) ?? [], scores.get(other) ?? [], { range: [0, 1] }).t
        );
        assert.ok(known && fresh);
        const text = `${one} − ${other}: shipped [${known.low.toFixed(2)}, ${known.high.toFixed(2)}], ` +
          `unseen [${fresh.low.toFixed(2)}, ${fresh.high.toFixed(2)}]`;
        process.stderr.write(`  ${text}\n`);
        assert.ok(known.low <= fresh.high && fresh.low <= known.high, text);
      }
    }
  },
});
