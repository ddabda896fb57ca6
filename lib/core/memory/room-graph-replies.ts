/**
 * How the replies of the room graph memory's modules are read (Shin et al. 2026, App. A.1): a vote
 * on a passage, the contents of a room, the number of a room.
 */

import { z } from "zod";
import type { Compass } from "../graph/compass.ts";
import { plainName, type RoomContents } from "../graph/room-graph.ts";
import { parseJson } from "../text/json.ts";
import { keepSound, numberIn, soundName } from "../text/read-lists.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

const MAX_ENTITIES = 100;
const MAX_NAME = 60;

/** One vote on the passage. */
export interface TransitionVote {
  /** Whether the agent is in another room now. */
  readonly passed: boolean;
  /** The name of the door, as the graph writes it; absent where the reply names none. */
  readonly door?: string;
  /** The direction in which the agent went through it. */
  readonly direction?: Compass;
  /** Confidence, in [0, 1]. */
  readonly confidence: number;
}

const readVote = parseJson(z.object({
  connected_door: soundName.catch(""),
  door_direction: z.string().catch(""),
  check_pass_door: z.union([z.boolean(), z.stringbool()]),
  answer_confidence_score: z.union([z.number(), z.string().min(1).transform(Number)]).pipe(
    z.number().min(0).max(1),
  ).catch(0.5),
}));

/** Reads a vote. A vote for a passage must name the door. */
export const parseVote: ReplyParser<TransitionVote> = refined(readVote, (vote) => {
  const {
    connected_door,
    door_direction,
    check_pass_door: passed,
    answer_confidence_score: confidence,
  } = vote;
  const door = plainName(connected_door);
  const named = /^(?!no(?:ne)? ).*\bdoor\b/.test(door);
  if (passed && !named) {
    return {
      kind: "malformed",
      problem: "check_pass_door is true and connected_door names no door",
    };
  }
  return {
    kind: "ok",
    value: {
      passed,
      confidence,
      door: named ? door : undefined,
      direction: compassOf(door_direction),
    },
  };
});

const readNode = parseJson(z.object({
  current_graph_node_id: z.union([z.number(), z.string().transform(numberIn).pipe(z.number())]),
}));

/**
 * The numbers that a room may have: those of the known ones, then the next free one.
 *
 * @example
 * ```ts
 * import { roomNumbers } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(roomNumbers([1, 2]), [1, 2, 3]);
 * ```
 */
export function roomNumbers(known: readonly number[]): number[] {
  return [...known, Math.max(0, ...known) + 1];
}

/**
 * Reads the number of a room: a known one, or the next free one.
 *
 * @example
 * ```ts
 * import { parseNode } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const parse = parseNode([1, 2]);
 * assert.deepEqual(parse('{"current_graph_node_id": 3}'), { kind: "ok", value: 3 });
 * assert.equal(parse('{"current_graph_node_id": 7}').kind, "malformed");
 * ```
 */
export function parseNode(known: readonly number[]): ReplyParser<number> {
  const numbers = roomNumbers(known);
  return refined(readNode, ({ current_graph_node_id: node }) => {
    if (numbers.includes(node)) return { kind: "ok", value: node };
    const all = `the known ones are ${known.join(", ") || "none"}, and a new one is ${
      numbers.at(-1)
    }`;
    return { kind: "malformed", problem: `there is no room ${node}: ${all}` };
  });
}

/** A room's contents as a model wrote them. */
export interface ReadContents {
  /** What the room holds. */
  readonly contents: RoomContents;
  /** The parts of the reply that make no sense and were dropped, one line each. */
  readonly dropped: readonly string[];
}

/** What a view shows that is not a thing of a room. */
const NO_THING =
  /^(?:(?:walls?|floor|agent|you|empty|unseen)(?: (?:cells?|spaces?|tiles?|floor|area))?)(?: \d+)?$/;

const directionSchema = z.object({ entity: z.string(), direction: z.unknown() })
  .transform(({ entity, direction }): readonly [string, unknown] => [entity, direction]);

