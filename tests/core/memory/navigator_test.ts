import assert from "node:assert/strict";
import { formatTriplet, KnowledgeGraph } from "../../../lib/core/graph/mod.ts";
import { Navigator } from "../../../lib/core/memory/mod.ts";

function arrive(
  navigator: Navigator,
  location: string | undefined,
  action?: string,
  macro = false,
): string[] {
  return navigator.arrive(location, { action, macro }).map(formatTriplet);
}

Deno.test("arrive() links two places after a move, and nothing otherwise", () => {
  const navigator = new Navigator(new KnowledgeGraph());
  assert.deepEqual(arrive(navigator, "Living Room"), []);
  assert.deepEqual(arrive(navigator, "Hall", "go WEST"), [
    "hall, is west of, living room",
    "living room, is east of, hall",
  ]);
  assert.deepEqual(arrive(navigator, "Hall", "open north door"), []); // it has not moved
  assert.deepEqual(arrive(navigator, "Attic", "climb ladder"), [
    "attic, can be achieved from, hall",
    "hall, can be achieved from, attic",
  ]);
  assert.deepEqual(arrive(navigator, "Hall", "go to hall", true), []);
  assert.deepEqual(arrive(navigator, undefined, "go east"), []);
  assert.deepEqual([...navigator.places], ["living room", "hall", "attic"]);
  assert.equal(navigator.here, "hall");
});

Deno.test("arrive() takes the first of north, east, south, west when an action has several", () => {
  const navigator = new Navigator(new KnowledgeGraph());
  arrive(navigator, "a");
  assert.deepEqual(arrive(navigator, "b", "walk west then north"), [
    "b, is north of, a",
    "a, is south of, b",
  ]);
});
