/**
 * Mem0 by hand, and against a literal transcription of its update phase: what is extracted,
 * compared, stored and recalled.
 */

import assert from "node:assert/strict";
import { createMem0, type Embedder, type Mem0Options, type Memory } from "../../../../lib/mod.ts";
import { MEM0_PAPER } from "../../../../lib/core/memory/others/mem0.ts";
import {
  entitiesPrompt,
  extractPrompt,
  type Operation,
  parseEntities,
  parseFacts,
  parseRelations,
  relationsPrompt,
} from "../../../../lib/core/memory/others/mem0.prompts.ts";
import type { ScriptedResponder } from "../../../../lib/core/llm/scripted.ts";
import { createDraw } from "../../../../lib/core/random.ts";
import { under } from "../../agent/recording.ts";
import { context, section, shown, walk as see } from "../house.ts";
import { byWord } from "../vectors.ts";

interface Opened {
  readonly memory: Memory;
  readonly events: readonly string[];
  readonly sections: (role: string, title: string) => readonly string[];
}

/**
 * A memory whose facts are the observation's sentences, all added, unless the replies say
 * otherwise.
 */
function fresh(
  options: Mem0Options,
  replies: Readonly<Record<string, ScriptedResponder>> = {},
  embedder?: Embedder,
): Opened {
  const asked = context(
    under("mem0", {
      extract: (request) =>
        JSON.stringify({
          facts: section(request, "Newest action and observation").split("\n")[1]?.split("; "),
        }),
      update: (request) =>
        JSON.stringify({
          operations: numbered(section(request, "New facts")).map((text) => ({
            operation: "add",
            memory: 0,
            text,
          })),
        }),
      summarise: () => "All is well.",
      ...replies,
    }),
    embedder,
  );
  return {
    memory: createMem0(options)(asked),
    events: asked.events,
    sections: (role, title) => shown(asked, `mem0/${role}`, title),
  };
}

function numbered(text: string): string[] {
  return text.split("\n").map((line) => line.replace(/^\d+\. /, ""));
}

async function walk(memory: Memory, seen: readonly string[], from = 1): Promise<string[]> {
  await see(memory, seen, from);
  return (memory.save().body as { facts: string[] }).facts;
}

async function recalled(memory: Memory, plan = ""): Promise<Readonly<Record<string, string>>> {
  return (await memory.recall({ step: 9, goal: "Eat.", observation: "Fog.", plan })).sections;
}

// Cosines with the cue: apple 1, plum 0.8, pear 0.6, nut 0.
const VECTORS = byWord({ apple: [2, 0], plum: [4, 3], pear: [3, 4], nut: [0, 5], cue: [1, 0] });

Deno.test("createMem0() adds, updates, deletes and leaves memories as it is told", async () => {
  const operations: Readonly<Record<string, readonly object[]>> = {
    "a pear": [{ operation: "ADD", memory: 0, text: "a green pear" }],
    "a plum": [{ operation: "UPDATE", memory: 1, text: "a nut or two" }],
    "an apple": [{ operation: "NOOP", memory: 0, text: "" }],
    "a fog": [{ operation: "DELETE", memory: 2, text: "" }, {
      operation: "ADD",
      memory: 0,
      text: "a fog",
    }],
    "a lamp": [{ operation: "DELETE", memory: 9, text: "" }, {
      operation: "UPDATE",
      memory: 0,
      text: "nobody",
    }],
  };
  const { memory, events, sections } = fresh({}, {
    update: (request) =>
      JSON.stringify({ operations: operations[numbered(section(request, "New facts"))[0] ?? ""] }),
  });
  assert.deepEqual(await walk(memory, ["a nut"]), ["a nut"]);
  assert.equal(sections("update", "Memories").length, 0, "an empty store is not asked about");
  assert.deepEqual(await walk(memory, ["a pear"], 2), ["a nut", "a green pear"]);
  assert.deepEqual(await walk(memory, ["a plum"], 3), ["a nut or two", "a green pear"]);
  assert.deepEqual(await walk(memory, ["an apple"], 4), ["a nut or two", "a green pear"]);
  assert.deepEqual(await walk(memory, ["a fog"], 5), ["a nut or two", "a fog"]);
  assert.deepEqual(await walk(memory, ["a lamp"], 6), ["a nut or two", "a fog"]);
  assert.deepEqual(events, ["unknown-memory: DELETE 9 of 2", "unknown-memory: UPDATE 0 of 2"]);
  const asked = sections("update", "Memories").length;
  await walk(memory, ["a fog"], 7);
  assert.equal(
    sections("update", "Memories").length,
    asked,
    "what a memory says word for word is not asked about",
  );
});

