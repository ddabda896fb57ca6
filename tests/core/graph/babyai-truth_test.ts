import assert from "node:assert/strict";
import {
  asBabyAiTruth,
  babyAiRoomAt,
  type BabyAiTruth,
  babyAiTruthGraph,
} from "../../../lib/core/graph/babyai-truth.ts";
import { roomObjectGraphOf } from "../../../lib/core/graph/room-graph.ts";
import { graphEditDistance } from "../../../lib/core/graph/edit-distance.ts";
import {
  parseRoomObjectGraph,
  type RoomObjectGraph,
} from "../../../lib/core/graph/room-object-graph.ts";

/**
 * Two by two rooms, three of them entered:
 *
 *   0 -red- 1        0: blue ball (seen), grey key (carried, so in no room), yellow box (never
 *   seen)
 *   |       |        0-2: green, 1-3: purple, 2-3: red and never seen; room 3 never entered
 *   2 ....  3        3: green ball
 */
const truth: BabyAiTruth = {
  grid: { size: 2, side: 13, pitch: 6 },
  rooms: [0, 1, 2, 3].map((id) => ({ id, visited: id !== 3 })),
  doors: [
    { a: 0, b: 1, colour: "red", state: "open", seen: true, x: 6, y: 2 },
    { a: 0, b: 2, colour: "green", state: "closed", seen: true, x: 2, y: 6 },
    { a: 1, b: 3, colour: "purple", state: "locked", seen: true, x: 9, y: 6 },
    { a: 2, b: 3, colour: "red", state: "closed", seen: false, x: 6, y: 9 },
  ],
  objects: [
    { id: 0, colour: "blue", type: "ball", room: 0, seen: true, x: 1, y: 1 },
    { id: 1, colour: "grey", type: "key", room: null, seen: true, x: null, y: null },
    { id: 2, colour: "yellow", type: "box", room: 0, seen: false, x: 5, y: 5 },
    { id: 3, colour: "green", type: "ball", room: 3, seen: false, x: 10, y: 10 },
  ],
  agent: { x: 3, y: 9, direction: "north", room: 2 },
  trace: [[3, 9, 3]],
};

Deno.test("babyAiTruthGraph() holds what was observed: rooms entered, things and doors seen, a door to the unknown as a thing of its room", () => {
  assert.deepEqual(shape(babyAiTruthGraph(truth)), {
    nodes: ["object blue ball", "object purple door", "room room", "room room", "room room"],
    edges: [
      "room 0 - object 0: contains",
      "room 0 - room 1: red",
      "room 0 - room 2: green",
      "room 1 - door 2: contains",
    ],
  });
});

Deno.test("babyAiTruthGraph() of the whole map holds every room, door and thing but the one that is carried", () => {
  const { nodes, edges } = shape(babyAiTruthGraph(truth, { scope: "whole" }));
  assert.deepEqual(nodes, [
    "object blue ball",
    "object green ball",
    "object yellow box",
    ...Array(4).fill("room room"),
  ]);
  assert.deepEqual(edges, [
    "room 0 - object 0: contains",
    "room 0 - object 2: contains",
    "room 0 - room 1: red",
    "room 0 - room 2: green",
    "room 1 - room 3: purple",
    "room 2 - room 3: red",
    "room 3 - object 3: contains",
  ]);
});

Deno.test("babyAiTruthGraph() keeps the rules of room graphs and is at the distance that one counts by hand", () => {
  const [seen, whole] = [babyAiTruthGraph(truth), babyAiTruthGraph(truth, { scope: "whole" })];
  for (const graph of [seen, whole]) assert.deepEqual(parseRoomObjectGraph(graph), graph);
  // the purple door becomes the yellow box and its edge moves home (1 + 2), the green ball comes
  // (2), room 3 comes with two doors (3)
  assert.equal(graphEditDistance(seen, whole).upper, 8);
  // a built graph that holds room 1 twice, the second time with the red door alone
  const twice: RoomObjectGraph = {
    nodes: [...seen.nodes, { id: "again", kind: "room", label: "room" }],
    edges: [...seen.edges, { a: "room 0", b: "again", label: "red" }],
  };
  assert.equal(graphEditDistance(twice, seen).upper, 2);
});

