/**
 * Maps of grid worlds: rooms, doors, things and the agent as the recorded truth has them, with the way that was taken and how often each cell was
 * stood on (after Figures 1, 4 and 8 to 11 of GraphMind).
 */

import { babyAiAreas, type BabyAiTruth } from "../../core/graph/babyai-truth.ts";
import { type Figure, figureOf } from "../figure.ts";
import { boxAt, type Channel, kindLayer, nominal } from "../marks.ts";
import { brokenText, PRESETS } from "../presets.ts";

/** The agent's cell and direction: 0 east, 1 south, 2 west, 3 north. */
export type GridPose = readonly [x: number, y: number, direction: number];

/** One map. */
export interface GridPanel {
  /** Above it, `\n` breaks lines; unique in its figure. */
  readonly title: string;
  /** The state that is drawn. */
  readonly truth: BabyAiTruth;
  /** The way, from its first pose to its last; the agent stands at the last. Without one it stands where the truth has it. */
  readonly path?: readonly GridPose[];
  /** Whether cells are tinted by how often they were stood on. @default {false} */
  readonly heat?: boolean;
}

/** How maps are put together. */
export interface GridMapOptions extends Pick<Figure, "id" | "caption"> {
  /** Above the picture. */
  readonly title: string;
  /** Below the title, in smaller letters. */
  readonly subtitle: string;
  /** Maps in a row. @default {4} */
  readonly columns?: number;
  /** Greatest width of a map in points; all of a row fit the page. @default {260} */
  readonly width?: number;
}

/** The colours of BabyAI as they are drawn. */
export const GRID_COLOURS: Readonly<Record<string, string>> = {
  blue: "#1f6fd0",
  green: "#1a9641",
  grey: "#8c8c8c",
  purple: "#8e44ad",
  red: "#d62728",
  yellow: "#e0b000",
};

/** Shapes in a box from −1 to 1: a key is a ring with a bit. */
export const GRID_SHAPES: Readonly<Record<string, string>> = {
  ball: "circle",
  box: "M-0.75,-0.75 H0.75 V0.75 H-0.75 Z M-0.75,-0.05 H0.75 V0.1 H-0.75 Z",
  key:
    "M-0.1,-1 A0.42,0.42 0 1,1 -0.11,-1 Z M-0.1,-0.78 A0.2,0.2 0 1,0 -0.09,-0.78 Z M-0.22,-0.2 H0.02 V0.95 H-0.22 Z M0,0.3 H0.5 V0.5 H0 Z M0,0.7 H0.38 V0.9 H0 Z",
};
/** Between maps, in points. */
const GAP = 14;
const DIRECTIONS: readonly string[] = ["east", "south", "west", "north"];
const ARROWS = ["triangle-right", "triangle-down", "triangle-left", "triangle-up"];

/**
 * Draws maps beside one another. Walls are dark, rooms that were entered white, others grey; a closed door is filled, a locked one has a keyhole, an
 * open one is a frame; what was not seen is pale; what is carried hangs at the agent. The way runs from dark to light, from a circle to the arrow; cells are the darker the more often they were
 * stood on.
 *
 * @example
 * ```ts
 * import { type BabyAiTruth } from "labyrinth/graph";
 * import { gridMapFigure, rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const truth: BabyAiTruth = {
 *   grid: { size: 1, side: 7, pitch: 6 },
 *   rooms: [{ id: 0, visited: true }],
 *   doors: [],
 *   objects: [{ id: 0, colour: "red", type: "key", room: 0, seen: true, x: 2, y: 5 }],
 *   agent: { x: 3, y: 4, direction: "north", room: 0 },
 *   trace: [[3, 4, 3]],
 * };
 * const { frame } = gridMapFigure([{ title: "start", truth }], { id: "m", title: "M", subtitle: "", caption: "n = 1." });
 * const drawn = rowsOf<{ kind: string; name: string; x: number; y: number }>(frame);
 * assert.deepEqual(drawn.filter(({ kind }) => kind === "thing").map(({ name, x, y }) => [name, x, y]), [["red key", 2.5, 5.5]]);
 * assert.equal(drawn.find(({ kind }) => kind === "agent")?.name, "north");
 * ```
 */
