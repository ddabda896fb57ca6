/** Gold runs recorded with the official package, played again in the lab's world. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";

const folder = join(checkoutRoot(), "..", "shared", "datasets", "scienceworld-oracle");
const ignore = !existsSync(folder);
if (ignore) process.stdout.write("skipped: no recorded runs of ScienceWorld\n");

/** The words of a text: the recorded version lists things in another order. */
function words(text = ""): string {
  return (text.match(/[\w-]+/g) ?? []).sort().join(" ");
}

Deno.test({
  name: "ScienceWorld answers recorded gold runs with the same texts and scores",
  ignore,
  fn: async () => {
    const worlds = connectWorlds();
    try {
      for (
        const [file, task] of [["task25-15-19", "power-component"], ["task8-225-234", "find-plant"]]
      ) {
        const runs = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8"));
        const { history: { variationIdx: variation, history: [, ...steps] } } = Object.values<
          { history: { variationIdx: number; history: Record<string, string>[] } }
        >(runs)[0] ?? assert.fail();
        const params = { task, variation, simplification: "easy", stepLimit: 1e5, playOn: true };
        const env = await worlds.open("scienceworld", params);
        let { sections } = await env.reset();
        for (const { action = "", observation, score, isCompleted, freelook, inventory } of steps) {
          const before = [sections.look, sections.inventory].map(words);
          const turn = await env.step(action);
          assert.deepEqual(
            [...before, words(turn.observation), turn.score, `${turn.end === "won"}`],
            [
              ...[freelook, inventory, observation].map(words),
              Math.round(100 * Number(score)),
              isCompleted,
            ],
            action,
          );
          sections = turn.sections;
        }
        await env.close();
      }
    } finally {
      await worlds.close();
    }
  },
});
