/** Where entities are drawn: places on a compass map, their things around them, else by forces. */

import {
  COMPASS,
  type Compass,
  compassWords,
  moveOf,
  opposite,
} from "../../../core/graph/compass.ts";
import { endsOf, forces, forcesBeside, isDirection, type Row, type Spot, UNIT } from "./forces.ts";

export { endsOf, isDirection, type Row, type Spot } from "./forces.ts";

const DIRECTIONS: Readonly<Record<Compass, readonly [number, number]>> = {
  north: [0, 1],
  east: [1, 0],
  south: [0, -1],
  west: [-1, 0],
};

/** The entity of a node. */
export function entityOf(node: string): string {
  return node.slice(node.indexOf("\u0000") + 1);
}

/** Lays out every entity; equal triplets give an equal layout. */
export function layOut(rows: readonly Row[]): Map<string, Spot> {
  return onMap(rows) ?? forces(rows);
}

/** From so many triplets on forces take long enough to be felt. */
const LONG = 300;

/** The same layout; a large one by forces is made in a worker. */
export function layOutBeside(
  rows: readonly Row[],
  signal: AbortSignal,
): Map<string, Spot> | Promise<Map<string, Spot>> {
  return onMap(rows) ?? (rows.length > LONG ? forcesBeside(rows, signal) : forces(rows));
}

function onMap(rows: readonly Row[]): Map<string, Spot> | undefined {
  const places = placesOf(rows);
  const map = mapOf(rows, places);
  const spots = map.size === 0 ? coordinatesOf(rows) : map;
  return spots.size === 0 ? undefined : around(rows, spots, places);
}

/** The direction that a relation tells of its object, if any. */
function step([, relation]: Row): Compass | undefined {
  const move = moveOf(relation);
  return move && relation.startsWith("is_located_to") ? opposite(move) : move;
}

/** Things of GraphMind's graph are named after their room: `grey ball (room 1)`. */
function isThing(name: string): boolean {
  return /\(room \d+\)$/.test(name);
}

function placesOf(rows: readonly Row[]): Set<string> {
  const places = new Set<string>();
  for (const row of rows) {
    const [subject, relation, object] = row;
    if (isThing(subject) || isThing(object)) continue;
    if (isDirection(object)) {
      if (/exit|door|passage/.test(relation)) places.add(subject);
    } else if (step(row)) places.add(subject).add(object);
    else if (relation.startsWith("is_connected_with")) places.add(subject).add(object);
  }
  return places;
}

/** Puts each group of joined places on a grid, side by side. */
function mapOf(rows: readonly Row[], places: ReadonlySet<string>): Map<string, Spot> {
  const next = new Map<string, [string, Compass | undefined][]>();
  const join = (a: string, b: string, direction?: Compass): void => {
    next.getOrInsertComputed(a, () => []).push([b, direction]);
    next.getOrInsertComputed(b, () => []).push([a, direction && opposite(direction)]);
  };
  for (const row of rows) {
    const [subject, relation, object] = row;
    if (!places.has(subject) || !places.has(object)) continue;
    const direction = step(row);
    if (direction || relation.startsWith("is_connected_with")) join(subject, object, direction);
  }
  const spots = new Map<string, Spot>();
  let left = 0;
  for (const first of places) {
    if (spots.has(first)) continue;
    const group = placed(first, next);
    const xs = [...group.values()].map(([x]) => x);
    const [least, most] = [Math.min(...xs), Math.max(...xs)];
    for (const [name, [x, y]] of group) {
      spots.set(name, { x: (left + x - least) * UNIT, y: y * UNIT, isPlace: true });
    }
    left += most - least + 2;
  }
  return spots;
}

/** Grid positions of all places reachable from the first; a taken cell is passed over. */
function placed(
  first: string,
  next: ReadonlyMap<string, readonly [string, Compass | undefined][]>,
): Map<string, readonly [number, number]> {
  const at = new Map<string, readonly [number, number]>([[first, [0, 0]]]);
  const taken = new Set(["0,0"]);
  const jumps = new Map<string, readonly [number, number]>(); // a taken cell and a direction → a cell farther on; all between are taken
  const freeFrom = (
    [x, y]: readonly [number, number],
    [dx, dy]: readonly [number, number],
  ): readonly [number, number] => {
    const passed: string[] = [];
    while (taken.has(`${x},${y}`)) {
      const key = `${x},${y},${dx},${dy}`;
      passed.push(key);
      [x, y] = jumps.get(key) ?? [x + dx, y + dy];
    }
    for (const key of passed) jumps.set(key, [x, y]);
    return [x, y];
  };
  for (const [name, cell] of at) { // a map also visits what is added during the loop
    const known = (next.get(name) ?? []).toSorted(([, a], [, b]) =>
      Number(a === undefined) - Number(b === undefined)
    );
    for (const [other, direction] of known) {
      if (at.has(other)) continue;
      const free = freeFrom(cell, direction ? DIRECTIONS[direction] : [1, -1]);
      at.set(other, free);
      taken.add(free.join(","));
    }
  }
  return at;
}

