import assert from "node:assert/strict";
import { walkFrame } from "../../../../lib/papers/arigraph/figures/random-walk.ts";
import { rlBars } from "../../../../lib/papers/arigraph/figures/rl-benchmark.ts";
import { frameOf, rowsOf } from "../../../../lib/report/frame.ts";

Deno.test("walkFrame() averages the walks of each backbone, and rates what was replaced so far by the steps taken", () => {
  const types = { episode: "text", backbone: "text", step: "integer", triplets: "integer", updated: "integer" } as const;
  const walk = (episode: string, backbone: string, sizes: readonly number[], updated: readonly number[]): Record<string, unknown>[] =>
    sizes.map((triplets, step) => ({ episode, backbone, step, triplets, updated: updated[step] }));
  const frame = walkFrame(frameOf([
    ...walk("a", "offline", [0, 4, 9], [0, 0, 3]),
    ...walk("b", "offline", [0, 6, 7], [0, 2, 2]),
    ...walk("c", "gpt", [0, 1, 2], [0, 1, 0]),
  ], types));
  const shared = { least: 1, most: 1, walks: 1 };
  assert.deepEqual(rowsOf<object>(frame), [
    { ...shared, backbone: "gpt", step: 1, triplets: 1, updateRate: 1 },
    { ...shared, backbone: "gpt", step: 2, triplets: 2, least: 2, most: 2, updateRate: 0.5 },
    { backbone: "offline", step: 1, walks: 2, triplets: 5, least: 4, most: 6, updateRate: 1 },
    { backbone: "offline", step: 2, walks: 2, triplets: 8, least: 7, most: 9, updateRate: (3 / 2 + 4 / 2) / 2 },
  ]);
});

Deno.test("rlBars() puts the games of a level together, each variant by itself, and leaves out what is not done", () => {
  const types = { game: "text", condition: "text", status: "text", normalised: "number" } as const;
  const row = (game: string, normalised: number | null, condition = "arigraph"): Record<string, unknown> => ({
    game,
    condition,
    status: "",
    normalised,
  });
  const bars = rlBars(frameOf([
    ...[row("rl-3-0", 1), row("rl-3-1", 0.5), row("rl-3-2", null), row("rl-3-0-open", 0.25), row("rl-1-0", 1, "random")],
    ...[row("rl-4-cook_3_6_1", 0.75), row("textworld/cooking", 1)],
  ], types));
  assert.deepEqual(bars.map(({ variant, level, condition, n, planned, mean }) => [variant, level, condition, n, planned, mean]), [
    ["closed", 1, "random", 1, 1, 1],
    ["closed", 3, "arigraph", 2, 3, 0.75],
    ["open", 3, "arigraph", 1, 1, 0.25],
    ["authors", 4, "arigraph", 1, 1, 0.75],
  ]);
});
