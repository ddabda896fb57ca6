/**
 * What edits of a graph of rooms and objects cost, and two such graphs made ready for comparing.
 *
 * @module
 */

import { assign, at } from "./assignment.ts";
import type { RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";

/** The price of each edit, finite and ≥ 0. A room never turns into an object. */
export interface EditCosts {
  /** A new node, without its edges. */
  readonly insertNode: number;
  /** A node gone, without its edges. */
  readonly deleteNode: number;
  /** Another label for a room, or for an object. */
  readonly relabelNode: number;
  /** A new edge, be it a door or what puts an object into a room. */
  readonly insertEdge: number;
  /** An edge gone. */
  readonly deleteEdge: number;
  /** Another label for an edge between the same two nodes; what is dearer than deleting and inserting is never used. */
  readonly relabelEdge: number;
}

/** Every edit costs 1, so that the distance is the smallest number of edits: GraphMind §4.3 names no weights. */
export const UNIFORM_EDIT_COSTS: EditCosts = {
  insertNode: 1,
  deleteNode: 1,
  relabelNode: 1,
  insertEdge: 1,
  deleteEdge: 1,
  relabelEdge: 1,
};

/** Stands for the label of an edge that is not there, and for the counterpart of a node that has none. */
export const NONE = -1;

/** A graph by numbers: rooms and objects count from 0 in the order of `nodes`; equal labels have equal numbers in both graphs of a pair. */
export interface IndexedGraph {
  readonly rooms: readonly RoomObjectNode[];
  readonly objects: readonly RoomObjectNode[];
  readonly roomLabel: Int32Array;
  readonly objectLabel: Int32Array;
  /** Room × room, row after row: the label of the door between them, or `NONE`. */
  readonly doors: Int32Array;
  /** Room → rooms next to it. */
  readonly neighbours: readonly (readonly number[])[];
  /** Object → its room, or `NONE`. */
  readonly home: Int32Array;
  /** Object → the label of the edge to its room, or `NONE`. */
  readonly homeLabel: Int32Array;
  /** Room → its objects. */
  readonly contents: readonly (readonly number[])[];
}

/** What is turned into what, and at which prices. */
export interface GraphPair {
  readonly from: IndexedGraph;
  readonly to: IndexedGraph;
  readonly costs: EditCosts;
}

/** Counterparts: index in `from` → index in `to`, or `NONE` for a node that is deleted. What of `to` is not named is inserted. */
export interface NodeMap {
  readonly rooms: Int32Array;
  readonly objects: Int32Array;
}

/** Two graphs that keep the rules of `RoomObjectGraph`, by numbers. */
export function indexPair(a: RoomObjectGraph, b: RoomObjectGraph, costs: EditCosts): GraphPair {
  const [nodeLabel, edgeLabel] = [numbering(), numbering()];
  return { from: indexGraph(a, nodeLabel, edgeLabel), to: indexGraph(b, nodeLabel, edgeLabel), costs };
}

/** The way back: its cheapest map is the other's read backwards, and costs as much. */
export function reversePair({ from, to, costs }: GraphPair): GraphPair {
  const { insertNode, deleteNode, relabelNode, insertEdge, deleteEdge, relabelEdge } = costs;
  return {
    from: to,
    to: from,
    costs: {
      insertNode: deleteNode,
      deleteNode: insertNode,
      relabelNode,
      insertEdge: deleteEdge,
      deleteEdge: insertEdge,
      relabelEdge,
    },
  };
}

/** What it costs to keep an edge whose label may change, where deleting and inserting it anew is never dearer. */
export function keepEdge({ insertEdge, deleteEdge, relabelEdge }: EditCosts, from: number, to: number): number {
  return from === to ? 0 : Math.min(relabelEdge, deleteEdge + insertEdge);
}

/** What turning one node into another of the same kind costs. */
export function keepNode({ relabelNode }: EditCosts, from: number, to: number): number {
  return from === to ? 0 : relabelNode;
}

/** The cost of rooms and doors under a map of the rooms. O(rooms²). */
export function costOfRooms({ from, to, costs }: GraphPair, rooms: Int32Array): number {
  const [n, m] = [from.rooms.length, to.rooms.length];
  let cost = m * costs.insertNode + countDoors(to) * costs.insertEdge;
  for (let room = 0; room < n; room++) {
    const image = at(rooms, room);
    cost += image === NONE ? costs.deleteNode : keepNode(costs, at(from.roomLabel, room), at(to.roomLabel, image)) - costs.insertNode;
    for (const next of from.neighbours[room] ?? []) {
      if (next < room) continue;
      const nextImage = at(rooms, next);
      const door = image === NONE || nextImage === NONE ? NONE : at(to.doors, image * m + nextImage);
      cost += door === NONE ? costs.deleteEdge : keepEdge(costs, at(from.doors, room * n + next), door) - costs.insertEdge;
    }
  }
  return cost;
}

/** The cheapest map of the objects under a map of the rooms: they are leaves, so it is one assignment problem. O(objects³). */
export function matchObjects({ from, to, costs }: GraphPair, rooms: Int32Array): { readonly cost: number; readonly objects: Int32Array } {
  const [n, m] = [from.objects.length, to.objects.length];
  const remove = (u: number): number => costs.deleteNode + (at(from.home, u) === NONE ? 0 : costs.deleteEdge);
  const insert = (v: number): number => costs.insertNode + (at(to.home, v) === NONE ? 0 : costs.insertEdge);
  const keep = (u: number, v: number): number => {
    const [here, there] = [at(from.home, u), at(to.home, v)];
    const stays = here !== NONE && there !== NONE && at(rooms, here) === there;
    return keepNode(costs, at(from.objectLabel, u), at(to.objectLabel, v)) +
      (stays
        ? keepEdge(costs, at(from.homeLabel, u), at(to.homeLabel, v))
        : (here === NONE ? 0 : costs.deleteEdge) + (there === NONE ? 0 : costs.insertEdge));
  };
  const { cost, pairs } = matchGains(n, m, (u, v) => keep(u, v) - remove(u) - insert(v));
  const objects = new Int32Array(n).fill(NONE);
  for (const { row, column } of pairs) objects[row] = column;
  let total = cost;
  for (let u = 0; u < n; u++) total += remove(u);
  for (let v = 0; v < m; v++) total += insert(v);
  return { cost: total, objects };
}

/** A cheapest set of pairs of rows and columns, each in at most one pair; only pairs of negative cost are taken. */
export function matchGains(rows: number, columns: number, gain: (row: number, column: number) => number): {
  readonly cost: number;
  readonly pairs: readonly { readonly row: number; readonly column: number }[];
  /** With `rowPrice[i] + columnPrice[j] ≤ min(0, gain(i, j))`; they add up to `cost`. */
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
} {
  const flip = rows > columns;
  const [height, width] = flip ? [columns, rows] : [rows, columns];
  const costs = new Float64Array(height * width);
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) costs[i * width + j] = Math.min(0, flip ? gain(j, i) : gain(i, j));
  }
  const { cost, columnOf, rowPrice, columnPrice } = assign({ rows: height, columns: width, costs });
  const pairs = [...columnOf].flatMap((j, i) => at(costs, i * width + j) < 0 ? [flip ? { row: j, column: i } : { row: i, column: j }] : []);
  return flip ? { cost, pairs, rowPrice: columnPrice, columnPrice: rowPrice } : { cost, pairs, rowPrice, columnPrice };
}

