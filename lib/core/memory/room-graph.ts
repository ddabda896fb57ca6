/**
 * The room graph memory: a map of rooms that a model builds while an agent explores (Shin et al.
 * 2026, *GraphMind: LLMs as Dynamic Knowledge Builders for Sequential Decision-Making*, §3.1 and
 * App. A.1).
 *
 * | GraphMind | here |
 * |---|---|
 * | Verify Node Transition, majority of five | `#verify`, `RoomGraphOptions.votes` |
 * | Extract Information | `extractContents` |
 * | Determine the Current Node | `#locate` |
 * | Update Entity Information | `#update` |
 * | dynamic, static memory (App. F) | `RoomGraphOptions.access` |
 *
 * Deviations are numbered in `docs/explanation/deviations/graphmind.md`.
 */

import { z } from "zod";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { type Room, type RoomContents, RoomGraph } from "../graph/room-graph.ts";
import type { MemoryMaker, Perception, Recollection } from "./memory.ts";
import { type Ask, askAt, memoryMaker, StoredMemory, valueOf } from "./memory-kit.ts";
import {
  contentsOf,
  describeContents,
  describeRoom,
  extractContents,
  roomGraphTools,
} from "./room-graph-text.ts";
import { locateForm, ROOM_GRAPH_PROMPTS, voteForm } from "./room-graph.prompts.ts";
import { parseNode, parseUpdated, parseVote, roomNumbers } from "./room-graph-replies.ts";
import { tallyVotes, type Transition } from "./transition-votes.ts";
import { describeTrajectory, describeView, stepsOf } from "./view.ts";
import { ID, type RoomGraphOptions, roomGraphOptions } from "./room-graph-options.ts";

/**
 * Makes room graph memories. Events: `malformed-reply` (a vote does not count, an extraction sees
 * nothing, a location follows from the passage, an update changes nothing), `dropped-fact` (wrong
 * kind, or unknown things), `inconsistent-location` (the room contradicts the passage; no door is
 * added) and `picture-limit`.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example Two rooms
 * ```ts
 * import { createRoomGraph, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const vote = '{"connected_door": "red open door", "door_direction": "east", "check_pass_door": true, "answer_confidence_score": 0.9}';
 * const model = scripted({
 *   "graphmind/verify-transition": [vote],
 *   "graphmind/extract": ['{"current_room_entities": ["Red_Closed_Door"]}', '{"current_room_entities": ["grey ball"]}'],
 *   "graphmind/locate": ['{"current_graph_node_id": 2}'],
 *   "graphmind/update-entities": ['{"graph_entities": ["red closed door"]}', '{"graph_entities": ["grey ball"]}'],
 * });
 * const memory = createRoomGraph({ votes: 1, whenIdle: false })({ model });
 * await memory.observe({ step: 1, goal: "Win.", observation: "Wall; Red_Closed_Door" });
 * await memory.observe({ step: 2, goal: "Win.", observation: "Wall; Grey_Ball", action: "pass_door(red door)" });
 * assert.deepEqual((await memory.recall({ step: 2, goal: "Win.", observation: "", plan: "" })).recalled?.["rooms"], [
 *   "Room 1 contains none known. Passed doors: red door (east) to room 2.",
 *   "Room 2 contains grey ball. Passed doors: red door (west) to room 1.",
 * ]);
 * ```
 */
export const createRoomGraph: MemoryMaker<RoomGraphOptions> = memoryMaker({
  id: ID,
  description: "a map of rooms that a model builds from what it sees (GraphMind)",
  version: "3",
  options: roomGraphOptions,
  prompts: Object.values(ROOM_GRAPH_PROMPTS).flatMap((prompts) => Object.values(prompts)),
  open: (context, settings) =>
    new RoomGraphMemory({ id: ID, schema: bodySchema }, context, settings),
});

const EMPTY: RoomContents = { entities: [], distances: [] };

