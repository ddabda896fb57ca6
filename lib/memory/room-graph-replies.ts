/**
 * How the replies of the room graph memory's modules are read (Shin et al. 2026, App. A.1): a vote on a passage, the contents of a room, the
 * number of a room.
 */

import { z } from "zod";
import type { Compass } from "../graph/compass.ts";
import { plainName, type RoomContents } from "../graph/room-graph.ts";
import { parseJson } from "../text/json.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

/** Largest number of entities in a room; a reply with more is rejected. */
const MAX_ENTITIES = 40;
/** Largest length of a name, in characters. */
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
  connected_door: z.string().nullish(),
  door_direction: z.string().nullish(),
  check_pass_door: z.union([z.boolean(), z.stringbool()]),
  answer_confidence_score: z.coerce.number().min(0).max(1).catch(0.5),
}));

/** Reads a vote. A vote for a passage must name the door. */
export const parseVote: ReplyParser<TransitionVote> = refined(readVote, (vote) => {
  const { connected_door, door_direction, check_pass_door: passed, answer_confidence_score: confidence } = vote;
  const door = plainName(connected_door ?? "");
  const named = /\bdoor\b/.test(door);
  if (passed && !named) return { kind: "malformed", problem: "check_pass_door is true and connected_door names no door" };
  return { kind: "ok", value: { passed, confidence, door: named ? door : undefined, direction: compassOf(door_direction) } };
});

const readNode = parseJson(z.object({ current_graph_node_id: z.coerce.number() }));

/** Reads the number of a room: a known one, or the next free one. */
export function parseNode(known: readonly number[]): ReplyParser<number> {
  const next = Math.max(0, ...known) + 1;
  return refined(readNode, ({ current_graph_node_id: node }) => {
    if (known.includes(node) || node === next) return { kind: "ok", value: node };
    return { kind: "malformed", problem: `there is no room ${node}: the known ones are ${known.join(", ")}, and a new one is ${next}` };
  });
}

/** A room's contents as a model wrote them. */
export interface ReadContents {
  readonly contents: RoomContents;
  /** The parts of the reply that make no sense and were dropped, one line each. */
  readonly dropped: readonly string[];
}

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

/** A parser by the field names of a module. The entities must be a list; wrong relations and directions are dropped. */
function contentsParser(fields: Record<"entities" | "relations" | "directions", string>): ReplyParser<ReadContents> {
  const read = parseJson(z.object({
    [fields.entities]: z.array(z.string().max(MAX_NAME)).max(MAX_ENTITIES),
    [fields.relations]: z.array(z.unknown()).max(MAX_ENTITIES ** 2).catch([]),
    [fields.directions]: z.record(z.string(), z.unknown()).catch({}),
  }));
  return refined(read, (reply) => {
    const dropped: string[] = [];
    const names = numbered((reply[fields.entities] as string[]).map(plainName).filter((name) => name !== ""));
    const directions = new Map<string, string>();
    for (const [name, said] of Object.entries(reply[fields.directions] as Record<string, unknown>)) {
      const direction = bearingOf(said);
      if (direction === undefined) dropped.push(`direction ${shown(said)} of ${shown(name)}`);
      else directions.set(plainName(name), direction);
    }
    const distances = new Map<string, RoomContents["distances"][number]>();
    for (const said of reply[fields.relations] as unknown[]) {
      const relation = relationSchema.safeParse(said);
      if (!relation.success) dropped.push(`relation ${shown(said)}`);
      else {
        const [a, b] = [plainName(relation.data.from), plainName(relation.data.to)];
        if (names.includes(a) && names.includes(b) && a !== b) distances.set([a, b].sort().join("/"), { a, b, cells: relation.data.cells });
        else dropped.push(`relation between ${shown(a)} and ${shown(b)}`);
      }
    }
    const entities = names.map((name) => ({ name, direction: directions.get(name) }));
    return { kind: "ok", value: { contents: { entities, distances: [...distances.values()] }, dropped } };
  });
}

const relationSchema = z.object({
  from: z.string(),
  relation: z.string().transform((relation) => relation.replaceAll(" ", "_")).pipe(z.literal("are_apart")),
  to: z.string(),
  cells: z.coerce.number().min(0).max(1000),
});

/** The names, with equal ones numbered from the second on. */
function numbered(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} ${number}`;
    taken.add(unique);
    return unique;
  });
}

function compassOf(text: string | null | undefined): Compass | undefined {
  return text?.trim().toLowerCase().match(/^(?:north|east|south|west)$/)?.[0] as Compass | undefined;
}

/** The compass direction in a text: `North East wall` → `north-east`. */
function bearingOf(said: unknown): string | undefined {
  if (typeof said !== "string") return undefined;
  const [, upright = "", sideways = ""] = said.toLowerCase().match(/\b(?=north|south|east|west)(north|south)?[- ]?(east|west)?\b/) ?? [];
  return [upright, sideways].filter((word) => word !== "").join("-") || undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? String(value);
}
