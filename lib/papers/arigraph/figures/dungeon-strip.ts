/**
 * AriGraph, Figure 13: a run through NetHack as a strip of screens, drawn from the recorded truth.
 *
 * @module
 */

import type { Figure } from "../../../report/figure.ts";
import { frameOf } from "../../../report/frame.ts";

/** One screen: 21 lines of 79 characters, as the game shows its map. */
export interface DungeonScreen {
  /** Above it; unique in its strip. */
  readonly title: string;
  /** Top to bottom. */
  readonly map: readonly string[];
}

/** Sign → what it stands for; whatever is in no group is a thing. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/@/, "hero"],
  [/[-|]/, "wall"],
  [/[.#]/, "ground"],
  [/[<>]/, "stairs"],
  [/\+/, "door"],
  [/[A-Za-z&;:~']/, "creature"],
];
const COLOURS: Readonly<Record<string, string>> = {
  hero: "#d55e00",
  wall: "#777777",
  ground: "#bbbbbb",
  stairs: "#0072b2",
  door: "#8a5a00",
  creature: "#cc0044",
  thing: "#009e73",
};
/** Size of a cell of the map in px. */
const CELL = { width: 5.4, height: 9.5 };

/**
 * Draws screens below and beside one another, each sign of the map in the colour of its kind.
 *
 * @example
 * ```ts
 * import { dungeonStripFigure } from "labyrinth/papers/arigraph";
 * import { rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const figure = dungeonStripFigure([{ title: "start", map: ["---", "|@|", "---"] }], { id: "f", title: "A run", subtitle: "", caption: "n = 1." });
 * const signs = rowsOf<{ x: number; y: number; kind: string }>(figure.frame);
 * assert.deepEqual(signs.filter(({ kind }) => kind === "hero").map(({ x, y }) => [x, y]), [[1, 1]]);
 * assert.equal(signs.length, 9);
 * ```
 */
export function dungeonStripFigure(
  screens: readonly DungeonScreen[],
  options: { readonly id: string; readonly title: string; readonly subtitle: string; readonly caption: string; readonly columns?: number },
): Figure {
  const { id, title, subtitle, caption, columns = 2 } = options;
  const rows = screens.flatMap((screen, place) =>
    screen.map.flatMap((line, y) =>
      [...line].flatMap((sign, x) => sign === " " ? [] : [{ screen: screen.title, place, x, y, sign, kind: kindOf(sign) }])
    )
  );
  const [wide, high] = [
    Math.max(...screens.flatMap(({ map }) => map.map((line) => line.length)), 1),
    Math.max(...screens.map(({ map }) => map.length), 1),
  ];
  const axis = (field: string, end: number): Record<string, unknown> => ({
    field,
    type: "quantitative",
    axis: null,
    scale: { domain: [-0.5, end - 0.5], nice: false, zero: false, ...(field === "y" ? { reverse: true } : {}) },
  });
  const kinds = [...new Set([...KINDS.map(([, kind]) => kind), "thing"])];
  return {
    id,
    caption,
    frame: frameOf(rows, { screen: "text", place: "integer", x: "integer", y: "integer", sign: "text", kind: "text" }),
    spec: {
      title: { text: title, subtitle },
      data: { name: "frame" },
      facet: {
        field: "screen",
        type: "nominal",
        title: null,
        sort: screens.map((screen) => screen.title),
        header: { labelFontSize: 9.5, labelAnchor: "start", labelLimit: wide * CELL.width },
      },
      columns,
      spacing: 14,
      spec: {
        width: wide * CELL.width,
        height: high * CELL.height,
        view: { fill: "#fbfbfb", stroke: "#dddddd" },
        mark: { type: "text", fontSize: 8.5, fontWeight: "bold", baseline: "middle" },
        encoding: {
          x: axis("x", wide),
          y: axis("y", high),
          text: { field: "sign", type: "nominal" },
          color: {
            field: "kind",
            type: "nominal",
            title: null,
            scale: { domain: kinds, range: kinds.map((kind) => COLOURS[kind]) },
            legend: { orient: "bottom", symbolType: "circle" },
          },
        },
      },
    },
  };
}

function kindOf(sign: string): string {
  return KINDS.find(([signs]) => signs.test(sign))?.[1] ?? "thing";
}
