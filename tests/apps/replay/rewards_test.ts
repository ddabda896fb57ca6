import assert from "node:assert/strict";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { RewardRules } from "../../../lib/apps/replay/rewards.ts";

Deno.test("RewardRules sum by the world's rule and both of Cleaning, and take the best fit", async () => {
  const worlds = connectWorlds();
  try {
    const world = await worlds.open("textworld/cleaning");
    await world.reset();
    const rules = new RewardRules(await world.truth());
    // The toothbrush is misplaced in the dining room, where the play begins; the candlestick is at
    // home there.
    const actions = [
      "take toothbrush from dining table",
      "drop toothbrush",
      "take toothbrush",
      "look",
      "take candlestick from dining table",
      "drop candlestick",
      "take candlestick",
      "put candlestick on dining table",
    ];
    for (const action of actions) await rules.update(await world.step(action), world);
    const world1 = [1, 0, 0, 0, -1, -2, -2, -2];
    const liesWrong = [1, 0, 1, 1, 0, -1, 0, 1];
    const misplacedFirst = [1, 0, 1, 1, 0, -1, -2, -1];
    assert.deepEqual(rules.best(world1), { rule: "world", sums: world1 });
    assert.deepEqual(rules.best(liesWrong), { rule: "lies-wrong", sums: liesWrong });
    assert.deepEqual(rules.best(misplacedFirst), { rule: "misplaced-first", sums: misplacedFirst });
    assert.equal(rules.best([9]).rule, "world");
  } finally {
    await worlds.close();
  }
});
