/**
 * A picture of a memory graph: what the agent knew after a step.
 *
 * @module
 */

import { createRequire } from "node:module";
import type forceAtlas2Package from "graphology-layout-forceatlas2";
import type { Triplet } from "../../graph/triplet.ts";
import { type Figure, figureOf, PALETTE } from "../figure.ts";
import { boxAt, kindLayer } from "../marks.ts";

/** What is drawn. */
export interface MemoryGraphOptions extends Pick<Figure, "id"> {
  /** Above the picture, and at the head of its caption. */
  readonly title: string;
  /** What answered for the models, e.g. `offline`; the picture and its caption say it. */
  readonly backbone: string;
  /** Entities to stand out in another colour, in normal form, e.g. the rooms visited; none unless told. */
  readonly places?: readonly string[];
}

/**
 * Draws standing triplets as a labelled graph; equal triplets give an equal picture.
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
 * assert.equal(figure.frame.height, 3); // two entities and what joins them
 * ```
 */
export function memoryGraphFigure(triplets: readonly Triplet[], options: MemoryGraphOptions): Figure {
  const place = layout(triplets);
  const places = new Set(options.places);
  const rows = [
    ...relationsByPair(triplets).map(([[subject, object], relations]) => {
      const [from, to] = [place(subject), place(object)];
      const label = relations.join(" · ");
      return { kind: "edge", label, x: from.x, y: from.y, x2: to.x, y2: to.y, mx: (from.x + to.x) / 2, my: (from.y + to.y) / 2 };
    }),
    ...entitiesOf(triplets).map((label) => ({ kind: places.has(label) ? "place" : "entity", label, ...place(label) })),
  ];
  const scale = { zero: false, nice: false, padding: 30 };
  const { at, box } = boxAt({ x: scale, y: scale });
  const middle = { x: { ...at.x, field: "mx" }, y: { ...at.y, field: "my" } };
  const label = { text: { field: "label", type: "nominal" } };
  const colour = { domain: ["place", "entity"], range: [PALETTE[1], PALETTE[0]] };
  const color = { field: "kind", type: "nominal", title: null, scale: colour };
  return figureOf({
    id: options.id,
    title: options.title,
    subtitle: `${triplets.length} triplets, backbone: ${options.backbone}`,
    caption: `${options.title}: ${triplets.length} triplets. Backbone ${options.backbone}, n = 1.`,
    rows,
    fields: [["text", "kind", "label"], ["number", "x", "y", "x2", "y2", "mx", "my"]],
    width: 1000,
    height: 760,
    layer: [
      kindLayer("edge", { type: "rule", color: "#b5b5b5", strokeWidth: 1 }, box),
      kindLayer("edge", { type: "text", fontSize: 7, color: "#777" }, { ...middle, ...label }),
      kindLayer(["entity", "place"], { type: "circle", size: 60, opacity: 1 }, { ...at, color }),
      kindLayer(["entity", "place"], { type: "text", fontSize: 9, dy: -8, color: "#111" }, { ...at, ...label }),
    ],
  });
}

function entitiesOf(triplets: readonly Triplet[]): string[] {
  return [...new Set(triplets.flatMap(({ subject, object }) => [subject, object]))];
}

/** Relations between the same two entities share one line and one label, whichever way they point. */
function relationsByPair(triplets: readonly Triplet[]): [ends: readonly [string, string], relations: string[]][] {
  return [...Map.groupBy(triplets, ({ subject, object }) => JSON.stringify([subject, object].sort())).values()].map((pair) => {
    const [{ subject, object }] = pair as [Triplet];
    return [[subject, object], pair.map(({ relation }) => relation)];
  });
}

/** ForceAtlas2 from a circle in order of appearance: no chance in it. */
function layout(triplets: readonly Triplet[]): (entity: string) => { x: number; y: number } {
  const load = createRequire(import.meta.url); // with the first picture
  const { MultiDirectedGraph } = load("graphology") as typeof import("graphology");
  // the package is CommonJS: its function is what it exports, though its types say otherwise
  const forceAtlas2 = load("graphology-layout-forceatlas2") as typeof forceAtlas2Package.default;
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
