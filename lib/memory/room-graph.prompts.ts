/**
 * The prompts of the room graph memory and the parsers of their replies. Modules, fields and answer formats follow GraphMind (Shin et al.
 * 2026), App. A.1; the wording is ours. Everything constant is in the instructions, so that a server can cache it.
 */

import { z } from "zod";
import type { Compass } from "../graph/compass.ts";
import { plainName, type RoomContents } from "../graph/room-graph.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson } from "../text/json.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

/** Largest number of entities in a room; a reply with more is rejected. */
const MAX_ENTITIES = 40;
/** Largest length of a name, in characters. */
const MAX_NAME = 60;

/** The description of an observation, with which every module that reads one begins. */
const VIEW =
  `The world is made of square rooms side by side, each with walls around it and doors in its walls. The agent sees part of it at a time.
An observation is a grid of cells, one line for each row, cells parted by ";". The last row is the one the agent stands in, and the agent is the cell Agent in its middle; it looks towards the first row. What is to the left of Agent is to its left, what is above is ahead. Cells that cannot be seen are Unseen, free floor is Empty. Walls and doors hide what is behind them, open doors too. A line below the grid says which way the agent faces.`;

/** Asks whether the agent went through a door. It is asked several times, and the majority decides. */
export const verifyPrompt: Prompt<"trajectory"> = {
  role: "graphmind/verify-transition",
  pictures: "steps",
  instructions:
    `You watch an agent that explores rooms, and judge whether it has passed from one room into another between the first and the last of some observations.

${VIEW}

Actions
- left, right: the agent turns on the spot. The whole view changes, and the agent has not moved.
- forward: the agent moves one cell ahead, unless a wall, a thing or a door that is not open is there.
- pickup, drop: the agent takes the thing ahead, or puts what it carries there. It does not move.
- toggle: opens or closes the door ahead, or unlocks it with the key of its colour. It does not move.
To pass a door the agent opens it, goes forward onto its cell, and forward again off it on the other side. A door that the agent stands on is not shown.

Judge step by step
- connected_door: the door that the agent went through, as the observations name it; null if none.
- door_direction: the way the agent faced while it went through: north, east, south or west; null if it passed none. It is the wall of the first room that the door is in.
- check_pass_door: true if the agent is in another room at the last observation than at the first, otherwise false. Turning round, opening a door, or standing in a doorway is no passage; going through and back again is none either.
- answer_confidence_score: how sure you are, from 0 to 1.

Answer with JSON alone, exactly in this form:
{"connected_door_rationale": "...", "connected_door": "...", "door_direction_rationale": "...", "door_direction": "...", "check_pass_door_rationale": "...", "check_pass_door": false, "answer_confidence_score": 0.0}`,
  sections: { trajectory: "Trajectory" },
  sampling: { maxTokens: 300 },
  form: z.object({
    connected_door_rationale: z.string(),
    connected_door: z.string(),
    door_direction_rationale: z.string(),
    door_direction: z.string(),
    check_pass_door_rationale: z.string(),
    check_pass_door: z.boolean(),
    answer_confidence_score: z.number(),
  }),
};

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

/** Asks what is in view. */
export const extractPrompt: Prompt<"observation"> = {
  role: "graphmind/extract",
  pictures: "view",
  instructions: `You write down what an agent sees of the room that it is in, as briefly as will do to know the room again.

${VIEW}

What to write
- current_room_entities: every door and every thing that is in view, named as the observation names it, with spaces for underscores, doors with their state. Walls, floor and the agent do not count. Where several have the same name, number them: the second is "... 2".
- entities_relationships: for each entity the one nearest to it, and how many cells lie between them: rows and columns added up. This tells look-alikes apart. "relation" is always "are_apart".
- direction_of_entities: for each door the side of the room whose wall it is in (north, east, south, west), for each thing where it lies as seen from the agent (north, north-east, east, ...). Work out compass directions from the way the agent faces.

Answer with JSON alone, exactly in this form; empty lists where nothing is in view:
{"current_room_entities_rationale": "...", "current_room_entities": ["..."], "entities_relationships_rationale": "...", "entities_relationships": [{"from": "...", "relation": "are_apart", "to": "...", "cells": 2}], "direction_of_entities_rationale": "...", "direction_of_entities": {"...": "north"}}`,
  sections: { observation: "Observation" },
  sampling: { maxTokens: 1500 },
};

