/** A picture of triplets as a graph whose lines are coloured by their state. */

import { UsageError } from "../core/errors.ts";
import type { Triplet } from "../core/graph/triplet.ts";
import { checkKeys, didYouMean } from "../core/text/did-you-mean.ts";
import { figure, type FigureOptions, type ShownFigure } from "./figure.ts";
import { frameOf } from "./frame-of.ts";
import {
  ABOVE,
  arrowsOf,
  entitiesOf,
  ENTITY,
  extentOf,
  HEIGHT,
  layout,
  linesOf,
  PADDING,
  RELATION,
  relationsByPair,
  WIDTH,
  withLabelPlaces,
} from "./graph-layout.ts";

/** A triplet and the state that its line is coloured by, e.g. `added`. */
export type StatedTriplet = Triplet & { readonly state: string };

/** How a graph is drawn. */
export interface GraphPictureOptions extends FigureOptions {
  /**
   * State → colour of its lines. Triplets of the same two entities share a line, which has the
   * latest of their states in this order.
   */
  readonly colors: Readonly<Record<string, string>>;
}

/** A part of a Vega-Lite specification. */
type Part = Readonly<Record<string, unknown>>;

/**
 * Draws triplets as a graph: entities as points, relations as lines with arrows and labels in the
 * colour of their state. Equal triplets give an equal picture; without triplets it is empty.
 * With `file` it is written as `figure` does. The layout is ForceAtlas2 (Jacomy et al. 2014).
 *
 * @throws {UsageError} for a triplet whose state has no colour.
 *
 * @example
 * ```ts
 * import { graphPicture } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const { svg } = await graphPicture([
 *   { subject: "key", relation: "is in", object: "inventory", state: "added" },
 *   { subject: "key", relation: "is on", object: "floor", state: "removed" },
 * ], { colors: { added: "#332288", removed: "#cc6677" }, caption: "Blue is new, red outdated." });
 * assert.ok(svg.includes("inventory"));
 * ```
 */
export async function graphPicture(
  triplets: readonly StatedTriplet[],
  options: GraphPictureOptions,
): Promise<ShownFigure> {
  checkKeys("graphPicture()", options, ["colors", "caption", "file"]);
  const { colors, ...rest } = options;
  const order = Object.keys(colors);
  for (const { state } of triplets) {
    if (!order.includes(state)) {
      throw new UsageError(
        `the state "${state}" has no colour${didYouMean(state, order)}; give it one in "colors"`,
      );
    }
  }
  const place = layout(triplets);
  const states = relationsByPair(triplets).map(([, pair]) =>
    order.findLast((state) => pair.some((one) => one.state === state))
  );
  const lines = withLabelPlaces(triplets, place, linesOf(triplets, place));
  const rows = [
    ...lines.map((line, i) => ({ ...line, state: states[i] })),
    ...arrowsOf(triplets, place),
    ...entitiesOf(triplets).map((label) => ({ kind: "entity", label, ...place(label) })),
  ];
  const fields = {
    x: "number?",
    y: "number?",
    x2: "number?",
    y2: "number?",
    mx: "number?",
    my: "number?",
    angle: "number?",
  } as const;
  const data = frameOf(rows, { kind: "text", label: "text", state: "text?", ...fields });
  return await figure({
    data,
    width: WIDTH,
    height: HEIGHT,
    layer: layersOf(extentOf(triplets, place), colors),
  }, rest);
}

/** Lines, arrows, labels and entities, each a layer over its rows. */
function layersOf(
  extent: Readonly<Record<"x" | "y", readonly [number, number]>>,
  colors: Readonly<Record<string, string>>,
): Part[] {
  const channel = (axis: "x" | "y", field: string): Part => ({
    ...{ field, type: "quantitative", axis: null },
    scale: { zero: false, nice: false, padding: PADDING, domain: extent[axis] },
  });
  const at = { x: channel("x", "x"), y: channel("y", "y") };
  const middle = { x: channel("x", "mx"), y: channel("y", "my") };
  const text = { field: "label", type: "nominal" };
  const scale = { domain: Object.keys(colors), range: Object.values(colors) };
  const color = { field: "state", type: "nominal", legend: null, scale };
  const of = (kind: string, mark: Part, encoding: Part): Part => ({
    transform: [{ filter: { field: "kind", equal: kind } }],
    mark,
    encoding,
  });
  const ground = { color: "white", stroke: "white", strokeWidth: 2.5 };
  const relation = { type: "text", fontSize: RELATION };
  const entity = { type: "text", fontSize: ENTITY, dy: -ABOVE };
  const arrow = {
    type: "point",
    shape: "triangle",
    filled: true,
    size: 22,
    color: "#888",
    opacity: 1,
  };
  return [
    of("edge", { type: "rule", strokeWidth: 1.2 }, {
      ...at,
      x2: { field: "x2" },
      y2: { field: "y2" },
      color,
    }),
    of("arrow", arrow, { ...at, angle: { field: "angle", type: "quantitative", scale: null } }),
    of("edge", { ...relation, ...ground }, { ...middle, text }),
    of("edge", relation, { ...middle, text, color }),
    of("entity", { type: "circle", size: 36, opacity: 1, color: "#444" }, at),
    of("entity", { ...entity, ...ground }, { ...at, text }),
    of("entity", { ...entity, color: "#111" }, { ...at, text }),
  ];
}
