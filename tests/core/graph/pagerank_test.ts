import assert from "node:assert/strict";
import { personalisedPageRank, type WeightedEdge } from "../../../lib/core/graph/pagerank.ts";
import { createDraw } from "../../../lib/core/random.ts";
import { densePageRank } from "./pagerank_reference.ts";

Deno.test("personalisedPageRank() by hand: a path of three whose walk starts at one end", () => {
  // p₀ = ½ + ¼ p₁, p₁ = ½ p₀ + ½ p₂, p₂ = ¼ p₁
  const rank = personalisedPageRank([{ ends: [0, 1], weight: 3 }, { ends: [1, 2], weight: 3 }], [
    9,
    0,
    0,
  ]);
  for (const [node, share] of [7 / 12, 4 / 12, 1 / 12].entries()) {
    assert.ok(Math.abs((rank[node] ?? 0) - share) < 1e-11, String(rank));
  }
});

Deno.test("personalisedPageRank() equals a dense linear solve on random graphs, with loops, parallel edges and nodes without any", () => {
  const draw = createDraw("pagerank");
  for (let graph = 0; graph < 60; graph++) {
    const nodes = 2 + Math.floor(draw.next() * 18);
    const node = (): number => Math.floor(draw.next() * nodes);
    const edges: WeightedEdge[] = Array.from(
      { length: Math.floor(draw.next() * 3 * nodes) },
      () => ({
        ends: [node(), node()],
        weight: 0.05 + draw.next(),
      }),
    );
    const reset = Array.from({ length: nodes }, () => draw.next() < 0.5 ? 0 : draw.next());
    reset[node()] = 1;
    for (const damping of [0, 0.5, 0.85]) {
      const rank = personalisedPageRank(edges, reset, { damping });
      const wanted = densePageRank(edges, reset, damping);
      assert.ok(
        wanted.every((share, at) => Math.abs(share - (rank[at] ?? NaN)) < 1e-9),
        `graph ${graph}, damping ${damping}`,
      );
      assert.ok(Math.abs(rank.reduce((a, b) => a + b, 0) - 1) < 1e-9);
    }
  }
});

Deno.test("personalisedPageRank() refuses a reset without weight and a damping that never restarts", () => {
  assert.throws(() => personalisedPageRank([], [0, 0]), RangeError);
  for (const damping of [1, -0.1, NaN]) {
    assert.throws(() => personalisedPageRank([], [1], { damping }), RangeError);
  }
});
