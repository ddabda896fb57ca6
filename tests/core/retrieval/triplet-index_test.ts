import assert from "node:assert/strict";
import { formatTriplet, parseTriplets } from "../../../lib/core/graph/mod.ts";
import {
  createLexicalEmbedder,
  type Embedder,
  TripletIndex,
} from "../../../lib/core/retrieval/mod.ts";

/** The lexical embedder, and how often it was given each text. */
function counting(): { embedder: Embedder; given: Map<string, number> } {
  const lexical = createLexicalEmbedder();
  const given = new Map<string, number>();
  const embed = (texts: readonly string[]): Promise<Float32Array[]> => {
    for (const text of texts) given.set(text, (given.get(text) ?? 0) + 1);
    return lexical.embed(texts);
  };
  return { embedder: { ...lexical, embed }, given };
}

Deno.test("TripletIndex embeds each triplet and query once, however often it is removed and added", async () => {
  const { embedder, given } = counting();
  const index = new TripletIndex(embedder);
  const triplets = parseTriplets("key, is in, locker; apple, is on, table; grill, is in, garden");
  for (let round = 0; round < 5; round++) {
    for (const triplet of triplets) index.add(triplet);
    assert.deepEqual((await index.search(["locker key"], 1))[0]?.map(formatTriplet), [
      "key, is in, locker",
    ]);
    for (const triplet of triplets) index.remove(triplet);
    assert.deepEqual(await index.search(["locker key", "apple"], 2), [[], []]);
  }
  assert.deepEqual(Object.fromEntries(given), {
    "key, is in, locker": 1,
    "apple, is on, table": 1,
    "grill, is in, garden": 1,
    "locker key": 1,
    "apple": 1,
  });
});

Deno.test("TripletIndex never embeds a triplet that is removed before the first search", async () => {
  const { embedder, given } = counting();
  const index = new TripletIndex(embedder);
  const [key, apple] = parseTriplets("key, is in, locker; apple, is on, table");
  assert(key && apple);
  index.add(key);
  index.add(apple);
  index.remove(key);
  assert.equal(index.size, 1);
  assert.deepEqual(await index.search(["key"], 5), [[apple]]);
  assert(!given.has("key, is in, locker"));
});
