/** Draws one attempt: the growth of its graph, its score, and when it saw which room. */

import { COMPASS, type Compass } from "../graph/compass.ts";
import type { TracePoint } from "./report.ts";
import { type Figure, figureOf } from "../report/figure.ts";
import { type GridPlace, STEPS } from "../report/figures/game-map.ts";

/** Options that name the attempt. */
export interface AttemptFigureOptions {
  /** The log's file name, e.g. `hunt_arigraph.txt`. */
  readonly file: string;
  /** The attempt's position in the log, from 1. */
  readonly attempt: number;
}

/**
 * Draws an attempt in three panels: the current triplets with those added and removed on each step; the cumulative reward, where there is one; and
 * the rooms, placed by the moves between them (north is up), each with the step of its first visit and an area by its number of visits.
 *
 * @example
 * ```ts
 * import { attemptFigure } from "labyrinth/replay";
 * import { rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const point = { way: [], triplets: 3, added: 3, removed: 0, score: 0 };
 * const { frame } = attemptFigure([
 *   { ...point, step: 1, room: "hall", action: "go west" },
 *   { ...point, step: 2, room: "kitchen", action: "look" },
 * ], { file: "run.txt", attempt: 1 });
 * const rooms = rowsOf<{ kind: string; room: string; x: number }>(frame).filter(({ kind }) => kind === "room");
 * assert.deepEqual(rooms.map(({ room, x }) => [room, x]), [["hall", 0], ["kitchen", -1]]);
 * ```
 */
export function attemptFigure(trace: readonly TracePoint[], { file, attempt }: AttemptFigureOptions): Figure {
  const name = file.replace(/\.\w+$/, "");
  const rows = attemptRows(trace);
  const hasWays = rows.some(({ kind }) => kind === "way");
  const isScored = trace.some(({ score }) => score !== undefined);
  const quantitative = (field: string, more: object = {}): object => ({ field, type: "quantitative", ...more });
  const step = quantitative("step", { title: "step", axis: { tickMinStep: 1 } });
  const [x, y] = ["x", "y"].map((field) => quantitative(field, { axis: null, scale: { zero: false, padding: 30 } }));
  const only = (kind: string): object[] => [{ filter: `datum.kind === '${kind}'` }];
  const bar = (field: string, color: string): object => ({
    mark: { type: "bar", color, width: 2 },
    encoding: { x: step, y: quantitative(field) },
  });
  const growth = {
    mark: { type: "line", strokeWidth: 2 },
    encoding: { x: step, y: quantitative("triplets", { title: "triplets" }) },
  };
  const rewards = {
    mark: { type: "line", interpolate: "step-after", strokeWidth: 2 },
    encoding: { x: step, y: quantitative("score", { title: "reward" }) },
  };
  const ways = {
    transform: only("way"),
    mark: { type: "rule", color: "#bbb", strokeWidth: 2 },
    encoding: { x, y, x2: { field: "x2" }, y2: { field: "y2" } },
  };
  const rooms = {
    transform: only("room"),
    mark: { type: "circle", opacity: 1 },
    encoding: {
      x,
      y,
      size: quantitative("visits", { legend: null, scale: { range: [60, 600] } }),
      color: quantitative("step", { title: "first visit", scale: { scheme: "viridis" } }),
    },
  };
  const labels = {
    transform: only("room"),
    mark: { type: "text", dy: -18, fontSize: 9 },
    encoding: { x, y, text: { field: "label", type: "nominal" } },
  };
  return figureOf({
    id: `attempt-${name}-${attempt}`,
    title: `${name}, attempt ${attempt}`,
    caption:
      `${file}, attempt ${attempt}, ${trace.length} steps, n = 1. Above: current triplets after each step (line), added (green) and ` +
      `removed (red) on it. Middle: cumulative reward. Below: rooms by the moves between them, with the step of the first visit; area by visits.`,
    rows,
    fields: [
      ...[["text", "kind"], ["integer", "step", "triplets", "added", "fewer"], ["number", "score"], ["text", "room", "label"]] as const,
      ...[["number", "x", "y", "x2", "y2"], ["integer", "visits"]] as const,
    ],
    vconcat: [
      { width: 480, height: 130, transform: only("step"), layer: [growth, bar("added", "#009e73"), bar("fewer", "#d55e00")] },
      ...(isScored ? [{ width: 480, height: 80, transform: only("step"), ...rewards }] : []),
      { width: 480, height: 300, layer: [...(hasWays ? [ways] : []), rooms, labels] },
    ],
    resolve: { scale: { x: "independent", y: "independent" } },
  });
}

/** Makes the rows of three kinds: `step`; `room` with its place, first visit and number of visits; `way` between two rooms. */
function attemptRows(trace: readonly TracePoint[]): { readonly kind: string }[] {
  const walked = movesOf(trace);
  const places = placeRooms(trace, walked);
  const entered = [...trace.slice(0, 1).map(({ room, step }) => ({ room, step })), ...walked.map(({ to, step }) => ({ room: to, step }))];
  const visits = Map.groupBy(entered, ({ room }) => room);
  const ways = new Map(walked.map(({ from, to }) => [[from, to].sort().join("\n"), { from, to }]));
  return [
    ...trace.map(({ step, triplets, added, removed, score = null }) => ({ kind: "step", step, triplets, added, fewer: -removed, score })),
    ...[...places].map(([room, { x, y }]) => {
      const seen = visits.get(room) ?? [];
      return { kind: "room", room, x, y, step: seen[0]?.step ?? 1, visits: seen.length, label: `${room} (${seen[0]?.step ?? 1})` };
    }),
    ...[...ways.values()].map(({ from, to }) => ({ kind: "way", ...places.get(from), x2: places.get(to)?.x, y2: places.get(to)?.y })),
  ];
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** The step that begins there. */
  readonly step: number;
  readonly direction?: Compass;
}

/** Lists every change of room, in order. */
function movesOf(trace: readonly TracePoint[]): Move[] {
  const moves: Move[] = [];
  for (const [index, { room, way, action, step }] of trace.entries()) {
    const next = trace[index + 1]?.room;
    let from = room;
    for (const to of way.length > 0 ? way : next === undefined || next === room ? [] : [next]) {
      const direction = way.length > 0 ? undefined : COMPASS.find((word) => action.includes(word));
      if (to !== from) moves.push({ from, to, step: step + 1, direction });
      from = to;
    }
  }
  return moves;
}

/** Places the rooms on a grid, the first at its middle; where two would meet, or no direction is known, the later one is moved half a cell aside. */
function placeRooms(trace: readonly TracePoint[], moves: readonly Move[]): Map<string, GridPlace> {
  const places = new Map<string, GridPlace>();
  const isTaken = (x: number, y: number): boolean => [...places.values()].some((place) => place.x === x && place.y === y);
  const first = trace[0]?.room;
  if (first !== undefined) places.set(first, { x: 0, y: 0 });
  for (const { from, to, direction } of moves) {
    const start = places.get(from) ?? { x: 0, y: 0 };
    if (places.has(to)) continue;
    const by = STEPS[direction ?? ""] ?? { x: 0.5, y: 0.5 };
    let [x, y] = [start.x + by.x, start.y + by.y];
    while (isTaken(x, y)) [x, y] = [x + 0.5, y + 0.25];
    places.set(to, { x, y });
  }
  return places;
}
