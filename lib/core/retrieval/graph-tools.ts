/**
 * The three tools by which GraphMind's planner queries its room graph, as pure functions (Shin et
 * al. 2026, §3.1 "External Tools" and App. A.3). Paths are shortest by the number of doors; ties go
 * to the door that was learnt first.
 *
 * | GraphMind App. A.3 | here |
 * |---|---|
 * | Get Neighbor Entity Information | `neighbourInformation` |
 * | Search Closest Entity | `closestEntity` |
 * | Find Unexplored Closed Door | `unexploredClosedDoor` |
 */

import {
  bareName,
  plainName,
  type Room,
  type RoomEntity,
  type RoomExit,
} from "../graph/room-graph.ts";

export type UnknownRoom = { readonly kind: "unknown-room"; readonly known: readonly number[] };

/**
 * A shortest path to a thing: the number of its room, and the doors to pass in order; none if it is
 * in the same room.
 */
export type PathToThing = {
  readonly kind: "found";
  readonly room: number;
  readonly thing: RoomEntity;
  readonly path: readonly RoomExit[];
};

export function neighbourInformation(
  rooms: readonly Room[],
  from: number,
):
  | { readonly kind: "found"; readonly room: Room; readonly neighbours: readonly Room[] }
  | UnknownRoom {
  const room = rooms.find(({ number }) => number === from);
  if (!room) return unknown(rooms);
  const numbers = new Set(room.exits.map(({ to }) => to));
  return {
    kind: "found",
    room,
    neighbours: [...numbers].flatMap((to) => rooms.find(({ number }) => number === to) ?? []),
  };
}

/**
 * The nearest entity of a name, with the path to it. A name without a state matches every state
 * (`red door` also matches a passed door); a name with a state matches only that state. O(rooms +
 * doors + things).
 */
export function closestEntity(
  rooms: readonly Room[],
  from: number,
  entity: string,
): PathToThing | { readonly kind: "undiscovered" } | UnknownRoom {
  const wanted = plainName(entity).replace(/ #?\d+$/, "");
  const anyState = wanted === bareName(wanted);
  return nearest(rooms, from, ({ entities, exits }) => {
    const found = entities.find(({ name }) =>
      (anyState ? bareName(name) : name.replace(/ \d+$/, "")) === wanted
    );
    if (found) return found;
    const exit = exits.find(({ door }) => door === wanted);
    return exit && { name: exit.door, direction: exit.direction };
  }) ?? { kind: "undiscovered" };
}

/**
 * The nearest door that is closed or locked and was never passed, with the path to it. O(rooms +
 * doors + things).
 */
export function unexploredClosedDoor(
  rooms: readonly Room[],
  from: number,
): PathToThing | { readonly kind: "none" } | UnknownRoom {
  return nearest(
    rooms,
    from,
    ({ entities }) => entities.find(({ name }) => /\b(?:closed|locked) door\b/.test(name)),
  ) ?? { kind: "none" };
}

function nearest(
  rooms: readonly Room[],
  from: number,
  find: (room: Room) => RoomEntity | undefined,
): PathToThing | UnknownRoom | undefined {
  const byNumber = new Map(rooms.map((room) => [room.number, room]));
  if (!byNumber.has(from)) return unknown(rooms);
  const paths = new Map<number, readonly RoomExit[]>([[from, []]]);
  for (const [number, path] of paths) { // entries added meanwhile are visited, too
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
