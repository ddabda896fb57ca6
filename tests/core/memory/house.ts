/** A small house to remember: a walk as a world would tell it, and a careful reader of it. */

import {
  type ChatRequest,
  createAsker,
  type Embedder,
  type Memory,
  type MemoryContext,
  type Perception,
  scripted,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { separateObservation } from "../../../lib/offline/reading/belief.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import type { ScriptedResponder } from "../../../lib/core/llm/scripted.ts";

/** Hall → kitchen (north) → hall → garden (east) → hall by "go to" → kitchen by "go to". */
export const WALK: readonly Perception[] = [
  seen(1, "Hall", "You see a chest. There is an exit to the north. There is an exit to the east."),
  seen(2, "Kitchen", "You see a key on the table. There is an exit to the south.", "go north"),
  seen(3, "Kitchen", "You take the key.", "take key"),
  seen(
    4,
    "Hall",
    "You see a chest. There is an exit to the north. There is an exit to the east.",
    "go south",
  ),
  seen(
    5,
    "Garden",
    "You see a bbq. There is an exit to the west. There is an exit to the south.",
    "go east",
  ),
  seen(6, "Hall", "You see a chest.", "go west"),
  { ...seen(7, "Kitchen", "You see a table.", "go to kitchen"), macro: true },
];

function seen(step: number, location: string, text: string, action?: string): Perception {
  const carrying = step < 3 ? "nothing" : "a key";
  return {
    step,
    goal: "Open the chest",
    location,
    observation: `-= ${location} =-\n${text}`,
    inventory: `You are carrying: ${carrying}.`,
    action,
  };
}

/** What a careful reader extracts of each step. */
const EXTRACTED: Readonly<Record<string, string>> = {
  1: "hall, contains, chest; hall, has exit, north; hall, has exit, east",
  2: "key, is on, table; kitchen, contains, table; kitchen, has exit, south",
  3: "key, is in, inventory",
  4: "hall, contains, chest; hall, has exit, north; hall, has exit, east",
  5: "garden, contains, bbq; garden, has exit, west; garden, has exit, south",
  6: "hall, contains, chest",
  7: "kitchen, contains, table",
};

/** In the order in which they are entered. */
const ROOMS = ["-= Hall =-", "-= Kitchen =-", "-= Garden =-"];

function thingsIn(text: string): string[] {
  return ["chest", "key", "table", "bbq"].filter((thing) =>
    new RegExp(`\\b${thing}\\b`).test(text)
  );
}

const ROOM_NAMES = ["hall", "kitchen", "garden", "chest", "key", "table", "bbq"];

/** The numbers of a section's lines `[1] …` that match. */
function numbersOf(request: ChatRequest, title: string, pattern: RegExp): number[] {
  const lines = section(request, title).split("\n").filter((line) => pattern.test(line));
  return lines.map((line) => Number(line.match(/\d+/)?.[0]));
}

/** The careful reader's replies to a memory's roles. */
export const READER: Readonly<Record<string, ScriptedResponder>> = {
  "arigraph/extract": (request) =>
    EXTRACTED[section(request, "Observation").match(/#(\d+)/)?.[1] ?? ""] ?? "[]",
  "arigraph/outdate": (request) =>
    section(request, "Existing triplets").includes("key, is on, table") &&
      section(request, "New triplets").includes("key, is in, inventory")
      ? "[[key, is on, table -> key, is in, inventory]]"
      : "[]",
  "arigraph/entities": () => '{"key": 2, "hall": 1}',
  "arigraph/explore": () => "True",
  "graphmind/verify-transition": (request) => {
    const moved = section(request, "Trajectory").match(/^Action 1: go (\w+)/m)?.[1];
    return JSON.stringify({
      connected_door: moved ? "brown door" : null,
      door_direction: moved ?? null,
      check_pass_door: moved !== undefined,
      answer_confidence_score: 1,
    });
  },
  "graphmind/extract": (request) =>
    JSON.stringify({ current_room_entities: thingsIn(section(request, "Observation")) }),
  "graphmind/locate": (request) =>
    JSON.stringify({
      current_graph_node_id: 1 +
        ROOMS.findIndex((room) => section(request, "Observation").includes(room)),
    }),
  "graphmind/update-entities": (request) =>
    JSON.stringify({
      graph_entities: thingsIn(
        `${section(request, "Current room entities")} ${
          section(request, "Partial observation entities")
        }`,
      ),
    }),
  "hipporag/names": (request) =>
    JSON.stringify({
      names: ROOM_NAMES.filter((name) => section(request, "Text").toLowerCase().includes(name)),
    }),
  "hipporag/triplets": (request) =>
    JSON.stringify({ triplets: tripletsOf(section(request, "Text")) }),
  "hipporag/recognise": (request) =>
    JSON.stringify({ facts: numbersOf(request, "Facts", /key|chest/) }),
  "graphiti/extract": (request) =>
    JSON.stringify({
      facts: tripletsOf(section(request, "Text")).map(([source, relation, target]) => ({
        source,
        relation,
        target,
      })),
    }),
  "graphiti/resolve": () => '{"same": []}',
  "graphiti/judge": (request) => {
    const [known, fresh] = ["Existing triplets", "New triplets"].map((title) =>
      numbersOf(request, title, /key, is (?:on|in)/)
    );
    return JSON.stringify({
      repeated: [],
      contradicted: (known ?? []).flatMap((old) =>
        (fresh ?? []).map((by) => ({ new: by, known: old }))
      ),
    });
  },
  "graphiti/summarise": (request) =>
    `These belong together: ${section(request, "Entities").split("\n").join(", ")}.`,
  "graphrag/extract": (request) => {
    const text = section(request, "Text");
    const [room = "somewhere"] = ROOMS.filter((title) => text.includes(title)).map((title) =>
      title.slice(3, -3)
    );
    const relations = thingsIn(text).map((thing) => ({
      source: thing,
      target: room,
      description: `The ${thing} is in the ${room}.`,
    }));
    return JSON.stringify({
      entities: [{ name: room, type: "room", description: "A room." }],
      relations,
    });
  },
  "graphrag/glean": () => '{"entities": [], "relations": []}',
  "graphrag/describe": (request) => section(request, "Descriptions"),
  "graphrag/report": (request) =>
    JSON.stringify({
      title: "A part of the house",
      summary: section(request, "Relations"),
      rating: 5,
      findings: [],
    }),
  "graphrag/map": (request) =>
    JSON.stringify({
      points: [{ description: section(request, "Reports").slice(0, 900), score: 50 }],
    }),
  "summary/rewrite": (request) =>
    `Seen: ${section(request, "Previous summary")} ${
      separateObservation(sectionsOf(request))["Current observation"]?.split("\n")[2]
    }`,
  "simulacra/importance": (request) => section(request, "Memory").includes("key") ? "8" : "2",
  "simulacra/questions": () => "Where is the key?",
  "simulacra/insights": () => "The key lay in the kitchen (because of 1)",
  "a-mem/note": (request) =>
    JSON.stringify({
      keywords: thingsIn(section(request, "Observation")),
      context: "A place.",
      tags: ["seen"],
    }),
  "a-mem/evolve": () =>
    '{"links": [1], "tags": [], "neighbours": [{"number": 1, "context": "A place seen again.", "tags": ["seen twice"]}]}',
  "mem0/extract": (request) =>
    JSON.stringify({ facts: extractedOf(section(request, "Newest action and observation")) }),
  "mem0/update": (request) =>
    JSON.stringify({
      operations: section(request, "New facts").split("\n").map((line) => ({
        operation: "ADD",
        text: line.replace(/^\d+\. /, ""),
      })),
    }),
  "mem0/entities": (request) =>
    JSON.stringify({
      entities: thingsIn(section(request, "Text")).map((name) => ({ name, type: "thing" })),
    }),
  "mem0/relations": (request) =>
    JSON.stringify({
      relations: tripletsOf(section(request, "Text")).map(([source, relation, destination]) => ({
        source,
        relation,
        destination,
      })),
    }),
  "mem0/conflicts": () => '{"obsolete": []}',
  "memgpt/manage": (request) => {
    const content = extractedOf(section(request, "New message")).join("\n");
    const isDone = content === "" || request.messages.some(({ role }) => role === "tool");
    if (isDone) return "done";
    const call = {
      id: "1",
      name: "core_memory_append",
      arguments: JSON.stringify({ label: "world", content }),
    };
    return { choices: [{ text: "", toolCalls: [call], finish: "tools" }] };
  },
};

/** What a careful reader extracts of the step that a text is of. */
function extractedOf(text: string): string[] {
  return (EXTRACTED[text.match(/#(\d+)/)?.[1] ?? ""] ?? "").split("; ").filter((line) =>
    line !== ""
  );
}

function tripletsOf(text: string): string[][] {
  return extractedOf(text).map((triplet) => triplet.split(", "));
}

/** One section of a request's prompt. */
export function section(request: ChatRequest, title: string): string {
  return sectionsOf(request)[title] ?? "";
}

/** All of them, by title. */
export function sectionsOf(request: ChatRequest | undefined): Record<string, string> {
  const texts = request?.messages.map(({ content }) => String(content)) ?? [];
  return readSections(texts.join("\n"));
}

/** One section of each prompt of a role, in order. */
export function shown(
  { requests }: { readonly requests: readonly ChatRequest[] },
  role: string,
  title: string,
): string[] {
  return requests.filter((one) => one.role === role).map((one) => section(one, title));
}

/** Lets a memory see these observations, one a step. */
export async function walk(memory: Memory, seen: readonly string[], from = 1): Promise<void> {
  for (const [i, observation] of seen.entries()) {
    await memory.observe({ step: from + i, goal: "Eat.", observation });
  }
}

/** A memory's context over a scripted model, what it asked and what it reported. */
export function context(
  replies: Parameters<typeof scripted>[0] = READER,
  embedder: Embedder = createLexicalEmbedder(),
): MemoryContext & {
  readonly requests: readonly ChatRequest[];
  readonly events: string[];
} {
  const model = scripted(replies);
  const events: string[] = [];
  return {
    ask: createAsker({ model }),
    embedder,
    onEvent: (kind, detail) => void events.push(`${kind}: ${detail}`),
    requests: model.requests,
    events,
  };
}
