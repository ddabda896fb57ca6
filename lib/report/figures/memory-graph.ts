/** A picture of a memory graph: what the agent knew after a step. */

import type forceAtlas2Package from "graphology-layout-forceatlas2";
import type { Triplet } from "../../graph/triplet.ts";
import { type Figure, figureOf } from "../figure.ts";
import { boxAt, type Channel, kindLayer } from "../marks.ts";
import { loadModule } from "../../platform.ts";
import { checkKeys } from "../../text/did-you-mean.ts";

/** Options of `memoryGraphFigure`. */
export interface MemoryGraphOptions extends Pick<Figure, "id"> {
  /** Above the picture, and at the head of its caption. */
  readonly title: string;
  /** Id of the backbone, e.g. `offline`; the picture and its caption say it. */
  readonly backbone: string;
  /** Entities to stand out in another colour, in normal form, e.g. the rooms visited; none unless told. */
  readonly places?: readonly string[];
}

/**
 * Draws current triplets as a labelled graph; equal triplets give an equal picture.
 *
 * The layout is ForceAtlas2 (Jacomy et al. 2014), 400 iterations from a circle: without chance, and about quadratic in the entities.
 *
 * @example
 * ```ts
 * import { memoryGraphFigure } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], { id: "m", title: "Memory", backbone: "offline" });
 * assert.equal(figure.caption, "Memory: 1 triplets. Backbone offline, n = 1.");
 * assert.equal(figure.frame.height, 4); // two entities, what joins them and its arrow
 * ```
 */
export function memoryGraphFigure(triplets: readonly Triplet[], options: MemoryGraphOptions): Figure {
  checkKeys("memoryGraphFigure()", options, ["id", "title", "backbone", "places"]);
  const place = layout(triplets);
  const places = new Set(options.places);
  const rows = [
    ...relationsByPair(triplets).map(([[subject, object], pair]) => {
      const [from, to] = [place(subject), place(object)];
      const label = pair.map(({ relation }) => relation).join(" · ");
      return { kind: "edge", label, x: from.x, y: from.y, x2: to.x, y2: to.y, mx: (from.x + to.x) / 2, my: (from.y + to.y) / 2 };
    }),
    ...arrowsOf(triplets, place),
    ...entitiesOf(triplets).map((label) => ({ kind: places.has(label) ? "place" : "entity", label, ...place(label) })),
  ];
  const scale = (domain: readonly number[]): Channel => ({ zero: false, nice: false, padding: PADDING, domain });
  const { x, y } = extentOf(triplets, place);
  const { at, box } = boxAt({ x: scale(x), y: scale(y) });
  const middle = { x: { ...at.x, field: "mx" }, y: { ...at.y, field: "my" } };
  const label = { text: { field: "label", type: "nominal" } };
  const colour = { domain: ["place", "entity"], range: ["#d55e00", "#0072b2"] };
  const color = { field: "kind", type: "nominal", title: null, scale: colour };
  return figureOf({
    id: options.id,
    title: options.title,
    subtitle: `${triplets.length} triplets, backbone: ${options.backbone}`,
    caption: `${options.title}: ${triplets.length} triplets. Backbone ${options.backbone}, n = 1.`,
    rows,
    fields: [["text", "kind", "label"], ["number", "x", "y", "x2", "y2", "mx", "my", "angle"]],
    isWide: "fixed",
    width: WIDTH,
    height: HEIGHT,
    layer: [
      kindLayer("edge", { type: "rule", color: "#b5b5b5", strokeWidth: 0.8 }, box),
      kindLayer("arrow", { type: "point", shape: "triangle", filled: true, size: 22, color: "#8a8a8a", opacity: 1 }, {
        ...at,
        angle: { field: "angle", type: "quantitative", scale: null },
      }),
      kindLayer("edge", { type: "text", fontSize: 7, color: "#777" }, { ...middle, ...label }),
      kindLayer(["entity", "place"], { type: "circle", size: 36, opacity: 1 }, { ...at, color }),
      kindLayer(["entity", "place"], { type: "text", fontSize: 8, dy: -7, color: "#111" }, { ...at, ...label }),
    ],
  });
}

function entitiesOf(triplets: readonly Triplet[]): string[] {
  return [...new Set(triplets.flatMap(({ subject, object }) => [subject, object]))];
}

/** Relations between the same two entities share one line and one label, whichever way they point. */
function relationsByPair(triplets: readonly Triplet[]): [ends: readonly [string, string], pair: readonly Triplet[]][] {
  return [...Map.groupBy(triplets, ({ subject, object }) => JSON.stringify([subject, object].sort())).values()].map((pair) => {
    const [{ subject, object }] = pair as [Triplet];
    return [[subject, object], pair];
  });
}

/** Width and height of the picture, its margin, and how far from its object an arrow stands, in points. */
const WIDTH = 488;
const HEIGHT = 420;
const PADDING = 24;
const AWAY = 7;

/** A place in the layout. */
type Place = Readonly<Record<"x" | "y", number>>;

/** The least and the greatest place. */
function extentOf(triplets: readonly Triplet[], place: (entity: string) => Place): Record<"x" | "y", readonly [number, number]> {
  const places = entitiesOf(triplets).map(place);
  const extent = (of: (place: Place) => number): readonly [number, number] => {
    const values = places.length === 0 ? [0, 1] : places.map(of);
    return [Math.min(...values), Math.max(...values)];
  };
  return { x: extent(({ x }) => x), y: extent(({ y }) => y) };
}

/** An arrow before the object of each triplet, one for all of the same direction; its angle is in degrees, clockwise from upwards. */
function arrowsOf(triplets: readonly Triplet[], place: (entity: string) => Place): object[] {
  const { x, y } = extentOf(triplets, place);
  const [perX, perY] = [(WIDTH - 2 * PADDING) / (x[1] - x[0] || 1), (HEIGHT - 2 * PADDING) / (y[1] - y[0] || 1)];
  const directed = new Map(triplets.map((triplet) => [JSON.stringify([triplet.subject, triplet.object]), triplet]));
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
function layout(triplets: readonly Triplet[]): (entity: string) => { x: number; y: number } {
  const { MultiDirectedGraph } = loadModule<typeof import("graphology")>("graphology");
  // the package is CommonJS: its function is what it exports, though its types say otherwise
  const forceAtlas2 = loadModule<typeof forceAtlas2Package.default>("graphology-layout-forceatlas2");
  const graph = new MultiDirectedGraph<{ x: number; y: number }>();
  const entities = entitiesOf(triplets);
  entities.forEach((entity, index) => {
    const angle = (2 * Math.PI * index) / entities.length;
    graph.addNode(entity, { x: 100 * Math.cos(angle), y: 100 * Math.sin(angle) });
  });
  for (const { subject, object } of triplets) graph.addDirectedEdge(subject, object);
  const settings = { ...forceAtlas2.inferSettings(graph), linLogMode: true, barnesHutOptimize: false };
  const positions = graph.order === 0 ? {} : forceAtlas2(graph, { iterations: 400, settings });
  return (entity) => {
    const { x = 0, y = 0 } = positions[entity] ?? {};
    return { x, y };
  };
}
