import assert from "node:assert/strict";
import type { Room, RoomExit } from "../../../lib/core/graph/room-graph.ts";
import {
  closestEntity,
  neighbourInformation,
  unexploredClosedDoor,
} from "../../../lib/core/retrieval/graph-tools.ts";
import { createDraw } from "../../../lib/core/random.ts";

function room(
  number: number,
  entities: readonly string[],
  exits: readonly (readonly [string, number])[],
): Room {
  return {
    number,
    entities: entities.map((name) => ({ name })),
    distances: [],
    exits: exits.map(([door, to]) => ({ door, to })),
  };
}

/** 1 – 2 – 4 and 1 – 3 – 4, with 5 behind 4. */
const ROOMS = [
  room(1, ["green open door"], [["red door", 2], ["blue door", 3]]),
  room(2, ["grey ball"], [["red door", 1], ["grey door", 4]]),
  room(3, ["grey ball 2", "purple locked door"], [["blue door", 1], ["yellow door", 4]]),
  room(4, ["red key"], [["grey door", 2], ["yellow door", 3], ["green door", 5]]),
  room(5, ["purple closed door"], [["green door", 4]]),
];

function pathOf(
  found: { readonly kind: string; readonly path?: readonly RoomExit[] },
): string[] | string {
  return found.path?.map(({ door, to }) => `${door} to ${to}`) ?? found.kind;
}

Deno.test("closestEntity() gives a shortest path, of two the one learnt first", () => {
  assert.deepEqual(pathOf(closestEntity(ROOMS, 1, "red key")), ["red door to 2", "grey door to 4"]);
  assert.deepEqual(pathOf(closestEntity(ROOMS, 5, "grey ball")), [
    "green door to 4",
    "grey door to 2",
  ]);
  assert.deepEqual(pathOf(closestEntity(ROOMS, 2, "grey ball")), []);
});

Deno.test("closestEntity() distinguishes states when one is named, and finds passed doors", () => {
  assert.deepEqual(pathOf(closestEntity(ROOMS, 1, "purple door")), ["blue door to 3"]);
  assert.deepEqual(pathOf(closestEntity(ROOMS, 1, "Purple_Closed_Door")), [
    "red door to 2",
    "grey door to 4",
    "green door to 5",
  ]);
  assert.deepEqual(pathOf(closestEntity(ROOMS, 1, "the yellow door")), ["blue door to 3"]);
  assert.equal(pathOf(closestEntity(ROOMS, 1, "purple box")), "undiscovered");
});

Deno.test("unexploredClosedDoor() passes by open doors and finds locked ones", () => {
  const found = unexploredClosedDoor(ROOMS, 1);
  assert.deepEqual([pathOf(found), found.kind === "found" && found.thing.name], [
    ["blue door to 3"],
    "purple locked door",
  ]);
  assert.deepEqual(pathOf(unexploredClosedDoor(ROOMS, 4)), ["yellow door to 3"]);
  assert.equal(unexploredClosedDoor([room(1, ["red open door"], [])], 1).kind, "none");
});

Deno.test("the graph tools name the known rooms when asked about an unknown one", () => {
  const unknown = { kind: "unknown-room", known: [1, 2, 3, 4, 5] };
  assert.deepEqual(neighbourInformation(ROOMS, 6), unknown);
  assert.deepEqual(closestEntity(ROOMS, 0, "red key"), unknown);
  assert.deepEqual(unexploredClosedDoor(ROOMS, NaN), unknown);
  assert.deepEqual(closestEntity([], 1, "red key"), { kind: "unknown-room", known: [] });
});

/**
 * Shortest distances by relaxing every door until nothing changes: slow, and nothing like a
 * breadth-first search.
 */
function distances(rooms: readonly Room[], from: number): Map<number, number> {
  const far = new Map(rooms.map(({ number }) => [number, number === from ? 0 : Infinity]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { number, exits } of rooms) {
      for (const { to } of exits) {
        const next = (far.get(number) ?? Infinity) + 1;
        if (next < (far.get(to) ?? Infinity)) {
          far.set(to, next);
          changed = true;
        }
      }
    }
  }
  return far;
}

Deno.test("closestEntity() gives shortest walkable paths in 300 random maps", () => {
  for (let seed = 0; seed < 300; seed++) {
    const draw = createDraw(`map ${seed}`);
    const count = 2 + Math.floor(draw.next() * 8);
    const rooms = Array.from(
      { length: count },
      (_, index) => room(index + 1, draw.next() < 0.3 ? ["red key"] : [], []),
    );
    const mutable = rooms.map(({ exits }) => exits as RoomExit[]);
    for (let door = 0; door < count + 2; door++) {
      const [a, b] = [draw.pick(rooms).number, draw.pick(rooms).number];
      if (a === b) continue;
      mutable[a - 1]?.push({ door: `door ${door}`, to: b });
      mutable[b - 1]?.push({ door: `door ${door}`, to: a });
    }
    const far = distances(rooms, 1);
    const nearest = Math.min(
      ...rooms.filter(({ entities }) => entities.length > 0).map(({ number }) =>
        far.get(number) ?? Infinity
      ),
    );
    const found = closestEntity(rooms, 1, "red key");
    if (found.kind !== "found") {
      assert.equal(nearest, Infinity);
      continue;
    }
    assert.equal(found.path.length, nearest);
    let at = 1;
    for (const { door, to } of found.path) {
      assert(rooms[at - 1]?.exits.some((exit) => exit.door === door && exit.to === to));
      at = to;
    }
    assert.equal(at, found.room);
  }
});
