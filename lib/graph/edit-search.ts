/**
 * Branch and bound over the maps of the rooms, the partial map with the lowest bound first.
 *
 * @module
 */

import { at } from "./assignment.ts";
import { createBounds, OPEN } from "./edit-bound.ts";
import { costOfRooms, type GraphPair, matchObjects, NONE } from "./edit-costs.ts";

/** What the search knows at its end. */
export interface RoomSearch {
  /** The cheapest map found: room of `from` → room of `to`, or `NONE`. */
  readonly map: Int32Array;
  /** Whether no map is cheaper. */
  readonly exact: boolean;
  /** No map is cheaper than this. */
  readonly lower: number;
}

/** A partial map, by what it adds to the one before. */
interface Branch {
  readonly before: Branch | undefined;
  readonly room: number;
  readonly image: number;
  /** How many rooms are decided. */
  readonly depth: number;
  /** No completion costs less. */
  readonly least: number;
  /** Counts up: among equals the younger goes first, so that the search dives. */
  readonly order: number;
}

/**
 * Looks at no more than `nodeLimit` partial maps. Where all prices are whole numbers, bounds are rounded up.
 *
 * @param pair `from` has at most as many rooms as `to`
 */
export function searchRooms(pair: GraphPair, nodeLimit: number): RoomSearch {
  const { from, to, costs } = pair;
  const bounds = createBounds(pair);
  const whole = Object.values(costs).every(Number.isSafeInteger);
  const tighten = (value: number): number => whole ? Math.ceil(value - ROUNDING) : value;

  let best: { readonly map: Int32Array; readonly cost: number } | undefined;
  const open = new BranchQueue();
  let order = 0;
  open.push({ before: undefined, room: NONE, image: NONE, depth: 0, least: 0, order });

  for (let looked = 0;; looked++) {
    const branch = open.pop();
    if (best && (!branch || branch.least >= best.cost - ROUNDING)) return { map: best.map, exact: true, lower: best.cost };
    if (!branch) throw new Error("the search of room maps ended without a map"); // the root always gives one
    if (best && looked >= nodeLimit) return { map: best.map, exact: false, lower: branch.least };

    const map = mapOf(branch, from.rooms.length);
    const bound = bounds.at(map);
    const least = Math.max(branch.least, tighten(bound.value));
    if (best && least >= best.cost - ROUNDING) continue;
    best = cheaper(best, bound.completion);
    if (branch.depth === from.rooms.length) continue;

    const width = bound.columns.length;
    const row = mostUrgent(bound.rise, bound.riseIfDeleted, width);
    const push = (image: number, rise: number): void => {
      const bounded = Math.max(least, tighten(bound.value + rise));
      if (best && bounded >= best.cost - ROUNDING) return;
      open.push({ before: branch, room: bound.rows[row] as number, image, depth: branch.depth + 1, least: bounded, order: ++order });
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

/** A complete map that no change of one room's counterpart, and no exchange of two, makes cheaper by the bound; the first gain is taken. */
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

/** Bounds are sums of prices of this precision. */
const ROUNDING = 1e-7;

/** The undecided room whose second-best choice raises the bound most: deciding it closes most of the tree. The first of equals. */
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
  for (let step: Branch | undefined = branch; step?.before; step = step.before) map[step.room] = step.image;
  return map;
}

/** A binary heap: the lowest bound first, of equals the deepest, of those the youngest. */
class BranchQueue {
  readonly #heap: Branch[] = [];

  push(branch: Branch): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(branch);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Branch;
      if (!goesFirst(branch, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = branch;
  }

  pop(): Branch | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const moved = heap.pop();
    if (!moved || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && goesFirst(heap[child + 1] as Branch, heap[child] as Branch)) child++;
      if (!goesFirst(heap[child] as Branch, moved)) break;
      heap[place] = heap[child] as Branch;
      place = child;
    }
    heap[place] = moved;
    return first;
  }
}

function goesFirst(one: Branch, other: Branch): boolean {
  if (one.least !== other.least) return one.least < other.least;
  return one.depth !== other.depth ? one.depth > other.depth : one.order > other.order;
}
