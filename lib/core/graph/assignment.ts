/**
 * The linear sum assignment problem with its dual prices, which a branch and bound needs and
 * packages do not return.
 *
 * Shortest augmenting paths after Kuhn 1955 and Munkres 1957 in the form of Jonker & Volgenant 1987
 * (doi:10.1007/BF02278710), without its initial reductions.
 */

/** Finite costs in row-major order: `costs[row * columns + column]`. */
export interface AssignmentProblem {
  readonly rows: number;
  readonly columns: number;
  readonly costs: Float64Array;
}

export interface Assignment {
  readonly cost: number;
  readonly columnOf: Int32Array;
  /**
   * Dual prices with `row[i] + column[j] ≤ costs[i, j]`, equal where `i` is assigned `j`; their sum
   * is `cost`.
   */
  readonly rowPrice: Float64Array;
  /** Dual prices ≤ 0, and 0 for an unassigned column. */
  readonly columnPrice: Float64Array;
}

/** Solves the problem; the choice among several optima is deterministic. O(rows² · columns). */
export function assign({ rows, columns, costs }: AssignmentProblem): Assignment {
  if (rows > columns) {
    throw new RangeError(
      `cannot assign ${columns} columns to ${rows} rows: there must be at least as many columns as rows; transpose the problem`,
    );
  }
  const rowPrice = new Float64Array(rows);
  const columnPrice = new Float64Array(columns);
  const rowOf = new Int32Array(columns).fill(-1);
  const columnOf = new Int32Array(rows).fill(-1);
  const distance = new Float64Array(columns); // of the shortest alternating path from the new row to each column
  const before = new Int32Array(columns); // the column before it on that path; -1 for the new row itself
  const done = new Uint8Array(columns);

  for (let start = 0; start < rows; start++) {
    distance.fill(Infinity);
    done.fill(0);
    let row = start;
    let last = -1;
    let length = 0;
    while (true) {
      let nearest = -1;
      let shortest = Infinity;
      const price = at(rowPrice, row);
      for (let column = 0; column < columns; column++) {
        if (done[column]) continue;
        const through = length + at(costs, row * columns + column) - price -
          at(columnPrice, column);
        if (through < at(distance, column)) {
          distance[column] = through;
          before[column] = last;
        }
        if (at(distance, column) < shortest) {
          shortest = at(distance, column);
          nearest = column;
        }
      }
      done[nearest] = 1;
      last = nearest;
      length = shortest;
      if (at(rowOf, nearest) < 0) break;
      row = at(rowOf, nearest);
    }
    rowPrice[start] = at(rowPrice, start) + length;
    for (let column = 0; column < columns; column++) {
      if (!done[column] || column === last) continue;
      const slack = length - at(distance, column);
      columnPrice[column] = at(columnPrice, column) - slack;
      const owner = at(rowOf, column);
      rowPrice[owner] = at(rowPrice, owner) + slack;
    }
    while (last >= 0) {
      const previous = at(before, last);
      const owner = previous < 0 ? start : at(rowOf, previous);
      rowOf[last] = owner;
      columnOf[owner] = last;
      last = previous;
    }
  }
  let cost = 0;
  for (let row = 0; row < rows; row++) cost += at(costs, row * columns + at(columnOf, row));
  return { cost, columnOf, rowPrice, columnPrice };
}

export function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] as number;
}
