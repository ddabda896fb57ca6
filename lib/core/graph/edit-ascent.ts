/**
 * A better split of shared savings by dual ascent: Lagrangian decomposition of the map of the rooms
 * (surveyed for graph matching by Swoboda et al. 2017, arXiv:1612.05476), ascended by subgradients
 * with Polyak's step (Held & Karp 1971, doi:10.1007/BF01584070; Polyak 1969).
 *
 * | symbol | here |
 * |---|---|
 * | x(r,s), z(u,v): counterparts of rooms, of objects | the assignments `rooms` and `objects` of one round |
 * | λ: the share of a door's saving that lies at its first room's end | `Shares.doors` |
 * | μ: the share of an object edge's saving that lies at its pair of rooms | `Shares.edges`; the rest, if a saving, lies at the pair of objects |
 * | L(λ, μ) ≤ distance | `Round.value` |
 * | subgradient: how often a share is used at one side but not at the other | `moves` |
 *
 * A share that one side uses and the other does not is made smaller there and larger at the other
 * side by equal amounts, so that both come to agree.
 */

import { assign, at } from "./assignment.ts";
import { roomGains } from "./edit-bound.ts";
import { type GraphPair, NONE } from "./edit-costs.ts";
import type { Relaxation } from "./edit-relaxation.ts";
import { doorShares, fixedShares, objectShares } from "./edit-shares.ts";

/** Rounds at most; the bound gains little after some 300 of them. */
const ROUNDS = 400;
/**
 * Rounds without a gain after which steps shrink by `SHRINK`; the ascent ends when they are below
 * `LEAST` of the first.
 */
const [PATIENCE, SHRINK, LEAST] = [8, 0.7, 1e-3];
const AIM = 0.05;
const NOTABLE = 0.01;
const OFFER = 5;
/**
 * With more pairs of objects than this, the shares between rooms and objects keep their first
 * values: each round would assign all objects again.
 */
const MANY = 1_000_000;

export interface Surroundings {
  /** Takes a map of the rooms and gives the least cost of any map known so far. */
  readonly offer: (map: Int32Array) => number;
  readonly proves: (bound: number) => boolean;
  readonly late: () => boolean;
}

export function ascend(
  pair: GraphPair,
  even: Relaxation,
  { offer, proves, late }: Surroundings,
): { readonly value: number; readonly relaxation: Relaxation } {
  const doors = doorShares(pair);
  const objects = pair.from.objects.length * pair.to.objects.length > MANY
    ? fixedShares(even)
    : objectShares(pair);
  const { all, gains } = roomGains(pair);
  let best = { value: -Infinity, relaxation: even };
  let [scale, stalled, cost] = [1, 0, Infinity];
  for (let round = 0; round < ROUNDS && scale > LEAST && !late(); round++) {
    const { map, gain } = assignRooms(
      pair,
      gains.map((own, index) => own + at(doors.savings, index) + at(objects.savings, index)),
    );
    const value = all + objects.floor + gain;
    if (round % OFFER === 0) cost = offer(map);
    stalled = value > best.value + NOTABLE ? 0 : stalled + 1;
    if (value > best.value) {
      best = {
        value,
        relaxation: {
          floor: objects.floor,
          contents: objects.savings.slice(),
          doors: doors.snapshot(),
        },
      };
    }
    if (proves(best.value)) break;
    if (stalled > PATIENCE) [scale, stalled] = [scale * SHRINK, 0];
    const [ofDoors, ofObjects] = [doors.disagreements(map), objects.disagreements(map)];
    const sides = 2 * ofDoors.length + ofObjects.length;
    if (sides === 0) break;
    const step = scale * Math.max(AIM * cost, cost - value + 1) / (2 * sides);
    doors.shift(ofDoors, step);
    objects.shift(ofObjects, step);
  }
  return best;
}

/**
 * The cheapest map of the rooms under these costs of pairs; a room whose pair saves nothing has no
 * counterpart.
 */
function assignRooms(
  { from, to }: GraphPair,
  costs: Float64Array,
): { readonly map: Int32Array; readonly gain: number } {
  const columns = to.rooms.length;
  const { cost, columnOf } = assign({
    rows: from.rooms.length,
    columns,
    costs: costs.map((value) => Math.min(0, value)),
  });
  return { map: columnOf.map((s, r) => at(costs, r * columns + s) < 0 ? s : NONE), gain: cost };
}
