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
import { below, type Draw, pick, shuffled } from "../../../lib/apps/bench/room-maps.ts";

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
