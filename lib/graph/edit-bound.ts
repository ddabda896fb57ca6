/**
 * A lower bound of the graph edit distance under a partial map of the rooms.
 *
 *   cost(π) = D + Σ_r k(r, π(r)) + Σ_{doors r–r′ kept} w + objects(π)
 * where  D = price of deleting all of one graph and inserting all of the other · k ≤ 0 = what keeping a room saves ·
 *        w ≤ 0 = what keeping a door saves · π = the map of the rooms, decided for some
 *
 * Three relaxations, none of which can raise the cost:
 * 1. Objects: the least cost of object nodes under any map of the rooms is one assignment problem with dual prices p, q. The reduced cost
 *    (≥ 0) of a pair of objects, with their edges to the rooms, counts only within one pair of rooms, so that each pair of rooms is a small
 *    assignment problem of its own (the scheme of Gilmore 1962 and Lawler 1963 for quadratic assignment).
 * 2. Doors between undecided rooms count half at each end and by their labels alone (as in the anchor-aware branch bound of Chang et al.
 *    2020, arXiv:1709.06810). Doors to decided rooms count exactly.
 * 3. The undecided rooms are assigned by the sums of 1 and 2, which is one assignment problem.
 */

import { assign, at } from "./assignment.ts";
import { countDoors, type GraphPair, type IndexedGraph, keepEdge, keepNode, matchGains, NONE } from "./edit-costs.ts";

/** The counterpart of an undecided room. */
export const OPEN = -2;

/** The lower bound at one partial map. */
export interface Bound {
  /** Lower bound of the cost of every completion of the map. */
  readonly value: number;
  /** The undecided rooms of `from`, and the rooms of `to` that are not yet a counterpart. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** `rise[i * columns.length + j]`: the least increase of the bound if row `i` is assigned column `j`. */
  readonly rise: Float64Array;
  /** Row `i` → the least increase of the bound if the room is deleted. */
  readonly riseIfDeleted: Float64Array;
  /** The map completed by the solution of the relaxed problem. */
  readonly completion: Int32Array;
}

/** Lower bounds for a pair whose `from` has at most as many rooms as its `to`. */
export interface Bounds {
  /** The bound at a map of the rooms in which `OPEN` rooms are undecided. O(rooms³). */
  readonly at: (map: Int32Array) => Bound;
  /** The bound at a map without `OPEN` rooms: rooms and doors count exactly, objects by relaxation 1. O(doors). */
  readonly atComplete: (map: Int32Array) => number;
}

