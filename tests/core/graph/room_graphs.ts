/**
 * Seeded graphs of rooms and objects: any small ones here; grids, and grids with the errors that a
 * model makes, as the benchmarks draw them.
 */

import type { EditCosts } from "../../../lib/core/graph/edit-costs.ts";
import type {
  RoomObjectEdge,
  RoomObjectGraph,
  RoomObjectNode,
} from "../../../lib/core/graph/room-object-graph.ts";
import {
  below,
  COLOURS,
  type Draw,
  objectLabel,
  pick,
  renamed,
  shuffled,
} from "../../../lib/apps/bench/room-maps.ts";

export {
  below,
  corrupted,
  type Draw,
  gridGraph,
  pick,
  renamed,
  shuffled,
} from "../../../lib/apps/bench/room-maps.ts";

/** Up to 4 rooms and 4 objects with few labels, some objects in no room. */
export function smallGraph(draw: Draw, { rooms = 4, objects = 4 } = {}): RoomObjectGraph {
  const nodes: RoomObjectNode[] = [];
  const edges: RoomObjectEdge[] = [];
  const some = Array.from({ length: below(draw, rooms + 1) }, (_, i) => `r${i}`);
  for (const id of some) nodes.push({ id, kind: "room", label: draw() < 0.8 ? "room" : "hall" });
  for (const [i, a] of some.entries()) {
    for (const b of some.slice(0, i)) {
      if (draw() < 0.6) edges.push({ a, b, label: pick(draw, ["red", "blue", "green"]) });
    }
  }
  for (let i = below(draw, objects + 1); i > 0; i--) {
    nodes.push({ id: `o${i}`, kind: "object", label: pick(draw, ["key", "ball", "box"]) });
    if (some.length > 0 && draw() < 0.85) {
      edges.push({ a: pick(draw, some), b: `o${i}`, label: draw() < 0.9 ? "contains" : "holds" });
    }
  }
  return { nodes: shuffled(draw, nodes), edges: shuffled(draw, edges) };
}

/** Prices that differ from each other, some of them 0. */
export function anyCosts(draw: Draw): EditCosts {
  const price = (): number => pick(draw, [0, 0.25, 1, 1, 2, 3, 1 + draw()]);
  return {
    insertNode: price(),
    deleteNode: price(),
    relabelNode: price(),
    insertEdge: price(),
    deleteEdge: price(),
    relabelEdge: price(),
  };
}

/**
 * The graph as a model of error rate `noise` maps it: that share of the objects has another label,
 * another room or is missing, that share of the doors has another label or is missing, and half
 * that share of the rooms is double, with each of their doors and objects at one of the two. Ids
 * anew.
 */
export function noisy(draw: Draw, graph: RoomObjectGraph, noise: number): RoomObjectGraph {
  const rooms = graph.nodes.filter(({ kind }) => kind === "room").map(({ id }) => id);
  const gone = new Set<string>();
  const moved = new Map<string, string>();
  const copies = new Map(rooms.filter(() => draw() < noise / 2).map((id) => [id, `${id}d`]));
  const nodes = graph.nodes.map((node): RoomObjectNode => {
    if (node.kind === "room" || draw() >= noise) return node;
    const kind = below(draw, 3);
    if (kind === 0) return { ...node, label: objectLabel(draw) };
    if (kind === 1) moved.set(node.id, pick(draw, rooms));
    else gone.add(node.id);
    return node;
  });
  const side = (id: string): string => draw() < 0.5 ? id : copies.get(id) ?? id;
  const edges = graph.edges.flatMap(({ a, b, label }): RoomObjectEdge[] => {
    const object = graph.nodes.find(({ id, kind }) => id === b && kind === "object");
    if (object) return gone.has(b) ? [] : [{ a: side(moved.get(b) ?? a), b, label }];
    if (draw() >= noise) return [{ a: side(a), b: side(b), label }];
    return draw() < 0.5 ? [{ a: side(a), b: side(b), label: pick(draw, COLOURS) }] : [];
  });
  const double = [...copies.values()].map((id): RoomObjectNode => ({
    id,
    kind: "room",
    label: "room",
  }));
  return renamed(draw, { nodes: [...nodes.filter(({ id }) => !gone.has(id)), ...double], edges });
}
