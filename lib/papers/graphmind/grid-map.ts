/** A grid map as rows to draw: rooms, doors, things, the agent, and the path that it took. */

import { babyAiAreas, type BabyAiTruth } from "../../core/graph/babyai-truth.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import type { GridPose } from "./trace.ts";

/** One map. */
export interface GridPanel {
  /** Above it, `\n` breaks lines; different for each map. */
  readonly title: string;
  /** The state that is drawn. */
  readonly truth: BabyAiTruth;
  /** The path; the agent is at its last pose. Without one it is where the truth has it. */
  readonly path?: readonly GridPose[];
}

/** Columns of `gridMap`. */
export const GRID_MAP_COLUMNS = {
  /** Title of the map. */
  panel: "text",
  /** `floor`, `visit`, `door`, `lock`, `thing`, `carried`, `path`, `start` or `agent`. */
  kind: "text",
  /** What it is: `room 3`, `red key`, `blue locked door`; the direction of the agent. */
  name: "text?",
  /**
   * In cells from the corner to the north-west, `y` to the south: of a floor, door or visit the
   * first and the last corner, of a line of the path its ends, of anything else its middle.
   */
  ...{ x: "number", y: "number", x2: "number?", y2: "number?" },
  /** Colour in hex; of a room white if it was entered, else grey; of an open door's floor white. */
  ...{ colour: "text?", fill: "text?" },
  /** A shape of Vega: its name, or an SVG path. */
  shape: "text?",
  /** Less than 1 of what was never seen. */
  opacity: "number",
  /**
   * Of a line of the path the part of the path that ends with it, in (0, 1]; of a visit, visits.
   */
  value: "number?",
} as const satisfies FrameSchema;

/** The colours of BabyAI as they are drawn. */
const COLOURS: Readonly<Record<string, string>> = {
  ...{ blue: "#1f6fd0", green: "#1a9641", grey: "#8c8c8c" },
  ...{ purple: "#8e44ad", red: "#d62728", yellow: "#e0b000" },
};

/** Shapes in a box from −1 to 1: a key is a ring with a bit. */
const SHAPES: Readonly<Record<string, string>> = {
  ball: "circle",
  box: "M-0.75,-0.75 H0.75 V0.75 H-0.75 Z M-0.75,-0.05 H0.75 V0.1 H-0.75 Z",
  key: "M-0.1,-1 A0.42,0.42 0 1,1 -0.11,-1 Z M-0.1,-0.78 A0.2,0.2 0 1,0 -0.09,-0.78 Z " +
    "M-0.22,-0.2 H0.02 V0.95 H-0.22 Z M0,0.3 H0.5 V0.5 H0 Z M0,0.7 H0.38 V0.9 H0 Z",
};

const DIRECTIONS: readonly string[] = ["east", "south", "west", "north"];
const ARROWS = ["triangle-right", "triangle-down", "triangle-left", "triangle-up"];

/**
 * The maps as a frame of what is drawn, in the order in which it is drawn. Columns:
 * `GRID_MAP_COLUMNS`.
 *
 * @example
 * ```ts
 * import type { BabyAiTruth } from "labyrinth/graph";
 * import { gridMap } from "labyrinth/papers/graphmind";
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
 * const drawn = gridMap([{ title: "start", truth }]).toRecords();
 * assert.deepEqual(drawn.map(({ kind, name }) => `${kind} ${name}`), [
 *   ...["floor room 0", "thing red key", "agent north"],
 * ]);
 * ```
 */
export function gridMap(panels: readonly GridPanel[]): DataFrame {
  const rows = panels.flatMap((panel) =>
    rowsOf(panel).map((row) => ({ panel: panel.title, opacity: 1, ...row }))
  );
  return frameOf(rows, GRID_MAP_COLUMNS);
}

function rowsOf({ truth, path = [] }: GridPanel): object[] {
  const { grid, agent, rooms, doors, objects } = truth;
  const end = path.at(-1) ?? [agent.x, agent.y, DIRECTIONS.indexOf(agent.direction)] as const;
  const floors = rooms.flatMap((room) =>
    babyAiAreas(grid, room).map(([x, y, width, height]) => (
      { x, y, x2: x + width, y2: y + height, colour: room.visited ? "#ffffff" : "#c9c9c9" }
    )).map((corner) => ({ kind: "floor", name: `room ${room.id}`, ...corner }))
  );
  const frames = doors.flatMap(({ x, y, colour, state, seen }) => {
    const name = `${colour} ${state} door`;
    const hex = COLOURS[colour] ?? "#000000";
    const corner = { x: x + 0.12, y: y + 0.12, x2: x + 0.88, y2: y + 0.88 };
    const look = { colour: hex, fill: state === "open" ? "#ffffff" : hex, opacity: seen ? 1 : 0.4 };
    const lock = { kind: "lock", name, x: x + 0.5, y: y + 0.5 };
    return [{ kind: "door", name, ...corner, ...look }, ...state === "locked" ? [lock] : []];
  });
  const things = objects.map(({ x, y, colour, type, seen }) => {
    const shape = SHAPES[type] ?? "diamond";
    const look = { name: `${colour} ${type}`, colour: COLOURS[colour] ?? "#000000", shape };
    return x === null || y === null
      ? { kind: "carried", ...look, x: end[0] + 0.85, y: end[1] + 0.15 }
      : { kind: "thing", ...look, x: x + 0.5, y: y + 0.5, opacity: seen ? 1 : 0.35 };
  });
  const pose = { x: end[0] + 0.5, y: end[1] + 0.5, shape: ARROWS[end[2]] };
  const here = { kind: "agent", name: DIRECTIONS[end[2]], ...pose };
  return [...floors, ...visits(path), ...frames, ...things, ...lines(path), here];
}

/** How often each cell was stood on: a turn on the spot counts again. */
function visits(path: readonly GridPose[]): object[] {
  return [...Map.groupBy(path, ([x, y]) => `${x} ${y}`).values()].map((stays) => {
    const [[x, y] = [0, 0]] = stays;
    return { kind: "visit", x, y, x2: x + 1, y2: y + 1, value: stays.length };
  });
}

/**
 * The moves, straight runs in one, a bit to the right of their direction, so that there and back
 * are apart.
 */
function lines(path: readonly GridPose[]): object[] {
  const runs: { from: GridPose; to: GridPose; end: number }[] = [];
  for (const [index, to] of path.entries()) {
    const from = path[index - 1];
    if (!from || (from[0] === to[0] && from[1] === to[1])) continue;
    const last = runs.at(-1);
    const way = String(stepOf(from, to));
    if (last?.end === index - 1 && String(stepOf(last.from, last.to)) === way) {
      Object.assign(last, { to, end: index });
    } else runs.push({ from, to, end: index });
  }
  const [first] = path;
  if (!first || path.length < 2) return [];
  const drawn = runs.map(({ from, to, end }) => {
    const [dx, dy] = stepOf(from, to);
    const [sx, sy] = [0.5 - dy * 0.14, 0.5 + dx * 0.14];
    const ends = { x: from[0] + sx, y: from[1] + sy, x2: to[0] + sx, y2: to[1] + sy };
    return { kind: "path", ...ends, value: end / (path.length - 1) };
  });
  return [...drawn, { kind: "start", x: first[0] + 0.5, y: first[1] + 0.5 }];
}

function stepOf([fromX, fromY]: GridPose, [x, y]: GridPose): readonly [number, number] {
  return [Math.sign(x - fromX), Math.sign(y - fromY)];
}
