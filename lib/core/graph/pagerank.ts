/**
 * Personalised PageRank of an undirected, weighted graph (Page et al. 1999; Haveliwala 2002): p =
 * (1 − d) · s + d · (W D⁻¹ p + s · Σ_{i: D_ii = 0} p_i)
 *
 * | symbol | here |
 * |---|---|
 * | W, D | the weights of `edges`, summed; `degrees`, their row sums |
 * | s | `reset`, scaled to sum 1; a walk on a node without edges goes on there, too |
 * | d | `damping` |
 *
 * graphology-metrics has PageRank without s: its walks restart at all nodes alike.
 */

export interface WeightedEdge {
  readonly ends: readonly [number, number];
  /** > 0; edges between the same nodes add up, and an edge from a node to itself is ignored. */
  readonly weight: number;
}

/**
 * The largest total change of the last iteration; each leaves at most d times that of the one
 * before, so that 40 suffice for d = ½.
 */
const TOLERANCE = 1e-12;

/**
 * The share of its time that a random walk spends on each node, by power iteration. Cost O(edges ·
 * ln 10⁻¹² / ln d).
 *
 * @param reset the weight of each node where the walk restarts, ≥ 0
 * @param options `damping` is the chance that the walk goes on and does not restart, in [0, 1).
 *   @default {0.5}
 * @throws {RangeError} if no weight of `reset` is positive or the damping is out of its range.
 */
export function personalisedPageRank(
  edges: readonly WeightedEdge[],
  reset: ArrayLike<number>,
  { damping = 0.5 }: { readonly damping?: number } = {},
): Float64Array {
  const total = Array.from(reset).reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) {
    throw new RangeError(
      "cannot rank nodes: no weight of the reset vector is positive; give the walk a place to start",
    );
  }
  if (!(damping >= 0 && damping < 1)) {
    throw new RangeError(`the damping must lie in [0, 1), not ${damping}`);
  }
  const links = edges.filter(({ ends: [a, b] }) => a !== b);
  const degrees = new Float64Array(reset.length);
  for (const { ends, weight } of links) {
    for (const end of ends) degrees[end] = (degrees[end] as number) + weight;
  }
  const restart = Float64Array.from(reset, (weight) => weight / total);
  for (let last = restart;;) {
    const stuck = last.reduce((sum, share, node) => degrees[node] === 0 ? sum + share : sum, 0);
    const rank = restart.map((share) => (1 - damping + damping * stuck) * share);
    for (const { ends, weight } of links) {
      for (const [from, to] of [ends, ends.toReversed() as [number, number]]) {
        rank[to] = (rank[to] as number) +
          damping * (last[from] as number) * weight / (degrees[from] as number);
      }
    }
    if (
      rank.reduce((sum, share, node) => sum + Math.abs(share - (last[node] as number)), 0) <=
        TOLERANCE
    ) return rank;
    last = rank;
  }
}
