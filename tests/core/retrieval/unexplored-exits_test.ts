import assert from "node:assert/strict";
import { KnowledgeGraph, parseTriplets } from "../../../lib/core/graph/mod.ts";
import { unexploredExits } from "../../../lib/core/retrieval/mod.ts";

function exitsOf(text: string, place = "hall"): string[] {
  const graph = new KnowledgeGraph();
  for (const triplet of parseTriplets(text)) graph.add(triplet, 1);
  return unexploredExits(graph, place);
}

Deno.test('"has exit" names the exit in its object, word for word', () => {
  assert.deepEqual(
    exitsOf("hall, has exit, east; hall, has exit, trap door; hall, has exit to, west"),
    ["east", "trap door", "west"],
  );
});

Deno.test("unexploredExits() prefers a compass word of the relation to one of the object", () => {
  assert.deepEqual(exitsOf("hall, north exit leads to, south wing"), ["north"]);
  assert.deepEqual(exitsOf("hall, leads, to the south"), ["south"]);
  assert.deepEqual(exitsOf("hall, has entrance, east or west"), ["east", "west"]);
  assert.deepEqual(exitsOf("hall, has path, north; hall, has exits in, west"), ["north", "west"]);
});

Deno.test("unexploredExits() takes only relations of exits as exits", () => {
  assert.deepEqual(
    exitsOf("hall, contains, north star; cellar, has exit, north; hall, is north of, cellar"),
    [],
  );
});

Deno.test("unexploredExits() omits an exit that leads to a known place", () => {
  assert.deepEqual(
    exitsOf("hall, has exit, east; hall, has exit, west; kitchen, is east of, hall"),
    ["west"],
  );
  assert.deepEqual(exitsOf("hall, has exit, east; hall, is east of, kitchen"), ["east"]); // the kitchen lies to the west
  assert.deepEqual(exitsOf("hall, has exit, east; kitchen, can be achieved from, hall"), ["east"]);
});
