/** The ranking by hand: cosines of vectors that the test writes down. */

import assert from "node:assert/strict";
import { createRag, type Memory, type RagOptions } from "../../../lib/mod.ts";
import { context, walk } from "./house.ts";
import { byWord } from "./vectors.ts";

// The cue is (1, 0): cosines are apple 1, pear 3/5, plum 0.8, nut 0, fig −1. Lengths differ, so
// that a raw product would rank pear (6) first.
const VECTORS = byWord({
  apple: [2, 0],
  pear: [6, 8],
  plum: [4, -3],
  nut: [0, 5],
  fig: [-1, 0],
  cue: [1, 0],
});
const SEEN = [
  "a fig",
  "a pear",
  "a nut",
  "an apple",
  "a plum",
  "a pear again",
  "one",
  "two",
  "three",
  "four",
  "five",
];

async function recalled(
  options: RagOptions,
  seen: readonly string[] = SEEN,
  memory: Memory = fresh(options),
): Promise<string[]> {
  await walk(memory, seen);
  const { sections } = await memory.recall({
    step: seen.length,
    goal: "",
    observation: "Fog.",
    plan: "the cue",
  });
  return (sections["Relevant past observations"] ?? "").split("\n\n").filter(Boolean).map((text) =>
    text.split("\n")[1] ?? ""
  );
}

function fresh(options: RagOptions): Memory {
  return createRag(options)(context([], VECTORS));
}

Deno.test("createRag() recalls the most similar observations first; ties go to the later one", async () => {
  assert.deepEqual(await recalled({ k: 4, nPrev: 4 }), [
    "an apple",
    "a plum",
    "a pear again",
    "a pear",
  ]);
});

Deno.test("createRag() recalls five by default, without the present one; the last nPrev are left out on request", async () => {
  assert.deepEqual(await recalled({}), ["an apple", "a plum", "a pear again", "a pear", "four"]); // "four" is the latest of the zeros
  assert.deepEqual(await recalled({ nPrev: 5 }), [
    "an apple",
    "a plum",
    "a pear",
    "a nut",
    "a fig",
  ]);
  assert.deepEqual(await recalled({ nPrev: 4, k: 6 }), [
    "an apple",
    "a plum",
    "a pear again",
    "a pear",
    "a nut",
    "a fig",
  ]);
  assert.deepEqual(
    await recalled({ nPrev: 0, k: 1 }, ["a plum", "an apple"]),
    ["a plum"],
    "the present one is no memory",
  );
});

Deno.test("createRag() compares with the observation and the plan below it", async () => {
  const asked: string[] = [];
  const embedder = {
    ...VECTORS,
    embed: (texts: readonly string[]) => (asked.push(...texts), VECTORS.embed(texts)),
  };
  const watched = createRag({ nPrev: 0, k: 1 })(context([], embedder));
  await recalled({}, ["a plum", "an apple"], watched);
  assert.deepEqual(
    asked,
    ["Game step #2\nFog.\nPlan: the cue", "Game step #1\na plum"],
    "each text once",
  );
  assert.equal(watched.save().kind, "rag");
});

Deno.test("createRag() searches the observations of earlier episodes to their end", async () => {
  const first = fresh({ k: 2 });
  await recalled({}, ["an apple", "a nut"], first);
  const memory = fresh({ k: 2 });
  memory.load(JSON.parse(JSON.stringify(first.save())));
  assert.deepEqual(await recalled({}, ["a plum"], memory), ["an apple", "a nut"]);
});
