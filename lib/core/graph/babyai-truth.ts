/**
 * The true map of the world `babyai` as a graph of rooms and objects, against which GraphMind's
 * built graph is measured.
 *
 * | GraphMind §4.3, "the ground truth" | here |
 * |---|---|
 * | room | a node of kind room, label `room` |
 * | is_connected_with, through a coloured door | an edge between two rooms, label: the door's colour; its state does not count. Several doors are one edge that names them all |
 * | contains | an edge `contains` from a room to an object, label `blue ball` |
 * | a door whose far side was never entered (observed map only) | an object `red door` in the room that it was seen from |
 *
 * The paper does not say which part of the world is the truth. Its means (1.1 to 1.6 where the room
 * behind the target door is never entered) can only come from the observed part: scope `observed`,
 * the default. Scope `whole` is the entire map.
 */

import { z } from "zod";
import type { RoomObjectEdge, RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";

/** The true state of a BabyAI world, as far as it is measured and drawn. */
export interface BabyAiTruth {
  /** `size` rooms and `side` cells a side; `pitch` cells from one wall to the next. */
  readonly grid: { readonly size: number; readonly side: number; readonly pitch: number };
  /**
   * `id` is row · size + column; `visited`: the agent has been on a free cell. A merged room has
   * the lowest id, and `areas`, the parts of its floor.
   */
  readonly rooms: readonly {
    readonly id: number;
    readonly visited: boolean;
    readonly areas?: readonly BabyAiArea[];
  }[];
  /**
   * Each door joins the rooms `a` and `b`, which lies in that `direction` from `a`; `seen`: it has
   * been in view.
   */
  readonly doors: readonly {
    readonly a: number;
    readonly b: number;
    readonly direction?: BabyAiTruth["agent"]["direction"];
    readonly colour: string;
    readonly state: string;
    readonly seen: boolean;
    readonly x: number;
    readonly y: number;
  }[];
  /**
   * Current positions, in cells; `room`, `x` and `y` are null while the agent carries the object.
   */
  readonly objects: readonly {
    readonly id: number;
    readonly colour: string;
    readonly type: string;
    readonly room: number | null;
    readonly seen: boolean;
    readonly x: number | null;
    readonly y: number | null;
  }[];
  /** The agent's pose; `room` is null in a doorway. */
  readonly agent: {
    readonly x: number;
    readonly y: number;
    readonly direction: "east" | "south" | "west" | "north";
    readonly room: number | null;
  };
  /**
   * x, y and direction (0 east, 1 south, 2 west, 3 north) after each primitive of the last agent
   * step, or the start after a reset.
   */
  readonly trace: readonly (readonly [number, number, number])[];
}

/** A part of a floor: x and y of its corner to the north-west, width and height, in cells. */
export type BabyAiArea = readonly [x: number, y: number, width: number, height: number];

/** A cell of the grid; x grows to the east, y to the south. */
const cell = { x: z.int(), y: z.int() };

/** Null while an object is carried. */
const lost = z.int().nullable();

const direction = z.enum(["east", "south", "west", "north"]);
const area = z.tuple([z.int(), z.int(), z.int(), z.int()]);
const door = {
  a: z.int(),
  b: z.int(),
  direction: direction.optional(),
  colour: z.string(),
  state: z.string(),
  seen: z.boolean(),
};

const schema: z.ZodType<BabyAiTruth> = z.object({
  grid: z.object({ size: z.int(), side: z.int(), pitch: z.int() }),
  rooms: z.array(z.object({ id: z.int(), visited: z.boolean(), areas: z.array(area).optional() })),
  doors: z.array(z.object({ ...door, ...cell })),
  objects: z.array(
    z.object({
      id: z.int(),
      colour: z.string(),
      type: z.string(),
      room: lost,
      seen: z.boolean(),
      x: lost,
      y: lost,
    }),
  ),
  agent: z.object({ ...cell, direction, room: z.int().nullable() }),
  trace: z.array(z.tuple([z.int(), z.int(), z.int().min(0).max(3)])),
});

/**
 * The true map of a BabyAI world as a graph. Scope `observed`: entered rooms, the objects ever seen
 * in them in their current state, and seen doors; `whole`: everything. A carried object is in no
 * room and is left out.
 *
 * @example
 * ```ts
 * import { type BabyAiTruth, babyAiTruthGraph } from "labyrinth/graph";
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
 * const { nodes, edges } = babyAiTruthGraph(truth);
 * assert.deepEqual(nodes.map(({ label }) => label), ["room", "red key"]);
 * assert.deepEqual(edges.map(({ label }) => label), ["contains"]);
 * ```
 */
export function babyAiTruthGraph(
  truth: BabyAiTruth,
  { scope = "observed" }: { readonly scope?: "observed" | "whole" } = {},
): RoomObjectGraph {
  const whole = scope === "whole";
  const rooms = new Set(truth.rooms.filter(({ visited }) => visited || whole).map(({ id }) => id));
  const nodes: RoomObjectNode[] = truth.rooms.filter(({ id }) => rooms.has(id)).map(({ id }) => ({
    id: roomId(id),
    kind: "room",
    label: "room",
  }));
  const edges: RoomObjectEdge[] = [];

  function put(id: string, label: string, room: number): void {
    nodes.push({ id, kind: "object", label });
    edges.push({ a: roomId(room), b: id, label: "contains" });
  }

  const known = truth.doors.map((door, index) => ({ ...door, index })).filter(({ seen }) =>
    seen || whole
  );
  for (const doors of Map.groupBy(known, ({ a, b }) => `${a}|${b}`).values()) {
    const { a, b } = doors[0] as BabyAiTruth["doors"][number];
    const [here, ...further] = [a, b].filter((room) => rooms.has(room));
    if (here === undefined) continue;
    if (further.length > 0) {
      edges.push({
        a: roomId(a),
        b: roomId(b),
        label: [...new Set(doors.map(({ colour }) => colour))].sort().join("+"),
      });
    } else for (const { index, colour } of doors) put(`door ${index}`, `${colour} door`, here);
  }
  for (const { id, colour, type, room, seen } of truth.objects) {
    if (room !== null && rooms.has(room) && (seen || whole)) {
      put(`object ${id}`, `${colour} ${type}`, room);
    }
  }
  return { nodes, edges };
}

/**
 * Parses the true state of a BabyAI world; `undefined` if the value is anything else, such as the
 * state of another world.
 *
 * @example
 * ```ts
 * import { asBabyAiTruth } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(asBabyAiTruth({ rooms: "kitchen" }), undefined);
 * ```
 */
export function asBabyAiTruth(value: unknown): BabyAiTruth | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The parts of a room's floor: one square, unless the room is merged from several of the grid. */
export function babyAiAreas(
  { size, pitch }: BabyAiTruth["grid"],
  { id, areas }: BabyAiTruth["rooms"][number],
): readonly BabyAiArea[] {
  return areas ??
    [[(id % size) * pitch + 1, Math.floor(id / size) * pitch + 1, pitch - 1, pitch - 1]];
}

export function babyAiRoomAt(
  { grid, rooms }: Pick<BabyAiTruth, "grid" | "rooms">,
  x: number,
  y: number,
): number | undefined {
  const isIn = ([left, top, width, height]: BabyAiArea): boolean =>
    x >= left && x < left + width && y >= top && y < top + height;
  return rooms.find((room) => babyAiAreas(grid, room).some(isIn))?.id;
}

function roomId(room: number): string {
  return `room ${room}`;
}
