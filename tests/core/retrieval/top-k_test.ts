import assert from "node:assert/strict";
import { createDraw } from "../../../lib/core/random.ts";
import { topK } from "../../../lib/core/retrieval/top-k.ts";

Deno.test("topK() gives the head of a full sort when scores tie and some take no part", () => {
  const { next } = createDraw("top-k");
  for (let round = 0; round < 300; round++) {
    const scores = Array.from(
      { length: Math.floor(next() * 40) },
      () => Math.floor(next() * 6) - 1,
    );
    const among = (index: number): boolean => index % 5 !== round % 7;
    const k = Math.floor(next() * 12);
    for (const ties of ["first", "last"] as const) {
      const byIndex = (a: number, b: number): number => ties === "first" ? a - b : b - a;
      const sorted = [...scores.keys()].filter(among).sort((a, b) =>
        (scores[b] ?? 0) - (scores[a] ?? 0) || byIndex(a, b)
      );
      assert.deepEqual(topK(scores, k, { among, ties }), sorted.slice(0, k));
    }
  }
});

Deno.test("topK() asks only of scores that may enter whether they take part", () => {
  const asked: number[] = [];
  const best = topK([1, 5, 4, 3, 2, 9], 2, { among: (index) => asked.push(index) > 0 });
  assert.deepEqual([best, asked], [[5, 1], [0, 1, 2, 5]]);
});
