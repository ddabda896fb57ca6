/** What every embedder keeps to. */

import assert from "node:assert/strict";
import type { Embedder } from "../../../lib/core/retrieval/mod.ts";
import { dot } from "./dot.ts";

/**
 * Registers the checks as tests under the embedder's name. `make` gives a fresh one, as another
 * process would.
 */
export function embedderSpec(name: string, make: () => Promise<Embedder>): void {
  const texts = [
    "key 1, is in, white locker",
    "",
    "kitchen",
    "a",
    "Ein Schlüssel, 钥匙, ключ",
    "word ".repeat(2000),
    "kitchen",
  ];

  Deno.test(`${name}: one finite vector of the stated length a text, in order`, async () => {
    const embedder = await make();
    const vectors = await embedder.embed(texts);
    assert.equal(vectors.length, texts.length);
    for (const vector of vectors) {
      assert.equal(vector.length, embedder.dimensions);
      assert(vector.every(Number.isFinite));
    }
    assert.deepEqual(vectors[2], vectors[6]);
    assert.deepEqual(await embedder.embed([]), []);
  });

  Deno.test(`${name}: a text has the same vector whatever the batch, and in every instance`, async () => {
    const [one, other] = [await make(), await make()];
    assert.equal(one.id, other.id);
    const together = await one.embed(texts);
    for (const [i, text] of texts.entries()) {
      const [alone] = await other.embed([text]);
      const apart = Math.max(
        ...(together[i] ?? []).map((value, at) => Math.abs(value - (alone?.[at] ?? NaN))),
      );
      assert(apart < 1e-5, `${JSON.stringify(text.slice(0, 40))} is ${apart} apart`);
    }
  });

  Deno.test(`${name}: what is alike in meaning or words is nearer than what is not`, async () => {
    const embedder = await make();
    const cosine = async (a: string, b: string): Promise<number> => {
      const [x, y] = await embedder.embed([a, b]);
      return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
    };
    for (
      const [query, near, far] of [
        ["grill", "bbq, used for, grilling", "key 1, is in, white locker"],
        ["golden locker", "golden locker, is, locked", "apple, is on, table"],
        ["kitchen", "kitchen, contains, fridge", "garden, contains, bbq"],
      ] as const
    ) assert(await cosine(query, near) > await cosine(query, far), query);
  });
}