Deno.test("babyAiTruthGraph() makes one edge of two doors in one wall, which names both, as the built graph does", () => {
  const second = { a: 0, b: 1, colour: "blue", state: "open", seen: true, x: 6, y: 4 };
  const doors = [...truth.doors, second, { ...second, a: 1, b: 3, x: 11, y: 6 }];
  const graph = babyAiTruthGraph({ ...truth, doors });
  const { nodes, edges } = shape(graph);
  assert.deepEqual(nodes.filter((node) => node.endsWith("door")), [
    "object blue door",
    "object purple door",
  ]);
  assert.ok(edges.includes("room 0 - room 1: blue+red"));
  assert.equal(graphEditDistance(graph, babyAiTruthGraph(truth)).upper, 3); // another label, and the blue door with its edge
  const built = roomObjectGraphOf(["red door", "blue door"].map((door) => ({
    subject: "room 1",
    relation: `is_connected_with ${door}`,
    object: "room 2",
  })));
  assert.deepEqual(built.edges.map(({ label }) => label), ["blue+red"]);
});

Deno.test("asBabyAiTruth() reads a truth through JSON, and nothing else", () => {
  assert.deepEqual(asBabyAiTruth(JSON.parse(JSON.stringify({ ...truth, more: 1 }))), truth);
  assert.ok(asBabyAiTruth({ ...truth, agent: { ...truth.agent, room: null } }), "in a doorway");
  for (
    const other of [null, {}, { ...truth, agent: { ...truth.agent, direction: "up" } }, {
      rooms: ["Hall"],
      exits: [],
      facts: [],
    }]
  ) {
    assert.equal(asBabyAiTruth(other), undefined);
  }
});

/**
 * The same map without the wall between rooms 0 and 2: 0 has the doors of both, and what lay in 2.
 */
const merged: BabyAiTruth = {
  ...truth,
  rooms: [{ id: 0, visited: true, areas: [[1, 1, 5, 5], [1, 7, 5, 5], [1, 6, 5, 1]] }, {
    id: 1,
    visited: true,
  }, { id: 3, visited: false }],
  doors: [
    { a: 0, b: 1, direction: "east", colour: "red", state: "open", seen: true, x: 6, y: 2 },
    { a: 0, b: 3, direction: "east", colour: "green", state: "closed", seen: true, x: 6, y: 9 },
  ],
  agent: { x: 3, y: 6, direction: "north", room: 0 },
};

Deno.test("babyAiRoomAt() finds the room where a wall was taken away, none in walls and doorways", () => {
  const at = ([x, y]: readonly [number, number]): number | undefined => babyAiRoomAt(merged, x, y);
  assert.deepEqual(([[1, 1], [5, 6], [3, 9], [7, 1], [11, 11]] as const).map(at), [0, 0, 0, 1, 3]);
  assert.deepEqual(
    ([[6, 2], [6, 6], [0, 6], [9, 6], [12, 1], [13, 3]] as const).map(at),
    Array(6).fill(undefined),
  );
  assert.deepEqual(
    [babyAiRoomAt(truth, 3, 6), babyAiRoomAt(truth, 3, 7)],
    [undefined, 2],
    "the wall stands there in a regular map",
  );
});

Deno.test("babyAiTruthGraph() has one node for a merged room, with the doors of all its parts", () => {
  assert.deepEqual(asBabyAiTruth(JSON.parse(JSON.stringify(merged))), merged);
  assert.deepEqual(shape(babyAiTruthGraph(merged)), {
    nodes: ["object blue ball", "object green door", "room room", "room room"],
    edges: ["room 0 - door 1: contains", "room 0 - object 0: contains", "room 0 - room 1: red"],
  });
});

function shape({ nodes, edges }: RoomObjectGraph): { nodes: string[]; edges: string[] } {
  return {
    nodes: nodes.map(({ kind, label }) => `${kind} ${label}`).sort(),
    edges: edges.map(({ a, b, label }) => `${a} - ${b}: ${label}`).sort(),
  };
}
