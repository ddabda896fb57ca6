/**
 * The costs of editing a graph of rooms and objects, and the indexed form in which two such graphs
 * are compared.
 */

import { assign, at } from "./assignment.ts";
import type { RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";

/** The price of each edit, finite and ≥ 0. A room is never relabelled as an object. */
export interface EditCosts {
  /** Inserting a node, without its edges. */
  readonly insertNode: number;
  /** Deleting a node, without its edges. */
  readonly deleteNode: number;
  /** Changing the label of a room or of an object. */
  readonly relabelNode: number;
  /** Inserting an edge: a door, or the edge between an object and its room. */
  readonly insertEdge: number;
  /** Deleting an edge. */
  readonly deleteEdge: number;
  /** Changing the label of an edge between the same two nodes; capped at delete + insert. */
  readonly relabelEdge: number;
}

/**
 * Every edit costs 1, so that the distance is the smallest number of edits: GraphMind §4.3 names no
 * weights.
 */
export const UNIFORM_EDIT_COSTS: EditCosts = {
  insertNode: 1,
  deleteNode: 1,
  relabelNode: 1,
  insertEdge: 1,
  deleteEdge: 1,
  relabelEdge: 1,
};

/** The label of an absent edge, and the counterpart of a node that has none. */
export const NONE = -1;

/**
 * A graph in indexed form: rooms and objects count from 0 in the order of `nodes`; equal labels
 * have equal numbers in both graphs of a pair.
 */
export interface IndexedGraph {
  readonly rooms: readonly RoomObjectNode[];
  readonly objects: readonly RoomObjectNode[];
  readonly roomLabel: Int32Array;
  readonly objectLabel: Int32Array;
  /** Room × room, row after row: the label of the door between them, or `NONE`. */
  readonly doors: Int32Array;
  readonly neighbours: readonly (readonly number[])[];
  /** Object → its room, or `NONE`. */
  readonly home: Int32Array;
  /** Object → the label of the edge to its room, or `NONE`. */
  readonly homeLabel: Int32Array;
  readonly contents: readonly (readonly number[])[];
}

export interface GraphPair {
  readonly from: IndexedGraph;
  readonly to: IndexedGraph;
  readonly costs: EditCosts;
}

export interface NodeMap {
  readonly rooms: Int32Array;
  readonly objects: Int32Array;
}

export function indexPair(a: RoomObjectGraph, b: RoomObjectGraph, costs: EditCosts): GraphPair {
  const [nodeLabel, edgeLabel] = [numbering(), numbering()];
  return {
    from: indexGraph(a, nodeLabel, edgeLabel),
    to: indexGraph(b, nodeLabel, edgeLabel),
    costs,
  };
}

export function reversePair({ from, to, costs }: GraphPair): GraphPair {
  const { insertNode, deleteNode, insertEdge, deleteEdge } = costs;
  return {
    from: to,
    to: from,
    costs: {
      ...costs,
      insertNode: deleteNode,
      deleteNode: insertNode,
      insertEdge: deleteEdge,
      deleteEdge: insertEdge,
    },
  };
}

/**
 * The cost of keeping an edge: 0 for equal labels, otherwise that of a relabelling, capped at
 * delete + insert.
 */
export function keepEdge(
  { insertEdge, deleteEdge, relabelEdge }: EditCosts,
  from: number,
  to: number,
): number {
  return from === to ? 0 : Math.min(relabelEdge, deleteEdge + insertEdge);
}

export function keepNode({ relabelNode }: EditCosts, from: number, to: number): number {
  return from === to ? 0 : relabelNode;
}

export function costOfRooms({ from, to, costs }: GraphPair, rooms: Int32Array): number {
  const [n, m] = [from.rooms.length, to.rooms.length];
  let cost = m * costs.insertNode + countDoors(to) * costs.insertEdge;
  for (let room = 0; room < n; room++) {
    const image = at(rooms, room);
    cost += image === NONE
      ? costs.deleteNode
      : keepNode(costs, at(from.roomLabel, room), at(to.roomLabel, image)) - costs.insertNode;
    for (const next of from.neighbours[room] ?? []) {
      if (next < room) continue;
      const nextImage = at(rooms, next);
      const door = image === NONE || nextImage === NONE
        ? NONE
        : at(to.doors, image * m + nextImage);
      cost += door === NONE
        ? costs.deleteEdge
        : keepEdge(costs, at(from.doors, room * n + next), door) - costs.insertEdge;
    }
  }
  return cost;
}

/**
 * The cheapest map of the objects under a map of the rooms: one assignment problem, because objects
 * are leaves. Equal objects of one room are paired first, since the cost of changing an object is a
 * metric. O(d³) for d unequal objects.
 */
export function matchObjects(
  { from, to, costs }: GraphPair,
  rooms: Int32Array,
): { readonly cost: number; readonly objects: Int32Array } {
  const image = (u: number): number =>
    at(from.home, u) === NONE ? NONE : at(rooms, at(from.home, u));
  const remove = (u: number): number =>
    costs.deleteNode + (at(from.home, u) === NONE ? 0 : costs.deleteEdge);
  const insert = (v: number): number =>
    costs.insertNode + (at(to.home, v) === NONE ? 0 : costs.insertEdge);
  const keep = (u: number, v: number): number => {
    const [here, there] = [at(from.home, u), at(to.home, v)];
    const stays = here !== NONE && there !== NONE && image(u) === there;
    return keepNode(costs, at(from.objectLabel, u), at(to.objectLabel, v)) +
      (stays
        ? keepEdge(costs, at(from.homeLabel, u), at(to.homeLabel, v))
        : (here === NONE ? 0 : costs.deleteEdge) + (there === NONE ? 0 : costs.insertEdge));
  };
  const objects = pairEqual({ from, to }, image);
  const ours = [...objects.keys()].filter((u) => objects[u] === NONE);
  const taken = new Set(objects);
  const theirs = [...to.home.keys()].filter((v) => !taken.has(v));
  const { cost, pairs } = matchGains(ours.length, theirs.length, (i, j) => {
    const [u, v] = [ours[i] as number, theirs[j] as number];
    return keep(u, v) - remove(u) - insert(v);
  });
  for (const { row, column } of pairs) objects[ours[row] as number] = theirs[column] as number;
  return {
    cost: cost + ours.reduce((sum, u) => sum + remove(u), 0) +
      theirs.reduce((sum, v) => sum + insert(v), 0),
    objects,
  };
}

/**
 * Pairs objects with the same label and the same edge to counterparts among the rooms, or to no
 * room; the others get `NONE`.
 */
function pairEqual(
  { from, to }: Pick<GraphPair, "from" | "to">,
  image: (u: number) => number,
): Int32Array {
  const key = (label: number, room: number, edge: number): string => `${label} ${room} ${edge}`;
  const free = Map.groupBy(
    to.home.keys(),
    (v) => key(at(to.objectLabel, v), at(to.home, v), at(to.homeLabel, v)),
  );
  for (const some of free.values()) some.reverse();
  return from.home.map((home, u) => {
    const gone = home !== NONE && image(u) === NONE; // its room has no counterpart
    return gone
      ? NONE
      : free.get(key(at(from.objectLabel, u), image(u), at(from.homeLabel, u)))?.pop() ?? NONE;
  });
}

/**
 * A cheapest set of pairs of rows and columns, each in at most one pair; only pairs of negative
 * cost are taken.
 */
export function matchGains(
  rows: number,
  columns: number,
  gain: (row: number, column: number) => number,
): {
  readonly cost: number;
  readonly pairs: readonly { readonly row: number; readonly column: number }[];
  /**
   * Dual prices with `rowPrice[i] + columnPrice[j] ≤ min(0, gain(i, j))`; they add up to `cost`.
   */
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
} {
  const flip = rows > columns;
  const [height, width] = flip ? [columns, rows] : [rows, columns];
  const costs = new Float64Array(height * width);
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) {
      costs[i * width + j] = Math.min(0, flip ? gain(j, i) : gain(i, j));
    }
  }
  const { cost, columnOf, rowPrice, columnPrice } = assign({ rows: height, columns: width, costs });
  const pairs = [...columnOf].flatMap((j, i) =>
    at(costs, i * width + j) < 0 ? [flip ? { row: j, column: i } : { row: i, column: j }] : []
  );
  return flip
    ? { cost, pairs, rowPrice: columnPrice, columnPrice: rowPrice }
    : { cost, pairs, rowPrice, columnPrice };
}

export function countDoors({ neighbours }: IndexedGraph): number {
  return neighbours.reduce((sum, { length }) => sum + length, 0) / 2;
}

type Numbering = (label: string) => number;

function indexGraph(
  { nodes, edges }: RoomObjectGraph,
  nodeLabel: Numbering,
  edgeLabel: Numbering,
): IndexedGraph {
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
  const numbered = (some: readonly RoomObjectNode[]): Int32Array =>
    Int32Array.from(some, ({ label }) => nodeLabel(label));
  return {
    rooms,
    objects,
    roomLabel: numbered(rooms),
    objectLabel: numbered(objects),
    doors,
    neighbours,
    home,
    homeLabel,
    contents,
  };
}

function numbering(): Numbering {
  const known = new Map<string, number>();
  return (label) => {
    const number = known.get(label) ?? known.size;
    known.set(label, number);
    return number;
  };
}