export function gridMapFigure(panels: readonly GridPanel[], options: GridMapOptions): Figure {
  const columns = Math.min(options.columns ?? 4, panels.length);
  const width = Math.min(options.width ?? 260, (PRESETS.page.width - GAP * (columns - 1) - 12) / columns);
  const titleOf = (title: string): string =>
    title.split("\n").flatMap((line) => brokenText(line, width + GAP / 2, PRESETS.page.label)).join("\n");
  const rows: Row[] = panels.flatMap((panel, place) => rowsOfPanel(panel).map((row) => ({ ...row, panel: titleOf(panel.title), place })));
  const isHeated = panels.some(({ heat }) => heat);
  const most = mostOf(rows, "heat");
  return figureOf({
    id: options.id,
    isWide: "fixed",
    title: options.title,
    subtitle: options.subtitle,
    caption: `${options.caption} ${LEGEND}${isHeated ? ` The darkest cell was stood on ${most} times.` : ""}`,
    rows,
    fields: [
      ...[["text", "panel"], ["integer", "place"], ["text", "kind", "name"]] as const,
      ...[["number", "x", "y", "x2", "y2"], ["text", "colour", "shape"], ["number", "opacity", "value"]] as const,
    ],
    facet: nominal("panel", panels.map(({ title }) => titleOf(title)), {
      header: {
        labelExpr: "split(datum.label, '\\n')",
        labelFontSize: PRESETS.page.label,
        labelFontWeight: "normal",
        labelLineHeight: 9,
        labelAlign: "center",
      },
    }),
    columns,
    spacing: GAP,
    spec: {
      width,
      height: width,
      layer: layersOf(panels, { width, most }),
      resolve: { scale: { fill: "independent", stroke: "independent", shape: "independent", opacity: "independent" } },
    },
  });
}

/** The greatest value of a kind of rows, at least 1. */
function mostOf(rows: readonly Row[], kind: string): number {
  return Math.max(1, ...rows.filter((row) => row.kind === kind).map((row) => Number(row["value"])));
}

/** The layers of maps that are `width` points wide; the darkest cell was stood on `most` times. */
function layersOf(panels: readonly GridPanel[], { width, most }: { readonly width: number; readonly most: number }): object[] {
  const side = Math.max(...panels.map(({ truth }) => truth.grid.side));
  const cell = width / side;
  const scale = { domain: [0, side], nice: false, zero: false };
  const { at, box } = boxAt({ x: scale, y: { ...scale, reverse: true } });
  const asIs = (field: string): Channel => ({ field, type: "nominal", scale: null });
  const sign = { ...at, fill: asIs("colour"), shape: asIs("shape") };
  const faded = { opacity: { field: "opacity", type: "quantitative", scale: null } };
  const graded = (scale: Channel): Channel => ({ field: "value", type: "quantitative", legend: null, scale });
  const point = (size: number, mark: Channel): Channel => ({ type: "point", filled: true, size: cell * cell * size, ...mark });
  const isHeated = panels.some(({ heat }) => heat);
  const isWalked = panels.some(({ path }) => path !== undefined && path.length > 1);
  return [
    kindLayer(["wall", "floor"], { type: "rect" }, { ...box, fill: asIs("colour") }),
    isHeated && kindLayer("heat", { type: "rect" }, { ...box, fill: graded({ scheme: "oranges", domain: [0, most] }) }),
    kindLayer("door", { type: "rect", strokeWidth: Math.max(1, cell / 7) }, {
      ...box,
      stroke: asIs("colour"),
      fill: asIs("shape"),
      ...faded,
    }),
    kindLayer("keyhole", point(1 / 7, { shape: "circle", color: "#111", opacity: 1 }), at),
    kindLayer("thing", point(0.9, { strokeWidth: 0.5, stroke: "#333" }), { ...sign, ...faded }),
    isWalked && kindLayer("way", { type: "rule", strokeWidth: Math.max(1.2, cell / 7), strokeCap: "round" }, {
      ...box,
      stroke: graded({ scheme: "plasma", domain: [0, 1] }),
    }),
    isWalked &&
    kindLayer("start", point(1 / 3, { shape: "circle", filled: false, strokeWidth: 1.5, color: "#111", fill: "white", opacity: 1 }), at),
    kindLayer("agent", point(0.7, { color: "#111", stroke: "white", strokeWidth: 1, opacity: 1 }), { ...at, shape: asIs("shape") }),
    kindLayer("carried", point(0.45, { strokeWidth: 0.5, stroke: "#333", opacity: 1 }), sign),
  ].filter((layer) => layer !== false);
}

