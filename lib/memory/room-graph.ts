/**
 * The room graph memory: a map of rooms that a model builds while an agent explores (Shin et al. 2026, *GraphMind: LLMs as Dynamic Knowledge
 * Builders for Sequential Decision-Making*, §3.1 and App. A.1).
 *
 * | GraphMind | here |
 * |---|---|
 * | Verify Node Transition, majority of five | `#verify`, `RoomGraphOptions.votes` |
 * | Extract Information | `#extract` |
 * | Determine the Current Node | `#locate` |
 * | Update Entity Information | `#update` |
 * | dynamic, static memory (App. F) | `RoomGraphOptions.access` |
 *
 * Deviations are numbered in `docs/deviations/graphmind.md`.
 *
 * @module
 */

import { z } from "zod";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { type RoomContents, RoomGraph } from "../graph/room-graph.ts";
import type { Answer, Asker } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { describeContents, describeRoom, roomGraphTools } from "./room-graph-text.ts";
import {
  extractPrompt,
  locatePrompt,
  parseExtracted,
  parseNode,
  parseUpdated,
  parseVote,
  type ReadContents,
  updatePrompt,
  verifyPrompt,
} from "./room-graph.prompts.ts";
import { tallyVotes, type Transition } from "./transition-votes.ts";
import { describeTrajectory, describeView, stepsOf } from "./view.ts";

/** Constants of the paper. */
export const ROOM_GRAPH_PAPER = {
  /** Votes on whether a door was passed (App. A.1). */
  votes: 5,
  /** The graph is asked by functions (§3.1). */
  access: "dynamic",
} as const;

/** Options of the memory; absent ones take their defaults. */
export interface RoomGraphOptions {
  /** Votes on each passage, 1 … 99; most count, and an even split is no passage. @default {5} */
  readonly votes?: number;
  /** `dynamic`: the planner is told where it is and may ask the graph; `static`: the whole graph stands in every prompt. @default {"dynamic"} */
  readonly access?: "dynamic" | "static";
  /** Whether pictures are shown to the modules that are shown observations, where the world gives any. @default {true} */
  readonly image?: boolean;
}

/** Reads the options, as a study gives them. */
export const roomGraphOptions = z.strictObject(
  {
    votes: z.int().min(1).max(99).default(ROOM_GRAPH_PAPER.votes),
    access: z.enum(["dynamic", "static"]).default(ROOM_GRAPH_PAPER.access),
    image: z.boolean().default(true),
  } satisfies Record<keyof RoomGraphOptions, z.ZodType>,
);

/** All prompts of the memory: roles `graphmind/verify-transition`, `graphmind/extract`, `graphmind/locate`, `graphmind/update-entities`. */
export const roomGraphPrompts: readonly Prompt[] = [verifyPrompt, extractPrompt, locatePrompt, updatePrompt];

/**
 * Makes room graph memories. What they report: `malformed-reply` (an answer that stayed unreadable: the vote does not count, nothing is seen, the
 * room is told by the passage alone, what was known of the room stays), `dropped-fact` (a relation or direction of the wrong kind, or between
 * unknown things), `inconsistent-location` (a room that does not go with the passage; it counts, and no door is drawn).
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example Two rooms
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createRoomGraph } from "labyrinth/memory";
 * import { roomsOf } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const vote = '{"connected_door": "red open door", "door_direction": "east", "check_pass_door": true, "answer_confidence_score": 0.9}';
 * const model = scripted({
 *   "graphmind/verify-transition": [vote],
 *   "graphmind/extract": ['{"current_room_entities": ["Red_Closed_Door"]}', '{"current_room_entities": ["grey ball"]}'],
 *   "graphmind/locate": ['{"current_graph_node_id": 2}'],
 *   "graphmind/update-entities": ['{"graph_entities": ["red closed door"]}', '{"graph_entities": ["grey ball"]}'],
 * });
 * const memory = createRoomGraph({ votes: 1 })({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * await memory.observe({ step: 1, goal: "Win.", observation: "Wall; Red_Closed_Door" });
 * await memory.observe({ step: 2, goal: "Win.", observation: "Wall; Grey_Ball", action: "pass_door(red door)" });
 * const rooms = roomsOf(memory.graph?.triplets() ?? []);
 * assert.deepEqual(rooms.map(({ exits }) => exits.map(({ to }) => to)), [[2], [1]]);
 * ```
 */
