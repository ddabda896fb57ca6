/**
 * GraphMind, Figure 7: one view in the two forms in which it is given, as a picture and as words for every cell.
 *
 * @module
 */

import type { Figure } from "../../../report/figure.ts";
import { frameOf } from "../../../report/frame.ts";
import { GRID_COLOURS, GRID_SHAPES } from "../../../report/figures/grid-map.ts";

/** Letters in a line of a cell. */
const LINE_BREAK = "\n";

/**
 * Draws a view of BabyAI out of its text: rows from the farthest to the nearest with `; ` between cells, the agent at the bottom, looking up.
 */
export function observationFigure(
  view: string,
  options: { readonly id: string; readonly title: string; readonly subtitle: string; readonly caption: string; readonly facing?: string },
): Figure {
  const lines = view.split("\n").map((line) => line.split(";").map((cell) => cell.trim()));
  const wide = Math.max(...lines.map((line) => line.length));
  const rows = lines.flatMap((line, y) =>
    line.map((token, x) => ({ x, y, x2: x + 1, y2: y + 1, ...lookOf(token), words: token.replaceAll("_", LINE_BREAK) }))
  );
  const scale = (end: number): Record<string, unknown> => ({ domain: [0, end], nice: false, zero: false });
  const at = (dx: number): Record<string, unknown> => ({
    x: { field: dx === 0 ? "x" : "cx", type: "quantitative", axis: null, scale: scale(wide) },
    y: { field: dx === 0 ? "y" : "cy", type: "quantitative", axis: null, scale: { ...scale(lines.length), reverse: true } },
  });
  const box = { ...at(0), x2: { field: "x2" }, y2: { field: "y2" } };
  const inner = {
    ...at(0),
    x: { ...(at(0).x as object), field: "ix" },
    y: { ...(at(0).y as object), field: "iy" },
    x2: { field: "ix2" },
    y2: { field: "iy2" },
  };
  const centred = [
    { calculate: "datum.x + 0.5", as: "cx" },
    { calculate: "datum.y + 0.5", as: "cy" },
    ...["x", "y"].flatMap((axis) => [
      { calculate: `datum.${axis} + 0.1`, as: `i${axis}` },
      { calculate: `datum.${axis} + 0.9`, as: `i${axis}2` },
    ]),
  ];
  const painted = (channel: string, field: string): Record<string, unknown> => ({ [channel]: { field, type: "nominal", scale: null } });
  const size = 340;
  const cell = size / Math.max(wide, lines.length);
  return {
    id: options.id,
    caption:
      `${options.caption} Left: drawn from the text; right: the text, a word for every cell. The agent is at the bottom and looks up` +
      `${options.facing ? `, to the ${options.facing}` : ""}.`,
    frame: frameOf(rows, {
      x: "integer",
      y: "integer",
      x2: "integer",
      y2: "integer",
      look: "text",
      floor: "text",
      colour: "text",
      shape: "text",
      words: "text",
    }),
    spec: {
      title: { text: options.title, subtitle: options.subtitle },
      data: { name: "frame" },
      transform: centred,
      hconcat: [
        {
          width: size,
          height: size,
          layer: [
            { mark: { type: "rect", stroke: "#999", strokeWidth: 0.5 }, encoding: { ...box, ...painted("fill", "floor") } },
            {
              transform: [{ filter: "datum.look === 'thing' || datum.look === 'agent'" }],
              mark: { type: "point", filled: true, size: cell * cell * 0.5, stroke: "#333", strokeWidth: 0.5, opacity: 1 },
              encoding: { ...at(0.5), ...painted("fill", "colour"), ...painted("shape", "shape") },
            },
            {
              transform: [{ filter: "datum.look === 'door' || datum.look === 'lock'" }],
              mark: { type: "rect", strokeWidth: 5 },
              encoding: { ...inner, ...painted("fill", "floor"), ...painted("stroke", "colour") },
            },
            {
              transform: [{ filter: "datum.look === 'lock'" }],
              mark: { type: "point", shape: "circle", filled: true, size: cell * cell / 10, color: "#111", opacity: 1 },
              encoding: at(0.5),
            },
          ],
          resolve: { scale: { fill: "independent", stroke: "independent", shape: "independent" } },
        },
        {
          width: size * 1.25,
          height: size,
          layer: [
            { mark: { type: "rect", fill: "white", stroke: "#999", strokeWidth: 0.5 }, encoding: box },
            {
              mark: { type: "text", fontSize: 8, lineBreak: LINE_BREAK, lineHeight: 9, baseline: "middle" },
              encoding: { ...at(0.5), text: { field: "words", type: "nominal" } },
            },
          ],
        },
      ],
    },
  };
}

/** How a cell is drawn: `floor` alone, with a `thing` or the `agent` on it, or a door, whose lock has a sign. */
function lookOf(
  token: string,
): { readonly look: string; readonly floor: string; readonly colour: string | null; readonly shape: string | null } {
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