/** Places by coordinates in their names, e.g. `doorway 54 17` of NetHack. */
function coordinatesOf(rows: readonly Row[]): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const name of new Set(rows.flatMap(endsOf))) {
    const [, x, y] = name.match(/ (\d+) (\d+)$/) ?? [];
    if (x !== undefined) {
      spots.set(name, { x: Number(x) * UNIT / 4, y: -Number(y) * UNIT / 3, isPlace: false });
    }
  }
  return spots.size >= 4 ? spots : new Map();
}

/** What is carried is in no place: it stands apart, below the map. */
const INVENTORY = "inventory";

/** Distance of the lines of a list of things, and how far what is in a thing is set in. */
const LINE = 11;
const INDENT = 12;

interface Near {
  readonly name: string;
  /** Where it lies from its neighbour. */
  readonly direction?: Compass;
}

/**
 * Puts everything else near its closest place: exits to their side, things in a list below, the
 * rest below the map.
 */
function around(
  rows: readonly Row[],
  anchors: ReadonlyMap<string, Spot>,
  places: ReadonlySet<string>,
): Map<string, Spot> {
  const neighbours = neighboursOf(rows);
  const children = new Map<string, Near[]>();
  const found = new Set(anchors.keys());
  const grow = (queue: string[]): void => {
    for (const parent of queue) { // an array also visits what is added during the loop
      const near = (neighbours.get(parent) ?? []).filter(({ name }) => name !== INVENTORY);
      for (const child of near.toSorted((a, b) => Number(!a.direction) - Number(!b.direction))) {
        if (found.has(child.name)) continue;
        found.add(child.name);
        children.getOrInsertComputed(parent, () => []).push(child);
        queue.push(child.name);
      }
    }
  };
  grow([...anchors.keys()]);
  const apart: string[] = [];
  for (const name of new Set(rows.flatMap(endsOf))) {
    if (found.has(name)) continue;
    found.add(name);
    apart.push(name);
    grow([name]);
  }
  const lists = new Map(
    [...anchors.keys(), ...apart].map((root) => [root, listOf(root, children)]),
  );
  const isMap = [...anchors.values()].some(({ isPlace }) => isPlace);
  const longest = Math.max(...[...lists.values()].map((list) => list.length));
  const highest = Math.max(
    0,
    ...[...children.values()].map((near) =>
      Math.max(...COMPASS.map((side) => near.filter((child) => child.direction === side).length))
    ),
  );
  const height = isMap ? Math.max(UNIT, 45 + LINE * longest, 65 + 2 * LINE * highest) : UNIT;
  const spots = new Map<string, Spot>();
  for (const [name, { x, y, isPlace }] of anchors) {
    spots.set(name, isMap ? { x: x * 1.5, y: y * height / UNIT, isPlace } : { x, y, isPlace });
  }
  const low = Math.min(...[...spots.values()].map(({ y }) => y)) - height * 0.8;
  apart.forEach((name, at) =>
    spots.set(name, { x: at * 1.5 * UNIT, y: low, isPlace: places.has(name) })
  );
  for (const [root, list] of lists) {
    const { x, y } = spots.get(root) as Spot;
    list.forEach(({ name, depth }, at) =>
      spots.set(name, { x: x + 8 + INDENT * depth, y: y - 17 - LINE * at, isPlace: false })
    );
  }
  for (const [parent, near] of children) {
    for (const [direction, exits] of Map.groupBy(near, (child) => child.direction)) {
      if (!direction) continue;
      const { x, y } = spots.get(parent) as Spot;
      const [dx, dy] = DIRECTIONS[direction];
      exits.forEach(({ name }, at) => {
        const spot = dx === 0 // labels stand to the right of their dots, so what lies to the west begins farther away
          ? { x: x - 6, y: y + dy * ((dy < 0 ? 32 : 22) + LINE * at) }
          : { x: x + dx * (dx < 0 ? 78 : 28), y: y - 12 - LINE * at };
        spots.set(name, { ...spot, isPlace: false });
      });
    }
  }
  return spots;
}

function neighboursOf(rows: readonly Row[]): Map<string, Near[]> {
  const neighbours = new Map<string, Near[]>();
  const add = (name: string, near: Near): void =>
    void neighbours.getOrInsertComputed(name, () => []).push(near);
  for (const row of rows) {
    const [a, b] = endsOf(row);
    const located = isThing(row[0]) ? compassWords(row[1])[0] : undefined; // `key (room 1), is_located_to east, room 1`
    add(a, { name: b, direction: isDirection(row[2]) ? row[2] : undefined });
    add(b, { name: a, direction: located });
  }
  return neighbours;
}

/** What hangs on a node without a direction, depth first, each with its depth from 0. */
function listOf(
  root: string,
  children: ReadonlyMap<string, readonly Near[]>,
): { readonly name: string; readonly depth: number }[] {
  const list: { name: string; depth: number }[] = [];
  const open = [{ name: root, depth: -1 }]; // not by recursion, which ends at a few thousand things in one another
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.name !== root) list.push(next);
    for (const { name, direction } of (children.get(next.name) ?? []).toReversed()) {
      if (!direction) open.push({ name, depth: next.depth + 1 });
    }
  }
  return list;
}
