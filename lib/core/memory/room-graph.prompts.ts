/**
 * The prompts of the room graph memory. Modules, fields, answer formats and the order of the
 * sections follow GraphMind (Shin et al. 2026), App. A.1; the wording is ours.
 */

import type { PromptOrder } from "./observation.ts";
import type { Schema } from "../text/json.ts";
import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";

/**
 * A prompt with all that never changes in front, so that a server can cache it, and the other
 * sections in the order given: those that change least first.
 */
export function cacheable<Name extends string>(
  prompt: Prompt<Name>,
  order: readonly Name[],
): Prompt<Name> {
  const { instructions, sections, texts = {}, ...others } = prompt;
  const told = Object.entries(texts).map(([name, text]) => `${sections[name as Name]}\n${text}`);
  return {
    ...others,
    instructions: [instructions, ...told].join("\n\n"),
    sections: Object.fromEntries(order.map((name) => [name, sections[name]])) as Record<
      Name,
      string
    >,
  };
}

/** A rationale, bounded generously: Table 6 has 491 and 764 tokens an answer with three of them. */
const RATIONALE = z.string().max(600);
/** A rationale of the verifier of passages, whose answers have 1,687 tokens in Table 6. */
const LONG = z.string().max(1500);
const NAME = z.string().max(60);
const MOST = 40;

function contentsForm(
  [entities, relations, directions]: readonly [string, string, string],
): z.ZodType {
  const compass = [
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
  ];
  return z.object({
    [`${entities}_rationale`]: RATIONALE,
    [entities]: z.array(NAME).max(MOST),
    [`${relations}_rationale`]: RATIONALE,
    [relations]: z.array(
      z.object({
        from: NAME,
        relation: z.enum(["are_apart"]),
        to: NAME,
        cells: z.int().min(0).max(100),
      }),
    ).max(MOST),
    [`${directions}_rationale`]: RATIONALE,
    [directions]: z.array(z.object({ entity: NAME, direction: z.enum(compass) })).max(MOST),
  });
}

/** The description of an observation, with which every module that reads one begins. */
const VIEW =
  `The world is made of rooms, each with walls around it and doors in its walls. The agent sees part of it at a time.
An observation is a grid of cells, one line for each row, cells parted by ";". The last row is the one the agent stands in, and the agent is the cell Agent in its middle; it looks towards the first row. What is to the left of Agent is to its left, what is above is ahead. Cells that cannot be seen are Unseen, free floor is Empty. Walls and doors hide what is behind them, open doors too. A line below the grid says which way the agent faces.`;

const verifyShape = z.object({
  connected_door_rationale: LONG,
  connected_door: NAME.nullable(),
  door_direction_rationale: LONG,
  door_direction: z.enum(["north", "east", "south", "west"]).nullable(),
  check_pass_door_rationale: LONG,
  check_pass_door: z.boolean(),
  answer_confidence_score: z.number().min(0).max(1),
});

