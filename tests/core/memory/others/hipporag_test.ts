import assert from "node:assert/strict";
import {
  createHippoRag,
  type HippoRagOptions,
} from "../../../../lib/core/memory/others/hipporag.ts";
import { formatTriplet, MEMORIES, type Memory, type Perception } from "../../../../lib/mod.ts";
import type { MemoryEntry, Recollection } from "../../../../lib/core/memory/memory.ts";
import { byWord } from "../vectors.ts";
import { cueOf } from "../conformance.ts";
import { context, READER, section, WALK, walk } from "../house.ts";

function graphOf(memory: Memory): string[] {
  return memory.graph?.triplets().map(formatTriplet) ?? [];
}

async function walked(
  options: HippoRagOptions = {},
  steps: readonly Perception[] = WALK,
  replies = READER,
): Promise<
  { memory: Memory; asked: ReturnType<typeof context>; recalled: Recollection["recalled"][] }
> {
  const asked = context(replies);
  const memory = createHippoRag(options)(asked);
  const recalled = [];
  for (const perception of steps) {
    await memory.observe(perception);
    recalled.push((await memory.recall(cueOf(perception))).recalled);
  }
  return { memory, asked, recalled };
}

type Request = Parameters<typeof section>[0];

const PARAGRAPHS = [
  "Ada lives in Tarn.",
  "Tarn lies on the Ilma.",
  "Bo lives in Ost.",
  "It rains.",
];
const TOLD = [
  ["Ada", "lives in", "Tarn"],
  ["Tarn", "lies on", "Ilma"],
  ["Bo", "lives in", "Ost"],
  undefined,
];
const READ = {
  "hipporag/names": () => '{"names": []}',
  "hipporag/triplets": (request: Request) => {
    const triplet = TOLD[PARAGRAPHS.indexOf(section(request, "Text"))];
    return JSON.stringify({ triplets: triplet ? [triplet] : [] });
  },
};

/**
 * What is recalled of the paragraphs for a question, where the model chooses the facts that match.
 */
async function answered(
  chosen: RegExp,
  options: HippoRagOptions = {},
): Promise<Recollection & { asked: ReturnType<typeof context> }> {
  const recognise = (request: Request): string =>
    JSON.stringify({
      facts: section(request, "Facts").split("\n").filter((line) => chosen.test(line)).map((line) =>
        Number(line.match(/\d+/)?.[0])
      ),
    });
  const asked = context({ ...READ, "hipporag/recognise": recognise });
  const memory = createHippoRag({ texts: "paragraphs", ...options })(asked);
  await walk(memory, PARAGRAPHS);
  return {
    ...await memory.recall({
      step: 5,
      goal: "Answer.",
      observation: "Near which river does Ada live?",
      plan: "",
    }),
    asked,
  };
}

Deno.test("recall() follows the facts that recognition memory keeps to passages that share no word with the question", async () => {
  assert.deepEqual((await answered(/ada/, { k: 2 })).recalled?.["episodes"], [
    "Ada lives in Tarn.",
    "Tarn lies on the Ilma.",
  ]);
  assert.deepEqual((await answered(/bo/, { k: 1, passageWeight: 0 })).recalled?.["episodes"], [
    "Bo lives in Ost.",
  ]);
});

Deno.test("recall() falls back on the similarity of passages where no fact is kept, by hand", async () => {
  // by PageRank from the passages alone the second would lose to the third, for it shares Tarn with
  // the first
  const embedder = byWord({
    Ada: [0, 1],
    rains: [0, 1],
    Bo: [0.99, 0.141],
    Ilma: [1, 0],
    river: [1, 0],
  });
  const asked = context({ ...READ, "hipporag/recognise": () => '{"facts": []}' }, embedder);
  const memory = createHippoRag({ texts: "paragraphs", k: 2 })(asked);
  await walk(memory, PARAGRAPHS);
  const { recalled } = await memory.recall({
    step: 5,
    goal: "",
    observation: "Which river?",
    plan: "",
  });
  assert.deepEqual(recalled?.["episodes"], ["Tarn lies on the Ilma.", "Bo lives in Ost."]);
  assert.deepEqual(asked.events, []);
});

