import assert from "node:assert/strict";
import { createBm25 } from "../../../lib/core/retrieval/bm25.ts";

const TEXTS = [
  "the cat sat on the mat the cat",
  "a dog chased the cat",
  "dogs and birds",
  "the river runs north of the town",
  "town hall and river bank river",
  "the the the",
];

/** `BM25Okapi([text.split() for text in TEXTS]).get_scores(query.split())` of rank_bm25 0.2.2. */
const REFERENCE: Readonly<Record<string, readonly number[]>> = {
  "cat river": [
    0.7234297414179928,
    0.6047965683880324,
    0,
    0.5153198158045975,
    0.8072606556595626,
    0,
  ],
  "the town": [
    0.3838279586090484,
    0.2665814760757378,
    0,
    0.8516558768981247,
    0.5564844164753789,
    0.48483531613774533,
  ],
  "the": [0.3838279586090484, 0.2665814760757378, 0, 0.3363360610935272, 0, 0.48483531613774533],
  "bird": [0, 0, 0, 0, 0, 0],
  "river river town": [0, 0, 0, 1.5459594474137925, 2.1710057277945043, 0],
};

Deno.test("createBm25() scores as rank_bm25 does, frequent words and repeated query words included", () => {
  const scores = createBm25(TEXTS);
  for (const [query, wanted] of Object.entries(REFERENCE)) {
    for (const [text, score] of scores(query).entries()) {
      assert.ok(
        Math.abs(score - (wanted[text] ?? NaN)) < 1e-12,
        `${query}, text ${text}: ${score} instead of ${wanted[text]}`,
      );
    }
  }
});
