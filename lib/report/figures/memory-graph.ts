/** A picture of a memory graph: what the agent knew after a step. */

import { playerName } from "../caption-text.ts";
import type { Triplet } from "../../core/graph/triplet.ts";
import { type Figure, figureOf } from "../figure.ts";
import { boxAt, type Channel, kindLayer } from "../marks.ts";
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
  usualOf,
  WIDTH,
  withLabelPlaces,
} from "../../lab/graph-layout.ts";
import { checkKeys } from "../../core/text/did-you-mean.ts";

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
 * assert.equal(figure.caption, "Memory: 1 triplets. Model: stand-in, n = 1.");
 * assert.equal(figure.frame.height, 4); // two entities, what joins them and its arrow
 * ```
 */
export function memoryGraphFigure(triplets: readonly Triplet[], options: MemoryGraphOptions): Figure {
  checkKeys("memoryGraphFigure()", options, ["id", "title", "backbone", "places"]);
  const place = layout(triplets);
  const places = new Set(options.places);
  const lines = linesOf(triplets, place);
  const usual = usualOf(lines);
  const unnamed = usual === undefined ? "" : ` (lines without a name: ${usual})`;
  const rows = [
    ...withLabelPlaces(triplets, place, lines.map((line) => line.label === usual ? { ...line, label: "" } : line)),
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
    subtitle: `${triplets.length} triplets${unnamed}, model: ${playerName(options.backbone)}`,
    caption: `${options.title}: ${triplets.length} triplets${unnamed}. Model: ${playerName(options.backbone)}, n = 1.`,
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
      ...haloed("edge", { fontSize: RELATION, color: "#666" }, { ...middle, ...label }),
      kindLayer(["entity", "place"], { type: "circle", size: 36, opacity: 1 }, { ...at, color }),
      ...haloed(["entity", "place"], { fontSize: ENTITY, dy: -ABOVE, color: "#111" }, { ...at, ...label }),
    ],
  });
}

/** Text on a white ground of its own shape, so that lines do not cross it. */
function haloed(kinds: string | readonly string[], mark: Channel, encoding: Readonly<Record<string, unknown>>): object[] {
  const ground = { color: "white", stroke: "white", strokeWidth: 2.5 };
  return [{ ...mark, ...ground }, mark].map((one) => kindLayer(kinds, { type: "text", ...one }, encoding));
}
