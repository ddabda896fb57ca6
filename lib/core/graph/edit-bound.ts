/**
 * A lower bound of the graph edit distance under a partial map of the rooms.
 *
 *   cost(π) = D + Σ_r k(r, π(r)) + Σ_{doors r–r′ kept} w + objects(π)
 * where  D = price of deleting all of one graph and inserting all of the other · k ≤ 0 = what
 * keeping a room saves · w ≤ 0 = what keeping a door saves · π = the map of the rooms, decided for
 * some
 *
 * Three relaxations, none of which can raise the cost:
 * 1. Objects: their nodes are one assignment problem, and their edges count at pairs of rooms, each
 *   of which is a small assignment problem of its own (the scheme of Gilmore 1962 and Lawler 1963
 *   for quadratic assignment).
 * 2. Doors between undecided rooms count in shares at both ends. Doors to decided rooms count
 *   exactly.
 * 3. The undecided rooms are assigned by the sums of 1 and 2, which is one assignment problem.
 * The shares of 1 and 2 are those of a `Relaxation`: split evenly (`edit-relaxation.ts`) or by dual
 * ascent (`edit-ascent.ts`).
 */

import { assign, at } from "./assignment.ts";
import { countDoors, type GraphPair, keepNode, NONE } from "./edit-costs.ts";
import { edgeGain, OPEN, type Relaxation } from "./edit-relaxation.ts";

export interface Bound {
  readonly value: number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /**
   * `rise[i * columns.length + j]`: the least increase of the bound if row `i` is assigned column
   * `j`.
   */
  readonly rise: Float64Array;
  readonly riseIfDeleted: Float64Array;
  readonly completion: Int32Array;
}

export interface Bounds {
  /** The bound at a map of the rooms in which `OPEN` rooms are undecided. O(rooms³). */
  readonly at: (map: Int32Array) => Bound;
  /**
   * The bound at a map without `OPEN` rooms: rooms and doors count exactly, objects by relaxation
   * 1. O(doors).
   */
  readonly atComplete: (map: Int32Array) => number;
  /**
   * What a room saves (≤ 0 unless relabelling is dear) with a counterpart, given those of its
   * neighbours: 0 with none. O(its doors).
   */
  readonly saving: (map: Int32Array, room: number, image: number) => number;
}

/**
 * The cost of deleting `from` and inserting `to` but for the object nodes, and room × room → what
 * keeping the room saves (≤ 0 unless relabelling is dear).
 */
export function roomGains(
  { from, to, costs }: GraphPair,
): { readonly all: number; readonly gains: Float64Array } {
  const [n, m] = [from.rooms.length, to.rooms.length];
  const edges = (graph: typeof from): number =>
    countDoors(graph) + graph.homeLabel.filter((label) => label !== NONE).length;
  const gains = new Float64Array(n * m);
  for (let r = 0; r < n; r++) {
    for (let s = 0; s < m; s++) {
      gains[r * m + s] = keepNode(costs, at(from.roomLabel, r), at(to.roomLabel, s)) -
        costs.deleteNode - costs.insertNode;
    }
  }
  return {
    all: n * costs.deleteNode + m * costs.insertNode + edges(from) * costs.deleteEdge +
      edges(to) * costs.insertEdge,
    gains,
  };
}

export function createBounds(pair: GraphPair, { floor, contents, doors }: Relaxation): Bounds {
  const { from, to, costs } = pair;
  const [n, m] = [from.rooms.length, to.rooms.length];
  const { all: rest, gains } = roomGains(pair);
  const all = floor + rest;
  const alone = gains.map((gain, index) => at(contents, index) + gain);

  return {
    atComplete: (map) => all + decided(map),
    saving: (map, r, s) => s < 0 ? 0 : at(alone, r * m + s) + doorsToDecided(map, r, s),
    at: (map) => {
      const used = new Uint8Array(m);
      for (const s of map) if (s >= 0) used[s] = 1;
      const rows = range(n).filter((r) => map[r] === OPEN);
      const columns = range(m).filter((s) => !used[s]);
      const width = columns.length;
      const doorsToOpen = doors(map, used);

      const raw = new Float64Array(rows.length * width);
      const clipped = new Float64Array(raw.length);
      for (const [i, r] of rows.entries()) {
        for (const [j, s] of columns.entries()) {
          const cost = at(alone, r * m + s) + doorsToDecided(map, r, s) + doorsToOpen(r, s);
          raw[i * width + j] = cost;
          clipped[i * width + j] = Math.min(0, cost);
        }
      }
      const { cost, columnOf, rowPrice, columnPrice } = assign({
        rows: rows.length,
        columns: width,
        costs: clipped,
      });
      const completion = Int32Array.from(map);
      const rise = new Float64Array(raw.length);
      for (const [i, r] of rows.entries()) {
        const column = at(columnOf, i);
        completion[r] = at(raw, i * width + column) < 0 ? columns[column] as number : NONE;
        for (let j = 0; j < width; j++) {
          rise[i * width + j] = at(raw, i * width + j) - at(rowPrice, i) - at(columnPrice, j);
        }
      }
      return {
        value: all + decided(map) + cost,
        rows,
        columns,
        rise,
        riseIfDeleted: rowPrice.map((price) => Math.max(0, -price)),
        completion,
      };
    },
  };

  function decided(map: Int32Array): number {
    let sum = 0;
    for (let r = 0; r < n; r++) {
      const s = at(map, r);
      if (s >= 0) sum += at(alone, r * m + s) + doorsToDecided(map, r, s, r);
    }
    return sum;
  }

  /**
   * The saving by keeping the doors from a room to decided rooms with an index less than `below`.
   */
  function doorsToDecided(map: Int32Array, r: number, s: number, below = n): number {
    let sum = 0;
    for (const next of from.neighbours[r] ?? []) {
      const image = at(map, next);
      if (next >= below || image < 0) continue;
      const door = at(to.doors, s * m + image);
      if (door !== NONE) sum += edgeGain(costs, at(from.doors, r * n + next), door);
    }
    return sum;
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