/** How many doors there are. */
export function countDoors({ neighbours }: IndexedGraph): number {
  return neighbours.reduce((sum, { length }) => sum + length, 0) / 2;
}

type Numbering = (label: string) => number;

function indexGraph({ nodes, edges }: RoomObjectGraph, nodeLabel: Numbering, edgeLabel: Numbering): IndexedGraph {
  const rooms = nodes.filter(({ kind }) => kind === "room");
  const objects = nodes.filter(({ kind }) => kind === "object");
  const roomIndex = new Map(rooms.map(({ id }, index) => [id, index]));
  const objectIndex = new Map(objects.map(({ id }, index) => [id, index]));
  const doors = new Int32Array(rooms.length ** 2).fill(NONE);
  const neighbours = rooms.map((): number[] => []);
  const contents = rooms.map((): number[] => []);
  const home = new Int32Array(objects.length).fill(NONE);
  const homeLabel = new Int32Array(objects.length).fill(NONE);
  for (const { a, b, label } of edges) {
    const ends = [a, b].flatMap((id) => roomIndex.get(id) ?? []);
    const object = objectIndex.get(a) ?? objectIndex.get(b);
    const [room, next] = ends as [number, number];
    if (object === undefined) {
      doors[room * rooms.length + next] = doors[next * rooms.length + room] = edgeLabel(label);
      neighbours[room]?.push(next);
      neighbours[next]?.push(room);
    } else {
      home[object] = room;
      homeLabel[object] = edgeLabel(label);
      contents[room]?.push(object);
    }
  }
  const numbered = (some: readonly RoomObjectNode[]): Int32Array => Int32Array.from(some, ({ label }) => nodeLabel(label));
  return { rooms, objects, roomLabel: numbered(rooms), objectLabel: numbered(objects), doors, neighbours, home, homeLabel, contents };
}

/** Numbers for labels from 0, in the order in which they are first asked for. */
function numbering(): Numbering {
  const known = new Map<string, number>();
  return (label) => {
    const number = known.get(label) ?? known.size;
    known.set(label, number);
    return number;
  };
}
