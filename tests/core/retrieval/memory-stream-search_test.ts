/** The score by hand, in fractions. */

import assert from "node:assert/strict";
import { streamScores } from "../../../lib/core/retrieval/memory-stream-search.ts";

const near = (actual: Float64Array, expected: readonly number[]): void => {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs((actual[i] ?? NaN) - value) < 1e-12, `${i}: ${actual[i]}, not ${value}`);
  }
};

// decay 1/2: recency 1, 1/2, 1/8 → scaled 1, (1/2 − 1/8)/(7/8) = 3/7, 0
// importance 4, 10, 1 → scaled 1/3, 1, 0; similarity −1/2, 1/2, 1/4 → scaled 0, 1, 3/4
const MEMORIES = [
  { age: 0, importance: 4, similarity: -0.5 },
  { age: 1, importance: 10, similarity: 0.5 },
  { age: 3, importance: 1, similarity: 0.25 },
];

Deno.test("streamScores() adds recency, importance and relevance, each scaled to 0 … 1", () => {
  near(streamScores(MEMORIES, { decay: 0.5 }), [1 + 1 / 3 + 0, 3 / 7 + 1 + 1, 0 + 0 + 3 / 4]);
});

Deno.test("streamScores() counts a term 0 when it is equal for all, and takes an empty list", () => {
  near(
    streamScores([{ age: 2, importance: 5, similarity: 0.1 }, {
      age: 2,
      importance: 5,
      similarity: 0.3,
    }], { decay: 0.99 }),
    [0, 1],
  );
  near(streamScores([{ age: 2, importance: 5, similarity: 0.1 }], { decay: 0.99 }), [0]);
  near(streamScores([], { decay: 0.99 }), []);
});