/** The legend of the signs, which ends every caption of a map. */
const LEGEND = "Doors: filled closed, with a dot locked, framed open; grey rooms were not entered, pale things and doors not seen. " +
  "The way runs from the ring (dark) to the arrow (light), which is the agent.";

interface Row {
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  readonly [column: string]: unknown;
}

function rowsOfPanel({ truth, path, heat = false }: GridPanel): Row[] {
  const { grid, agent, objects } = truth;
  const last = path?.at(-1) ?? [agent.x, agent.y, DIRECTIONS.indexOf(agent.direction)] as const;
  const rows: Row[] = [{ kind: "wall", x: 0, y: 0, x2: grid.side, y2: grid.side, colour: "#4a4a4a" }];
  for (const room of truth.rooms) {
    const look = { kind: "floor", name: `room ${room.id}`, colour: room.visited ? "#ffffff" : "#c9c9c9" };
    for (const [x, y, width, height] of babyAiAreas(grid, room)) rows.push({ ...look, x, y, x2: x + width, y2: y + height });
  }
  if (heat) rows.push(...visits(path ?? []));
  for (const { x, y, colour, state, seen } of truth.doors) {
    const hex = GRID_COLOURS[colour] ?? "#000000";
    const inset = 0.12;
    const fill = state === "open" ? "#ffffff" : hex;
    const corner = { x: x + inset, y: y + inset, x2: x + 1 - inset, y2: y + 1 - inset };
    rows.push({ kind: "door", name: `${colour} ${state} door`, ...corner, colour: hex, shape: fill, opacity: seen ? 1 : 0.4 });
    if (state === "locked") rows.push({ kind: "keyhole", name: `${colour} door`, x: x + 0.5, y: y + 0.5 });
  }
  for (const { x, y, colour, type, seen } of objects) {
    const look = { name: `${colour} ${type}`, colour: GRID_COLOURS[colour] ?? "#000000", shape: GRID_SHAPES[type] ?? "diamond" };
    if (x === null || y === null) rows.push({ kind: "carried", ...look, x: last[0] + 0.85, y: last[1] + 0.15 });
    else rows.push({ kind: "thing", ...look, x: x + 0.5, y: y + 0.5, opacity: seen ? 1 : 0.35 });
  }
  if (path && path.length > 1) rows.push(...way(path));
  rows.push({ kind: "agent", name: DIRECTIONS[last[2]] ?? "", x: last[0] + 0.5, y: last[1] + 0.5, shape: ARROWS[last[2]] ?? "triangle" });
  return rows;
}

/** How often each cell was stood on: a turn on the spot counts again. */
function visits(path: readonly GridPose[]): Row[] {
  const counts = new Map<string, { readonly x: number; readonly y: number; value: number }>();
  for (const [x, y] of path) counts.getOrInsertComputed(`${x},${y}`, () => ({ x, y, value: 0 })).value++;
  return [...counts.values()].map(({ x, y, value }) => ({ kind: "heat", x, y, x2: x + 1, y2: y + 1, value }));
}

/** The moves, straight runs in one, a bit to the right of their direction; `value` is the part of the way behind the agent at their end, in (0, 1]. */
function way(path: readonly GridPose[]): Row[] {
  const runs: { from: GridPose; to: GridPose; end: number }[] = [];
  for (const [index, to] of path.entries()) {
    const from = path[index - 1];
    if (!from || (from[0] === to[0] && from[1] === to[1])) continue;
    const last = runs.at(-1);
    const goesOn = last && last.end === index - 1 && stepOf(last.from, last.to).join() === stepOf(from, to).join();
    if (goesOn) Object.assign(last, { to, end: index });
    else runs.push({ from, to, end: index });
  }
  const [x = 0, y = 0] = path[0] ?? [];
  return [
    ...runs.map(({ from, to, end }) => {
      const [dx, dy] = stepOf(from, to);
      const [sx, sy] = [0.5 - dy * 0.14, 0.5 + dx * 0.14];
      return { kind: "way", x: from[0] + sx, y: from[1] + sy, x2: to[0] + sx, y2: to[1] + sy, value: end / (path.length - 1) };
    }),
    { kind: "start", x: x + 0.5, y: y + 0.5 },
  ];
}

function stepOf([fromX, fromY]: GridPose, [x, y]: GridPose): readonly [number, number] {
  return [Math.sign(x - fromX), Math.sign(y - fromY)];
}
