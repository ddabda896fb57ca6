/**
 * Seeded random draws: the same seed text gives the same numbers on every machine.
 *
 * @module
 */

export interface Draw {
  /** Uniform in [0, 1). */
  next(): number;
  /** One of the items, uniformly. @throws {RangeError} if there is none. */
  pick<T>(items: readonly T[]): T;
}

/**
 * Creates a stream of draws (mulberry32) seeded by the 32-bit FNV-1a hash of a text. It serves to
 * break ties, resample and drop facts.
 *
 * @example
 * ```ts
 * import { createDraw } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createDraw("a").next(), createDraw("a").next());
 * assert.notEqual(createDraw("a").next(), createDraw("b").next());
 * ```
 */
export function createDraw(seed: string): Draw {
  let state = fnv1a(seed);
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    pick: (items) => {
      if (items.length === 0) {
        throw new RangeError("cannot draw an item: the list must not be empty");
      }
      return items[Math.floor(next() * items.length)] as (typeof items)[number];
    },
  };
}

/** The 32-bit FNV-1a hash over UTF-16 units. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
