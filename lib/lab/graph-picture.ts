/** A picture of triplets as a graph whose lines are coloured by their state. */

import { UsageError } from "../core/errors.ts";
import { checkKeys, didYouMean } from "../core/text/did-you-mean.ts";
import { figure, type FigureOptions, type ShownFigure } from "./figure.ts";
import { frameOf } from "./frame-of.ts";
import { drawingOf, ENTITY, RADIUS, RELATION, type StatedTriplet } from "./graph-layout.ts";

export type { StatedTriplet } from "./graph-layout.ts";

/** How a graph is drawn. */
export interface GraphPictureOptions extends FigureOptions {
  /**
   * State → colour of its lines. Triplets of the same two entities share a line, which has the
   * latest of their states in this order.
   */
  readonly colors: Readonly<Record<string, string>>;
}

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
  const { width, height, rows } = drawingOf(triplets, order);
  const at = { x: "number?", y: "number?", x2: "number?", y2: "number?" } as const;
  const drawn = { ...at, mx: "number?", my: "number?", angle: "number?" } as const;
  const data = frameOf(rows, { kind: "text", label: "text", state: "text?", ...drawn });
  return await figure({ data, width, height, layer: layersOf([width, height], colors) }, rest);
}

function layersOf(
  [width, height]: readonly [number, number],
  colors: Readonly<Record<string, string>>,
): Part[] {
  const channel = (field: string, domain: readonly number[]): Part => ({
    ...{ field, type: "quantitative", axis: null },
    scale: { zero: false, nice: false, domain },
  });
  const on = (x: string, y: string): Part => ({
    x: channel(x, [0, width]),
    y: channel(y, [height, 0]), // downwards
  });
  const [at, middle] = [on("x", "y"), on("mx", "my")];
  const ends = { ...at, x2: { field: "x2" }, y2: { field: "y2" } };
  const text = { field: "label", type: "nominal" };
  const scale = { domain: Object.keys(colors), range: Object.values(colors) };
  const color = { field: "state", type: "nominal", legend: null, scale };
  const angle = { field: "angle", type: "quantitative", scale: null };
  const of = (kind: string, mark: Part, encoding: Part): Part => ({
    transform: [{ filter: { field: "kind", equal: kind } }],
    mark,
    encoding,
  });
  const ground = { color: "white", stroke: "white", strokeWidth: 2.5 };
  const relation = { type: "text", fontSize: RELATION, lineBreak: "\n", baseline: "top" };
  const entity = { type: "text", fontSize: ENTITY, baseline: "middle" };
  const arrow = { type: "point", shape: "triangle", filled: true, size: 36, opacity: 1 };
  const point = { type: "circle", size: Math.PI * RADIUS ** 2, opacity: 1, color: "#444" };
  return [
    of("edge", { type: "rule", strokeWidth: 1.2 }, { ...ends, color }),
    of("label", { type: "rect", color: "white", opacity: 1 }, ends),
    of("arrow", arrow, { ...at, angle, color }),
    of("label", relation, { ...middle, text, color }),
    of("entity", point, at),
    of("entity", { ...entity, ...ground }, { ...middle, text }),
    of("entity", { ...entity, color: "#111" }, { ...middle, text }),
  ];
}