/** The beginning of both localisers' instructions. */
const LOCATE =
  `You keep a map of numbered rooms for an agent, and say which of them it is in now. A room that it has not been in before gets the next free number.

${VIEW}

How to tell
- Without a passage the agent is where it was: turning round in a room changes all that it sees.
- After a passage through a door that the map knows to lead from the previous room into another one, it is in that other room.`;

const NODE_ANSWER = `Answer with JSON alone, exactly in this form:
{"current_graph_node_id_rationale": "...", "current_graph_node_id": 1}`;

type LocateSection = "rooms" | "previous" | "passage" | "entities" | "observation";

/** Asks which room the agent is in; it shows the previous room, the rooms connected with it, and the numbers of all known rooms (App. A.1). */
export const locatePrompt: Prompt<LocateSection> = {
  role: "graphmind/locate",
  instructions: `${LOCATE}
- After a passage through any other door it is in a room that it has not entered this way: a new one, unless what is seen agrees with what a room of the list contains. Things that only look alike are no proof.

${NODE_ANSWER}`,
  sections: {
    rooms: "Rooms list",
    previous: "Previous room and those connected with it",
    passage: "Passage",
    entities: "Observed entities",
    observation: "Observation",
  },
  sampling: { maxTokens: 200 },
};

/** Asks the same with the whole map, and says that ways may lead round to a known room. */
export const locateOnMapPrompt: Prompt<LocateSection> = {
  role: locatePrompt.role,
  sampling: locatePrompt.sampling,
  instructions: `${LOCATE}
- After a passage through any other door it is in a room that it has not entered this way: a new one, unless a known room must be the same. Such a room has a door of that colour in the wall towards the previous room, not yet passed, and what is seen agrees with what it contains. Things that only look alike are no proof.
- Rooms are squares of one size, side by side: a way through several doors can lead round to a known room. East, north, west and south, one room each, ends where it began.

${NODE_ANSWER}`,
  sections: { ...locatePrompt.sections, previous: "Previous room" },
};

const readNode = parseJson(z.object({ current_graph_node_id: z.coerce.number() }));

/** Reads the number of a room: a known one, or the next free one. */
export function parseNode(known: readonly number[]): ReplyParser<number> {
  const next = Math.max(0, ...known) + 1;
  return refined(readNode, ({ current_graph_node_id: node }) => {
    if (known.includes(node) || node === next) return { kind: "ok", value: node };
    return { kind: "malformed", problem: `there is no room ${node}: the known ones are ${known.join(", ")}, and a new one is ${next}` };
  });
}

/** Asks for the contents of a room, given what was known and what is seen. */
export const updatePrompt: Prompt<"stored" | "seen" | "doorChange" | "inventoryChange"> = {
  role: "graphmind/update-entities",
  instructions:
    `You keep the list of what a room contains, for an agent that sees only part of the room at a time. Merge what it has just seen into what was known.

How to merge
- What was known stays, though it is not in view now: the agent may look the other way.
- What is seen and was not known is added. What is seen and was known is one and the same: of one name, and for a door in the same wall. Where look-alikes are possible, directions of doors and distances between things tell whether there are several; number them, the second "... 2".
- A door that was opened, closed or unlocked keeps its place and takes its new state.
- What was picked up is gone from the room. What was dropped lies in it now, once.
- Directions and distances: what was just seen replaces what was known. "relation" is always "are_apart".
- Names have spaces, no underscores.

Answer with JSON alone, exactly in this form:
{"graph_entities_rationale": "...", "graph_entities": ["..."], "graph_entities_relate_rationale": "...", "graph_entities_relate": [{"from": "...", "relation": "are_apart", "to": "...", "cells": 2}], "graph_dir_of_entities_rationale": "...", "graph_dir_of_entities": {"...": "north"}}`,
  sections: {
    stored: "Current room entities",
    seen: "Partial observation entities",
    doorChange: "Door change",
    inventoryChange: "Inventory change",
  },
  sampling: { maxTokens: 1500 },
};

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
