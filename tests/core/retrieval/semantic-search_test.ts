import assert from "node:assert/strict";
import { formatTriplet, parseTriplets, type Triplet } from "../../../lib/core/graph/mod.ts";
import { createLexicalEmbedder, TripletIndex } from "../../../lib/core/retrieval/mod.ts";
import { searchTriplets, semanticSearch } from "../../../lib/core/retrieval/semantic-search.ts";
import { numbers } from "../graph/random.ts";
import { dot } from "./dot.ts";
import { referenceSearch } from "./semantic-search-reference.ts";

/**
 * A chain of likings that no two share, so that every result can be worked out by hand: each text
 * is nearest to the edges it is named in.
 */
const EDGES = parseTriplets("a, r, b; b, r, c; c, r, d; d, r, e; x, r, y");

/** Edges that name the text first, in order of the list; then the others. */
function retrieve(
  edges: readonly Triplet[] = EDGES,
): (queries: readonly string[], width: number) => Promise<Triplet[][]> {
  return (queries, width) =>
    Promise.resolve(queries.map((query) => {
      const near = edges.filter(({ subject, object }) => subject === query || object === query);
      return [...near, ...edges.filter((edge) => !near.includes(edge))].slice(0, width);
    }));
}

async function found(query: { text: string; depth: number }, width: number): Promise<string[]> {
  return (await semanticSearch(query, { width, retrieve: retrieve() })).map(formatTriplet);
}

Deno.test("semanticSearch() goes depth hops far with width triplets a text, by hand", async () => {
  assert.deepEqual(await found({ text: "a", depth: 0 }, 1), []);
  assert.deepEqual(await found({ text: "a", depth: 1 }, 1), ["a, r, b"]);
  // b brings its first edge again
  assert.deepEqual(await found({ text: "a", depth: 2 }, 1), ["a, r, b"]);
  // a: ab + bc; then b: ab bc, c: bc cd
  assert.deepEqual(await found({ text: "a", depth: 1 }, 2), ["a, r, b", "b, r, c"]);
  assert.deepEqual(await found({ text: "a", depth: 2 }, 2), ["a, r, b", "b, r, c", "c, r, d"]);
  assert.deepEqual(await found({ text: "a", depth: 3 }, 2), [
    "a, r, b",
    "b, r, c",
    "c, r, d",
    "d, r, e",
  ]);
});

Deno.test("semanticSearch() retrieves no text twice", async () => {
  const asked: string[] = [];
  const near = retrieve();
  await semanticSearch({ text: "a", depth: 4 }, {
    width: 2,
    retrieve: (queries, width) => (asked.push(...queries), near(queries, width)),
  });
  assert.deepEqual(asked, ["a", "b", "c", "d", "e"]);
});

Deno.test("searchTriplets() joins the searches of all queries, each with its own depth", async () => {
  const queries = [{ text: "a", depth: 1 }, { text: "c", depth: 1 }, { text: "x", depth: 1 }];
  const triplets = await searchTriplets(queries, { width: 2, retrieve: retrieve() });
  assert.deepEqual(triplets.map(formatTriplet), ["a, r, b", "b, r, c", "c, r, d", "x, r, y"]);
});

async function randomCase(
  seed: number,
): Promise<
  {
    edges: Triplet[];
    index: TripletIndex;
    similarity: (q: string, e: Triplet) => number;
    texts: string[];
  }
> {
  const random = numbers(seed);
  const words = [
    "key",
    "white locker",
    "kitchen",
    "room a",
    "room b",
    "grill",
    "grilling",
    "apple",
    "red apple",
    "table",
  ];
  const relations = ["is in", "contains", "used for", "is on"];
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const lines = Array.from(
    { length: 40 },
    () => `${pick(words)}, ${pick(relations)}, ${pick(words)}`,
  );
  const edges = parseTriplets(lines.join("; "));
  const embedder = createLexicalEmbedder();
  const texts = [...words, ...edges.map(formatTriplet)];
  const vectors = new Map((await embedder.embed(texts)).map((vector, i) => [texts[i], vector]));
  const index = new TripletIndex(embedder);
  for (const edge of edges) index.add(edge);
  return {
    edges,
    index,
    texts: words,
    // rounded, so that ties are ties whatever the order of the sum
    similarity: (q, e) => Number(dot(vectors.get(q), vectors.get(formatTriplet(e))).toFixed(5)),
  };
}

Deno.test("semanticSearch() over the index gives what the literal algorithm gives", async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const { edges, index, similarity, texts } = await randomCase(seed);
    for (const text of texts.slice(0, 5)) {
      for (const [depth, width] of [[1, 1], [2, 3], [3, 2], [2, 6]] as const) {
        const fast = await semanticSearch({ text, depth }, {
          width,
          retrieve: (queries, w) => index.search(queries, w),
        });
        const slow = referenceSearch(text, edges, depth, width, similarity);
        assert.deepEqual(
          fast.map(formatTriplet),
          slow.map(formatTriplet),
          `seed ${seed}, ${text}, depth ${depth}, width ${width}`,
        );
      }
    }
  }
});
