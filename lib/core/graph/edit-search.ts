/** Branch and bound over the maps of the rooms, the partial map with the lowest bound first. */

import TinyQueue from "tinyqueue";
import { at } from "./assignment.ts";
import { ascend } from "./edit-ascent.ts";
import { type Bounds, createBounds } from "./edit-bound.ts";
import { costOfRooms, type GraphPair, matchObjects, NONE } from "./edit-costs.ts";
import { type Candidate, climb, ROUNDING, shaken } from "./edit-local-search.ts";
import { evenRelaxation, OPEN, type Relaxation } from "./edit-relaxation.ts";

export interface RoomSearch {
  readonly map: Int32Array;
  readonly exact: boolean;
  readonly lower: number;
}

interface Branch {
  readonly parent: Branch | undefined;
  readonly room: number;
  readonly image: number;
  readonly depth: number;
  readonly lowerBound: number;
  /** Insertion counter: ties are broken last-in first-out (depth first). */
  readonly order: number;
}

export interface SearchLimits {
  readonly nodes: number;
  readonly cheap: number;
  /**
   * The clock time in ms, as of `performance.now()`, after which nothing more is expanded; Infinity
   * for none.
   */
  readonly until: number;
}

/**
 * Partial maps that are expanded with the bounds of a dual ascent before the cheapest map is
 * shaken: what can be proved soon wants no cheaper map.
 */
const SOON = 500;
/**
 * How often the cheapest map is shaken: for each of its rooms at most, and pairs of rooms and of
 * objects looked at in all.
 */
const [SHAKES, EFFORT] = [50, 3e7];

/**
 * Finds a cheapest map of the rooms by best-first branch and bound. If the even split proves
 * nothing within `cheap` partial maps, the search restarts with the higher and dearer bounds of a
 * dual ascent; then from the cheapest map that shaking finds. With integer prices, bounds are
 * rounded up.
 * @param pair `from` has at most as many rooms as `to`
 */
export function searchRooms(pair: GraphPair, { nodes, cheap, until }: SearchLimits): RoomSearch {
  const begun = performance.now();
  const [even, pool] = [evenRelaxation(pair), createCandidates(pair, until)];
  const first = branchAndBound(pair, pool, even, {
    nodes: Math.min(nodes, cheap),
    until: begun + (until - begun) / 5,
  });
  if (first.exact || nodes <= cheap) return first;
  const bounds = createBounds(pair, even);
  const { value, relaxation } = ascend(pair, even, {
    offer: (map) => pool.offer(map, bounds).cost,
    proves: (bound) => roundedUp(pair, bound) >= (pool.best()?.cost ?? Infinity) - ROUNDING,
    late: () => performance.now() > until,
  });
  const soon = Math.min(nodes - cheap, SOON);
  const second = branchAndBound(pair, pool, relaxation, { nodes: soon, until });
  if (second.exact) return second;
  const lower = Math.max(first.lower, roundedUp(pair, value), second.lower);
  const { map, cost } = pool.shake(createBounds(pair, relaxation), lower);
  if (cost <= lower + ROUNDING) return { map, exact: true, lower: cost };
  const third = branchAndBound(pair, pool, relaxation, { nodes: nodes - cheap - soon, until });
  return { ...third, lower: Math.max(lower, third.lower) };
}

function branchAndBound(
  pair: GraphPair,
  pool: Candidates,
  relaxation: Relaxation,
  { nodes, until }: Omit<SearchLimits, "cheap">,
): RoomSearch {
  const bounds = createBounds(pair, relaxation);
  const tighten = (value: number): number => roundedUp(pair, value);
  const open = new TinyQueue<Branch>([], byLowerBound);
  let order = 0;
  open.push({ parent: undefined, room: NONE, image: NONE, depth: 0, lowerBound: 0, order });

  for (let expanded = 0;; expanded++) {
    const branch = open.pop() as Branch; // none is left only when a map is known: the root always yields one
    const known = pool.best();
    if (known && (!branch || branch.lowerBound >= known.cost - ROUNDING)) {
      return { map: known.map, exact: true, lower: known.cost };
    }
    if (known && (expanded >= nodes || performance.now() > until)) {
      return { map: known.map, exact: false, lower: branch.lowerBound };
    }

    const map = mapOf(branch, pair.from.rooms.length);
    const bound = bounds.at(map);
    const lowerBound = Math.max(branch.lowerBound, tighten(bound.value));
    if (known && lowerBound >= known.cost - ROUNDING) continue;
    const best = pool.offer(bound.completion, bounds);
    if (branch.depth === map.length) continue;

    const width = bound.columns.length;
    const row = mostUrgent(bound.rise, bound.riseIfDeleted, width);
    const push = (image: number, rise: number): void => {
      const bounded = Math.max(lowerBound, tighten(bound.value + rise));
      if (bounded >= best.cost - ROUNDING) return;
      open.push({
        parent: branch,
        room: bound.rows[row] as number,
        image,
        depth: branch.depth + 1,
        lowerBound: bounded,
        order: ++order,
      });
    };
    push(NONE, at(bound.riseIfDeleted, row));
    for (const [column, image] of bound.columns.entries()) {
      push(image, at(bound.rise, row * width + column));
    }
  }
}

interface Candidates {
  readonly best: () => Candidate | undefined;
  /**
   * Takes a complete map, improves it by local search if it is the cheapest so far, and gives the
   * cheapest.
   */
  readonly offer: (map: Int32Array, bounds: Bounds) => Candidate;
  readonly shake: (bounds: Bounds, lower: number) => Candidate;
}

function createCandidates(pair: GraphPair, until: number): Candidates {
  const images = pair.to.rooms.length;
  let best: Candidate | undefined;
  const costOf = (map: Int32Array): number => costOfRooms(pair, map) + matchObjects(pair, map).cost;
  return {
    best: () => best,
    offer: (map, bounds) => {
      if (best && bounds.atComplete(map) >= best.cost) return best;
      const cost = costOf(map);
      if (best && cost >= best.cost) return best;
      const climbed = climb(map, images, bounds, until);
      const found = costOf(climbed);
      best = found < cost ? { map: climbed, cost: found } : { map, cost };
      return best;
    },
    shake: (bounds, lower) => {
      const shaking = { images, bounds, costOf, lower, rounds: roundsOf(pair), until };
      return best = shaken(best as Candidate, shaking); // the first search has always found one
    },
  };
}

/** How often the cheapest map is shaken: some seconds in all, however large the maps are. */
function roundsOf({ from, to }: GraphPair): number {
  const round = from.rooms.length * to.rooms.length + from.objects.length * to.objects.length;
  return Math.min(SHAKES * from.rooms.length, Math.ceil(EFFORT / round));
}

/** Costs are whole where all prices are. */
function roundedUp({ costs }: GraphPair, bound: number): number {
  return Object.values(costs).every(Number.isSafeInteger) ? Math.ceil(bound - ROUNDING) : bound;
}

/**
 * The row whose best and second-best choices differ most (largest regret), which prunes most of the
 * tree; the first of equal rows.
 */
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
  for (let step: Branch | undefined = branch; step?.parent; step = step.parent) {
    map[step.room] = step.image;
  }
  return map;
}

/**
 * Best-first order: by lower bound, then by depth, deepest first; ties are broken last-in
 * first-out.
 */
function byLowerBound(one: Branch, other: Branch): number {
  return one.lowerBound - other.lowerBound || other.depth - one.depth || other.order - one.order;
}