export const verifyPrompt: Prompt<"trajectory" | "judge"> = {
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
To pass a door the agent opens it, goes forward onto its cell, and forward again off it on the other side. A door that the agent stands on is not shown.`,
  sections: { trajectory: "Trajectory", judge: "How to judge" },
  texts: {
    judge:
      `- connected_door: the door that the agent went through, as the observations name it; null if none.
- door_direction: the way the agent faced while it went through: north, east, south or west; null if it passed none. It is the wall of the first room that the door is in.
- check_pass_door: true if the agent is in another room at the last observation than at the first, otherwise false. It is true only if connected_door names a door. With one observation alone the agent has gone nowhere: null, null and false. Turning round, opening a door, or standing in a doorway is no passage; going through and back again is none either.
- answer_confidence_score: how sure you are, from 0 to 1.

Answer with JSON alone, exactly in this form:
{"connected_door_rationale": "...", "connected_door": "...", "door_direction_rationale": "...", "door_direction": "...", "check_pass_door_rationale": "...", "check_pass_door": false, "answer_confidence_score": 0.0}`,
  },
  sampling: { maxTokens: 4000 },
  form: verifyShape,
};

/**
 * The form of a vote on a trajectory: the door is one that is in view there, and without any the
 * agent passed none.
 */
export function voteForm(trajectory: string): Schema<unknown> {
  const doors = [...new Set(trajectory.match(/\w*door\b/gi))];
  return doors.length > 0
    ? verifyShape.extend({ connected_door: z.enum(doors).nullable() })
    : verifyShape.extend({ connected_door: z.null(), check_pass_door: z.literal(false) });
}

export const extractPrompt: Prompt<"observation" | "write"> = {
  role: "graphmind/extract",
  pictures: "view",
  instructions:
    `You write down what an agent sees of the room that it is in, as briefly as will do to know the room again.

${VIEW}`,
  sections: { observation: "Observation", write: "What to write" },
  texts: {
    write:
      `- current_room_entities: every door and every thing that is in view, named as the observation names it, with spaces for underscores, doors with their state. Walls, floor and the agent do not count. Where several have the same name, number them: the second is "... 2".
- entities_relationships: for each entity the one nearest to it, and how many cells lie between them: rows and columns added up. This tells look-alikes apart. "relation" is always "are_apart".
- direction_of_entities: for each door the side of the room whose wall it is in (north, east, south, west), for each thing where it lies as seen from the agent (north, north-east, east, ...). Work out compass directions from the way the agent faces.

Answer with JSON alone, exactly in this form; empty lists where nothing is in view:
{"current_room_entities_rationale": "...", "current_room_entities": ["..."], "entities_relationships_rationale": "...", "entities_relationships": [{"from": "...", "relation": "are_apart", "to": "...", "cells": 2}], "direction_of_entities_rationale": "...", "direction_of_entities": [{"entity": "...", "direction": "north"}]}`,
  },
  sampling: { maxTokens: 4000 },
  form: contentsForm(["current_room_entities", "entities_relationships", "direction_of_entities"]),
};

/** The sections of the localiser. */
export type LocateSection = "observation" | "entities" | "previous" | "rooms" | "passage" | "tell";

const TELL =
  `- Without a passage the agent is where it was: turning round in a room changes all that it sees.
- After a passage through a door that the map knows to lead from the previous room into another one, it is in that other room.`;

const NODE_ANSWER = `Answer with JSON alone, exactly in this form:
{"current_graph_node_id_rationale": "...", "current_graph_node_id": 1}`;

/**
 * Asks which room the agent is in; it shows the previous room, the rooms connected with it, and the
 * numbers of all known rooms (App. A.1).
 */
export const locatePrompt: Prompt<LocateSection> = {
  role: "graphmind/locate",
  instructions:
    `You keep a map of numbered rooms for an agent, and say which of them it is in now. A room that it has not been in before gets the next free number.

${VIEW}`,
  sections: {
    observation: "Observation",
    entities: "Observed entities",
    previous: "Previous room and those connected with it",
    rooms: "Rooms list",
    passage: "Passage",
    tell: "How to tell",
  },
  texts: {
    tell: `${TELL}
- After a passage through any other door it is in a room that it has not entered this way: a new one, unless what is seen agrees with what one of the rooms shown contains. Things that only look alike are no proof.

${NODE_ANSWER}`,
  },
  sampling: { maxTokens: 1000 },
  form: z.object({
    current_graph_node_id_rationale: RATIONALE,
    current_graph_node_id: z.int().min(1),
  }),
};

/**
 * The form of the localiser's answer where these numbers are possible, at least one.
 *
 * @example
 * ```ts
 * import { locateForm } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const answer = (number: number) => ({
 *   current_graph_node_id_rationale: "It has the red door.",
 *   current_graph_node_id: number,
 * });
 * assert.ok(locateForm([1, 2]).safeParse(answer(2)).success);
 * assert.ok(!locateForm([1, 2]).safeParse(answer(7)).success);
 * ```
 */
export function locateForm(numbers: readonly number[]): Schema<unknown> {
  return z.object({
    current_graph_node_id_rationale: RATIONALE,
    current_graph_node_id: z.literal(numbers),
  });
}

/**
 * Asks the same with the whole map, and says that rooms are squares and ways may lead round to a
 * known one: ours.
 */
export const locateOnMapPrompt: Prompt<LocateSection> = {
  ...locatePrompt,
  sections: { ...locatePrompt.sections, previous: "Previous room" },
  texts: {
    tell: `${TELL}
- After a passage through any other door it is in a room that it has not entered this way: a new one, unless a known room must be the same. Such a room has a door of that colour in the wall towards the previous room, not yet passed, and what is seen agrees with what it contains. Things that only look alike are no proof.
- Rooms are squares of one size, side by side: a way through several doors can lead round to a known room. East, north, west and south, one room each, ends where it began.

${NODE_ANSWER}`,
  },
};

export const updatePrompt: Prompt<"stored" | "seen" | "doorChange" | "inventoryChange" | "merge"> =
  {
    role: "graphmind/update-entities",
    instructions:
      `You keep the list of what a room contains, for an agent that sees only part of the room at a time. Merge what it has just seen into what was known.`,
    sections: {
      stored: "Current room entities",
      seen: "Partial observation entities",
      doorChange: "Door change",
      inventoryChange: "Inventory change",
      merge: "How to merge",
    },
    texts: {
      merge:
        `- What was known stays, though it is not in view now: the agent may look the other way.
- What is seen and was not known is added. What is seen and was known is one and the same: of one name, and for a door in the same wall. Where look-alikes are possible, directions of doors and distances between things tell whether there are several; number them, the second "... 2".
- A door that was opened, closed or unlocked keeps its place and takes its new state.
- What was picked up is gone from the room. What was dropped lies in it now, once.
- Directions and distances: what was just seen replaces what was known. "relation" is always "are_apart".
- Names have spaces, no underscores.

Answer with JSON alone, exactly in this form; empty lists where nothing is known or seen:
{"graph_entities_rationale": "...", "graph_entities": ["..."], "graph_entities_relate_rationale": "...", "graph_entities_relate": [{"from": "...", "relation": "are_apart", "to": "...", "cells": 2}], "graph_dir_of_entities_rationale": "...", "graph_dir_of_entities": [{"entity": "...", "direction": "north"}]}`,
    },
    sampling: { maxTokens: 4000 },
    form: contentsForm(["graph_entities", "graph_entities_relate", "graph_dir_of_entities"]),
  };

const LOCATE_ORDER = ["rooms", "previous", "passage", "entities", "observation"] as const;

/** The memory's prompts in the order that the paper prints, and with what changes least first. */
export const ROOM_GRAPH_PROMPTS: Readonly<
  Record<PromptOrder, {
    readonly verify: Prompt<"trajectory" | "judge">;
    readonly extract: Prompt<"observation" | "write">;
    readonly locate: Prompt<LocateSection>;
    readonly locateOnMap: Prompt<LocateSection>;
    readonly update: Prompt<"stored" | "seen" | "doorChange" | "inventoryChange" | "merge">;
  }>
> = {
  paper: {
    verify: verifyPrompt,
    extract: extractPrompt,
    locate: locatePrompt,
    locateOnMap: locateOnMapPrompt,
    update: updatePrompt,
  },
  cacheable: {
    verify: cacheable(verifyPrompt, ["trajectory"]),
    extract: cacheable(extractPrompt, ["observation"]),
    locate: cacheable(locatePrompt, LOCATE_ORDER),
    locateOnMap: cacheable(locateOnMapPrompt, LOCATE_ORDER),
    update: cacheable(updatePrompt, ["stored", "seen", "doorChange", "inventoryChange"]),
  },
};
