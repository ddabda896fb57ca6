/**
 * How shared savings are split among pairs of rooms, so that a lower bound of the edit distance is
 * one assignment problem. A kept door belongs to two pairs of rooms, a kept object to its own pair
 * and a pair of rooms. Any split whose shares do not exceed the saving gives a lower bound: here
 * the even one, in `edit-ascent.ts` a better one.
 */

import { at } from "./assignment.ts";
import {
  type EditCosts,
  type GraphPair,
  type IndexedGraph,
  keepEdge,
  keepNode,
  matchGains,
} from "./edit-costs.ts";

export const OPEN = -2;

export interface Relaxation {
  /** The least cost of all object nodes, net of the shares that lie at the rooms. */
  readonly floor: number;
  /**
   * Room × room → the largest saving (≤ 0) by kept edges to objects, as far as the rooms carry it.
   */
  readonly contents: Float64Array;
  /**
   * Prepares a partial map of the rooms with `OPEN` rooms; `used` marks the counterparts. The
   * answer gives for two undecided rooms the largest saving (≤ 0) by kept doors to undecided rooms,
   * as far as they carry it.
   */
  readonly doors: (map: Int32Array, used: Uint8Array) => (r: number, s: number) => number;
}

/**
 * Cost of two objects as counterparts in different rooms, less that of deleting and inserting; ≤ 0
 * unless relabelling is expensive.
 */
export function objectGain({ from, to, costs }: GraphPair, u: number, v: number): number {
  return keepNode(costs, at(from.objectLabel, u), at(to.objectLabel, v)) - costs.deleteNode -
    costs.insertNode;
}

/** Cost of two edges as counterparts, less that of deleting and inserting; ≤ 0. */
export function edgeGain(costs: EditCosts, here: number, there: number): number {
  return keepEdge(costs, here, there) - costs.deleteEdge - costs.insertEdge;
}

/** The cost of deleting all objects of `from` and inserting all of `to`, without their edges. */
export function allObjects({ from, to, costs }: GraphPair): number {
  return from.objects.length * costs.deleteNode + to.objects.length * costs.insertNode;
}

/**
 * The even split: a door counts half at each of its ends, by labels alone (as in the anchor-aware
 * branch bound of Chang et al. 2020, arXiv:1709.06810); an edge to an object counts at the rooms,
 * net of the reduced cost of its objects' assignment.
 */
export function evenRelaxation(pair: GraphPair): Relaxation {
  const { from, to, costs } = pair;
  const labels = 1 +
    [from, to].reduce((largest, { doors }) => doors.reduce((a, b) => Math.max(a, b), largest), -1);
  const [same, other] = [edgeGain(costs, 0, 0), edgeGain(costs, 0, 1)];
  return {
    ...relaxObjects(pair),
    doors: (map, used) => {
      const ours = from.rooms.map((_, r) =>
        map[r] === OPEN ? countLabels(from, r, (next) => map[next] === OPEN, labels) : undefined
      );
      const theirs = to.rooms.map((_, s) =>
        used[s] ? undefined : countLabels(to, s, (next) => !used[next], labels)
      );
      return (r, s) => labelSavings(ours[r], theirs[s], same, other) / 2;
    },
  };
}

/**
 * The largest saving by keeping doors with so many of each label, where equal labels save `same`
 * and others `other`.
 */
function labelSavings(
  ours: Int32Array | undefined,
  theirs: Int32Array | undefined,
  same: number,
  other: number,
): number {
  if (!ours || !theirs) return 0;
  let [equal, here, there] = [0, 0, 0];
  for (const [label, a] of ours.entries()) {
    const b = at(theirs, label);
    equal += Math.min(a, b);
    here += a;
    there += b;
  }
  return equal * same + (Math.min(here, there) - equal) * other;
}

function relaxObjects(pair: GraphPair): Pick<Relaxation, "floor" | "contents"> {
  const { from, to, costs } = pair;
  const { cost, rowPrice, columnPrice } = objectPrices(pair);
  const contents = new Float64Array(from.rooms.length * to.rooms.length);
  for (const [r, ours] of from.contents.entries()) {
    for (const [s, theirs] of to.contents.entries()) {
      contents[r * to.rooms.length + s] = matchGains(ours.length, theirs.length, (i, j) => {
        const [u, v] = [ours[i] as number, theirs[j] as number];
        return objectGain(pair, u, v) - at(rowPrice, u) - at(columnPrice, v) +
          edgeGain(costs, at(from.homeLabel, u), at(to.homeLabel, v));
      }).cost;
    }
  }
  return { floor: allObjects(pair) + cost, contents };
}

/**
 * The least cost of the assignment of objects by their labels alone, and dual prices with
 * `rowPrice[u] + columnPrice[v] ≤ objectGain(u, v)`, in closed form: equal labels are paired, then
 * what is left of the smaller side with anything. O(objects).
 */
export function objectPrices(
  pair: GraphPair,
): { readonly cost: number; readonly rowPrice: Float64Array; readonly columnPrice: Float64Array } {
  const { objectLabel: ours } = pair.from;
  const { objectLabel: theirs } = pair.to;
  const { deleteNode, insertNode, relabelNode } = pair.costs;
  const same = -deleteNode - insertNode;
  const other = Math.min(0, relabelNode + same);
  const flip = ours.length > theirs.length;
  const [few, many] = flip ? [theirs, ours] : [ours, theirs];
  const [here, there] = [few, many].map((labels) => Map.groupBy(labels, (label) => label)) as [
    Map<number, number[]>,
    Map<number, number[]>,
  ];
  const count = (labels: Map<number, readonly number[]>, label: number): number =>
    labels.get(label)?.length ?? 0;
  const short = (label: number): boolean => count(here, label) <= count(there, label);
  const fewPrice = Float64Array.from(few, (label) => short(label) ? same : other);
  const manyPrice = Float64Array.from(many, (label) => short(label) ? 0 : same - other);
  const equal = [...here.keys()].reduce(
    (sum, label) => sum + Math.min(count(here, label), count(there, label)),
    0,
  );
  const cost = equal * same + (few.length - equal) * other;
  return flip
    ? { cost, rowPrice: manyPrice, columnPrice: fewPrice }
    : { cost, rowPrice: fewPrice, columnPrice: manyPrice };
}

function countLabels(
  graph: IndexedGraph,
  room: number,
  counts: (next: number) => boolean,
  labels: number,
): Int32Array {
  const found = new Int32Array(labels);
  for (const next of graph.neighbours[room] ?? []) {
    if (!counts(next)) continue;
    const label = at(graph.doors, room * graph.rooms.length + next);
    found[label] = at(found, label) + 1;
  }
  return found;
}
