import assert from "node:assert/strict";
import {
  graphFromJson,
  graphToJson,
  KnowledgeGraph,
  parseTriplets,
} from "../../../lib/core/graph/mod.ts";

Deno.test("a graph comes back from JSON with its episodes and its past", () => {
  const graph = new KnowledgeGraph();
  const triplets = parseTriplets("key, is in, locker; locker, is, closed");
  for (const triplet of triplets) graph.add(triplet, 1);
  graph.addEpisode({ time: 1, text: 'You see a "locker".\nIt is closed. 锁', triplets });
  for (const triplet of triplets) graph.remove(triplet, 2);
  const copy = graphFromJson(JSON.parse(JSON.stringify(graphToJson(graph))));
  assert.deepEqual(copy.episodes, graph.episodes);
  assert.deepEqual(copy.changes, graph.changes);
  assert.equal(copy.size, 0);
});

Deno.test("graphFromJson() refuses what it did not write, in one line", () => {
  for (
    const value of [null, [], {}, { format: 2, changes: [], episodes: [] }, {
      format: 1,
      changes: [["*", "a", "b", "c", 1]],
      episodes: [],
    }]
  ) {
    assert.throws(
      () => graphFromJson(value),
      (error: Error) => error instanceof TypeError && !error.message.includes("\n"),
    );
  }
});
