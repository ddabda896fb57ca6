import assert from "node:assert/strict";
import { MultiDirectedGraph } from "graphology";
import { parse } from "graphology-graphml";
import { KnowledgeGraph, parseTriplets, toGraphml } from "../../../lib/core/graph/mod.ts";

Deno.test("toGraphml() is read back by graphology, markup and all", () => {
  const graph = new KnowledgeGraph();
  for (const triplet of parseTriplets('salt & pepper, <is> "on", table; table, is in, küche')) graph.add(triplet, 1);
  graph.add({ subject: "a\u0000b", relation: "c", object: "\ud800" }, 1);
  graph.addEpisode({ time: 1, text: "You see <a> table.", triplets: graph.triplets().slice(0, 1) });

  const read = parse(MultiDirectedGraph, toGraphml(graph));
  const label = (node: string): unknown => read.getNodeAttribute(node, "label");
  assert.deepEqual(
    read.mapEdges((_edge, { label: relation }, source, target) => [label(source), relation, label(target)]),
    [["salt & pepper", '<is> "on', "table"], ["table", "is in", "küche"], ["a\ufffdb", "c", "\ufffd"]],
  );

  const whole = parse(MultiDirectedGraph, toGraphml(graph, { episodes: true }));
  const episode = whole.findNode((_node, { kind }) => kind === "episode") ?? "";
  assert.equal(whole.getNodeAttribute(episode, "text"), "You see <a> table.");
  assert.deepEqual(whole.mapOutNeighbors(episode, (_node, { label }) => label), ["salt & pepper", "table"]);
});
