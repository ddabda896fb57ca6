/** AriGraph, Figures 7 to 12: the map of a game, drawn from the game itself: rooms, ways, doors, and what lies where at the beginning. */

import { type Figure, figureOf } from "../figure.ts";
import { brokenText, PRESETS } from "../presets.ts";
import { boxAt, kindLayer } from "../marks.ts";

/** The part of a text game's ground truth that a map shows; see `truth()` of the world. */
export interface GameTruth {
  /** Names of all rooms. */
  readonly rooms: readonly string[];
  /** Every way out of every room, compass directions in lower case; `door` is null where there is none. */
  readonly exits: readonly { readonly from: string; readonly direction: string; readonly to: string; readonly door: string | null }[];
  /** The room where the player begins. */
  readonly location: string;
  /** `[subject, relation, object]`; `in`, `on`, `unlocks` and `is` are read. */
  readonly facts: readonly (readonly string[])[];
  /** Further lines of a room, below what lies in it. */
  readonly notes?: Readonly<Record<string, readonly string[]>>;
}

/** A place on the grid, x to the east and y to the north. */
export interface GridPlace {
  readonly x: number;
  readonly y: number;
}

/** Compass direction → the step on the grid. */
export const STEPS: Readonly<Record<string, GridPlace>> = {
  north: { x: 0, y: 1 },
  south: { x: 0, y: -1 },
  east: { x: 1, y: 0 },
  west: { x: -1, y: 0 },
};

/** Greatest width of a room's place in points, size of letters and height of a line in it, and the gap between boxes as a part of a place. */
const WIDTH = 170;
const SIZE = PRESETS.page.label;
const LINE = 9.5;
const GAP = 0.1;

/**
 * Draws a game; equal truths give an equal picture. Closed and locked things are marked, ways with a door are dashed, the first room is tinted.
 *
 * @param options `id` is the file's name, `title` stands above the picture
 *
 * @example
 * ```ts
 * import { gameMapFigure, rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const truth = {
 *   rooms: ["Hall", "Kitchen"],
 *   exits: [{ from: "Hall", direction: "north", to: "Kitchen", door: "oak door" }, { from: "Kitchen", direction: "south", to: "Hall", door: "oak door" }],
 *   location: "Hall",
 *   facts: [["fridge", "in", "Kitchen"], ["fridge", "is", "closed"], ["egg", "in", "fridge"]],
 * };
 * const { frame, caption } = gameMapFigure(truth, { id: "map", title: "A house" });
 * assert.deepEqual(rowsOf<{ text: string }>(frame).slice(1).map(({ text }) => text), ["north: oak door", "fridge (closed): egg\nsouth: oak door"]);
 * assert.match(caption, /2 rooms, 1 ways, 2 things/);
 * ```
 */
export function gameMapFigure(
  truth: GameTruth,
  options: { readonly id: string; readonly title: string; readonly subtitle?: string },
): Figure {
  const places = layOut(truth);
  const spread = (of: (place: GridPlace) => number): [number, number] => {
    const values = [...places.values()].map(of);
    return [Math.min(...values) - 0.5, Math.max(...values) + 0.5];
  };
  const [xs, ys] = [spread(({ x }) => x), spread(({ y }) => y)];
  const width = Math.min(WIDTH, (PRESETS.page.width - 12) / (xs[1] - xs[0]));
  const texts = new Map(
    truth.rooms.map((room) => [room, linesOf(truth, room).flatMap((line) => brokenText(line, width * (1 - GAP) - 13, SIZE))]),
  );
  const most = Math.max(1, ...[...texts.values()].map((lines) => lines.length));
  const ways = waysOf(truth);
  const things = truth.rooms.reduce((count, room) => count + thingsIn(truth, room), 0);
  const rows = [
    ...ways.map(({ from, to, door }) => {
      const [a, b] = [places.get(from) as GridPlace, places.get(to) as GridPlace];
      return { kind: door === null ? "way" : "door", name: door ?? "", text: "", x: a.x, y: a.y, x2: b.x, y2: b.y };
    }),
    ...truth.rooms.map((room) => {
      const { x, y } = places.get(room) as GridPlace;
      const [half, edge] = [(1 - GAP) / 2, { x: x - 0.5 + GAP / 2, y: y + 0.5 - GAP / 2 }];
      const kind = room === truth.location ? "start" : "room";
      return { kind, name: room, text: (texts.get(room) ?? []).join("\n"), x: edge.x, y: edge.y, x2: x + half, y2: y - half };
    }),
  ];
  const fixed = (domain: readonly number[]): Record<string, unknown> => ({ domain, nice: false, zero: false });
  const { at, box } = boxAt({ x: fixed(xs), y: fixed(ys) });
  const written = (text: string, mark: Record<string, unknown>): object => {
    // unclipped, a guess at its width would widen the picture
    const clipped = { type: "text", clip: true, align: "left", baseline: "top", dx: 5, ...mark };
    return kindLayer(["room", "start"], clipped, { ...at, text: { field: text, type: "nominal" } });
  };
  return figureOf({
    id: options.id,
    title: options.title,
    subtitle: options.subtitle ?? `${truth.rooms.length} rooms; tinted: the first`,
    caption:
      `${options.title}: ${truth.rooms.length} rooms, ${ways.length} ways, ${things} things, as the game begins (after Figures 7 to 12). ` +
      `Tinted: where the player begins; dashed: a way with a door. Drawn from the game's own state.`,
    rows,
    fields: [["text", "kind", "name", "text"], ["number", "x", "y", "x2", "y2"]],
    isWide: "fixed",
    width: (xs[1] - xs[0]) * width,
    height: (ys[1] - ys[0]) * (26 + LINE * most) / (1 - GAP),
    layer: [
      kindLayer("way", { type: "rule", color: "#999", strokeWidth: 2 }, box),
      kindLayer("door", { type: "rule", color: "#d55e00", strokeWidth: 2, strokeDash: [5, 3] }, box),
      kindLayer("room", { type: "rect", fill: "#f7f7f7", stroke: "#777", cornerRadius: 3 }, box),
      kindLayer("start", { type: "rect", fill: "#dceefb", stroke: "#0072b2", cornerRadius: 3 }, box),
      written("name", { dy: 5, fontSize: 8, fontWeight: "bold" }),
      written("text", { dy: 17, fontSize: SIZE, lineHeight: LINE, lineBreak: "\n" }),
    ],
  });
}