/** Reads the reply of the extractor. */
export const parseExtracted: ReplyParser<ReadContents> = contentsParser({
  entities: "current_room_entities",
  relations: "entities_relationships",
  directions: "direction_of_entities",
});

/** Reads the merged contents. */
export const parseUpdated: ReplyParser<ReadContents> = contentsParser({
  entities: "graph_entities",
  relations: "graph_entities_relate",
  directions: "graph_dir_of_entities",
});

/**
 * A parser by the field names of a module. Entities that are no things, wrong relations and
 * directions are dropped.
 */
function contentsParser(
  fields: Record<"entities" | "relations" | "directions", string>,
): ReplyParser<ReadContents> {
  const read = parseJson(z.object({
    [fields.entities]: z.preprocess(
      (list) => /^\W*(?:none|nothing|empty)?\W*$/i.test(String(list)) ? [] : list, // ["none"]
      keepSound(soundName.pipe(z.string().max(MAX_NAME)), MAX_ENTITIES),
    ),
    [fields.relations]: z.array(z.unknown()).catch([]),
    [fields.directions]: z.union([
      keepSound(directionSchema),
      z.record(z.string(), z.unknown()).transform(Object.entries),
    ]).catch([]),
  }));
  return refined(read, (reply) => {
    const said = reply as Readonly<Record<string, unknown[]>>;
    const dropped: string[] = [];
    const named = (said[fields.entities] as string[]).map(plainName).filter((name) => name !== "");
    const things = named.filter((name) => !NO_THING.test(name));
    for (const name of named) if (NO_THING.test(name)) dropped.push(`entity ${shown(name)}`);
    const names = numbered(things);
    const directions = directionsOf(
      said[fields.directions] as (readonly [string, unknown])[],
      dropped,
    );
    const distances = distancesOf(said[fields.relations] ?? [], names, dropped);
    const entities = names.map((name) => ({ name, direction: directions.get(name) }));
    return { kind: "ok", value: { contents: { entities, distances }, dropped } };
  });
}

function directionsOf(
  said: readonly (readonly [string, unknown])[],
  dropped: string[],
): Map<string, string> {
  const directions = new Map<string, string>();
  for (const [name, where] of said) {
    const direction = bearingOf(where);
    if (direction === undefined) dropped.push(`direction ${shown(where)} of ${shown(name)}`);
    else directions.set(plainName(name), direction);
  }
  return directions;
}

function distancesOf(
  said: readonly unknown[],
  names: readonly string[],
  dropped: string[],
): RoomContents["distances"] {
  const distances = new Map<string, RoomContents["distances"][number]>();
  for (const one of said) {
    const relation = relationSchema.safeParse(one);
    if (!relation.success) dropped.push(`relation ${shown(one)}`);
    else {
      const [a, b] = [plainName(relation.data.from), plainName(relation.data.to)];
      if (names.includes(a) && names.includes(b) && a !== b) {
        distances.set([a, b].sort().join("/"), { a, b, cells: relation.data.cells });
      } else dropped.push(`relation between ${shown(a)} and ${shown(b)}`);
    }
  }
  return [...distances.values()];
}

const relationSchema = z.object({
  from: soundName,
  relation: z.string().transform((relation) => relation.replaceAll(" ", "_")).pipe(
    z.literal("are_apart"),
  ),
  to: soundName,
  cells: z.coerce.number().min(0).max(1000),
});

function numbered(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} ${number}`;
    taken.add(unique);
    return unique;
  });
}

function compassOf(text: string): Compass | undefined {
  const [first, ...others] = new Set(text.toLowerCase().match(/\b(?:north|east|south|west)\b/g));
  return others.length === 0 ? first as Compass | undefined : undefined;
}

/** The compass direction in a text: `North East wall` → `north-east`. */
function bearingOf(said: unknown): string | undefined {
  if (typeof said !== "string") return undefined;
  const [, upright = "", sideways = ""] =
    said.toLowerCase().match(/\b(?=north|south|east|west)(north|south)?[- ]?(east|west)?\b/) ?? [];
  return [upright, sideways].filter((word) => word !== "").join("-") || undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? String(value);
}
