import assert from "node:assert/strict";
import {
  graphFromJson,
  graphToJson,
  KnowledgeGraph,
  snapshotAt,
  TemporalFacts,
} from "../../../lib/core/graph/mod.ts";
import { diffBetween } from "../../../lib/core/graph/snapshot.ts";

const door = (state: string) => ({ subject: "door", relation: "is", object: state });

Deno.test("a fact told again keeps every time of telling, and none is lost", () => {
  const graph = new KnowledgeGraph();
  const facts = new TemporalFacts(graph);
  assert.equal(facts.tell(door("open"), 1), true);
  assert.equal(facts.tell(door("open"), 1), false); // the same telling
  facts.tell(door("closed"), 3);
  facts.tell(door("open"), 8);
  assert.deepEqual(facts.around("door").get("open")?.map(({ time, order }) => [time, order]), [[
    1,
    0,
  ], [8, 2]]);
  assert.deepEqual([facts.size, graph.size, facts.now], [3, 2, 8]);
  assert.deepEqual(facts.entities(), ["door", "open", "closed"]);
  assert.equal(facts.around("window").size, 0);
});

Deno.test("snapshots at any time and diffs between two times are those of every graph", () => {
  const graph = new KnowledgeGraph();
  const facts = new TemporalFacts(graph);
  facts.tell(door("open"), 1);
  facts.tell(door("closed"), 3);
  facts.tell(door("open"), 8);
  assert.deepEqual(snapshotAt(graph.changes, 2), [door("open")]);
  assert.deepEqual(diffBetween(graph.changes, 2, 8), { added: [door("closed")], removed: [] }); // kept, never overwritten
});

Deno.test("the tellings survive the way to disk, and go on from there", () => {
  const graph = new KnowledgeGraph();
  const facts = new TemporalFacts(graph);
  facts.tell(door("open"), 1);
  facts.tell(door("open"), 5);
  const back = graphFromJson(JSON.parse(JSON.stringify(graphToJson(graph))));
  const again = new TemporalFacts(back);
  assert.deepEqual(again.around("open").get("door"), facts.around("open").get("door"));
  assert.equal(again.tell(door("open"), 5), false);
  assert.equal(again.tell(door("open"), 6), true);
  assert.equal(again.size, 3);
});
