/** Where entities, lines and their labels stand in the picture of a graph. */

import type forceAtlas2Package from "graphology-layout-forceatlas2";
import type { Triplet } from "../core/graph/triplet.ts";
import { loadModule } from "../core/platform.ts";
import { textWidth } from "./draw.ts";

/** The line of a pair of entities. */
export type Line =
  & Readonly<Record<"kind" | "label", string>>
  & Readonly<Record<"x" | "y" | "x2" | "y2", number>>;

/** A line for each pair of entities that triplets join, with all their relations. */
export function linesOf(triplets: readonly Triplet[], place: (entity: string) => Place): Line[] {
  return relationsByPair(triplets).map(([[subject, object], pair]) => {
    const [from, to] = [place(subject), place(object)];
    return {
      kind: "edge",
      label: pair.map(({ relation }) => relation).join(" · "),
      x: from.x,
      y: from.y,
      x2: to.x,
      y2: to.y,
    };
  });
}

/**
 * The one label that many lines of a large graph have, which the caption tells in place of them.
 */
export function usualOf(lines: readonly Line[]): string | undefined {
  const [most] = [...Map.groupBy(lines, ({ label }) => label)].toSorted(([, a], [, b]) =>
    b.length - a.length
  );
  return most !== undefined && most[1].length > MANY ? most[0] : undefined;
}

/**
 * Each line with the place along it where its label covers least of other labels and of entities;
 * shorter lines choose first.
 */
export function withLabelPlaces(
  triplets: readonly Triplet[],
  place: (entity: string) => Place,
  lines: readonly Line[],
): object[] {
  const { x, y } = extentOf(triplets, place);
  const pointsOf = (at: Place): Place => {
    const [perX, perY] = scalesOf({ x, y });
    return { x: (at.x - x[0]) * perX, y: (y[1] - at.y) * perY };
  };
  const boxOf = (label: string, size: number, at: Place, dy = 0): Box => {
    const [w, h] = [textWidth(label, size) / 2, size * 0.6];
    return [at.x - w, at.y + dy - h, at.x + w, at.y + dy + h];
  };
  const taken = entitiesOf(triplets).flatMap((entity): Box[] => {
    const at = pointsOf(place(entity));
    return [boxOf(entity, ENTITY, at, -ABOVE), [at.x - 3, at.y - 3, at.x + 3, at.y + 3]];
  });
  const lengthOf = (line: Line): number => Math.hypot(line.x2 - line.x, line.y2 - line.y);
  const middles = new Map(
    lines.toSorted((a, b) => lengthOf(a) - lengthOf(b)).map((line) => {
      const places = ALONG.map((part) => {
        const at = { x: line.x + (line.x2 - line.x) * part, y: line.y + (line.y2 - line.y) * part };
        const box = boxOf(line.label, RELATION, pointsOf(at));
        return { at, box, covered: taken.reduce((sum, other) => sum + sharedArea(box, other), 0) };
      });
      const best = places.reduce((a, b) => b.covered < a.covered ? b : a);
      if (line.label !== "") taken.push(best.box);
      return [line, best.at];
    }),
  );
  return lines.map((line) => ({ ...line, mx: middles.get(line)?.x, my: middles.get(line)?.y }));
}

/** Left, top, right, and bottom in points. */
type Box = readonly [number, number, number, number];

function sharedArea(a: Box, b: Box): number {
  return Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
}

/**
 * Relations between the same two entities share one line and one label, whichever way they point.
 */
export function relationsByPair<T extends Triplet>(
  triplets: readonly T[],
): [ends: readonly [string, string], pair: readonly T[]][] {
  return [
    ...Map.groupBy(triplets, ({ subject, object }) => JSON.stringify([subject, object].sort()))
      .values(),
  ].map((pair) => {
    const [{ subject, object }] = pair as [T];
    return [[subject, object], pair];
  });
}

/**
 * Width and height of the picture, its margin, and how far from its object an arrow stands, in
 * points.
 */
export const WIDTH = 488;
export const HEIGHT = 420;
export const PADDING = 24;
const AWAY = 7;

/** Letters of entities and relations, and how far an entity's name stands above it, in points. */
export const ENTITY = 8;
export const RELATION = 7;
export const ABOVE = 8;

/**
 * Parts of a line at which its label may stand, the best first; and lines of one label above which
 * the caption tells it.
 */
const ALONG = [0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8];
const MANY = 12;

/** A place in the layout. */
type Place = Readonly<Record<"x" | "y", number>>;

/** The least and the greatest place. */
export function extentOf(
  triplets: readonly Triplet[],
  place: (entity: string) => Place,
): Record<"x" | "y", readonly [number, number]> {
  const places = entitiesOf(triplets).map(place);
  const extent = (of: (place: Place) => number): readonly [number, number] => {
    const values = places.length === 0 ? [0, 1] : places.map(of);
    return [Math.min(...values), Math.max(...values)];
  };
  return { x: extent(({ x }) => x), y: extent(({ y }) => y) };
}

/** Points a unit of the layout, along and upwards. */
function scalesOf({ x, y }: ReturnType<typeof extentOf>): readonly [number, number] {
  return [(WIDTH - 2 * PADDING) / (x[1] - x[0] || 1), (HEIGHT - 2 * PADDING) / (y[1] - y[0] || 1)];
}

/**
 * An arrow before the object of each triplet, one for all of the same direction; its angle is in
 * degrees, clockwise from upwards.
 */
export function arrowsOf(triplets: readonly Triplet[], place: (entity: string) => Place): object[] {
  const { x, y } = extentOf(triplets, place);
  const [perX, perY] = scalesOf({ x, y });
  const directed = new Map(
    triplets.map((triplet) => [JSON.stringify([triplet.subject, triplet.object]), triplet]),
  );
  return [...directed.values()].flatMap(({ subject, object }) => {
    const [from, to] = [place(subject), place(object)];
    const [dx, dy] = [(to.x - from.x) * perX, (to.y - from.y) * perY];
    const length = Math.hypot(dx, dy);
    if (length < 2 * AWAY) return [];
    const part = 1 - AWAY / length;
    const at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    return [{ kind: "arrow", label: "", ...at, angle: Math.atan2(dx, dy) * 180 / Math.PI }];
  });
}

/** ForceAtlas2 from a circle in order of appearance: no chance in it. */
export function layout(triplets: readonly Triplet[]): (entity: string) => { x: number; y: number } {
  const { MultiDirectedGraph } = loadModule<typeof import("graphology")>("graphology");
  // the package is CommonJS: its function is what it exports, though its types say otherwise
  const forceAtlas2 = loadModule<typeof forceAtlas2Package.default>(
    "graphology-layout-forceatlas2",
  );
  const graph = new MultiDirectedGraph<{ x: number; y: number }>();
  const entities = entitiesOf(triplets);
  entities.forEach((entity, index) => {
    const angle = (2 * Math.PI * index) / entities.length;
    graph.addNode(entity, { x: 100 * Math.cos(angle), y: 100 * Math.sin(angle) });
  });
  for (const { subject, object } of triplets) graph.addDirectedEdge(subject, object);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    linLogMode: true,
    barnesHutOptimize: false,
  };
  const positions = graph.order === 0 ? {} : forceAtlas2(graph, { iterations: 400, settings });
  return (entity) => {
    const { x = 0, y = 0 } = positions[entity] ?? {};
    return { x, y };
  };
}

export function entitiesOf(triplets: readonly Triplet[]): string[] {
  return [...new Set(triplets.flatMap(({ subject, object }) => [subject, object]))];
}
