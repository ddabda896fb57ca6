/**
 * Titles that are like a text, best first: BM25 over titles and first sentences, wherever the words of the pages are kept.
 *
 * @module
 */

import { wordsOf } from "../../text/words.ts";

/** The pages of a word. */
export interface Postings {
  /** How many pages have it. */
  readonly size: number;
  /** Visits each page once, with what the word weighs there. */
  each(visit: (page: number, weight: number) => void): void;
}

/** Pages by number from 0, with their words. */
export interface WordsOfPages {
  /** What the words of each page weigh together. */
  readonly lengths: ArrayLike<number>;
  postings(word: string): Postings | undefined;
  title(page: number): string;
  /** Whether the title of one page stands before that of another in the alphabet. */
  precedes(page: number, other: number): boolean;
}

/** Titles like a text, best first; of equal ones the first by alphabet. */
export type TitleSearch = (text: string, most: number) => string[];

const [K1, B, TITLE_WEIGHT] = [1.5, 0.75, 3];
/** Words of a text that are looked for, so that 10 kB of nonsense stay cheap. */
const MOST_WORDS = 32;
/** A word of more pages than this, and than a twentieth of all, is not looked for; of a text that has no other, the rarest is. */
const LEAST_COMMON = 1000;

/** BM25 by postings: a query costs as much as its words have pages. */
export function createTitleSearch({ lengths, postings, title, precedes }: WordsOfPages): TitleSearch {
  const size = lengths.length;
  let total = 0;
  for (let page = 0; page < size; page++) total += lengths[page] as number;
  const mean = total / Math.max(1, size);
  const scores = new Float64Array(size);
  const common = Math.max(LEAST_COMMON, size / 20);

  function before(a: number, b: number): boolean {
    const [one, other] = [scores[a] as number, scores[b] as number];
    return one > other || (one === other && precedes(a, b));
  }

  /** The pages of the highest scores, in one pass. */
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
    const lists = [...new Set(wordsOf(text).slice(0, MOST_WORDS))].flatMap((word) => postings(word) ?? []);
    const telling = lists.filter((list) => list.size <= common);
    const rarest = lists.toSorted((a, b) => a.size - b.size).slice(0, 1);
    for (const list of telling.length > 0 ? telling : rarest) {
      const idf = Math.log(1 + (size - list.size + 0.5) / (list.size + 0.5));
      list.each((page, weight) => {
        if (scores[page] === 0) touched.push(page);
        const held = K1 * (1 - B + B * (lengths[page] as number) / mean);
        scores[page] = (scores[page] as number) + idf * weight * (K1 + 1) / (weight + held);
      });
    }
    const best = bestOf(touched, most);
    for (const page of touched) scores[page] = 0;
    return best.map(title);
  };
}

/** What each word of a page weighs: those of the title three times as much as those of its first sentence. */
export function weightsOf(title: string, text: string): Map<string, number> {
  const weights = new Map<string, number>();
  const end = text.indexOf(". ");
  for (const [source, weight] of [[title, TITLE_WEIGHT], [end < 0 ? text : text.slice(0, end), 1]] as const) {
    for (const word of wordsOf(source)) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return weights;
}
