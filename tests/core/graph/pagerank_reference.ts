/**
 * Personalised PageRank as the solution of a system of linear equations, by Gauss-Jordan
 * elimination: slow, and literal.
 */

import type { WeightedEdge } from "../../../lib/core/graph/pagerank.ts";

/**
 * Solves (I − d·P) p = (1 − d)·s, where column i of P is how a walk leaves node i: along its edges
 * by weight, or as s where it has none.
 */
export function densePageRank(
  edges: readonly WeightedEdge[],
  reset: readonly number[],
  d: number,
): number[] {
  const total = reset.reduce((a, b) => a + b, 0);
  const s = reset.map((weight) => weight / total);
  const weightBetween = (a: number, b: number): number =>
    a === b ? 0 : edges.filter(({ ends }) => ends.includes(a) && ends.includes(b)).reduce(
      (sum, { weight }) => sum + weight,
      0,
    );
  const W = reset.map((_, a) => reset.map((_, b) => weightBetween(a, b)));
  const degree = W.map((row) => row.reduce((a, b) => a + b, 0));
  const rows = s.map((share, to) => {
    const left = W.map((row, from) =>
      (to === from ? 1 : 0) -
      d * (degree[from] === 0 ? share : (row[to] ?? NaN) / (degree[from] ?? NaN))
    );
    return [...left, (1 - d) * share];
  });
  return solve(rows);
}

/** The solution of a system given as the rows of its augmented matrix. */
function solve(rows: readonly (readonly number[])[]): number[] {
  let [solved, rest]: (readonly number[])[][] = [[], [...rows]];
  for (let k = 0; k < rows.length; k++) {
    const [largest = [], ...others] = (rest ?? []).toSorted((a, b) =>
      Math.abs(b[k] ?? 0) - Math.abs(a[k] ?? 0)
    );
    const pivot = largest.map((value) => value / (largest[k] ?? NaN));
    const eliminate = (row: readonly number[]): number[] =>
      row.map((value, j) => value - (row[k] ?? NaN) * (pivot[j] ?? NaN));
    [solved, rest] = [[...(solved ?? []).map(eliminate), pivot], others.map(eliminate)];
  }
  return (solved ?? []).map((row) => row.at(-1) ?? NaN);
}
