/**
 * Communities by label propagation (Raghavan et al. 2007) as in Graphiti's code: all nodes change
 * at once, and labels only rise, so it ends and is deterministic. Zep extends communities likewise
 * (Rasmussen et al. 2025, arXiv 2501.13956, §2.3).
 */

/** Node → its neighbours, each with the weight of the edges between the two, > 0. */
export type WeightedNeighbours = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The label of the plurality of a node's neighbours, by weight; ties go to the largest label.
 * `undefined` if no neighbour has one.
 */
export function pluralityLabel(
  neighbours: ReadonlyMap<string, number>,
  labels: ReadonlyMap<string, number>,
): number | undefined {
  const votes = new Map<number, number>();
  for (const [neighbour, weight] of neighbours) {
    const label = labels.get(neighbour);
    if (label !== undefined) votes.set(label, (votes.get(label) ?? 0) + weight);
  }
  const [best] = [...votes].sort(([a, votesOfA], [b, votesOfB]) => votesOfB - votesOfA || b - a);
  return best?.[0];
}

/**
 * The label of each node: nodes of one label are a community. Labels are numbers of nodes, in the
 * order of the map.
 */
export function labelPropagation(graph: WeightedNeighbours): Map<string, number> {
  let labels = new Map([...graph.keys()].map((node, number) => [node, number]));
  for (;;) {
    const last = labels;
    labels = new Map(
      [...last].map((
        [node, own],
      ) => [node, Math.max(own, pluralityLabel(graph.get(node) ?? new Map(), last) ?? own)]),
    );
    if ([...labels].every(([node, label]) => label === last.get(node))) return labels;
  }
}
