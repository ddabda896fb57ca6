/**
 * Hunts that are drawn when the test runs, with every name of a room or colour replaced by an invented word, order the memories as the shipped table does
 * (`figures/evidence-length-full/`, 16 rooms): no difference that one tells is told the other way round, and they differ by no more than chance allows.
 * LAB_SLOW=1 plays it; LAB_SEED repeats a draw.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { checkoutRoot, env } from "../../lib/platform.ts";
import { type ExperimentRow, readExperiment } from "../../lib/report/experiment.ts";
import { comparePaired } from "../../lib/stats/paired.ts";
import { longHunt } from "../../lib/papers/evidence/memory-length.ts";
import { openStore } from "../../lib/store/open.ts";
import "../../lib/offline/mod.ts";
import { wantsSlow } from "../slow.ts";

const RIVALS = ["full-history", "summary", "rag"];
const MEMORIES = ["arigraph", ...RIVALS];
const READERS = ["reader:gpt-4o", "reader:claude-3.5-sonnet"];
const ROOMS = 16;
const GAMES = 12;

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

/** The normalised scores of each memory, by game, in renamed hunts. */
async function scoresIn(seeds: readonly number[], reader: string): Promise<Map<string, number[]>> {
  using store = openStore(":memory:");
  const study = experiment({
    id: "hunts",
    worlds: seeds.map((seed) => ({
      world: "textworld/long-hunt",
      label: `game ${seed}`,
      params: { ...longHunt(ROOMS), seed, rename: seed },
    })),
    memories: MEMORIES,
    steps: 500,
    models: { "*": reader },
  });
  const { completed, planned, episodes } = await playStudy(study, { store, worlds });
  assert.equal(completed, planned, episodes.find(({ failureMessage }) => failureMessage)?.failureMessage ?? "");
  const scoreOf = ({ values: { score } }: ExperimentRow): number => score ?? NaN;
  const rows = readExperiment(store, "hunts").rows.toSorted((a, b) => a.game < b.game ? -1 : 1);
  return new Map(MEMORIES.map((memory) => [memory, rows.filter(({ condition }) => condition === memory).map(scoreOf)]));
}

/** AriGraph's lead on another memory in the shipped table, and whether its interval tells it. */
function shippedLead(than: string, reader: string): { readonly mean: number; readonly isTold: boolean } {
  const path = `${checkoutRoot()}figures/evidence-length-full/phase-evidence-length-full-arigraph-score.csv`;
  const row = readFileSync(path, "utf8").split("\n").find((line) => line.startsWith(`${than},${ROOMS},${reader},`)) ?? assert.fail(path);
  const [, , , lead = "", , mean] = row.split(",");
  return { mean: Number(mean), isTold: lead === "ahead" || lead === "behind" };
}

for (const reader of READERS) {
  Deno.test({
    name: `unseen hunts with invented names order the memories as the shipped table does (${reader})`,
    ignore: !wantsSlow(`unseen hunts with invented names, ${reader}`),
    async fn(): Promise<void> {
      const first = Number(env("LAB_SEED") ?? randomInt(1000, 2 ** 30));
      process.stderr.write(`unseen hunts: seeds ${first} … ${first + GAMES - 1} (LAB_SEED=${first})\n`);
      const scores = await scoresIn(Array.from({ length: GAMES }, (_, number) => first + number), reader);
      let told = 0;
      for (const than of RIVALS) {
        const shipped = shippedLead(than, reader);
        const pairs = [scores.get("arigraph") ?? [], scores.get(than) ?? []] as const;
        const { mean, t } = comparePaired(...pairs, { range: [0, 1] });
        const isTold = t !== undefined && (t.low > 0 || t.high < 0);
        const text = `arigraph − ${than}: shipped ${shipped.mean.toFixed(2)}${shipped.isTold ? " (told)" : ""}, ` +
          `unseen ${mean.toFixed(2)} [${t?.low.toFixed(2)}, ${t?.high.toFixed(2)}]`;
        process.stderr.write(`  ${text}\n`);
        const isSame = Math.sign(mean) === Math.sign(shipped.mean);
        assert.ok(isSame || !(isTold && shipped.isTold), text);
        if (isTold && shipped.isTold) told++;
        // the table has as many games: √2 times the interval of one mean is that of the difference of both, here at the level of six comparisons
        const { low = -1, high = 1 } = comparePaired(...pairs, { range: [0, 1], level: 1 - 0.05 / (RIVALS.length * READERS.length) }).t ??
          {};
        assert.ok(Math.abs(mean - shipped.mean) <= Math.SQRT2 * Math.max(mean - low, high - mean), text);
      }
      assert.ok(told > 0, "no difference is told in both, so that the order is not tested");
    },
  });
}
