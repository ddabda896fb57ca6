/**
 * Graph edit distance by its definition: every injective partial map of nodes that keeps their
 * kinds, each priced edit by edit. It knows nothing of leaves, rooms or bounds, and takes any
 * simple graph; n nodes against m cost Σ C(n, k) C(m, k) k! maps.
 */

import type { EditCosts } from "../../../lib/core/graph/edit-costs.ts";
import type { RoomObjectGraph } from "../../../lib/core/graph/room-object-graph.ts";

export function referenceDistance(
  a: RoomObjectGraph,
  b: RoomObjectGraph,
  costs: EditCosts,
): number {
  const labelled = ({ edges }: RoomObjectGraph): Map<string, string> =>
    new Map(edges.flatMap(({ a, b, label }) => [[`${a}|${b}`, label], [`${b}|${a}`, label]]));
  const edgesOfB = labelled(b);
  const imageOf = new Map<string, string>();
  let cheapest = Infinity;
  decide(0);
  return cheapest;

  function decide(index: number): void {
    const node = a.nodes[index];
    if (!node) {
      cheapest = Math.min(cheapest, price());
      return;
    }
    decide(index + 1); // deleted
    const taken = new Set(imageOf.values());
    for (const image of b.nodes) {
      if (image.kind !== node.kind || taken.has(image.id)) continue;
      imageOf.set(node.id, image.id);
      decide(index + 1);
      imageOf.delete(node.id);
    }
  }

  function price(): number {
    let sum = (a.nodes.length - imageOf.size) * costs.deleteNode +
      (b.nodes.length - imageOf.size) * costs.insertNode;
    for (const { id, label } of a.nodes) {
      const image = b.nodes.find((node) => node.id === imageOf.get(id));
      if (image && image.label !== label) sum += costs.relabelNode;
    }
    let kept = 0;
    for (const edge of a.edges) {
      const label = edgesOfB.get(`${imageOf.get(edge.a)}|${imageOf.get(edge.b)}`);
      if (label === undefined) sum += costs.deleteEdge;
      else {
        kept++;
        sum += label === edge.label
          ? 0
          : Math.min(costs.relabelEdge, costs.deleteEdge + costs.insertEdge);
      }
    }
    return sum + (edgesOfB.size / 2 - kept) * costs.insertEdge;
  }
}
