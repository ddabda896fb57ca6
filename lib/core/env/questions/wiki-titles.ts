/**
 * How pages are found by title: the spellings that one title has, and BM25 over titles and opening
 * sentences for titles that are like a text.
 */

import type { DatabaseSync } from "node:sqlite";
import { wordsOf } from "../../text/tokens.ts";

export function keyOf(title: string): string {
  return title.toWellFormed().normalize("NFKC").toLowerCase().replaceAll(/[\s_]+/g, " ").trim();
}

/**
 * Other keys that lead to a page: the name without its "(qualifier)", and without "the ". If
 * several pages share one, it leads to the first.
 */
export function aliasesOf(key: string): string[] {
  return [key.replace(/ \([^()]*\)$/, ""), withoutThe(key)].filter((alias) => alias !== key);
}

/** The keys under which a title is looked up, in order: as it is, then without a leading "the ". */
export function lookupKeysOf(title: string): string[] {
  const key = keyOf(title);
  return [...new Set([key, withoutThe(key)])];
}

function withoutThe(key: string): string {
  return key.replace(/^the /, "");
}

export interface PageWords {
  readonly title: readonly string[];
  readonly opening: readonly string[];
}

export function pageWordsOf(title: string, text: string): PageWords {
  const end = text.indexOf(". ");
  return { title: wordsOf(title), opening: wordsOf(end < 0 ? text : text.slice(0, end)) };
}

export function lengthOf({ title, opening }: PageWords): number {
  return TITLE_WEIGHT * title.length + opening.length;
}

const [K1, B, TITLE_WEIGHT] = [1.5, 0.75, 3];
/** Words of a query that are looked up, so that 10 kB of nonsense stay cheap. */
const MAX_WORDS = 32;
/**
 * A word on more pages than this, and than a twentieth of all, is skipped; a query that has no
 * other word keeps its rarest.
 */
const MIN_COMMON = 1000;

/**
 * BM25 (k₁ = 1.5, b = 0.75, idf = ln(1 + (N − n + ½) / (n + ½))) over a page index, linear in the
 * pages that have the query's words.
 * @param lengths length of each page
 * @param ranks alphabetic place of each title, which breaks ties
 * @returns the best pages, best first
 */
export function createTitleSearch(
  database: DatabaseSync,
  lengths: Uint32Array,
  ranks: Uint32Array,
): (text: string, most: number) => number[] {
  const size = lengths.length;
  const mean = lengths.reduce((total, length) => total + length, 0) / Math.max(1, size);
  const scores = new Float64Array(size);
  const common = Math.max(MIN_COMMON, size / 20);
  const counted = database.prepare("select pages from words where word = ?");
  // one JSON text for all rows: reading them one at a time takes ten times as long
  const occurrences = database.prepare(
    "select json_group_array(2 * doc + (col = 'title')) as found from occurrences where term = ?",
  );

  function before(a: number, b: number): boolean {
    const [one, other] = [scores[a] as number, scores[b] as number];
    return one > other || (one === other && (ranks[a] as number) < (ranks[b] as number));
  }

  function bestOf(touched: readonly number[], most: number): number[] {
    const best: number[] = [];
    for (const page of touched) {
      const last = best.length === most ? best.at(-1) : undefined;
      if (last !== undefined && before(last, page)) continue;
      if (last !== undefined) best.pop();
      const at = best.findIndex((other) => before(page, other));
      best.splice(at < 0 ? best.length : at, 0, page);
    }
    return best;
  }

  return (text, most) => {
    const touched: number[] = [];
    const known = [...new Set(wordsOf(text).slice(0, MAX_WORDS))].map((word) => ({
      word,
      pages: counted.get(word)?.pages as number ?? 0,
    }))
      .filter(({ pages }) => pages > 0);
    const telling = known.filter(({ pages }) => pages <= common);
    const rarest = known.toSorted((a, b) => a.pages - b.pages).slice(0, 1);
    for (const { word, pages } of telling.length > 0 ? telling : rarest) {
      const idf = Math.log(1 + (size - pages + 0.5) / (pages + 0.5));
      const found = JSON.parse(occurrences.get(word)?.found as string) as number[];
      for (const [page, weight] of weightsOf(found)) {
        if (scores[page] === 0) touched.push(page);
        const lengthNorm = K1 * (1 - B + B * (lengths[page] as number) / mean);
        scores[page] = (scores[page] as number) + idf * weight * (K1 + 1) / (weight + lengthNorm);
      }
    }
    const best = bestOf(touched, most);
    for (const page of touched) scores[page] = 0;
    return best;
  };
}

/**
 * Page → weight of a word there, of its occurrences as `2 × page + (whether it is in the title)`.
 */
function weightsOf(occurrences: readonly number[]): Map<number, number> {
  const weights = new Map<number, number>();
  for (const found of occurrences) {
    const page = Math.floor(found / 2);
    weights.set(page, (weights.get(page) ?? 0) + (found % 2 === 1 ? TITLE_WEIGHT : 1));
  }
  return weights;
}
