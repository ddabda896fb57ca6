/** Branch and bound over the maps of the rooms, the partial map with the lowest bound first. */

import TinyQueue from "tinyqueue";
import { at } from "./assignment.ts";
import { createBounds, OPEN } from "./edit-bound.ts";
import { costOfRooms, type GraphPair, matchObjects, NONE } from "./edit-costs.ts";

/** Result of the search. */
export interface RoomSearch {
  /** The cheapest map found: room of `from` → room of `to`, or `NONE`. */
  readonly map: Int32Array;
  /** Whether the search proved that no map is cheaper. */
  readonly exact: boolean;
  /** A lower bound of the cost of every map. */
  readonly lower: number;
}

/** A partial map of the rooms, as one assignment added to its parent. */
interface Branch {
  readonly parent: Branch | undefined;
  readonly room: number;
  readonly image: number;
  /** Number of rooms that are decided. */
  readonly depth: number;
  /** Lower bound of the cost of every completion. */
  readonly lowerBound: number;
  /** Insertion counter: ties are broken last-in first-out (depth first). */
  readonly order: number;
}

/**
 * Finds a cheapest map of the rooms by best-first branch and bound, expanding at most `nodeLimit` partial maps. Where all prices are
 * integers, bounds are rounded up.
 *
 * @param pair `from` has at most as many rooms as `to`
 */
export function searchRooms(pair: GraphPair, nodeLimit: number): RoomSearch {
  const { from, to, costs } = pair;
  const bounds = createBounds(pair);
  const whole = Object.values(costs).every(Number.isSafeInteger);
  const tighten = (value: number): number => whole ? Math.ceil(value - ROUNDING) : value;

  let best: { readonly map: Int32Array; readonly cost: number } | undefined;
  const open = new TinyQueue<Branch>([], byLowerBound);
  let order = 0;
  open.push({ parent: undefined, room: NONE, image: NONE, depth: 0, lowerBound: 0, order });

  for (let expanded = 0;; expanded++) {
    const branch = open.pop();
    if (best && (!branch || branch.lowerBound >= best.cost - ROUNDING)) return { map: best.map, exact: true, lower: best.cost };
    if (!branch) throw new Error("the search of room maps ended without a map"); // unreachable: the root always yields one
    if (best && expanded >= nodeLimit) return { map: best.map, exact: false, lower: branch.lowerBound };

    const map = mapOf(branch, from.rooms.length);
    const bound = bounds.at(map);
    const lowerBound = Math.max(branch.lowerBound, tighten(bound.value));
    if (best && lowerBound >= best.cost - ROUNDING) continue;
    best = cheaper(best, bound.completion);
    if (branch.depth === from.rooms.length) continue;

    const width = bound.columns.length;
    const row = mostUrgent(bound.rise, bound.riseIfDeleted, width);
    const push = (image: number, rise: number): void => {
      const bounded = Math.max(lowerBound, tighten(bound.value + rise));
      if (best && bounded >= best.cost - ROUNDING) return;
      open.push({ parent: branch, room: bound.rows[row] as number, image, depth: branch.depth + 1, lowerBound: bounded, order: ++order });
    };
    push(NONE, at(bound.riseIfDeleted, row));
    for (const [column, image] of bound.columns.entries()) push(image, at(bound.rise, row * width + column));
  }

  function cheaper(known: typeof best, map: Int32Array): NonNullable<typeof best> {
    if (known && bounds.atComplete(map) >= known.cost) return known;
    const cost = costOf(map);
    if (known && cost >= known.cost) return known;
    const climbed = climb(map, to.rooms.length, bounds.atComplete);
    const climbedCost = costOf(climbed);
    return climbedCost < cost ? { map: climbed, cost: climbedCost } : { map, cost };
  }

  function costOf(map: Int32Array): number {
    return costOfRooms(pair, map) + matchObjects(pair, map).cost;
  }
}

/** Local search from a complete map: the first reassignment or exchange of counterparts that lowers the bound is taken until none does. */
function climb(start: Int32Array, images: number, bound: (map: Int32Array) => number): Int32Array {
  const map = Int32Array.from(start);
  let least = bound(map);
  for (let gained = true; gained;) {
    gained = false;
    for (let room = 0; room < map.length; room++) {
      for (let image = NONE; image < images; image++) {
        const old = at(map, room);
        if (image === old) continue;
        const owner = image === NONE ? NONE : map.indexOf(image);
        map[room] = image;
        if (owner !== NONE) map[owner] = old;
        const value = bound(map);
        if (value < least - ROUNDING) {
          least = value;
          gained = true;
        } else {
          map[room] = old;
          if (owner !== NONE) map[owner] = image;
        }
      }
    }
  }
  return map;
}

/** Tolerance of comparisons between bounds, which are sums of floating-point prices. */
const ROUNDING = 1e-7;

/** The row whose best and second-best choices differ most (largest regret), which prunes most of the tree; the first of equal rows. */
function mostUrgent(rise: Float64Array, riseIfDeleted: Float64Array, width: number): number {
  let [urgent, regret] = [0, -1];
  for (let row = 0; row < riseIfDeleted.length; row++) {
    let [least, second] = [at(riseIfDeleted, row), Infinity];
    for (let column = 0; column < width; column++) {
      const value = at(rise, row * width + column);
      if (value < least) [least, second] = [value, least];
      else if (value < second) second = value;
    }
    if (second > regret) [urgent, regret] = [row, second];
  }
  return urgent;
}

function mapOf(branch: Branch, rooms: number): Int32Array {
  const map = new Int32Array(rooms).fill(OPEN);
  for (let step: Branch | undefined = branch; step?.parent; step = step.parent) map[step.room] = step.image;
  return map;
}

/** Best-first order: by lower bound, then by depth, deepest first; ties are broken last-in first-out. */
function byLowerBound(one: Branch, other: Branch): number {
  return one.lowerBound - other.lowerBound || other.depth - one.depth || other.order - one.order;
}
