/** The search for similar titles against a literal transcription of BM25. */

import assert from "node:assert/strict";
import { createWikiPages } from "../../../../lib/core/env/questions/wiki-pages.ts";
import { createDraw } from "../../../../lib/core/random.ts";
import { wantsSlow } from "../../../slow.ts";

const draw = createDraw("titles");
const VOCABULARY = "The tarn Moor bog é Ｂog fen 1 on ﬁn İ x_y 日本 reed's".split(" ");

function words(most: number): string {
  return Array.from({ length: 1 + Math.floor(most * draw.next()) }, () => draw.pick(VOCABULARY))
    .join(" ");
}

function partsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/**
 * Scores every page by the formula as it is written: k₁ = 1.5, b = 0.75, a title's words three
 * times.
 */
function referenceSearch(
  pages: readonly { title: string; text: string }[],
  query: string,
  most: number,
): string[] {
  const texts = pages.map((
    { title, text },
  ) => [...partsOf(`${title} ${title} ${title}`), ...partsOf(text.split(". ")[0] ?? "")]);
  const mean = texts.reduce((total, text) => total + text.length, 0) / texts.length;
  const scored = pages.map(({ title }, page) => {
    let score = 0;
    for (const word of new Set(partsOf(query).slice(0, 32))) {
      const n = texts.filter((text) => text.includes(word)).length;
      const f = (texts[page] ?? []).filter((other) => other === word).length;
      const idf = Math.log(1 + (pages.length - n + 0.5) / (n + 0.5));
      score += idf * f * (1.5 + 1) /
        (f + 1.5 * (1 - 0.75 + 0.75 * (texts[page] ?? []).length / mean));
    }
    return { title, score };
  });
  return scored.filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.title < b.title ? -1 : 1)).slice(0, most).map((
      { title },
    ) => title);
}

Deno.test("similar() ranks as BM25 transcribed literally does, on drawn pages", () => {
  const drawn = Array.from(
    { length: 400 },
    (_, number) => ({ title: `${words(3)} ${number}`, text: `${words(9)}. ${words(3)}.` }),
  );
  const pages = createWikiPages(drawn);
  const searches = wantsSlow("110 of 150 searches of drawn pages") ? 150 : 40;
  for (let search = 0; search < searches; search++) {
    const query = words(6);
    assert.deepEqual(pages.similar(query, 5), referenceSearch(drawn, query, 5), query);
  }
  assert.deepEqual(pages.similar("?", 5), []);
});

Deno.test("similar() skips words of many pages, unless the query has no other", () => {
  const pages = createWikiPages(
    Array.from({ length: 3000 }, (_, n) => ({ title: `p${n}`, text: n % 10 ? "fen" : "moor fen" })),
  );
  assert.deepEqual(pages.similar("fen moor", 2), ["p0", "p10"]);
  assert.deepEqual(pages.similar("fen", 2), ["p1", "p1001"]);
});

Deno.test("find() prefers a page's own name to an alias, and the name as given to the one without the article", () => {
  const pages = createWikiPages([
    { title: "Tarn (town)", text: "a" },
    { title: "The Moor", text: "b" },
    { title: "Moor", text: "c" },
    { title: "Tarn (river)", text: "d" },
    { title: "moor", text: "e" },
  ]);
  assert.deepEqual(
    ["tarn", "the TARN", "the_moor", "Moor", "fen"].map((title) => pages.find(title)?.text),
    [
      "a",
      "a",
      "b",
      "c\ne",
      undefined,
    ],
  );
});
