/**
 * The room graph: numbered rooms, the objects in them and the doors between them, as triplets of a
 * knowledge graph (Shin et al. 2026, *GraphMind: LLMs as Dynamic Knowledge Builders for Sequential
 * Decision-Making*, §3.1 and Fig. 3).
 *
 * | GraphMind §3.1 | triplets here |
 * |---|---|
 * | room node n | `room n` |
 * | contains | `room 1, contains, grey ball (room 1)`; a door whose far side was never entered is contained like an object |
 * | is_connected_with | `room 1, is_connected_with red door, room 2` |
 * | is_located_to | `grey ball (room 1), is_located_to north, room 1`; `room 2, is_located_to east, room 1`; `agent, is_located_to, room 2` |
 * | are_apart | `grey ball (room 1), are_apart 3, red key (room 1)`: cells between two objects |
 */

import { type Compass, opposite } from "./compass.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";
import type { RoomObjectEdge, RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";
import { type Triplet, tripletKey } from "./triplet.ts";

/** An object in a room. */
export interface RoomEntity {
  /**
   * In lower case, with its state if it has one, numbered if equal objects share the room: `red
   * locked door`, `grey ball 2`.
   */
  readonly name: string;
  /** One or two compass directions in the room: `south-east`; for a door its wall. */
  readonly direction?: string;
}

/** The contents of a room. */
export interface RoomContents {
  /** Names are unique. */
  readonly entities: readonly RoomEntity[];
  /** Distances between two of them by name, in cells ≥ 0, in any order. */
  readonly distances: readonly { readonly a: string; readonly b: string; readonly cells: number }[];
}

/** A door that was passed, as an exit of one of its two rooms. */
export interface RoomExit {
  /** Without its state: `red door`. */
  readonly door: string;
  /** Number of the room behind it. */
  readonly to: number;
  /** The direction of that room. */
  readonly direction?: Compass;
}

/** A room with its contents and exits. */
export interface Room extends RoomContents {
  /** From 1, in the order of first entry. */
  readonly number: number;
  /** In the order in which they were added. */
  readonly exits: readonly RoomExit[];
}

/**
 * Builds a room graph. Its whole state is in its triplets.
 *
 * @example
 * ```ts
 * import { RoomGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const rooms = new RoomGraph();
 * rooms.setContents(1, { entities: [{ name: "red closed door", direction: "east" }, { name: "grey ball" }], distances: [] }, 1);
 * rooms.connect({ from: 1, to: 2, door: "red open door", direction: "east" }, 2);
 * assert.deepEqual(rooms.room(1)?.entities, [{ name: "grey ball" }]); // the door is an exit now
 * assert.deepEqual(rooms.room(2)?.exits, [{ door: "red door", to: 1, direction: "west" }]);
 * ```
 */
export class RoomGraph {
  /** The triplets with their history. */
  readonly graph: KnowledgeGraph = new KnowledgeGraph();
  #known: { readonly changes: number; readonly rooms: readonly Room[] } | undefined;

  /** The room of that number; `undefined` if there is none. */
  room(number: number): Room | undefined {
    return this.rooms().find((room) => room.number === number);
  }

  /** All rooms by number. O(triplets) after a change, else O(1). */
  rooms(): readonly Room[] {
    const { length } = this.graph.changes;
    if (this.#known?.changes !== length) {
      this.#known = { changes: length, rooms: roomsOf(this.graph.triplets()) };
    }
    return this.#known.rooms;
  }

  /** Records the room that the agent is in. */
  enter(room: number, time: number): void {
    const here = { subject: AGENT, relation: LOCATED, object: idOf(room) };
    if (this.graph.has(here)) return;
    for (const triplet of this.graph.incident(AGENT)) this.graph.remove(triplet, time);
    this.graph.add(here, time);
  }

  /**
   * Joins two rooms by a door, which is no longer an object of either room; its state is dropped. A
   * known passage is kept unchanged.
   */
  connect({ from, to, door, direction }: RoomExit & { readonly from: number }, time: number): void {
    if (from === to) return;
    const name = bareName(door);
    const known = this.room(from)?.exits.some((exit) => exit.to === to && exit.door === name);
    if (!known) {
      this.graph.add(
        { subject: idOf(from), relation: `${CONNECTED} ${name}`, object: idOf(to) },
        time,
      );
      if (direction) {
        this.graph.add({
          subject: idOf(to),
          relation: `${LOCATED} ${direction}`,
          object: idOf(from),
        }, time);
      }
    }
    for (const number of [from, to]) {
      const room = this.room(number);
      if (room) this.setContents(number, room, time);
    }
  }

  /** Replaces a room's contents, without doors that are exits and unknown distances. */
  setContents(number: number, contents: RoomContents, time: number): void {
    const room = idOf(number);
    const exits = this.room(number)?.exits ?? [];
    const entities = contents.entities.filter((entity) =>
      !exits.some((exit) => isDoorOf(exit, entity))
    );
    const names = new Set(entities.map(({ name }) => name));
    const wanted: Triplet[] = [
      ...entities.map(({ name }) => ({
        subject: room,
        relation: CONTAINS,
        object: leafId(name, number),
      })),
      ...entities.flatMap(({ name, direction }) =>
        direction
          ? [{ subject: leafId(name, number), relation: `${LOCATED} ${direction}`, object: room }]
          : []
      ),
      ...contents.distances.filter(({ a, b }) => a !== b && names.has(a) && names.has(b)).map((
        { a, b, cells },
      ) => ({
        subject: leafId(a, number),
        relation: `${APART} ${cells}`,
        object: leafId(b, number),
      })),
    ];
    const keys = new Set(wanted.map(tripletKey));
    const current = this.graph.incident(room).filter(({ relation }) => relation === CONTAINS)
      .flatMap(({ object }) => this.graph.incident(object));
    for (const triplet of current) {
      if (!keys.has(tripletKey(triplet))) this.graph.remove(triplet, time);
    }
    for (const triplet of wanted) this.graph.add(triplet, time);
  }
}

/** Reads the rooms of a room graph by number; ignores other triplets. O(triplets). */
export function roomsOf(triplets: readonly Triplet[]): Room[] {
  const located = new Map<string, string>();
  const rooms = new Map<
    number,
    { entities: RoomEntity[]; distances: RoomContents["distances"][number][]; exits: RoomExit[] }
  >();
  const at = (number: number) =>
    rooms.getOrInsertComputed(number, () => ({ entities: [], distances: [], exits: [] }));
  for (const { subject, relation, object } of triplets) {
    const number = numberOf(object);
    const direction = wordAfter(LOCATED, relation);
    if (number !== undefined && direction !== undefined) {
      located.set(`${subject}/${object}`, direction);
    }
  }
  for (const { subject, relation, object } of triplets) {
    const [from, to] = [numberOf(subject), numberOf(object)];
    if (subject === AGENT && to !== undefined) at(to);
    const door = wordAfter(CONNECTED, relation);
    if (door !== undefined && from !== undefined && to !== undefined) {
      const direction = located.get(`${object}/${subject}`) as Compass | undefined;
      at(from).exits.push({ door, to, ...(direction ? { direction } : {}) });
      at(to).exits.push({
        door,
        to: from,
        ...(direction ? { direction: opposite(direction) } : {}),
      });
    } else if (relation === CONTAINS && from !== undefined) {
      const direction = located.get(`${object}/${subject}`);
      at(from).entities.push({
        name: leafName(object),
        ...(direction === undefined ? {} : { direction }),
      });
    }
    const cells = wordAfter(APART, relation);
    const room = subject.match(LEAF)?.[2];
    if (cells !== undefined && room !== undefined) {
      at(Number(room)).distances.push({
        a: leafName(subject),
        b: leafName(object),
        cells: Number(cells),
      });
    }
  }
  return [...rooms].sort(([a], [b]) => a - b).map(([number, room]) => ({ number, ...room }));
}

/**
 * The room graph in the form that is compared with the true map. Objects, and doors with an unknown
 * far side, are leaves without state and number; directions, distances and the agent are dropped.
 * Several doors between two rooms are one edge that names them all.
 *
 * @example
 * ```ts
 * import { roomObjectGraphOf } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const { nodes, edges } = roomObjectGraphOf([
 *   { subject: "room 1", relation: "contains", object: "grey ball 2 (room 1)" },
 *   { subject: "room 1", relation: "is_connected_with red door", object: "room 2" },
 * ]);
 * assert.deepEqual(nodes.map(({ kind, label }) => `${kind} ${label}`), ["room room", "object grey ball", "room room"]);
 * assert.deepEqual(edges.map(({ label }) => label), ["contains", "red"]);
 * ```
 */
export function roomObjectGraphOf(triplets: readonly Triplet[]): RoomObjectGraph {
  const nodes: RoomObjectNode[] = [];
  const edges: RoomObjectEdge[] = [];
  for (const { number, entities, exits } of roomsOf(triplets)) {
    const room = idOf(number);
    nodes.push({ id: room, kind: "room", label: "room" });
    for (const { name } of entities) {
      nodes.push({ id: leafId(name, number), kind: "object", label: bareName(name) });
      edges.push({ a: room, b: leafId(name, number), label: "contains" });
    }
    const doors = Map.groupBy(exits.filter(({ to }) => to > number), ({ to }) => to);
    for (const [to, shared] of doors) {
      const colours = [...new Set(shared.map(({ door }) => door.replace(/ door$/, "")))].sort();
      edges.push({ a: room, b: idOf(to), label: colours.join("+") });
    }
  }
  return { nodes, edges };
}

export function bareName(name: string): string {
  return plainName(name).replace(/\b(?:open|closed|locked|unlocked) /g, "").replace(/ #?\d+$/, "");
}

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_,;()"'`]+/g, " ").trim().replace(/^(?:an?|the) /, "")
    .replaceAll("gray", "grey");
}

const AGENT = "agent";
const CONTAINS = "contains";
const CONNECTED = "is_connected_with";
const LOCATED = "is_located_to";
const APART = "are_apart";
const LEAF = /^(.+) \(room (\d+)\)$/;

function idOf(room: number): string {
  return `room ${room}`;
}

function numberOf(id: string): number | undefined {
  const number = id.match(/^room (\d+)$/)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Equal objects in two rooms are two leaves. */
function leafId(name: string, room: number): string {
  return `${name} (room ${room})`;
}

function leafName(id: string): string {
  return id.match(LEAF)?.[1] ?? id;
}

function wordAfter(relation: string, text: string): string | undefined {
  return text.startsWith(`${relation} `) ? text.slice(relation.length + 1) : undefined;
}

function isDoorOf({ door, direction }: RoomExit, entity: RoomEntity): boolean {
  if (bareName(entity.name) !== door) return false;
  return direction === undefined || entity.direction === undefined ||
    entity.direction === direction;
}