Deno.test("createMem0() extracts with the summary and the last m messages before the newest", async () => {
  const { memory, sections } = fresh({ recent: 2, refresh: 3 }, {
    extract: () => '{"facts": []}',
  });
  await walk(memory, ["one", "two", "three", "four"]);
  assert.deepEqual(sections("extract", "Recent messages"), [
    "",
    "Game step #1\none",
    "Game step #1\none\n\nGame step #2\ntwo",
    "Game step #2\ntwo\n\nGame step #3\nthree",
  ]);
  assert.deepEqual(
    sections("extract", "Summary"),
    ["", "", "", "All is well."],
    "summarised after the third",
  );
  assert.deepEqual(sections("summarise", "History of observations and actions"), [
    "Game step #1\none\n\nGame step #2\ntwo\n\nGame step #3\nthree",
  ]);
  assert.deepEqual([MEM0_PAPER.m, MEM0_PAPER.s, MEM0_PAPER.k], [10, 10, 30]);
});

Deno.test("createMem0() carries out operations as a literal transcription does, on 60 random runs", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const draw = createDraw(`mem0 ${seed}`);
    const word = (): string => draw.pick(["nut", "plum", "pear", "apple", "fig", "kiwi"]);
    const answers: Operation[][] = [];
    const updates = seed % 2 === 0 ? "fact" : "step";
    const { memory } = fresh({ similar: 1000, updates }, {
      update: (request) => {
        const shown = numbered(section(request, "Memories")).length;
        const operations = numbered(section(request, "New facts")).map((text) => ({
          operation: draw.pick(["ADD", "UPDATE", "DELETE", "NOOP"] as const),
          memory: 1 + Math.floor(draw.next() * (shown + 1)),
          text: `${text} ${draw.next() < 0.5 ? "again" : "once"}`,
        }));
        answers.push(operations);
        return JSON.stringify({ operations });
      },
    });
    let store: string[] = [];
    for (let step = 1; step <= 8; step++) {
      const facts = [word(), word()];
      const kept = await walk(memory, [facts.join("; ")], step);
      const told = [...new Set(facts)].filter((fact) => !store.includes(fact));
      for (const group of updates === "step" ? [told] : told.map((fact) => [fact])) {
        if (group.length > 0) {
          store = store.length === 0 ? group : literal(store, answers.shift() ?? []);
        }
      }
      assert.deepEqual(kept, store, `seed ${seed}, step ${step}`);
    }
    assert.deepEqual(answers, [], "no question more than the algorithm asks");
  }
});

/**
 * Algorithm 1 of the paper on a list: every memory is shown, so that a number is the place in the
 * list; equal texts are one memory.
 */
function literal(store: readonly string[], operations: readonly Operation[]): string[] {
  let memories: { id: number; text: string }[] = store.map((text, at) => ({ id: at + 1, text }));
  for (const { operation, memory, text } of operations) {
    if (operation === "ADD") memories.push({ id: -1, text });
    if (operation === "DELETE") memories = memories.filter(({ id }) => id !== memory);
    if (operation === "UPDATE") {
      memories = memories.map((one) => one.id === memory ? { id: memory, text } : one);
    }
  }
  return [...new Set(memories.map(({ text }) => text))];
}

/**
 * Replies of the graph's roles: entities and relations as the observation writes them, `a (thing),
 * b (place) / a | in | b`.
 */
function graphReplies(
  obsolete: (existing: readonly string[]) => number[],
): Readonly<Record<string, ScriptedResponder>> {
  return {
    extract: () => '{"facts": []}',
    entities: (request) => {
      const names = [...section(request, "Text").matchAll(/(\w+) \| \w+ \| (\w+)|<(\w+)>/g)]
        .flatMap(([, a, b, c]) => [a, b, c].filter(Boolean));
      return JSON.stringify({ entities: names.map((name) => ({ name, type: "thing" })) });
    },
    relations: (request) =>
      JSON.stringify({
        relations: [...section(request, "Text").matchAll(/(\w+) \| (\w+) \| (\w+)/g)]
          .map(([, source, relation, destination]) => ({ source, relation, destination })),
      }),
    conflicts: (request) =>
      JSON.stringify({ obsolete: obsolete(numbered(section(request, "Existing relations"))) }),
  };
}

Deno.test("createMem0() with a graph ends the validity of what conflicts, and keeps it in the history", async () => {
  const { memory, sections } = fresh(
    { graph: true },
    graphReplies((existing) =>
      existing.flatMap((line, at) => line === "key, on, table" ? [at + 1, 99] : [])
    ),
  );
  await walk(memory, ["key | on | table; lamp | on | table; door | in | hall", "key | in | bag"]);
  assert.deepEqual(
    sections("conflicts", "Existing relations"),
    ["1. key, on, table"],
    "what touches an entity of the text",
  );
  assert.deepEqual(sections("conflicts", "New relations"), ["key, in, bag"]);
  const triplets = memory.graph?.triplets().map(({ subject, relation, object }) =>
    `${subject} ${relation} ${object}`
  );
  assert.deepEqual(triplets, ["lamp on table", "door in hall", "key in bag"]);
  const changes = memory.graph?.changes.map(({ op, triplet, time }) =>
    `${op} ${triplet.subject} ${triplet.relation} ${triplet.object} ${time}`
  );
  assert.deepEqual(changes?.filter((change) => change.includes("key")), [
    "add key on table 1",
    "remove key on table 2",
    "add key in bag 2",
  ]);
  await walk(memory, ["key | in | bag"], 3);
  assert.equal(
    sections("conflicts", "New relations").length,
    1,
    "nothing new, nothing to compare",
  );
});

