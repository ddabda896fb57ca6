/**
 * Where the entities of a graph are drawn: places on their compass map, what is in them around them, all else by ForceAtlas2.
 *
 * @module
 */

import { MultiDirectedGraph } from "graphology";
import forceAtlas2Package from "graphology-layout-forceatlas2";
import { COMPASS, type Compass, compassWords, moveOf, opposite } from "../../graph/compass.ts";

/** A triplet as three texts. */
export type Row = readonly [subject: string, relation: string, object: string];

/** A node of the drawing. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly isPlace: boolean;
}

/** Distance between neighbouring places. */
const UNIT = 100;

const DIRECTIONS: Readonly<Record<Compass, readonly [number, number]>> = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };

/**
 * The names under which a triplet's ends are drawn. A direction or a state is a node of its own at each subject: `room b, has exit, east`
 * and `chest, is, locked` would otherwise join all that has an exit to the east, and all that is locked.
 */
export function endsOf([subject, relation, object]: Row): readonly [string, string] {
  return [subject, isDirection(object) || relation === "is" || relation === "to be" ? `${subject}\u0000${object}` : object];
}

/** The label of a node. */
export function labelOf(node: string): string {
  return node.slice(node.indexOf("\u0000") + 1);
}

/** Lays out every entity of some triplets. Equal triplets give an equal layout, whatever their order in time. */
export function layOut(rows: readonly Row[]): Map<string, Spot> {
  const places = placesOf(rows);
  const spots = mapOf(rows, places);
  if (spots.size === 0) { for (const [name, at] of coordinatesOf(rows)) spots.set(name, at); }
  return spots.size === 0 ? forces(rows) : around(rows, spots, places);
}

function isDirection(text: string): text is Compass {
  return (COMPASS as readonly string[]).includes(text);
}

/** Where the object of a relation lies from its subject; `undefined` if the relation says nothing of places. */
function step([, relation]: Row): Compass | undefined {
  const move = moveOf(relation);
  return move && relation.startsWith("is_located_to") ? opposite(move) : move;
}

/** Things in a room of GraphMind's graph are named after it and are no places: `grey ball (room 1)`. */
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

/** Puts each group of joined places on a grid, one group beside the other. */
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
    for (const [name, [x, y]] of group) spots.set(name, { x: (left + x - least) * UNIT, y: y * UNIT, isPlace: true });
    left += most - least + 2;
  }
  return spots;
}

/** Grid positions of all places that can be reached from the first one; a place whose cell is taken goes on in its direction. */
function placed(
  first: string,
  next: ReadonlyMap<string, readonly [string, Compass | undefined][]>,
): Map<string, readonly [number, number]> {
  const at = new Map<string, readonly [number, number]>([[first, [0, 0]]]);
  const taken = new Set(["0,0"]);
  for (const [name, [x, y]] of at) { // a map also visits what is added during the loop
    const known = (next.get(name) ?? []).toSorted(([, a], [, b]) => Number(a === undefined) - Number(b === undefined));
    for (const [other, direction] of known) {
      if (at.has(other)) continue;
      const [dx, dy] = direction ? DIRECTIONS[direction] : [1, -1];
      let far = 1;
      while (taken.has(`${x + dx * far},${y + dy * far}`)) far++;
      at.set(other, [x + dx * far, y + dy * far]);
      taken.add(`${x + dx * far},${y + dy * far}`);
    }
  }
  return at;
}

/** Places of a world that names its things by their coordinates, e.g. `doorway 54 17` of NetHack; row 0 is the uppermost. */
function coordinatesOf(rows: readonly Row[]): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const name of new Set(rows.flatMap(endsOf))) {
    const [, x, y] = name.match(/ (\d+) (\d+)$/) ?? [];
    if (x !== undefined) spots.set(name, { x: Number(x) * UNIT / 4, y: -Number(y) * UNIT / 3, isPlace: false });
  }
  return spots.size >= 4 ? spots : new Map();
}

