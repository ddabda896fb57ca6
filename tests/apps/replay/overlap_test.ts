import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { KnowledgeGraph } from "../../../lib/core/graph/knowledge-graph.ts";
import { tripletAsWritten } from "../../../lib/apps/replay/answers.ts";
import { RecallOverlap } from "../../../lib/apps/replay/recalls.ts";
import { replayLog } from "../../../lib/apps/replay/replay.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import type { Embedder } from "../../../lib/core/retrieval/embedder.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { HALL, KITCHEN, newestLog } from "./sample-log.ts";

/** Texts lie on a circle, 10 degrees a number: the nearer the numbers, the more similar. */
const numbers: Embedder = {
  id: "numbers",
  dimensions: 2,
  embed: (texts) =>
    Promise.resolve(texts.map((text) => {
      const angle = Number(text.match(/\d+/)?.[0]) * Math.PI / 18;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    })),
};

function thing(number: number): string {
  return `thing ${number}, lies on, shelf ${number}`;
}

Deno.test("RecallOverlap compares a search of width 6 with what the log recalled, step by step", async () => {
  const graph = new KnowledgeGraph();
  const overlap = new RecallOverlap(numbers);
  const compare = overlap.over(graph);
  const item = (importance: number) => new Map([["0", importance]]);
  assert.equal(new RecallOverlap(numbers).result, undefined);
  for (let number = 1; number <= 8; number++) graph.add(tripletAsWritten(thing(number)), 1);
  // nothing to compare
  await compare({ items: new Map(), recalled: [thing(1)], fresh: [] });
  await compare({ items: item(1), recalled: [], fresh: [] });
  // 1 … 6 are found, 1 is new: 2 … 6, of which the log has 5 and 6
  await compare({
    items: item(1),
    recalled: [5, 6, 7, 8].map(thing),
    fresh: [tripletAsWritten(thing(1))],
  });
  // 1 and 3 … 7 are found
  graph.remove(tripletAsWritten(thing(2)), 2);
  await compare({ items: item(1), recalled: [1, 3, 4].map(thing), fresh: [] });
  // depth 2: also 8, by way of 7
  await compare({ items: item(1.5), recalled: [8].map(thing), fresh: [] });
  assert.ok(overlap.result);
  const { recall, precision, jaccard, ...counts } = overlap.result;
  assert.deepEqual(counts, { embedder: "numbers", steps: 3, logged: 8, found: 18, shared: 6 });
  assert.deepEqual([recall, precision, jaccard].map((mean) => mean.toFixed(6)), [
    ((2 / 4 + 3 / 3 + 1 / 1) / 3).toFixed(6),
    ((2 / 5 + 3 / 6 + 1 / 7) / 3).toFixed(6),
    ((2 / 7 + 3 / 6 + 1 / 7) / 3).toFixed(6),
  ]);
});

Deno.test("replayLog() reports the overlap with an embedder, and changes nothing else", async () => {
  const log = newestLog([
    { observation: HALL, fresh: ["hall, has exit, east", "key, is in, hall"], action: "take key" },
    {
      observation: "You take the key.\n",
      fresh: ["key, is in, inventory"],
      outdated: "[[key, is in, hall -> key, is in, inventory]]",
      recalled: ["hall, has exit, east"],
      action: "go east",
    },
    {
      observation: KITCHEN,
      fresh: ["kitchen, has exit, west"],
      recalled: ["key, is in, inventory"],
      action: "look",
    },
  ]);
  const { overlap: none, ...plain } = await replayLog(log, "run.txt");
  const { overlap, ...rest } = await replayLog(log, "run.txt", {
    embedder: createLexicalEmbedder(),
  });
  assert.equal(none, undefined);
  assert.deepEqual(rest, plain);
  assert.deepEqual(plain.misses, []);
  // step 2 finds the exit; step 3 the exit, the key and how hall and kitchen lie to each other
  assert.deepEqual(overlap, {
    embedder: "lexical-v1",
    steps: 2,
    logged: 2,
    found: 5,
    shared: 2,
    recall: 1,
    precision: (1 + 1 / 4) / 2,
    jaccard: (1 + 1 / 4) / 2,
  });
});

Deno.test("replayLog() reports the overlap of logs of questions", async () => {
  const log = [
    "New triplets: ['ada lovelace, born in, london', 'london, capital of, england']",
    "QUESTION: Where was Ada Lovelace born?",
    "CRUCIAL ITEMS: {'Ada Lovelace': 1}",
    "ASSOCIATED SUBGRAPH: ['ada lovelace, born in, london']",
  ].join("\n");
  const { overlap } = await replayLog(log, "run.txt", { embedder: createLexicalEmbedder() });
  assert.deepEqual([overlap?.steps, overlap?.found, overlap?.recall, overlap?.precision], [
    1,
    2,
    1,
    0.5,
  ]);
});

const published = join(
  checkoutRoot(),
  "..",
  "shared",
  "arigraph",
  "logs",
  "hunt_arigraph_without_episodic.txt",
);
const ignore = !existsSync(published);
if (ignore) process.stdout.write("skipped: the authors' logs are not at hand\n");

Deno.test({
  name: "the overlap of a published attempt counts every triplet that its log says was recalled",
  ignore,
  fn: async () => {
    const [, first = ""] = readFileSync(published, "utf8").split(/^(?=Attempt: )/m);
    const lengths = [...first.matchAll(/^Length of subgraph: (\d+)$/gm)].map((match) =>
      Number(match[1])
    ).filter((length) => length > 0);
    const { overlap, misses } = await replayLog(first, "run.txt", {
      embedder: createLexicalEmbedder(),
    });
    assert.deepEqual(misses, []);
    assert.deepEqual([overlap?.steps, overlap?.logged], [
      lengths.length,
      lengths.reduce((sum, length) => sum + length),
    ]);
    assert.ok(
      overlap && overlap.shared > 0 && overlap.shared <= Math.min(overlap.logged, overlap.found),
    );
    assert.ok(overlap.jaccard <= Math.min(overlap.recall, overlap.precision));
  },
});