Deno.test("recall() links phrases whose vectors reach the threshold, by hand", async () => {
  const replies = { ...READ, "hipporag/recognise": () => '{"facts": [1]}' };
  // tarn and ost have a cosine of 0.6; the first fact is nearest to the question
  const embedder = byWord({
    tarn: [1, 0],
    ost: [0.6, 0.8],
    "lives in, tarn": [0, -1],
    Ada: [0, -1],
  });
  const linked = ["Ada lives in Tarn.", "Tarn lies on the Ilma.", "Bo lives in Ost.", "It rains."];
  for (
    const [synonym, wanted] of [[0.59, linked], [0.61, [
      linked[0],
      linked[1],
      linked[3],
      linked[2],
    ]]] as const
  ) { // ties: the later first
    const memory = createHippoRag({ texts: "paragraphs", synonym, passageWeight: 0, k: 4 })(
      context(replies, embedder),
    );
    await walk(memory, PARAGRAPHS);
    const { recalled } = await memory.recall({ step: 5, goal: "", observation: "Ada?", plan: "" });
    assert.deepEqual(recalled?.["episodes"], wanted, String(synonym));
  }
});

Deno.test("load() makes all observations of earlier episodes recallable from the first step on", async () => {
  const { memory } = await walked();
  const later = createHippoRag({ k: 9 })(context());
  later.load(JSON.parse(JSON.stringify(memory.save())));
  const first = WALK[0] as Perception;
  await later.observe(first);
  assert.equal((await later.recall(cueOf(first))).recalled?.["episodes"]?.length, WALK.length);
  assert.equal(later.graph?.episodes.at(-1)?.time, WALK.length + 1);
});

Deno.test("AriGraph's extraction and conflictResolution take the place of HippoRAG's own, as a factor does", async () => {
  const { memory, asked } = await walked({
    extraction: "arigraph",
    conflictResolution: "arigraph",
  });
  assert.ok(
    graphOf(memory).includes("key, is in, inventory") &&
      !graphOf(memory).includes("key, is on, table"),
  );
  const roles = new Set(asked.requests.map(({ role }) => role));
  assert.deepEqual([...roles].sort(), [
    "arigraph/extract",
    "arigraph/outdate",
    "hipporag/recognise",
  ]);
});

Deno.test("asks() names the roles that a memory asks under the same options, for every module of every port", async () => {
  const replies = { ...READER, "hipporag/recognise": () => '{"facts": []}' };
  for (const id of ["hipporag", "graphiti"]) {
    const entry = MEMORIES[id] as MemoryEntry;
    for (const extraction of ["openie", "arigraph", "graphiti"]) {
      for (const conflictResolution of ["none", "arigraph", "graphiti"]) {
        for (const retrieval of ["ppr", "hybrid"]) {
          const options = {
            extraction,
            conflictResolution,
            retrieval,
            ...(id === "graphiti" ? { refresh: 3 } : {}),
          };
          const asked = context(replies);
          const memory = entry.create(options)(asked);
          for (const perception of WALK) {
            await memory.observe(perception);
            await memory.recall(cueOf(perception));
          }
          const told = entry.asks?.(entry.options.parse(options)).map(({ role }) => role) ?? [];
          assert.deepEqual(
            [...new Set(asked.requests.map(({ role }) => role))].sort(),
            told.toSorted(),
            JSON.stringify({ id, ...options }),
          );
          assert.deepEqual(asked.events, []);
        }
      }
    }
  }
});

Deno.test("a new triplet that repeats a known one is not added, and its passage has the known one", async () => {
  const twice = [WALK[0] as Perception, { ...WALK[1] as Perception, observation: "Step two." }];
  const replies = {
    ...READER,
    "hipporag/triplets": (request: Request) =>
      JSON.stringify({
        triplets: [
          section(request, "Text").includes("two")
            ? ["hall", "holds", "chest"]
            : ["hall", "contains", "chest"],
        ],
      }),
    "graphiti/judge": () => '{"repeated": [{"new": 1, "known": 1}]}',
  };
  const { memory } = await walked({ conflictResolution: "graphiti" }, twice, replies);
  assert.deepEqual(graphOf(memory), ["hall, contains, chest"]);
  assert.deepEqual(memory.graph?.episodes[1]?.triplets.map(formatTriplet), [
    "hall, contains, chest",
  ]);
});
