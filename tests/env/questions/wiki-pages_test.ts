/** Pages by title: how fast they are found among many. */

import assert from "node:assert/strict";
import process from "node:process";
import { createWikiPages } from "../../../lib/mod.ts";
import { createDraw } from "../../../lib/llm/offline/draw.ts";

/** Words of a language: few are frequent and most are rare (Zipf). */
function speaker(seed: string, vocabulary: number): () => string {
  const draw = createDraw(seed);
  return () => `w${Math.floor(vocabulary ** draw.next()).toString(36)}`;
}

Deno.test("in 100,000 pages a page is found, and a miss answered with similar titles, in less than 5 ms", () => {
  const word = speaker("pages", 50_000);
  const words = (count: number): string => Array.from({ length: count }, word).join(" ");
  const documents = Array.from({ length: 100_000 }, (_, i) => ({ title: `${words(2)} ${i}`, text: `${words(8)}. ${words(2)}.` }));
  const pages = createWikiPages(documents);
  assert.equal(pages.size, 100_000);
  assert.equal(pages.similar(`the ${documents[77_777]?.title}`, 5)[0], documents[77_777]?.title); // the index is made here, once
  // processor time, which other programs on the machine do not lengthen
  const milliseconds = (searches: number, search: (i: number) => unknown): number => {
    const started = process.cpuUsage();
    for (let i = 0; i < searches; i++) search(i);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000 / searches;
  };
  for (const length of [2, 8, 2000]) {
    const queries = Array.from({ length: 50 }, () => words(length));
    const each = milliseconds(50, (i) => pages.similar(queries[i] ?? "", 5));
    assert.ok(each < 5, `${each} ms for a miss of ${length} words`);
  }
  const each = milliseconds(1000, (i) => pages.find(documents[i * 97]?.title ?? ""));
  assert.ok(each < 5, `${each} ms for a page`);
});