/** Puts everything else around what it is joined with: rings around its first neighbour that has a spot. */
function around(rows: readonly Row[], spots: Map<string, Spot>, places: ReadonlySet<string>): Map<string, Spot> {
  const neighbours = new Map<string, { name: string; direction?: Compass }[]>();
  for (const row of rows) {
    const [a, b] = endsOf(row);
    const direction = isDirection(row[2]) ? row[2] : isThing(row[0]) ? compassWords(row[1])[0] : undefined;
    neighbours.getOrInsertComputed(a, () => []).push({ name: b, direction: isThing(row[0]) ? undefined : direction });
    neighbours.getOrInsertComputed(b, () => []).push({ name: a, direction });
    if (isThing(row[0]) && direction) neighbours.getOrInsertComputed(row[2], () => []).push({ name: a, direction });
  }
  const children = new Map<string, number>();
  const low = Math.min(...[...spots.values()].map(({ y }) => y));
  const ranks = new Map([...spots.keys()].map((name) => [name, 0])); // how many things lie between a node and its place
  let apart = 0;
  for (const root of [undefined, ...new Set(rows.flatMap(endsOf))]) {
    if (root !== undefined && spots.has(root)) continue;
    if (root !== undefined) {
      spots.set(root, { x: apart++ * UNIT, y: low - 1.2 * UNIT, isPlace: places.has(root) });
      ranks.set(root, 0);
    }
    const queue = root === undefined ? [...spots.keys()] : [root];
    for (const parent of queue) {
      const [at, rank] = [spots.get(parent) as Spot, ranks.get(parent) ?? 0];
      const mine = (neighbours.get(parent) ?? []).toSorted((a, b) => Number(!a.direction) - Number(!b.direction));
      for (const { name, direction } of mine) {
        if (spots.has(name)) continue;
        const child = children.get(parent) ?? 0;
        children.set(parent, child + 1);
        spots.set(name, { ...offset(at, child, direction, 0.5 ** rank), isPlace: false });
        ranks.set(name, rank + 1);
        queue.push(name);
      }
    }
  }
  return spots;
}

function offset({ x, y }: Spot, child: number, direction: Compass | undefined, size: number): { x: number; y: number } {
  if (direction) {
    const [dx, dy] = DIRECTIONS[direction];
    const aside = ((child % 3) - 1) * UNIT / 9;
    const far = (UNIT / 4 + Math.floor(child / 3) % 3 * 4) * size;
    return { x: x + dx * far + dy * aside, y: y + dy * far + dx * aside };
  }
  const angle = 0.6 + child * 2.399963; // the golden angle: equal gaps, whatever their number
  const radius = UNIT * size * (0.2 + 0.07 * Math.sqrt(child));
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
}

/** ForceAtlas2 (Jacomy et al. 2014) from a circle, without chance; fewer rounds for large graphs. */
function forces(rows: readonly Row[]): Map<string, Spot> {
  const forceAtlas2 = forceAtlas2Package as unknown as typeof forceAtlas2Package.default; // a CommonJS package: it exports the function
  const graph = new MultiDirectedGraph<{ x: number; y: number }>();
  const names = [...new Set(rows.flatMap(endsOf))];
  names.forEach((name, index) => {
    const angle = (2 * Math.PI * index) / names.length;
    graph.addNode(name, { x: UNIT * Math.cos(angle), y: UNIT * Math.sin(angle) });
  });
  for (const row of rows) graph.addDirectedEdge(...endsOf(row));
  if (graph.order === 0) return new Map();
  const settings = { ...forceAtlas2.inferSettings(graph), linLogMode: true, barnesHutOptimize: graph.order > 300 };
  const positions = forceAtlas2(graph, { iterations: Math.max(40, Math.min(300, Math.round(60_000 / graph.order))), settings });
  return new Map(names.map((name) => [name, { ...(positions[name] as { x: number; y: number }), isPlace: false }]));
}
