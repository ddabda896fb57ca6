/**
 * A picture of one attempt: how its graph grew, what it scored, and which rooms it saw when.
 *
 * @module
 */

import { COMPASS, type Compass } from "../graph/compass.ts";
import type { TracePoint } from "./report.ts";
import type { Figure } from "../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../report/frame.ts";

/** Which attempt it is. */
export interface AttemptFigureOptions {
  /** The log's file name, e.g. `hunt_arigraph.txt`. */
  readonly file: string;
  /** Place in the log, from 1. */
  readonly attempt: number;
}

/**
 * Three panels: standing triplets with those added and removed on each step; the cumulative reward, where there is one; the rooms, placed by the moves that led
 * from one to the other (north is up), each with the step of its first visit, larger the more often it was entered.
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
  const frame = attemptFrame(trace);
  const hasWays = rowsOf<{ kind: string }>(frame).some(({ kind }) => kind === "way");
  const isScored = trace.some(({ score }) => score !== undefined);
  const step = { field: "step", type: "quantitative", title: "step", axis: { tickMinStep: 1 } };
  const only = (kind: string): unknown[] => [{ filter: `datum.kind === '${kind}'` }];
  const place = (field: string): unknown => ({ field, type: "quantitative", axis: null, scale: { zero: false, padding: 30 } });
  const bar = (field: string, color: string): unknown => ({
    mark: { type: "bar", color, width: 2 },
    encoding: { x: step, y: { field, type: "quantitative" } },
  });
  return {
    id: `attempt-${name}-${attempt}`,
    caption:
      `${file}, attempt ${attempt}, ${trace.length} steps, n = 1. Above: standing triplets after each step (line), added (green) and ` +
      `removed (red) on it. Middle: cumulative reward. Below: rooms by the moves between them, with the step of the first visit; area by visits.`,
    frame,
    spec: {
      title: { text: `${name}, attempt ${attempt}` },
      data: { name: "frame" },
      vconcat: [
        {
          width: 480,
          height: 130,
          transform: only("step"),
          layer: [
            {
              mark: { type: "line", strokeWidth: 2 },
              encoding: { x: step, y: { field: "triplets", type: "quantitative", title: "triplets" } },
            },
            bar("added", "#009e73"),
            bar("fewer", "#d55e00"),
          ],
        },
        ...(isScored
          ? [{
            width: 480,
            height: 80,
            transform: only("step"),
            mark: { type: "line", interpolate: "step-after", strokeWidth: 2 },
            encoding: { x: step, y: { field: "score", type: "quantitative", title: "reward" } },
          }]
          : []),
        {
          width: 480,
          height: 300,
          layer: [
            ...(hasWays
              ? [{
                transform: only("way"),
                mark: { type: "rule", color: "#bbb", strokeWidth: 2 },
                encoding: { x: place("x"), y: place("y"), x2: { field: "x2" }, y2: { field: "y2" } },
              }]
              : []),
            {
              transform: only("room"),
              mark: { type: "circle", opacity: 1 },
              encoding: {
                x: place("x"),
                y: place("y"),
                size: { field: "visits", type: "quantitative", legend: null, scale: { range: [60, 600] } },
                color: { field: "step", type: "quantitative", title: "first visit", scale: { scheme: "viridis" } },
              },
            },
            {
              transform: only("room"),
              mark: { type: "text", dy: -18, fontSize: 9 },
              encoding: { x: place("x"), y: place("y"), text: { field: "label", type: "nominal" } },
            },
          ],
        },
      ],
      resolve: { scale: { x: "independent", y: "independent" } },
    },
  };
}

/** Rows of three kinds: `step`; `room` with its place, first visit and number of visits; `way` between two rooms. */
function attemptFrame(trace: readonly TracePoint[]): DataFrame {
  const walked = movesOf(trace);
  const places = placeRooms(trace, walked);
  const entered = [...trace.slice(0, 1).map(({ room, step }) => ({ room, step })), ...walked.map(({ to, step }) => ({ room: to, step }))];
  const visits = Map.groupBy(entered, ({ room }) => room);
  const ways = new Map(walked.map(({ from, to }) => [[from, to].sort().join("\n"), { from, to }]));
  const rows = [
    ...trace.map(({ step, triplets, added, removed, score }) => ({
      kind: "step",
      step,
      triplets,
      added,
      fewer: -removed,
      score: score ?? null,
    })),
    ...[...places].map(([room, { x, y }]) => {
      const seen = visits.get(room) ?? [];
      return { kind: "room", room, x, y, step: seen[0]?.step ?? 1, visits: seen.length, label: `${room} (${seen[0]?.step ?? 1})` };
    }),
    ...[...ways.values()].map(({ from, to }) => ({ kind: "way", ...places.get(from), x2: places.get(to)?.x, y2: places.get(to)?.y })),
  ];
  return frameOf(rows, {
    kind: "text",
    step: "integer",
    triplets: "integer",
    added: "integer",
    fewer: "integer",
    score: "number",
    room: "text",
    label: "text",
    x: "number",
    y: "number",
    x2: "number",
    y2: "number",
    visits: "integer",
  });
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** The step that begins there. */
  readonly step: number;
  readonly direction?: Compass;
}

/** Every change of room, in order. */
function movesOf(trace: readonly TracePoint[]): Move[] {
  const moves: Move[] = [];
  for (const [index, { room, way, action, step }] of trace.entries()) {
    const next = trace[index + 1]?.room;
    let from = room;
    for (const to of way.length > 0 ? way : next === undefined || next === room ? [] : [next]) {
      const direction = way.length > 0 ? undefined : COMPASS.find((word) => action.includes(word));
      if (to !== from) moves.push({ from, to, step: step + 1, ...(direction ? { direction } : {}) });
      from = to;
    }
  }
  return moves;
}

const STEPS: Readonly<Record<Compass, { readonly x: number; readonly y: number }>> = {
  north: { x: 0, y: 1 },
  east: { x: 1, y: 0 },
  south: { x: 0, y: -1 },
  west: { x: -1, y: 0 },
};

/** Rooms on a grid, the first at its middle; where two would meet, or no direction is known, the later one stands half a field aside. */
function placeRooms(trace: readonly TracePoint[], moves: readonly Move[]): Map<string, { readonly x: number; readonly y: number }> {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const isTaken = (x: number, y: number): boolean => [...places.values()].some((place) => place.x === x && place.y === y);
  const first = trace[0]?.room;
  if (first !== undefined) places.set(first, { x: 0, y: 0 });
  for (const { from, to, direction } of moves) {
    const start = places.get(from) ?? { x: 0, y: 0 };
    if (places.has(to)) continue;
    const by = direction ? STEPS[direction] : { x: 0.5, y: 0.5 };
    let [x, y] = [start.x + by.x, start.y + by.y];
    while (isTaken(x, y)) [x, y] = [x + 0.5, y + 0.25];
    places.set(to, { x, y });
  }
  return places;
}
