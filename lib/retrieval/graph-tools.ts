/**
 * The three questions that GraphMind's planner may ask its room graph, as pure functions (Shin et al. 2026, §3.1 "External Tools" and
 * App. A.3). Answers are exact: a path is shortest by the number of doors, and of equally short paths the one that was learnt first is taken.
 *
 * | GraphMind App. A.3 | here |
 * |---|---|
 * | Get Neighbor Entity Information | `neighbourInformation` |
 * | Search Closest Entity | `closestEntity` |
 * | Find Unexplored Closed Door | `unexploredClosedDoor` |
 *
 * @module
 */

import { bareName, plainName, type Room, type RoomEntity, type RoomExit } from "../graph/room-graph.ts";

/** The answer about a room that the graph does not have. */
export interface UnknownRoom {
  /** Tells it apart from an answer. */
  readonly kind: "unknown-room";
  /** Numbers of the rooms that it has. */
  readonly known: readonly number[];
}

/** A room and those behind its doors. */
export interface Neighbourhood {
  /** Tells it apart from a question that has no answer. */
  readonly kind: "found";
  /** The room that was asked for. */
  readonly room: Room;
  /** Each once, in the order in which the doors to them were learnt. */
  readonly neighbours: readonly Room[];
}

/** The path to the room that holds what was looked for. */
export interface PathTo<Thing> {
  /** Tells it apart from a question that has no answer. */
  readonly kind: "found";
  /** Number of the room at its end. */
  readonly room: number;
  /** What was looked for. */
  readonly thing: Thing;
  /** The doors to pass, in order; empty where the thing is in the room that was asked from. */
  readonly path: readonly RoomExit[];
}

/**
 * A room with its neighbours.
 *
 * @example
 * ```ts
 * import { neighbourInformation } from "labyrinth/retrieval";
 * import { roomsOf } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const rooms = roomsOf([{ subject: "room 1", relation: "is_connected_with red door", object: "room 2" }]);
 * const found = neighbourInformation(rooms, 2);
 * assert.deepEqual(found.kind === "found" && found.neighbours.map(({ number }) => number), [1]);
 * assert.deepEqual(neighbourInformation(rooms, 3), { kind: "unknown-room", known: [1, 2] });
 * ```
 */
export function neighbourInformation(rooms: readonly Room[], from: number): Neighbourhood | UnknownRoom {
  const room = rooms.find(({ number }) => number === from);
  if (!room) return unknown(rooms);
  const numbers = new Set(room.exits.map(({ to }) => to));
  return { kind: "found", room, neighbours: [...numbers].flatMap((to) => rooms.find(({ number }) => number === to) ?? []) };
}

/**
 * The nearest room that holds an entity, breadth first. A name without a state finds every state (`red door`: also a passed one); one with a
 * state finds that state alone. O(rooms + doors + things).
 *
 * @example
 * ```ts
 * import { closestEntity } from "labyrinth/retrieval";
 * import { roomsOf } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const rooms = roomsOf([
 *   { subject: "room 1", relation: "is_connected_with red door", object: "room 2" },
 *   { subject: "room 2", relation: "contains", object: "grey ball (room 2)" },
 * ]);
 * const found = closestEntity(rooms, 1, "Gray_Ball");
 * assert.deepEqual(found.kind === "found" && found.path, [{ door: "red door", to: 2 }]);
 * assert.deepEqual(closestEntity(rooms, 1, "red key"), { kind: "undiscovered" });
 * ```
 */
export function closestEntity(
  rooms: readonly Room[],
  from: number,
  entity: string,
): PathTo<RoomEntity> | { readonly kind: "undiscovered" } | UnknownRoom {
  const wanted = plainName(entity).replace(/ #?\d+$/, "");
  const anyState = wanted === bareName(wanted);
  return nearest(rooms, from, ({ entities, exits }) => {
    const found = entities.find(({ name }) => (anyState ? bareName(name) : name.replace(/ \d+$/, "")) === wanted);
    if (found) return found;
    const exit = exits.find(({ door }) => door === wanted);
    return exit && { name: exit.door, ...(exit.direction ? { direction: exit.direction } : {}) };
  }) ?? { kind: "undiscovered" };
}

/**
 * The nearest door that is closed or locked and was never passed, breadth first. O(rooms + doors + things).
 *
 * @example
 * ```ts
 * import { roomsOf } from "labyrinth/graph";
 * import { unexploredClosedDoor } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const rooms = roomsOf([{ subject: "room 1", relation: "contains", object: "red locked door (room 1)" }]);
 * const found = unexploredClosedDoor(rooms, 1);
 * assert.deepEqual(found.kind === "found" && [found.thing.name, found.path], ["red locked door", []]);
 * ```
 */
export function unexploredClosedDoor(
  rooms: readonly Room[],
  from: number,
): PathTo<RoomEntity> | { readonly kind: "none" } | UnknownRoom {
  return nearest(rooms, from, ({ entities }) => entities.find(({ name }) => /\b(?:closed|locked) door\b/.test(name))) ?? { kind: "none" };
}

/** Breadth first over the doors; `undefined` where no room that can be reached holds such a thing. */
function nearest<Thing>(
  rooms: readonly Room[],
  from: number,
  find: (room: Room) => Thing | undefined,
): PathTo<Thing> | UnknownRoom | undefined {
  const byNumber = new Map(rooms.map((room) => [room.number, room]));
  if (!byNumber.has(from)) return unknown(rooms);
  const paths = new Map<number, readonly RoomExit[]>([[from, []]]);
  for (const [number, path] of paths) { // a Map iterates over entries added meanwhile: it is the queue
    const room = byNumber.get(number);
    if (!room) continue;
    const thing = find(room);
    if (thing !== undefined) return { kind: "found", room: number, thing, path };
    for (const exit of room.exits) if (!paths.has(exit.to)) paths.set(exit.to, [...path, exit]);
  }
  return undefined;
}

function unknown(rooms: readonly Room[]): UnknownRoom {
  return { kind: "unknown-room", known: rooms.map(({ number }) => number) };
}
