/**
 * Nested communities by Louvain's algorithm (Blondel et al. 2008): a partition of all vertices, and
 * within each large community a partition of its own. GraphRAG (Edge et al. 2024, arXiv 2404.16130)
 * nests communities in this way, by Leiden.
 */

import { loadModule } from "../platform.ts";
import { createDraw } from "../random.ts";
import type { WeightedNeighbours } from "./label-propagation.ts";

export interface Community {
  /** 0 for the partition of all vertices; communities within one of level n have level n + 1. */
  readonly level: number;
  readonly members: readonly string[];
}

/**
 * Finds nested communities, level by level, those with an earlier vertex first. Deterministic. A
 * vertex without an edge is in none.
 * @param graph symmetric: each edge under both of its ends, no loops
 * @param size members, ≥ 1; a larger community is divided again, unless Louvain leaves it whole
 */
export function nestedCommunities(graph: WeightedNeighbours, size: number): Community[] {
  const found = partition(graph, [...graph.keys()]).map((members) => ({ level: 0, members }));
  for (const { level, members } of found) { // found grows within the loop
    const parts = members.length > size ? partition(graph, members) : [];
    if (parts.length > 1) found.push(...parts.map((part) => ({ level: level + 1, members: part })));
  }
  return found;
}

function partition(graph: WeightedNeighbours, nodes: readonly string[]): string[][] {
  const { UndirectedGraph } = loadModule<typeof import("graphology")>("graphology");
  const louvain = loadModule<typeof import("graphology-communities-louvain").default>(
    "graphology-communities-louvain",
  );
  const subgraph = new UndirectedGraph();
  const among = new Set(nodes);
  for (const node of nodes) {
    for (const [other, weight] of graph.get(node) ?? []) {
      if (among.has(other)) subgraph.mergeEdge(node, other, { weight });
    }
  }
  if (subgraph.size === 0) return [];
  const labels = louvain(subgraph, { rng: createDraw("communities").next });
  const joined = nodes.filter((node) => subgraph.hasNode(node));
  return [...Map.groupBy(joined, (node) => labels[node]).values()];
}
