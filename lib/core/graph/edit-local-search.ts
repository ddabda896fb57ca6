/**
 * Local search for a cheap map of the rooms: a room gets another counterpart, or two exchange
 * theirs, until no step lowers the bound; then the map is shaken and searched again (iterated local
 * search: Lourenço, Martin & Stützle 2003, doi:10.1007/0-306-48056-5_11).
 */

import { createDraw } from "../random.ts";
import { at } from "./assignment.ts";
import type { Bounds } from "./edit-bound.ts";
import { NONE } from "./edit-costs.ts";

export interface Candidate {
  readonly map: Int32Array;
  readonly cost: number;
}

/** The rooms that exchange counterparts before a map is searched again, at least and at most. */
const [LEAST, MOST] = [2, 6];
/** Tolerance of comparisons between bounds, which are sums of floating-point prices. */
export const ROUNDING = 1e-7;

/**
 * A local minimum of the bound: the first step that lowers it is taken until none does, or the
 * clock passes `until` (in ms).
 */
export function climb(
  start: Int32Array,
  images: number,
  { atComplete, saving }: Bounds,
  until: number,
): Int32Array {
  const map = Int32Array.from(start);
  const owners = ownersOf(map, images);
  let least = atComplete(map);
  for (let gained = true; gained;) {
    gained = false;
    for (let room = 0; room < map.length && performance.now() < until; room++) {
      for (let image = NONE; image < images; image++) {
        const old = at(map, room);
        if (image === old) continue;
        const owner = image === NONE ? NONE : at(owners, image);
        let value = least - saving(map, room, old);
        map[room] = NONE;
        if (owner !== NONE) {
          value -= saving(map, owner, image);
          map[owner] = NONE;
        }
        value += saving(map, room, image);
        map[room] = image;
        if (owner !== NONE) {
          value += saving(map, owner, old);
          map[owner] = old;
        }
        if (value < least - ROUNDING) {
          least = value;
          gained = true;
          if (image !== NONE) owners[image] = room;
          if (old !== NONE) owners[old] = owner;
        } else {
          map[room] = old;
          if (owner !== NONE) map[owner] = image;
        }
      }
    }
  }
  return map;
}

export interface Shaking {
  readonly images: number;
  readonly bounds: Bounds;
  readonly costOf: (map: Int32Array) => number;
  readonly lower: number;
  readonly rounds: number;
  readonly until: number;
}

export function shaken(
  start: Candidate,
  { images, bounds, costOf, lower, rounds, until }: Shaking,
): Candidate {
  const draw = createDraw("shaken maps");
  const below = (count: number): number => Math.floor(draw.next() * count);
  let best = start;
  for (
    let round = 0;
    round < rounds && best.cost > lower + ROUNDING && performance.now() < until;
    round++
  ) {
    const map = Int32Array.from(best.map);
    const owners = ownersOf(map, images);
    for (let exchanges = LEAST + below(MOST - LEAST + 1); exchanges > 0; exchanges--) {
      const [room, image] = [below(map.length), below(images)];
      const [owner, old] = [at(owners, image), at(map, room)];
      if (owner !== NONE) map[owner] = old;
      if (old !== NONE) owners[old] = owner;
      [map[room], owners[image]] = [image, room];
    }
    const found = climb(map, images, bounds, until);
    if (bounds.atComplete(found) > best.cost + ROUNDING) continue;
    const cost = costOf(found);
    if (cost <= best.cost) best = { map: found, cost }; // equally cheap maps lead on, too
  }
  return best;
}

/** Image → the room whose counterpart it is, or `NONE`. */
export function ownersOf(map: Int32Array, images: number): Int32Array {
  const owners = new Int32Array(images).fill(NONE);
  for (const [room, image] of map.entries()) if (image >= 0) owners[image] = room;
  return owners;
}
