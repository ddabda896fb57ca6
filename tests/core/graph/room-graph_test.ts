import assert from "node:assert/strict";
import { RoomGraph, roomObjectGraphOf } from "../../../lib/core/graph/room-graph.ts";
import { checkRoomObjectGraph } from "../../../lib/core/graph/room-object-graph.ts";
import { formatTriplet } from "../../../lib/core/graph/triplet.ts";

function shown(rooms: RoomGraph): string[] {
  return rooms.graph.triplets().map(formatTriplet).sort();
}

function twoRooms(): RoomGraph {
  const rooms = new RoomGraph();
  rooms.enter(1, 1);
  rooms.setContents(1, {
    entities: [{ name: "red closed door", direction: "east" }, {
      name: "grey ball",
      direction: "north-west",
    }, { name: "grey ball 2" }],
    distances: [{ a: "grey ball", b: "grey ball 2", cells: 3 }],
  }, 1);
  rooms.enter(2, 2);
  rooms.connect({ from: 1, to: 2, door: "red open door", direction: "east" }, 2);
  rooms.setContents(2, {
    entities: [{ name: "blue locked door", direction: "north" }],
    distances: [],
  }, 2);
  return rooms;
}

Deno.test("RoomGraph writes the paper's four relations, each thing a leaf of its room", () => {
  assert.deepEqual(shown(twoRooms()), [
    "agent, is_located_to, room 2",
    "blue locked door (room 2), is_located_to north, room 2",
    "grey ball (room 1), are_apart 3, grey ball 2 (room 1)",
    "grey ball (room 1), is_located_to north-west, room 1",
    "room 1, contains, grey ball (room 1)",
    "room 1, contains, grey ball 2 (room 1)",
    "room 1, is_connected_with red door, room 2",
    "room 2, contains, blue locked door (room 2)",
    "room 2, is_located_to east, room 1",
  ]);
});

Deno.test("RoomGraph.rooms() reads the triplets back, doors from both sides", () => {
  const [one, two] = twoRooms().rooms();
  assert.deepEqual(one, {
    number: 1,
    entities: [{ name: "grey ball", direction: "north-west" }, { name: "grey ball 2" }],
    distances: [{ a: "grey ball", b: "grey ball 2", cells: 3 }],
    exits: [{ door: "red door", to: 2, direction: "east" }],
  });
  assert.deepEqual(two?.exits, [{ door: "red door", to: 1, direction: "west" }]);
});

Deno.test("RoomGraph keeps a passed door apart from another door of its colour in another wall", () => {
  const rooms = twoRooms();
  rooms.setContents(1, {
    entities: [{ name: "red open door", direction: "east" }, {
      name: "red closed door",
      direction: "south",
    }],
    distances: [],
  }, 3);
  assert.deepEqual(rooms.room(1)?.entities, [{ name: "red closed door", direction: "south" }]);
});

Deno.test("RoomGraph.connect() draws a known passage once, in either direction, and none from a room to itself", () => {
  const rooms = twoRooms();
  const { size } = rooms.graph;
  rooms.connect({ from: 2, to: 1, door: "red door", direction: "west" }, 3);
  rooms.connect({ from: 2, to: 2, door: "blue door", direction: "north" }, 3);
  assert.equal(rooms.graph.size, size);
});

Deno.test("roomObjectGraphOf() leaves out states, numbers, directions, distances and the agent", () => {
  const graph = roomObjectGraphOf(twoRooms().graph.triplets());
  checkRoomObjectGraph(graph);
  assert.deepEqual(graph.nodes.map(({ kind, label }) => `${kind} ${label}`), [
    "room room",
    "object grey ball",
    "object grey ball",
    "room room",
    "object blue door",
  ]);
  assert.deepEqual(graph.edges.map(({ label }) => label), [
    "contains",
    "contains",
    "red",
    "contains",
  ]);
});

Deno.test("roomObjectGraphOf() stays a simple graph however wrong the map is", () => {
  const rooms = twoRooms();
  rooms.connect({ from: 1, to: 2, door: "blue door" }, 3);
  rooms.connect({ from: 2, to: 1, door: "green door", direction: "north" }, 4);
  const graph = roomObjectGraphOf(rooms.graph.triplets());
  checkRoomObjectGraph(graph);
  assert.deepEqual(graph.edges.filter(({ label }) => label !== "contains"), [{
    a: "room 1",
    b: "room 2",
    label: "blue+green+red",
  }]);
  assert.deepEqual(roomObjectGraphOf([]), { nodes: [], edges: [] });
});