/** Whether a world's truth is that of a text game with a map. */
export function isGameTruth(truth: unknown): truth is GameTruth {
  const { rooms, exits, location, facts } = (truth ?? {}) as Partial<GameTruth>;
  return Array.isArray(rooms) && rooms.length > 0 && Array.isArray(exits) && typeof location === "string" && Array.isArray(facts);
}

/**
 * A place on the grid for every room: breadth first from the first room, each way a step of the compass; where the place is taken, or the game
 * bends its space, further on in the same direction. Rooms that no way reaches stand in a row below.
 */
export function layOut({ rooms, exits, location }: GameTruth): Map<string, GridPlace> {
  const places = new Map<string, GridPlace>();
  const taken = new Set<string>();
  const put = (room: string, from: GridPlace, step: GridPlace): void => {
    let place = from;
    while (taken.has(`${place.x},${place.y}`)) place = { x: place.x + step.x, y: place.y + step.y };
    taken.add(`${place.x},${place.y}`);
    places.set(room, place);
  };
  put(rooms.includes(location) ? location : rooms[0] as string, { x: 0, y: 0 }, { x: 1, y: 0 });
  for (const [room, place] of places) { // grows while it is read
    for (const { direction, to } of exits.filter(({ from, to }) => from === room && !places.has(to))) {
      if (!places.has(to)) put(to, place, STEPS[direction] ?? { x: 1, y: 0 });
    }
  }
  const below = Math.min(...[...places.values()].map(({ y }) => y)) - 1;
  for (const room of rooms) if (!places.has(room)) put(room, { x: 0, y: below }, { x: 1, y: 0 });
  return places;
}

/** Each way once, whichever end it is told from. */
function waysOf({ exits, rooms }: GameTruth): GameTruth["exits"] {
  const seen = new Set<string>();
  return exits.filter(({ from, to, door }) => {
    const key = JSON.stringify([[from, to].sort(), door]);
    return rooms.includes(from) && rooms.includes(to) && !seen.has(key) && seen.add(key);
  });
}

/** The things that lie in or on a place directly, in order of name. */
function within({ facts }: GameTruth, place: string): string[] {
  return facts.filter(([, relation, object]) => (relation === "in" || relation === "on") && object === place).map(([thing = ""]) => thing)
    .sort();
}

/** Things in a place, those in and on other things there too. What lies in no room (a recipe's own bookkeeping) is not counted anywhere. */
function thingsIn(truth: GameTruth, place: string): number {
  return within(truth, place).reduce((count, thing) => count + 1 + thingsIn(truth, thing), 0);
}

/** The contents of a room, a line for each thing that holds others, `fridge (closed): egg, milk`, and for each door. */
function linesOf(truth: GameTruth, room: string): string[] {
  const { facts, exits, notes = {} } = truth;
  const stateOf = (thing: string): string => {
    const state = ["locked", "closed"].find((state) => facts.some(([one, is, other]) => one === thing && is === "is" && other === state));
    return state === undefined ? "" : ` (${state})`;
  };
  const told = (thing: string): string => {
    const opens = facts.find(([subject, relation]) => subject === thing && relation === "unlocks")?.[2];
    const held = within(truth, thing).map(told);
    return `${thing}${stateOf(thing)}${opens ? ` → ${opens}` : ""}${held.length > 0 ? `: ${held.join(", ")}` : ""}`;
  };
  const { holding = [], lying = [] } = Object.groupBy(
    within(truth, room),
    (thing) => within(truth, thing).length > 0 ? "holding" : "lying",
  );
  const doors = exits.filter(({ from }) => from === room)
    .flatMap(({ direction, door }) => door === null ? [] : [`${direction}: ${door}${stateOf(door)}`]);
  return [...holding.map(told), ...(lying.length > 0 ? [lying.map(told).join(", ")] : []), ...notes[room] ?? [], ...doors];
}
