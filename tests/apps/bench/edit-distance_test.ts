import assert from "node:assert/strict";
import { graphEditDistance } from "../../../lib/core/graph/edit-distance.ts";
import { benchAgainstNetworkx } from "../../../lib/apps/bench/edit-distance.ts";

Deno.test("benchAgainstNetworkx() holds where the other ends with our distance or is stopped above it, and not below", async () => {
  const bench = (answer: (ours: number) => { distance: number | null; seconds: number }) =>
    benchAgainstNetworkx((pairs) => Promise.resolve(pairs.map(({ built, truth }) => answer(graphEditDistance(built, truth).upper))), 60);
  assert.equal((await bench((ours) => ({ distance: ours, seconds: 1 }))).holds, true);
  assert.equal((await bench((ours) => ({ distance: ours + 3, seconds: 60 }))).holds, true);
  assert.equal((await bench(() => ({ distance: null, seconds: 60 }))).holds, true);
  assert.equal((await bench((ours) => ({ distance: ours + 1, seconds: 1 }))).holds, false, "it ended elsewhere");
  assert.equal((await bench((ours) => ({ distance: ours - 1, seconds: 60 }))).holds, false, "it found less than the least");
});
