/**
 * The room graph as text: what a model reads out of an observation ("Extract Information", Shin et
 * al. 2026, App. A.1), how prompts show a room, and the tools by which a planner queries the graph
 * (App. A.3).
 */

import { z } from "zod";
import type { Room, RoomContents, RoomEntity, RoomExit } from "../graph/room-graph.ts";
import type { ToolSpec } from "../llm/chat-model.ts";
import type { Prompt } from "../llm/prompt.ts";
import {
  closestEntity,
  neighbourInformation,
  type PathToThing,
  unexploredClosedDoor,
  type UnknownRoom,
} from "../retrieval/graph-tools.ts";
import { issuesOf } from "../text/json.ts";
import { numberIn, soundName } from "../text/read-lists.ts";
import { renderSections } from "../text/sections.ts";
import type { MemoryContext, MemoryTool, Perception, ToolAnswer } from "./memory.ts";
import { askAt } from "./memory-kit.ts";
import type { PromptOrder } from "./observation.ts";
import { ROOM_GRAPH_PROMPTS } from "./room-graph.prompts.ts";
import { parseExtracted, type ReadContents } from "./room-graph-replies.ts";
import { describeView } from "./view.ts";

export async function extractContents(
  context: MemoryContext,
  perception: Perception,
  { image, order }: { readonly image: boolean; readonly order: PromptOrder },
): Promise<RoomContents | undefined> {
  const { extract } = ROOM_GRAPH_PROMPTS[order];
  const images = image && perception.image ? [perception.image] : [];
  const values = { observation: describeView(perception) };
  const read = await askAt(context, perception.step)(extract, values, {
    parse: parseExtracted,
    images,
  });
  return contentsOf(context, extract, read);
}

/**
 * Returns the contents that were read. Each part of the answer that makes no sense is reported as
 * the event `dropped-fact`.
 */
export function contentsOf(
  { onEvent }: MemoryContext,
  { role }: Prompt,
  read: ReadContents | undefined,
): RoomContents | undefined {
  for (const fact of read?.dropped ?? []) onEvent?.("dropped-fact", `${role}: ${fact}`);
  return read?.contents;
}

/**
 * A room as one line: `Room 2 contains grey ball (north). Passed doors: red door (west) to room
 * 1.`, with a note where one is given.
 *
 * @example
 * ```ts
 * import { describeRoom } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const entities = [{ name: "grey ball", direction: "north" }];
 * const text = describeRoom({ number: 2, entities, distances: [], exits: [] });
 * assert.equal(text, "Room 2 contains grey ball (north). Passed doors: none known.");
 * ```
 */
export function describeRoom({ number, entities, distances, exits }: Room, note = ""): string {
  return [
    `Room ${number}${note === "" ? "" : ` (${note})`} contains ${
      listed(entities.map(describeEntity))
    }.`,
    `Passed doors: ${listed(exits.map(describeExit))}.`,
    ...(distances.length > 0 ? [`Distances: ${describeDistances(distances)}.`] : []),
  ].join(" ");
}

export function describeEntity({ name, direction }: RoomEntity): string {
  return `${name}${inBrackets(direction)}`;
}

export function describeDistances(distances: RoomContents["distances"]): string {
  return distances.map(({ a, b, cells }) => `${a} and ${b} are ${cells} cells apart`).join("; ");
}

/**
 * A room's contents as the three lines that the modules exchange.
 *
 * @example
 * ```ts
 * import { describeContents } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const text = describeContents({ entities: [{ name: "red key", direction: "east" }], distances: [] });
 * assert.equal(text, "Entities: red key\nDistances: none\nDirections: red key: east");
 * ```
 */
export function describeContents({ entities, distances }: RoomContents): string {
  const directions = entities.flatMap(({ name, direction }) =>
    direction === undefined ? [] : [`${name}: ${direction}`]
  );
  return [
    `Entities: ${entities.map(({ name }) => name).join(", ") || "none"}`,
    `Distances: ${describeDistances(distances) || "none"}`,
    `Directions: ${directions.join("; ") || "none"}`,
  ].join("\n");
}

/**
 * The three tools for one decision; look-ups of a room are counted from its start. Calls with wrong
 * arguments or an unknown room are refused with a line that names the remedy.
 *
 * @example
 * ```ts
 * import { RoomGraph } from "labyrinth/graph";
 * import { roomGraphTools } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const graph = new RoomGraph();
 * graph.setContents(1, { entities: [{ name: "red key" }], distances: [] }, 1);
 * const [, closest] = roomGraphTools(() => graph.rooms(), new Map([[1, 1]]));
 * const answer = closest?.call({ node: 1, entity: "red key" });
 * assert.match(String(answer?.text), /red key is in room 1/);
 * ```
 */