Deno.test("createMem0() takes a new entity for a known one from the threshold t on", async () => {
  // Cosines: chest and box 0.8, chest and case 0.96.
  const vectors = byWord({
    chest: [1, 0],
    box: [4, 3],
    case: [24, 7],
    hall: [0, 1],
    attic: [0, -1],
    lamp: [-1, 0],
  });
  for (
    const [mergeEntity, expected] of [[0.9, ["chest", "hall", "box", "attic", "lamp"]], [0.97, [
      "chest",
      "hall",
      "box",
      "attic",
      "case",
      "lamp",
    ]]] as const
  ) {
    const { memory } = fresh({ graph: true, mergeEntity }, graphReplies(() => []), vectors);
    await walk(memory, ["chest | in | hall", "box | in | attic", "case | under | lamp"]);
    assert.deepEqual(memory.graph?.entities(), expected, `t = ${mergeEntity}`);
  }
  assert.deepEqual([MEM0_PAPER.mergeEntity, MEM0_PAPER.matchEntity], [0.9, 0.7]);
});

Deno.test("createMem0() recalls relations around the query's entities first, then those most like the query", async () => {
  const { memory } = fresh({ graph: true, relations: 2 }, graphReplies(() => []), VECTORS);
  await walk(memory, ["nut | in | hall; plum | in | hall; pear | in | attic; apple | in | cellar"]);
  // The vectors of relations are those of their fruits, so that the nut's relation has cosine 0.
  // The entities nut and pear have 0.8 to each other.
  const triplets = async (plan: string, one = memory): Promise<string | undefined> =>
    (await recalled(one, plan))["Relevant triplets from memory"];
  assert.equal(await triplets("<nut> the cue"), "nut, in, hall\npear, in, attic");
  assert.equal(await triplets("the cue"), "plum, in, hall\napple, in, cellar");
  const narrow = fresh(
    { graph: true, relations: 2, matchEntity: 0.9 },
    graphReplies(() => []),
    VECTORS,
  );
  await walk(narrow.memory, [
    "nut | in | hall; plum | in | hall; pear | in | attic; apple | in | cellar",
  ]);
  assert.equal(await triplets("<nut> the cue", narrow.memory), "nut, in, hall\napple, in, cellar");
  const strict = fresh({ graph: true, relevance: 0.9 }, graphReplies(() => []), VECTORS);
  await walk(strict.memory, ["nut | in | hall; plum | in | hall; apple | in | cellar"]);
  assert.equal(
    await triplets("<nut> the cue", strict.memory),
    "nut, in, hall\napple, in, cellar",
    "the plum's 0.8 is not above 0.9",
  );
});

Deno.test("createMem0() with a graph goes on from what it saved, with times that go on too", async () => {
  const first = fresh({ graph: true }, graphReplies(() => []));
  await walk(first.memory, ["key | on | table", "lamp | on | table"]);
  const { memory } = fresh({ graph: true }, graphReplies(() => [1]));
  memory.load(JSON.parse(JSON.stringify(first.memory.save())));
  await walk(memory, ["key | in | bag"]);
  assert.deepEqual(memory.graph?.changes.map(({ op, time }) => `${op} ${time}`), [
    "add 1",
    "add 2",
    "remove 3",
    "add 3",
  ]);
});

Deno.test("parseFacts() and parseEntities() read good and bad replies, and nothing that the prompt shows", () => {
  const facts = [
    "1. The **key** is red.",
    { fact: "The hall is dark." },
    null,
    "…",
    "The sundial is overgrown with moss.",
  ];
  assert.deepEqual(parseFacts(JSON.stringify({ facts })), {
    kind: "ok",
    value: ["The key is red.", "The hall is dark."],
    dropped: 3,
  });
  const entities = ["Key", { name: "The Hall", type: null }, { name: "…", type: "thing" }];
  assert.deepEqual(parseEntities(JSON.stringify({ entities })), {
    kind: "ok",
    value: [{ name: "key", type: "" }, { name: "the hall", type: "" }],
    dropped: 1,
  });
  for (
    const [prompt, parse] of [[extractPrompt, parseFacts], [entitiesPrompt, parseEntities], [
      relationsPrompt,
      parseRelations,
    ]] as const
  ) {
    const example = /\{"\w+": \[.*\]\}/.exec(prompt.instructions)?.[0] ?? "";
    assert.deepEqual([example !== "", parse(example).kind], [true, "malformed"], prompt.role);
  }
});
