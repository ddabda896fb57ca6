/**
 * Exact graph edit distance between graphs of rooms and objects, as GraphMind measures a built map
 * against the true one.
 *
 * Papers: Sanfeliu & Fu 1983 (doi:10.1109/TSMC.1983.6313167) for the distance; GraphMind §4.3
 * (Table 2, Fig. 5) for its use. The method is ours: objects are leaves, so under a fixed map of
 * the rooms they are one assignment problem (`edit-costs.ts`); a best-first branch and bound
 * (`edit-search.ts`) searches the maps of the rooms with the lower bound of `edit-bound.ts`, which
 * a dual ascent raises (`edit-ascent.ts`), and with the cheapest map that local search finds
 * (`edit-local-search.ts`).
 *
 * Oracle: tests/core/graph/edit_distance_reference.ts.
 */

import {
  type EditCosts,
  indexPair,
  matchObjects,
  reversePair,
  UNIFORM_EDIT_COSTS,
} from "./edit-costs.ts";
import { ownersOf } from "./edit-local-search.ts";
import { editsOf, type GraphEdit, type NodeMatch } from "./edit-script.ts";
import { searchRooms } from "./edit-search.ts";
import { checkRoomObjectGraph, type RoomObjectGraph } from "./room-object-graph.ts";

/** Options of the edit distance. */
export interface EditDistanceOptions {
  /** Costs that differ from 1, the default of each. */
  readonly costs?: Partial<EditCosts>;
  /**
   * The most partial maps to expand, an integer ≥ 1; beyond it the result is an interval, the same
   * on every machine.
   * @default {10000}
   */
  readonly nodeLimit?: number | undefined;
  /**
   * The most seconds to search, > 0; where they end a search, its interval depends on the machine.
   * @default {Infinity}
   */
  readonly seconds?: number | undefined;
}

/** The distance, or an interval that contains it. */
export interface GraphEditDistance {
  /** Lower bound of the cost of every script. */
  readonly lower: number;
  /** The cost of `edits`. */
  readonly upper: number;
  /** Whether `lower` and `upper` equal the distance. */
  readonly exact: boolean;
  /**
   * A script that turns `a` into `b`, up to ids: deletions of edges and nodes, relabellings, then
   * insertions.
   */
  readonly edits: readonly GraphEdit[];
  /** For every node of `b` its counterpart in the edited `a`. */
  readonly matches: readonly NodeMatch[];
}

/**
 * Partial maps that are bounded cheaply before a dual ascent raises the bounds: enough for most
 * maps of 9 rooms.
 */
const CHEAP = 2000;
/** Largest graphs accepted, because tables of all pairs are built. */
const MOST = { room: 500, object: 5000 } as const;

/**
 * The least cost of turning graph `a` into graph `b`: a metric up to ids if inserting costs the
 * same as deleting and no edit is free.
 *
 * The worst case is exponential in the rooms, O(nodeLimit · (rooms³ + objects³)); most maps of 9
 * rooms and 27 objects with five wrong rooms take milliseconds.
 * @throws {TypeError} if a graph violates the rules of `RoomObjectGraph`.
 * @throws {RangeError} if a cost is not finite and ≥ 0, the limit no integer ≥ 1, or a graph has
 * more than 500 rooms or 5000 objects.
 *
 * @example
 * ```ts
 * import { graphEditDistance, type RoomObjectGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const rooms = ["r1", "r2"].map((id) => ({ id, kind: "room" as const, label: "room" }));
 * const door = { a: "r1", b: "r2", label: "red" };
 * const truth: RoomObjectGraph = {
 *   nodes: [...rooms, { id: "o", kind: "object", label: "blue ball" }],
 *   edges: [door, { a: "r1", b: "o", label: "contains" }],
 * };
 * const built: RoomObjectGraph = { nodes: rooms, edges: [door] };
 * const { lower, upper, exact, edits } = graphEditDistance(built, truth);
 * assert.deepEqual([lower, upper, exact], [2, 2, true]);
 * assert.deepEqual(edits.map(({ op }) => op), ["insert-node", "insert-edge"]);
 * ```
 */
export function graphEditDistance(
  a: RoomObjectGraph,
  b: RoomObjectGraph,
  options: EditDistanceOptions = {},
): GraphEditDistance {
  const { nodeLimit = 10_000, seconds = Infinity } = options;
  const costs = { ...UNIFORM_EDIT_COSTS, ...options.costs };
  for (const [name, price] of Object.entries(costs)) {
    check(Number.isFinite(price) && price >= 0, `costs.${name} ${price}`, "finite and ≥ 0");
  }
  const isWhole = Number.isSafeInteger(nodeLimit) && nodeLimit >= 1;
  check(isWhole, `nodeLimit ${nodeLimit}`, "a whole number ≥ 1");
  check(seconds > 0, `seconds ${seconds}`, "> 0");
  for (const graph of [a, b]) {
    checkSize(graph);
    checkRoomObjectGraph(graph);
  }
  const pair = indexPair(a, b, costs);
  const turned = pair.from.rooms.length > pair.to.rooms.length;
  const found = searchRooms(turned ? reversePair(pair) : pair, {
    nodes: nodeLimit,
    cheap: CHEAP,
    until: performance.now() + 1000 * seconds,
  });
  const rooms = turned ? ownersOf(found.map, pair.from.rooms.length) : found.map;
  const { edits, cost, matches } = editsOf(
    pair,
    { rooms, objects: matchObjects(pair, rooms).objects },
    a,
    b,
  );
  return {
    lower: found.exact ? cost : Math.min(found.lower, cost),
    upper: cost,
    exact: found.exact,
    edits,
    matches,
  };
}

function check(holds: boolean, option: string, rule: string): void {
  if (!holds) throw new RangeError(`cannot measure with ${option}; it must be ${rule}`);
}

function checkSize({ nodes }: RoomObjectGraph): void {
  for (const kind of ["room", "object"] as const) {
    const count = nodes.filter((node) => node.kind === kind).length;
    if (count > MOST[kind]) {
      throw new RangeError(
        `cannot measure a graph of ${count} ${kind}s: at most ${
          MOST[kind]
        } are compared; measure parts of it`,
      );
    }
  }
}