export function roomGraphTools(
  rooms: () => readonly Room[],
  visits: ReadonlyMap<number, number>,
): MemoryTool[] {
  const lookedUp = new Map<number, number>();

  function neighbours({ node }: { readonly node: number }): ToolAnswer {
    const found = neighbourInformation(rooms(), node);
    if (found.kind === "unknown-room") return refuseRoom(node, found);
    const lines = [found.room, ...found.neighbours].map((room) => {
      lookedUp.set(room.number, (lookedUp.get(room.number) ?? 0) + 1);
      return describeRoom(
        room,
        `entered ${times(visits.get(room.number) ?? 0)}, looked up ${
          times(lookedUp.get(room.number) ?? 0)
        } in this step`,
      );
    });
    return { kind: "ok", text: lines.join("\n") };
  }

  function closest(
    { node, entity }: { readonly node: number; readonly entity: string },
  ): ToolAnswer {
    const found = closestEntity(rooms(), node, entity);
    if (found.kind === "unknown-room") return refuseRoom(node, found);
    if (found.kind === "undiscovered") {
      return { kind: "ok", text: `${entity} has not been discovered.` };
    }
    return answerWithPath(node, found);
  }

  function unexplored({ node }: { readonly node: number }): ToolAnswer {
    const found = unexploredClosedDoor(rooms(), node);
    if (found.kind === "unknown-room") return refuseRoom(node, found);
    if (found.kind === "none") {
      return {
        kind: "ok",
        text: "No closed or locked door that was never passed has been discovered.",
      };
    }
    return answerWithPath(node, found);
  }

  return [
    tool(NEIGHBOURS, oneNode, neighbours),
    tool(CLOSEST, nodeAndEntity, closest),
    tool(UNEXPLORED, oneNode, unexplored),
  ];
}

const node = z.union([
  z.int(),
  z.string().transform(numberIn).pipe(z.int("it is no number of a room")),
]);
const oneNode = z.object({ node }); // surplus arguments are left out
const nodeAndEntity = z.object({ node, entity: soundName.pipe(z.string().max(60)) });

function parametersOf(properties: object): Record<string, unknown> {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

const nodeParameter = { type: "integer", description: "Number of a known room." };
const NEIGHBOURS: ToolSpec = {
  name: "get_neighbor_entity_information",
  description:
    "All that is known of a room and of the rooms behind its passed doors, and how often each was entered. For the next steps.",
  parameters: parametersOf({ node: nodeParameter }),
};
const CLOSEST: ToolSpec = {
  name: "search_closest_entity",
  description:
    "The nearest known room that holds an entity, and the doors to pass on the way from a room to it; or that it has not been discovered.",
  parameters: parametersOf({
    node: nodeParameter,
    entity: { type: "string", description: "Colour and type, for a door its state if it matters." },
  }),
};
const UNEXPLORED: ToolSpec = {
  name: "find_unexplored_closed_door",
  description:
    "The nearest closed or locked door that was never passed, and the doors to pass on the way from a room to it; or that there is none.",
  parameters: parametersOf({ node: nodeParameter }),
};

/**
 * A tool from its function. A heading that repeats the call distinguishes the answers of several
 * calls.
 */
function tool<Arguments>(
  spec: ToolSpec,
  schema: z.ZodType<Arguments>,
  answer: (args: Arguments) => ToolAnswer,
): MemoryTool {
  return {
    spec,
    call: (args) => {
      const parsed = schema.safeParse(args);
      const { kind, text } = parsed.success ? answer(parsed.data) : refuse(parsed.error);
      return {
        kind,
        text: renderSections({ [`${spec.name} ${JSON.stringify(args)?.slice(0, 120)}`]: text }),
      };
    },
  };
}

function refuse(error: z.ZodError): ToolAnswer {
  return { kind: "refused", text: `The arguments do not fit: ${issuesOf(error).join("; ")}.` };
}

function refuseRoom(node: number, { known }: UnknownRoom): ToolAnswer {
  return {
    kind: "refused",
    text: `There is no room ${node}; the known rooms are ${known.join(", ") || "none yet"}.`,
  };
}

function answerWithPath(from: number, { thing, room, path }: PathToThing): ToolAnswer {
  const way = path.length === 0
    ? `That is room ${from} itself.`
    : `Doors to pass from room ${from}: ${path.map(describeExit).join(", ")}.`;
  return { kind: "ok", text: `${describeEntity(thing)} is in room ${room}. ${way}` };
}

function describeExit({ door, direction, to }: RoomExit): string {
  return `${door}${inBrackets(direction)} to room ${to}`;
}

function inBrackets(direction: string | undefined): string {
  return direction === undefined ? "" : ` (${direction})`;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? "none known" : texts.join(", ");
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
