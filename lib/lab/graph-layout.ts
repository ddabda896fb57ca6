/** Where entities, lines and their labels are in the picture of a graph, in points of the page. */

import type forceAtlas2Package from "graphology-layout-forceatlas2";
import type { Triplet } from "../core/graph/triplet.ts";
import { loadModule } from "../core/platform.ts";
import { textWidth } from "./draw.ts";

/** A triplet and the state that its line is coloured by, e.g. `added`. */
export type StatedTriplet = Triplet & { readonly state: string };

/** Letters of entities and relations, and the radius of an entity's point, in points. */
export const ENTITY = 8;
export const RELATION = 7;
export const RADIUS = 3.4;

/** Width of a picture, its margin, and the length of an arrow's head, in points. */
const WIDTH = 488;
const MARGIN = 24;
const HEAD = 6;

/** Parts of a line at which its label may be, the best first. */
const ALONG = [0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8];

/** What it costs a label not to be on its line, as square points that it covers. */
const OFF_LINE = 40;

/** A point of the page; y grows downwards. */
type Place = Readonly<Record<"x" | "y", number>>;
type PlaceOf = (entity: string) => Place;

/** Left, top, right, and bottom. */
type Box = readonly [number, number, number, number];

/** A line of a pair of entities. */
type Line = Readonly<Record<"label" | "state", string> & Record<"x" | "y" | "x2" | "y2", number>>;

/**
 * The size of a picture, and its rows: of kind `edge`, `arrow`, `label` and `entity`. Names of
 * entities, then labels of lines, shorter lines first, are where they cover least of what is there.
 *
 * @param order the states; a line has the latest of its triplets'
 */
export function drawingOf(
  triplets: readonly StatedTriplet[],
  order: readonly string[],
): { width: number; height: number; rows: object[] } {
  const entities = [...new Set(triplets.flatMap(({ subject, object }) => [subject, object]))];
  const height = Math.min(420, 180 + 20 * entities.length);
  const place = onPage(entities, layout(triplets, entities), height);
  const lines = linesOf(triplets, place, order);
  const arrows = arrowsOf(triplets, place, order);
  const points = entities.map((entity) => boxAt(place(entity), RADIUS, RADIUS));
  const taken = [...points, ...arrows.map((arrow) => boxAt(arrow, HEAD / 2, HEAD / 2))];
  const choose = (
    label: string,
    size: number,
    places: readonly (Place & { readonly off?: number })[],
    own?: Line,
  ): Place & { box: Box } => {
    const rows = label.split("\n");
    const w = Math.max(...rows.map((row) => textWidth(row, size))) / 2;
    const rated = places.map((at) => {
      const box = boxAt(at, w + 1, size * 0.6 * rows.length);
      const covered = taken.reduce((sum, other) => sum + sharedArea(box, other), 0);
      const crossed = lines.reduce(
        (sum, line) => line === own && !at.off ? sum : sum + lengthInside(line, box),
        0,
      );
      return { ...at, box, cost: 2 * covered + crossed + (at.off ? OFF_LINE : 0) };
    });
    const best = rated.reduce((a, b) => b.cost < a.cost - 1e-6 ? b : a);
    if (label !== "") taken.push(best.box);
    return best;
  };
  const names = entities.map((label) => {
    const at = place(label);
    const side = textWidth(label, ENTITY) / 2 + RADIUS + 3;
    const beside = [0, -7, 7].flatMap((dy) => [[side, dy], [-side, dy]]);
    const near = [[0, -9.5], [0, 9.5], ...beside].map(([dx = 0, dy = 0]) => (
      { x: at.x + dx, y: at.y + dy }
    ));
    const { x: mx, y: my } = choose(label, ENTITY, near);
    return { kind: "entity", label, ...at, mx, my };
  });
  const lengthOf = ({ x, y, x2, y2 }: Line): number => Math.hypot(x2 - x, y2 - y);
  const labels = lines.toSorted((a, b) => lengthOf(a) - lengthOf(b)).map((line) => {
    const { x, y, x2, y2, label, state } = line;
    const aside = RELATION * 0.6 * label.split("\n").length + 3;
    const places = ALONG.flatMap((part) =>
      [0, -aside, aside].map((off) => (
        { x: x + (x2 - x) * part, y: y + (y2 - y) * part + off, off }
      ))
    );
    const { x: mx, box } = choose(label, RELATION, places, line);
    const [left, top, x3, y3] = box;
    return { kind: "label", label, state, mx, my: top + 1, x: left, y: top, x2: x3, y2: y3 };
  });
  const edges = lines.map((line) => ({ kind: "edge", ...line }));
  const rows = [...edges, ...arrows, ...labels.filter(({ label }) => label !== ""), ...names];
  return { width: WIDTH, height, rows };
}

function latest(some: readonly StatedTriplet[], order: readonly string[]): string {
  return order.findLast((state) => some.some((one) => one.state === state)) ?? "";
}

