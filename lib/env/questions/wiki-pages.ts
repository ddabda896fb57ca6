/**
 * Pages that are searched by title: an encyclopedia without a network, for ReAct's actions (Yao et al. 2023, arXiv 2210.03629, §3.1).
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Document } from "../environment.ts";

/** Pages by title. */
export interface WikiPages {
  /** How many there are. */
  readonly size: number;
  /** SHA-256 (hex) of titles and texts. */
  readonly identity: string;
  /** The page of this title, by any spelling that differs in case, width, spaces, underscores or a leading "the" alone. */
  find(title: string): Document | undefined;
  /** Titles that are like a text, best first; of equal ones the first by alphabet. */
  similar(text: string, most: number): string[];
}

/**
 * Indexes pages. Pages of one title are one page, its different texts in order. Titles like a text are found by BM25 (k₁ = 1.5, b = 0.75) over
 * titles, which count three times, and first sentences. Indexing is linear and done at the first miss; a search takes about 1 ms in 100,000
 * pages.
 *
 * @example
 * ```ts
 * import { createWikiPages } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const pages = createWikiPages([{ title: "Tarn (town)", text: "Tarn is a town." }, { title: "Tarn College", text: "It is a school." }]);
 * assert.equal(pages.find("tarn_college")?.text, "It is a school.");
 * assert.equal(pages.find("Tarn")?.title, "Tarn (town)"); // nothing else has that title
 * assert.deepEqual(pages.similar("the town of Tarn", 1), ["Tarn (town)"]);
 * ```
 */
export function createWikiPages(documents: Iterable<Document>): WikiPages {
  const pages = new Map<string, { readonly title: string; readonly texts: Set<string> }>();
  const hash = createHash("sha256");
  for (const { title, text } of documents) {
    const page = pages.getOrInsertComputed(keyOf(title), () => ({ title, texts: new Set<string>() }));
    page.texts.add(text.trim());
    hash.update(JSON.stringify([title, text]));
  }
  // a bare name stands for "name (what it is)" where nothing has the name itself; of several such pages the first
  const aliases = new Map<string, string>();
  for (const key of pages.keys()) {
    for (const alias of [key.replace(/ \([^()]*\)$/, ""), key.replace(/^the /, "")]) {
      if (!pages.has(alias) && !aliases.has(alias)) aliases.set(alias, key);
    }
  }
  let index: TitleIndex | undefined;

  function pageOf(key: string): Document | undefined {
    const page = pages.get(key) ?? pages.get(aliases.get(key) ?? "");
    return page && { title: page.title, text: [...page.texts].join("\n") };
  }

  return {
    size: pages.size,
    identity: hash.digest("hex"),
    find: (title) => pageOf(keyOf(title)) ?? pageOf(keyOf(title).replace(/^the /, "")),
    similar: (text, most) => {
      index ??= createTitleIndex([...pages.values()].map(({ title, texts }) => ({ title, text: [...texts][0] ?? "" })));
      return index(text, most);
    },
  };
}

function keyOf(title: string): string {
  return title.normalize("NFKC").toLowerCase().replaceAll(/[\s_]+/g, " ").trim();
}

type TitleIndex = (text: string, most: number) => string[];

const [K1, B, TITLE_WEIGHT] = [1.5, 0.75, 3];
/** Words of a text that are looked for, so that 10 kB of nonsense stay cheap. */
const MOST_WORDS = 32;
/** A word of more pages than this, and than a twentieth of all, is not looked for; of a text that has no other, the rarest is. */
const LEAST_COMMON = 1000;

/** BM25 by postings: a query costs as much as its words have pages. */
function createTitleIndex(pages: readonly Document[]): TitleIndex {
  const postings = new Map<string, { readonly pages: number[]; readonly counts: number[] }>();
  const lengths = new Float64Array(pages.length);
  for (const [at, { title, text }] of pages.entries()) {
    const counts = new Map<string, number>();
    for (const [source, weight] of [[title, TITLE_WEIGHT], [text.split(". ")[0] ?? "", 1]] as const) {
      for (const word of wordsOf(source)) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    for (const [word, count] of counts) {
      const list = postings.getOrInsertComputed(word, () => ({ pages: [], counts: [] }));
      list.pages.push(at);
      list.counts.push(count);
      lengths[at] = (lengths[at] as number) + count;
    }
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages.length);
  const held = lengths.map((length) => K1 * (1 - B + B * length / mean));
  const scores = new Float64Array(pages.length);
  const common = Math.max(LEAST_COMMON, pages.length / 20);

  return (text, most) => {
    const touched: number[] = [];
    const lists = [...new Set(wordsOf(text).slice(0, MOST_WORDS))].flatMap((word) => postings.get(word) ?? []);
    const telling = lists.filter((list) => list.pages.length <= common);
    const rarest = lists.toSorted((a, b) => a.pages.length - b.pages.length).slice(0, 1);
    for (const list of telling.length > 0 ? telling : rarest) {
      const n = list.pages.length;
      const idf = Math.log(1 + (pages.length - n + 0.5) / (n + 0.5));
      for (let i = 0; i < n; i++) {
        const [page, count] = [list.pages[i] as number, list.counts[i] as number];
        if (scores[page] === 0) touched.push(page);
        scores[page] = (scores[page] as number) + idf * count * (K1 + 1) / (count + (held[page] as number));
      }
    }
    const best = bestOf(touched, scores, most, (page) => (pages[page] as Document).title);
    for (const page of touched) scores[page] = 0;
    return best;
  };
}

/** The titles of the highest scores, in one pass. */
function bestOf(touched: readonly number[], scores: Float64Array, most: number, title: (page: number) => string): string[] {
  const best: { readonly score: number; readonly title: string }[] = [];
  for (const page of touched) {
    const one = { score: scores[page] as number, title: title(page) };
    const last = best.length === most ? best.at(-1) : undefined;
    if (last && before(last, one)) continue;
    if (last) best.pop();
    const at = best.findIndex((other) => before(one, other));
    best.splice(at < 0 ? best.length : at, 0, one);
  }
  return best.map(({ title }) => title);
}

function before(a: { readonly score: number; readonly title: string }, b: typeof a): boolean {
  return a.score > b.score || (a.score === b.score && a.title < b.title);
}

function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