/** Precomputes the parts of the bound that do not depend on the map. */
export function createBounds(pair: GraphPair): Bounds {
  const { from, to, costs } = pair;
  const [n, m] = [from.rooms.length, to.rooms.length];
  const { floor, saving } = relaxObjects(pair);
  const deleteAndInsert = costs.deleteEdge + costs.insertEdge;
  const all = floor + n * costs.deleteNode + m * costs.insertNode +
    (countDoors(from) + from.homeLabel.filter((label) => label !== NONE).length) * costs.deleteEdge +
    (countDoors(to) + to.homeLabel.filter((label) => label !== NONE).length) * costs.insertEdge;
  for (let r = 0; r < n; r++) {
    for (let s = 0; s < m; s++) {
      saving[r * m + s] = at(saving, r * m + s) + keepNode(costs, at(from.roomLabel, r), at(to.roomLabel, s)) - costs.deleteNode -
        costs.insertNode;
    }
  }
  const relabelSaves = keepEdge(costs, 0, 1) - deleteAndInsert;
  const doorLabels = 1 + [from, to].reduce((largest, { doors }) => doors.reduce((a, b) => Math.max(a, b), largest), NONE);

  return {
    atComplete: (map) => all + decided(map),
    at: (map) => {
      const used = new Uint8Array(m);
      for (const s of map) if (s >= 0) used[s] = 1;
      const rows = range(n).filter((r) => map[r] === OPEN);
      const columns = range(m).filter((s) => !used[s]);
      const width = columns.length;
      const openDoors = rows.map((r) => countLabels(from, r, (next) => map[next] === OPEN, doorLabels));
      const freeDoors = columns.map((s) => countLabels(to, s, (next) => !used[next], doorLabels));

      const raw = new Float64Array(rows.length * width);
      const clipped = new Float64Array(raw.length);
      for (const [i, r] of rows.entries()) {
        for (const [j, s] of columns.entries()) {
          const cost = at(saving, r * m + s) + doorsToDecided(map, r, s) + doorsBetweenOpen(openDoors[i], freeDoors[j]) / 2;
          raw[i * width + j] = cost;
          clipped[i * width + j] = Math.min(0, cost);
        }
      }
      const { cost, columnOf, rowPrice, columnPrice } = assign({ rows: rows.length, columns: width, costs: clipped });
      const completion = Int32Array.from(map);
      const rise = new Float64Array(raw.length);
      for (const [i, r] of rows.entries()) {
        const column = at(columnOf, i);
        completion[r] = at(raw, i * width + column) < 0 ? columns[column] as number : NONE;
        for (let j = 0; j < width; j++) rise[i * width + j] = at(raw, i * width + j) - at(rowPrice, i) - at(columnPrice, j);
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

  /** The saving by decided rooms: the rooms, their contents and the doors between them. */
  function decided(map: Int32Array): number {
    let sum = 0;
    for (let r = 0; r < n; r++) {
      const s = at(map, r);
      if (s >= 0) sum += at(saving, r * m + s) + doorsToDecided(map, r, s, r);
    }
    return sum;
  }

  /** The saving by keeping the doors from a room to decided rooms with an index less than `below`. */
  function doorsToDecided(map: Int32Array, r: number, s: number, below = n): number {
    let sum = 0;
    for (const next of from.neighbours[r] ?? []) {
      const image = at(map, next);
      if (next >= below || image < 0) continue;
      const door = at(to.doors, s * m + image);
      if (door !== NONE) sum += keepEdge(costs, at(from.doors, r * n + next), door) - deleteAndInsert;
    }
    return sum;
  }

  /** The largest saving (≤ 0) by keeping doors with these labels. */
  function doorsBetweenOpen(ours?: Int32Array, theirs?: Int32Array): number {
    if (!ours || !theirs) return 0;
    let [same, here, there] = [0, 0, 0];
    for (let label = 0; label < doorLabels; label++) {
      const [a, b] = [at(ours, label), at(theirs, label)];
      same += Math.min(a, b);
      here += a;
      there += b;
    }
    return -same * deleteAndInsert + (Math.min(here, there) - same) * relabelSaves;
  }
}

/** Relaxation 1: the least cost of object nodes, and room × room → the largest saving by kept edges to objects, net of reduced costs. */
function relaxObjects({ from, to, costs }: GraphPair): { readonly floor: number; readonly saving: Float64Array } {
  const [n, m] = [from.objects.length, to.objects.length];
  const change = (u: number, v: number): number =>
    keepNode(costs, at(from.objectLabel, u), at(to.objectLabel, v)) - costs.deleteNode - costs.insertNode;
  const { cost, rowPrice, columnPrice } = matchGains(n, m, change);
  const reduced = (u: number, v: number): number => change(u, v) - at(rowPrice, u) - at(columnPrice, v);
  const width = to.rooms.length;
  const saving = new Float64Array(from.rooms.length * width);
  for (const [r, ours] of from.contents.entries()) {
    for (const [s, theirs] of to.contents.entries()) {
      saving[r * width + s] = matchGains(ours.length, theirs.length, (i, j) => {
        const [u, v] = [ours[i] as number, theirs[j] as number];
        return reduced(u, v) + keepEdge(costs, at(from.homeLabel, u), at(to.homeLabel, v)) - costs.deleteEdge - costs.insertEdge;
      }).cost;
    }
  }
  return { floor: n * costs.deleteNode + m * costs.insertNode + cost, saving };
}

function countLabels(graph: IndexedGraph, room: number, counts: (next: number) => boolean, labels: number): Int32Array {
  const found = new Int32Array(labels);
  for (const next of graph.neighbours[room] ?? []) {
    if (!counts(next)) continue;
    const label = at(graph.doors, room * graph.rooms.length + next);
    found[label] = at(found, label) + 1;
  }
  return found;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