/** A line for each pair of entities, with all their relations whichever way they point. */
function linesOf(
  triplets: readonly StatedTriplet[],
  place: PlaceOf,
  order: readonly string[],
): Line[] {
  const ends = ({ subject, object }: Triplet): string => JSON.stringify([subject, object].sort());
  return [...Map.groupBy(triplets, ends).values()].map((pair) => {
    const [{ subject, object }] = pair as [StatedTriplet];
    const [from, to] = [place(subject), place(object)];
    const label = labelOf(pair, { x: to.x - from.x, y: to.y - from.y });
    return { ...from, x2: to.x, y2: to.y, label, state: latest(pair, order) };
  });
}

/** Relations, a row each; where they differ by direction, each with an arrow that says which. */
function labelOf(pair: readonly Triplet[], towards: Place): string {
  const isForth = ({ subject }: Triplet): boolean => subject === pair[0]?.subject;
  const relations = new Set(pair.map(({ relation }) => relation));
  if (relations.size === 1 || pair.every(isForth)) return [...relations].join("\n");
  const isLevel = Math.abs(towards.x) >= Math.abs(towards.y);
  const [ahead, back] = isLevel ? "→←" : "↓↑";
  const isAhead = (isLevel ? towards.x : towards.y) >= 0;
  const labels = pair.map((one) => `${one.relation} ${isForth(one) === isAhead ? ahead : back}`);
  return [...new Set(labels)].join("\n");
}

/**
 * The middle of an arrow's head at the object of each triplet, one for all of the same direction;
 * its angle is in degrees, clockwise from upwards.
 */
function arrowsOf(
  triplets: readonly StatedTriplet[],
  place: PlaceOf,
  order: readonly string[],
): (Place & object)[] {
  const ways = Map.groupBy(triplets, ({ subject, object }) => JSON.stringify([subject, object]));
  return [...ways.values()].flatMap((some) => {
    const [{ subject, object }] = some as [StatedTriplet];
    const [from, to] = [place(subject), place(object)];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy);
    const away = RADIUS + HEAD / 2 + 0.5;
    if (length < 2 * away) return [];
    const at = { x: to.x - dx / length * away, y: to.y - dy / length * away };
    const angle = Math.atan2(dx, -dy) * 180 / Math.PI;
    return [{ kind: "arrow", label: "", state: latest(some, order), ...at, angle }];
  });
}

function boxAt({ x, y }: Place, w: number, h: number): Box {
  return [x - w, y - h, x + w, y + h];
}

function sharedArea(a: Box, b: Box): number {
  return Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
}

/** How long a line is inside a box (Liang and Barsky 1984). */
function lengthInside({ x, y, x2, y2 }: Line, box: Box): number {
  const [dx, dy] = [x2 - x, y2 - y];
  const across = [(box[0] - x) / dx, (box[2] - x) / dx];
  const down = [(box[1] - y) / dy, (box[3] - y) / dy];
  const begin = Math.max(0, Math.min(...across), Math.min(...down));
  const end = Math.min(1, Math.max(...across), Math.max(...down));
  return Math.max(0, end - begin || 0) * Math.hypot(dx, dy);
}

/** Places of a layout, spread over the page inside its margin. */
function onPage(
  entities: readonly string[],
  positions: Readonly<Record<string, Place>>,
  height: number,
): PlaceOf {
  const spread = (axis: "x" | "y", size: number): (entity: string) => number => {
    const values = entities.map((entity) => positions[entity]?.[axis] ?? 0);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const scale = (size - 2 * MARGIN) / (high - low || 1);
    return (entity) => MARGIN + ((positions[entity]?.[axis] ?? 0) - low) * scale;
  };
  const [x, y] = [spread("x", WIDTH), spread("y", height)];
  return (entity) => ({ x: x(entity), y: y(entity) });
}

/** ForceAtlas2 from a circle in order of appearance: no chance in it. */
function layout(
  triplets: readonly Triplet[],
  entities: readonly string[],
): Readonly<Record<string, Place>> {
  const { MultiDirectedGraph } = loadModule<typeof import("graphology")>("graphology");
  // the package is CommonJS: its function is what it exports, though its types say otherwise
  const forceAtlas2 = loadModule<typeof forceAtlas2Package.default>(
    "graphology-layout-forceatlas2",
  );
  const graph = new MultiDirectedGraph<{ x: number; y: number }>();
  entities.forEach((entity, index) => {
    const angle = (2 * Math.PI * index) / entities.length;
    graph.addNode(entity, { x: 100 * Math.cos(angle), y: -100 * Math.sin(angle) });
  });
  for (const { subject, object } of triplets) graph.addDirectedEdge(subject, object);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    linLogMode: true,
    barnesHutOptimize: false,
  };
  return graph.order === 0 ? {} : forceAtlas2(graph, { iterations: 400, settings });
}
