/** GraphMind, Figure 7: one view in the two forms in which it is given, as a picture and as words for every cell. */

import { type Figure, figureOf } from "../../../report/figure.ts";
import { GRID_COLOURS, GRID_SHAPES } from "../../../report/figures/grid-map.ts";

/** Width and height of the picture in px. */
const SIZE = 205;
/** Height of a line of words in px. */
const LINE = 8;

/** The inputs of Figure 7. */
export interface ObservationFigureOptions extends Pick<Figure, "id" | "caption"> {
  readonly title: string;
  readonly subtitle: string;
  /** The direction that the agent faces, if the world tells it. */
  readonly facing?: string;
  /** The picture (PNG) that the model was shown; without one the picture is drawn from the text. */
  readonly picture?: Uint8Array;
}

/** Draws a view of BabyAI: rows from the farthest to the nearest with `; ` between cells, the agent at the bottom, looking up. */
export function observationFigure(view: string, { caption, facing, picture, ...options }: ObservationFigureOptions): Figure {
  const rows = view.split("\n").flatMap((line, y) =>
    line.split(";").map((cell, x) => ({ x, y, ...lookOf(cell.trim()), words: cell.trim().replaceAll("_", "\n") }))
  );
  const at = { x: { field: "x", type: "ordinal", axis: null }, y: { field: "y", type: "ordinal", axis: null } };
  const painted = (channel: string, field: string): Record<string, unknown> => ({ [channel]: { field, type: "nominal", scale: null } });
  const only = (...looks: string[]): unknown[] => [{ filter: { field: "look", oneOf: looks } }];
  const cell = SIZE / Math.max(...rows.flatMap(({ x, y }) => [x + 1, y + 1]));
  const drawn = {
    layer: [
      { mark: { type: "rect", stroke: "#999", strokeWidth: 0.5 }, encoding: { ...at, ...painted("fill", "floor") } },
      {
        transform: only("thing", "agent"),
        mark: { type: "point", filled: true, size: cell * cell * 0.5, stroke: "#333", strokeWidth: 0.5, opacity: 1 },
        encoding: { ...at, ...painted("fill", "colour"), ...painted("shape", "shape") },
      },
      {
        transform: only("door", "lock"),
        mark: { type: "rect", strokeWidth: 3, width: { band: 0.8 }, height: { band: 0.8 } },
        encoding: { ...at, ...painted("fill", "floor"), ...painted("stroke", "colour") },
      },
      {
        transform: only("lock"),
        mark: { type: "point", shape: "circle", filled: true, size: cell * cell / 10, color: "#111", opacity: 1 },
        encoding: at,
      },
    ],
    resolve: { scale: { fill: "independent", stroke: "independent", shape: "independent" } },
  };
  const shown = {
    data: { values: [{ url: `data:image/png;base64,${picture?.toBase64()}` }] },
    mark: { type: "image", width: SIZE, height: SIZE },
    encoding: { x: { value: SIZE / 2 }, y: { value: SIZE / 2 }, url: { field: "url", type: "nominal" } },
  };
  const dy = { expr: `${-LINE / 2} * (length(split(datum.words, "\\n")) - 1)` }; // else the first line alone would be in the middle
  const words = {
    layer: [
      { mark: { type: "rect", fill: "white", stroke: "#999", strokeWidth: 0.5 }, encoding: at },
      {
        mark: { type: "text", fontSize: 7, lineBreak: "\n", lineHeight: LINE, baseline: "middle", dy },
        encoding: { ...at, text: { field: "words", type: "nominal" } },
      },
    ],
  };
  const source = picture ? "the picture that the model was shown" : "drawn from the text, since the model was shown no picture";
  return figureOf({
    ...options,
    isWide: "fixed",
    caption: `${caption} Left: ${source}; right: the text, a word for every cell. ` +
      `The agent is at the bottom and looks up${facing ? `, to the ${facing}` : ""}.`,
    rows,
    fields: [["integer", "x", "y"], ["text", "look", "floor", "colour", "shape", "words"]],
    hconcat: [{ width: SIZE, height: SIZE, ...(picture ? shown : drawn) }, { width: SIZE * 1.25, height: SIZE, ...words }],
  });
}

/** How a cell is drawn: `floor` alone, with a `thing` or the `agent` on it, or a door, whose lock has a sign. */
function lookOf(token: string): Readonly<Record<"look" | "floor", string> & Record<"colour" | "shape", string | null>> {
  const words = token.toLowerCase().split("_");
  const colour = GRID_COLOURS[words[0] ?? ""] ?? null;
  const plain = { colour: null, shape: null };
  if (token === "Wall") return { look: "wall", floor: "#4a4a4a", ...plain };
  if (token === "Unseen") return { look: "unseen", floor: "#c9c9c9", ...plain };
  if (token === "Agent") return { look: "agent", floor: "#ffffff", colour: "#111111", shape: "triangle-up" };
  if (words.at(-1) === "door") {
    const floor = words.includes("open") ? "#ffffff" : colour ?? "#000000";
    return { look: words.includes("locked") ? "lock" : "door", floor, colour, shape: null };
  }
  const shape = GRID_SHAPES[words.at(-1) ?? ""];
  return shape ? { look: "thing", floor: "#ffffff", colour, shape } : { look: "empty", floor: "#ffffff", ...plain };
}
