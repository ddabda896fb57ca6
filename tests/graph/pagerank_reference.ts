/** Personalised PageRank as the solution of a system of linear equations, by Gaussian elimination: slow, and literal. */

import type { WeightedEdge } from "../../lib/graph/pagerank.ts";

/** Solves (I − d·P) p = (1 − d)·s, where column i of P is how a walk leaves node i: along its edges by weight, or as s where it has none. */
export function densePageRank(edges: readonly WeightedEdge[], reset: readonly number[], d: number): number[] {
  const n = reset.length;
  const total = reset.reduce((a, b) => a + b, 0);
  const s = reset.map((weight) => weight / total);
  const W = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const { ends: [a, b], weight } of edges) {
    if (a === b) continue;
    W[a]![b]! += weight;
    W[b]![a]! += weight;
  }
  const A = Array.from({ length: n }, (_, to) =>
    Array.from({ length: n }, (_, from) => {
      const degree = W[from]!.reduce((a, b) => a + b, 0);
      const P = degree === 0 ? s[to]! : W[from]![to]! / degree;
      return (to === from ? 1 : 0) - d * P;
    }));
  return solve(A, s.map((share) => (1 - d) * share));
}

function solve(A: number[][], b: number[]): number[] {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    const pivot = A.map((row, i) => i < k ? -1 : Math.abs(row[k]!)).reduce((best, size, i, sizes) => size > sizes[best]! ? i : best, k);
    [A[k], A[pivot]] = [A[pivot]!, A[k]!];
    [b[k], b[pivot]] = [b[pivot]!, b[k]!];
    for (let i = k + 1; i < n; i++) {
      const factor = A[i]![k]! / A[k]![k]!;
      for (let j = k; j < n; j++) A[i]![j]! -= factor * A[k]![j]!;
      b[i]! -= factor * b[k]!;
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) x[i] = (b[i]! - x.reduce((sum, value, j) => j > i ? sum + A[i]![j]! * value : sum, 0)) / A[i]![i]!;
  return x;
}
