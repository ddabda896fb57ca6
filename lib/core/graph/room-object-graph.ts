/**
 * Graphs of rooms and objects: rooms are joined by doors, and each object is in at most one room.
 *
 * | GraphMind §3.1 | here |
 * |---|---|
 * | location, object | `RoomObjectNode` of kind `room`, `object` |
 * | is_connected_with, contains | `RoomObjectEdge` between two rooms, between a room and an object |
 * | is_located_to, are_apart | not compared: they relate parts of one observation, not of the map |
 */

import { z } from "zod";

/** A node. */
export interface RoomObjectNode {
  /** Unique in its graph and not empty; it is not compared. */
  readonly id: string;
  /** `object` is a leaf, such as a key, or a door whose far side was never seen. */
  readonly kind: "room" | "object";
  /** The compared label, e.g. `blue ball`; rooms may share one. */
  readonly label: string;
}

/** An undirected edge between two rooms, or a room and an object, in any order. */
export interface RoomObjectEdge {
  /** Id of one end. */
  readonly a: string;
  /** Id of the other end. */
  readonly b: string;
  /** The compared label, e.g. the colour of the door, or `contains`. */
  readonly label: string;
}

/**
 * A simple undirected graph whose objects are leaves: no loops, no parallel edges, no object in two
 * rooms. The order does not matter.
 */
export interface RoomObjectGraph {
  /** Rooms and objects. */
  readonly nodes: readonly RoomObjectNode[];
  /** Doors between rooms, and the rooms of objects. */
  readonly edges: readonly RoomObjectEdge[];
}

/**
 * Parses a graph of rooms and objects.
 *
 * @throws {TypeError} if the value is none; the message is one line and names the field, such as
 *   `edges.3.a`.
 */
export function parseRoomObjectGraph(value: unknown): RoomObjectGraph {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new TypeError(
      `${issue?.path.join(".") || "the graph"} does not fit: ${
        issue?.message.replaceAll(/\s+/g, " ")
      }`,
    );
  }
  checkRoomObjectGraph(parsed.data);
  return parsed.data;
}

/** Throws a `TypeError` that names the first field that breaks the rules of `RoomObjectGraph`. */
export function checkRoomObjectGraph({ nodes, edges }: RoomObjectGraph): void {
  const kinds = new Map<string, RoomObjectNode["kind"]>();
  for (const [index, { id, kind }] of nodes.entries()) {
    if (kinds.has(id)) {
      throw new TypeError(`nodes.${index}.id "${id}" is taken by another node; ids must be unique`);
    }
    kinds.set(id, kind);
  }
  const joined = new Set<string>();
  const placed = new Set<string>();
  for (const [index, { a, b }] of edges.entries()) {
    for (const [end, id] of [["a", a], ["b", b]] as const) {
      if (!kinds.has(id)) {
        throw new TypeError(`edges.${index}.${end} names "${id}", which is no node's id`);
      }
    }
    if (a === b) {
      throw new TypeError(`edges.${index} joins "${a}" to itself; loops are not allowed`);
    }
    const pair = JSON.stringify([a, b].sort());
    if (joined.has(pair)) {
      throw new TypeError(
        `edges.${index} joins "${a}" and "${b}" a second time; one edge a pair is allowed`,
      );
    }
    joined.add(pair);
    const objects = [a, b].filter((id) => kinds.get(id) === "object");
    if (objects.length === 2) {
      throw new TypeError(
        `edges.${index} joins the objects "${a}" and "${b}"; an edge needs a room at one end`,
      );
    }
    for (const id of objects) {
      if (placed.has(id)) {
        throw new TypeError(
          `edges.${index} puts the object "${id}" into a second room; write one object node for each room that lists it`,
        );
      }
      placed.add(id);
    }
  }
}

const schema = z.strictObject({
  nodes: z.array(
    z.strictObject({ id: z.string().min(1), kind: z.enum(["room", "object"]), label: z.string() }),
  ),
  edges: z.array(z.strictObject({ a: z.string(), b: z.string(), label: z.string() })),
});