export function createRoomGraph(options: RoomGraphOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory room-graph", roomGraphOptions, options);
  return (context) => new RoomGraphMemory(context, checked);
}

const ID = "room-graph";

/** The memory as studies name it. */
export const roomGraph: MemoryEntry = {
  id: ID,
  description: "a map of rooms that a model builds from what it sees (GraphMind)",
  version: "1",
  options: roomGraphOptions,
  prompts: roomGraphPrompts,
  create: createRoomGraph,
};

/** Nothing seen. */
const EMPTY: RoomContents = { entities: [], distances: [] };

class RoomGraphMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof roomGraphOptions>;
  readonly #rooms = new RoomGraph();
  readonly #visits = new Map<number, number>();
  /** Steps of earlier episodes: the graph's time counts on. */
  #before = 0;
  #last: Perception | undefined;
  /** Number of the room that the agent is believed to be in. */
  #here: number | undefined;
  #transition: Transition | undefined;

  constructor(context: MemoryContext, options: z.output<typeof roomGraphOptions>) {
    this.#context = context;
    this.#options = options;
  }

  get graph(): KnowledgeGraph {
    return this.#rooms.graph;
  }

  async observe(perception: Perception): Promise<void> {
    const ask = this.#context.ask.at({ step: perception.step });
    const time = this.#before + perception.step;
    const previous = this.#here;
    this.#transition = await this.#verify(ask, perception);
    const seen = await this.#extract(ask, perception);
    const here = await this.#locate(ask, { perception, seen });
    if (here !== previous) this.#visits.set(here, (this.#visits.get(here) ?? 0) + 1);
    this.#rooms.enter(here, time);
    const { passed = false, door, direction } = this.#transition ?? {};
    if (previous !== undefined && passed !== (here !== previous)) {
      this.#report("inconsistent-location", `${passed ? "a passage" : "no passage"} from room ${previous} to room ${here}`);
    } else if (previous !== undefined && passed && door !== undefined) {
      this.#rooms.connect({ from: previous, to: here, door, ...(direction ? { direction } : {}) }, time);
    }
    this.#here = here;
    this.#last = perception;
    this.#rooms.setContents(here, await this.#update(ask, { perception, here, seen }), time);
  }

  recall(): Promise<Recollection> {
    const rooms = this.#rooms.rooms();
    const isStatic = this.#options.access === "static";
    const lines = rooms.map((room) => describeRoom(room));
    const here = this.#here === undefined ? "Where you are is not known." : `You are in room ${this.#here}.`;
    const known = `Known rooms: ${rooms.map(({ number }) => number).join(", ") || "none"}.`;
    return Promise.resolve({
      sections: { "Graph information": isStatic ? [...lines, here].join("\n") : `${known}\n${here}` },
      recalled: { rooms: lines },
      ...(isStatic ? {} : { tools: roomGraphTools({ rooms: () => this.#rooms.rooms(), visits: (room) => this.#visits.get(room) ?? 0 }) }),
      beliefs: { room: this.#here ?? null, rooms: rooms.length, ...(this.#transition ? { transition: this.#transition } : {}) },
    });
  }

  save(): Artefact {
    return { kind: ID, body: { triplets: this.graph.triplets(), time: this.#before + (this.#last?.step ?? 0) } };
  }

  load(artefact: Artefact): void {
    const { time, triplets } = readArtefact(artefact, ID, bodySchema);
    this.#before = time;
    for (const triplet of triplets) this.graph.add(triplet, this.#before);
  }

  /** Whether a door was passed since the last perception; not asked at the first one, nor where no step was taken. */
  async #verify(ask: Asker, perception: Perception): Promise<Transition | undefined> {
    const last = this.#last;
    if (!last) return undefined;
    const steps = stepsOf(last, perception);
    if (steps.length === 0) return tallyVotes([], 0);
    const values = { trajectory: describeTrajectory(last, steps) };
    const images = this.#images(last, ...steps);
    const answers = await Promise.all(
      Array.from({ length: this.#options.votes }, (_, vote) => ask(verifyPrompt, values, { parse: parseVote, images, vote })),
    );
    const votes = answers.flatMap((answer) => this.#read(verifyPrompt, answer) ?? []);
    return tallyVotes(votes, answers.length);
  }

  /** What is in view. */
  async #extract(ask: Asker, perception: Perception): Promise<RoomContents> {
    const observation = describeView(perception);
    const answer = await ask(extractPrompt, { observation }, { parse: parseExtracted, images: this.#images(perception) });
    return this.#contents(extractPrompt, answer) ?? EMPTY;
  }

  /** The agent's room; the very first one is room 1, and nobody is asked. */
  async #locate(ask: Asker, { perception, seen }: { readonly perception: Perception; readonly seen: RoomContents }): Promise<number> {
    const rooms = this.#rooms.rooms();
    const known = rooms.map(({ number }) => number);
    if (known.length === 0) return 1;
    const previous = this.#here;
    const answer = await ask(locatePrompt, {
      rooms: rooms.map((room) => describeRoom(room)).join("\n"),
      previous: previous === undefined ? "unknown" : `Room ${previous}`,
      passage: passageLine(this.#transition),
      entities: describeContents(seen),
      observation: describeView(perception),
    }, { parse: parseNode(known) });
    return this.#read(locatePrompt, answer) ?? this.#byPassage(known);
  }

  /** Where the agent must be if the passage is right: behind a known door, in a new room, or where it was. */
  #byPassage(known: readonly number[]): number {
    const next = Math.max(...known) + 1;
    if (this.#here === undefined) return next;
    if (!this.#transition?.passed) return this.#here;
    const { door, direction } = this.#transition;
    const exits = this.#rooms.room(this.#here)?.exits.filter((exit) => exit.door === door) ?? [];
    return (exits.find((exit) => exit.direction === direction) ?? exits[0])?.to ?? next;
  }

  /** What the room holds; where the answer stays unreadable, what was known of it, or what is seen of a new one. */
  async #update(
    ask: Asker,
    { perception: { sections = {} }, here, seen }: {
      readonly perception: Perception;
      readonly here: number;
      readonly seen: RoomContents;
    },
  ): Promise<RoomContents> {
    const stored = this.#rooms.room(here) ?? EMPTY;
    const answer = await ask(updatePrompt, {
      stored: describeContents(stored),
      seen: describeContents(seen),
      doorChange: sections["door_change"] ?? "",
      inventoryChange: sections["inventory_change"] ?? "",
    }, { parse: parseUpdated });
    return this.#contents(updatePrompt, answer) ?? (stored.entities.length > 0 ? stored : seen);
  }

  #contents(prompt: Prompt, answer: Answer<ReadContents>): RoomContents | undefined {
    const read = this.#read(prompt, answer);
    for (const what of read?.dropped ?? []) this.#report("dropped-fact", `${prompt.role}: ${what}`);
    return read?.contents;
  }

  #read<T>({ role }: Prompt, answer: Answer<T>): T | undefined {
    if (answer.kind === "ok") return answer.value;
    this.#report("malformed-reply", `${role}: ${answer.problem}`);
    return undefined;
  }

  #report(kind: string, detail: string): void {
    this.#context.onEvent?.(kind, detail);
  }

  #images(...seen: readonly { readonly image?: Uint8Array }[]): Uint8Array[] {
    return this.#options.image ? seen.flatMap(({ image }) => image ?? []) : [];
  }
}

const bodySchema = z.strictObject({
  triplets: z.array(z.strictObject({ subject: z.string(), relation: z.string(), object: z.string() })),
  time: z.number(),
});

function passageLine(transition: Transition | undefined): string {
  if (!transition?.passed) return "The agent has passed no door since then.";
  const { door = "a door", direction } = transition;
  return `The agent has passed the ${door}${direction ? `, going ${direction}` : ""}.`;
}