class RoomGraphMemory
  extends StoredMemory<z.output<typeof roomGraphOptions>, z.output<typeof bodySchema>> {
  readonly #rooms = new RoomGraph();
  readonly #visits = new Map<number, number>();
  #last: Perception | undefined;
  #here: number | undefined;
  #transition: Transition | undefined;

  get #prompts(): typeof ROOM_GRAPH_PROMPTS["paper"] {
    return ROOM_GRAPH_PROMPTS[this.options.order];
  }

  get graph(): KnowledgeGraph {
    return this.#rooms.graph;
  }

  async observe(perception: Perception): Promise<void> {
    const ask = askAt(this.context, perception.step);
    const time = this.offset + perception.step;
    const previous = this.#here;
    this.#transition = await this.#verify(perception);
    const seen = await extractContents(this.context, perception, this.options) ?? EMPTY;
    const here = await this.#locate(ask, { perception, seen });
    if (here !== previous) this.#visits.set(here, (this.#visits.get(here) ?? 0) + 1);
    this.#rooms.enter(here, time);
    const { passed = false, door, direction } = this.#transition ?? {};
    if (previous !== undefined && passed !== (here !== previous)) {
      this.context.onEvent?.(
        "inconsistent-location",
        `${passed ? "a passage" : "no passage"} from room ${previous} to room ${here}`,
      );
    } else if (previous !== undefined && passed && door !== undefined) {
      this.#rooms.connect({ from: previous, to: here, door, direction }, time);
    }
    this.#here = here;
    this.#last = perception;
    this.#rooms.setContents(here, await this.#update(ask, { perception, here, seen }), time);
  }

  recall(): Promise<Recollection> {
    const rooms = this.#rooms.rooms();
    const isStatic = this.options.access === "static";
    const lines = rooms.map((room) => describeRoom(room));
    const here = this.#here === undefined
      ? "Where you are is not known."
      : `You are in room ${this.#here}.`;
    const known = `Known rooms: ${rooms.map(({ number }) => number).join(", ") || "none"}.`;
    return Promise.resolve({
      sections: {
        "Graph information": isStatic ? [...lines, here].join("\n") : `${known}\n${here}`,
      },
      status: this.#here === undefined
        ? here
        : `You are in room ${this.#here}; ${rooms.length} ${
          rooms.length === 1 ? "is" : "are"
        } known.`,
      recalled: { rooms: lines },
      tools: isStatic ? undefined : roomGraphTools(() => this.#rooms.rooms(), this.#visits),
      beliefs: { room: this.#here ?? null, rooms: rooms.length, transition: this.#transition },
    });
  }

  protected get body(): z.output<typeof bodySchema> {
    return { triplets: [...this.graph.triplets()], time: this.offset + (this.#last?.step ?? 0) };
  }

  protected set body({ time, triplets }: z.output<typeof bodySchema>) {
    this.offset = time;
    for (const triplet of triplets) this.graph.add(triplet, this.offset);
  }

  /**
   * Asks whether a door was passed since the last perception; without `whenIdle` not at the first
   * one, nor where no step was taken.
   */
  async #verify(perception: Perception): Promise<Transition | undefined> {
    const { image, maxPictures, whenIdle } = this.options;
    if (!this.#last && !whenIdle) return undefined;
    const last = this.#last ?? perception;
    const steps = stepsOf(last, perception);
    if (steps.length === 0 && !whenIdle) return tallyVotes([], 0);
    const views = [last, ...steps];
    const pictured = image ? views.filter((view) => view.image) : [];
    const shown = evenly(pictured, maxPictures);
    if (shown.length < pictured.length) {
      this.context.onEvent?.(
        "picture-limit",
        `${shown.length} of ${pictured.length} pictures shown`,
      );
    }
    const values = {
      trajectory: describeTrajectory(
        last,
        steps,
        new Map(shown.map((view, index) => [views.indexOf(view), index + 1])),
      ),
    };
    const images = shown.flatMap((view) => view.image ?? []);
    const ask = this.context.ask.at({ step: perception.step });
    const { verify } = this.#prompts;
    const form = voteForm(values.trajectory);
    const answers = await Promise.all(
      Array.from(
        { length: this.options.votes },
        (_, vote) => ask(verify, values, { parse: parseVote, form, images, vote }),
      ),
    );
    const votes = answers.flatMap((answer) => valueOf(this.context, verify, answer) ?? []);
    return tallyVotes(votes, answers.length);
  }

  /**
   * Asks for the number of the agent's room; without `whenIdle` the very first room is number 1
   * without asking.
   */
  async #locate(
    ask: Ask,
    { perception, seen }: { readonly perception: Perception; readonly seen: RoomContents },
  ): Promise<number> {
    const rooms = this.#rooms.rooms();
    const known = rooms.map(({ number }) => number);
    if (known.length === 0 && !this.options.whenIdle) return 1;
    const previous = rooms.find(({ number }) => number === this.#here);
    const connected = rooms.filter(({ number }) => previous?.exits.some(({ to }) => to === number));
    const describe = (some: readonly Room[]): string =>
      some.map((room) => describeRoom(room)).join("\n");
    const onMap = this.options.locator === "global-map";
    const room = await ask(onMap ? this.#prompts.locateOnMap : this.#prompts.locate, {
      rooms: onMap ? describe(rooms) : known.map((number) => `Room ${number}`).join(", ") || "none",
      previous: !previous
        ? "unknown"
        : onMap
        ? `Room ${previous.number}`
        : describe([previous, ...connected]),
      passage: passageLine(this.#transition),
      entities: describeContents(seen),
      observation: describeView(perception),
    }, { parse: parseNode(known), form: locateForm(roomNumbers(known)) });
    return room ?? this.#byPassage(known);
  }

  #byPassage(known: readonly number[]): number {
    const next = Math.max(0, ...known) + 1;
    if (this.#here === undefined) return next;
    if (!this.#transition?.passed) return this.#here;
    const { door, direction } = this.#transition;
    const exits = this.#rooms.room(this.#here)?.exits.filter((exit) => exit.door === door) ?? [];
    return (exits.find((exit) => exit.direction === direction) ?? exits[0])?.to ?? next;
  }

  async #update(
    ask: Ask,
    { perception: { sections = {} }, here, seen }: {
      readonly perception: Perception;
      readonly here: number;
      readonly seen: RoomContents;
    },
  ): Promise<RoomContents> {
    const stored = this.#rooms.room(here) ?? EMPTY;
    const { update } = this.#prompts;
    const read = await ask(update, {
      stored: describeContents(stored),
      seen: describeContents(seen),
      doorChange: sections["door_change"] ?? "",
      inventoryChange: sections["inventory_change"] ?? "",
    }, { parse: parseUpdated });
    return contentsOf(this.context, update, read) ?? (stored.entities.length > 0 ? stored : seen);
  }
}

function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from(
    { length: most },
    (_, index) =>
      items[Math.round((items.length - 1) * (most === 1 ? 1 : index / (most - 1)))] as Item,
  );
}

const bodySchema = z.strictObject({
  triplets: z.array(
    z.strictObject({ subject: z.string(), relation: z.string(), object: z.string() }),
  ),
  time: z.number(),
});

function passageLine(transition: Transition | undefined): string {
  if (!transition?.passed) return "The agent has passed no door since then.";
  const { door = "a door", direction } = transition;
  return `The agent has passed the ${door}${direction ? `, going ${direction}` : ""}.`;
}
