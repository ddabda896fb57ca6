/**
 * The packages mem0ai and graphiti-core next to the lab's rebuilds of their papers: models that find
 * the same facts, on the same path.
 */

import assert from "node:assert/strict";
import type { ChatRequest } from "../../lib/core/llm/chat-model.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { listTurns } from "../../lib/lab/store/turns.ts";
import { tinyWorlds as worlds } from "../core/agent/tiny-world.ts";
import { slowTest } from "../slow.ts";
import { packaged } from "../uv.ts";

/** Hall, kitchen, hall, kitchen. */
const PATH = ["go north", "go south", "go north", "look"];

function textOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => String(content)).join("\n");
}

/** The room of the newest observation in a prompt. */
function roomIn(text: string): string {
  return [...text.matchAll(/-= (\w+) =-/g)].at(-1)?.[1] ?? "";
}

/** What a memory is answered, JSON-able. */
type Replies = (request: ChatRequest, text: string) => unknown;

/** A model that leads along the path, and answers a memory. */
function model(replies: Replies, goal: string): ReturnType<typeof scripted> {
  return scripted({
    "ariadne/plan": () => JSON.stringify({ main_goal: goal, plan_steps: [] }),
    "ariadne/act": ({ sample }: ChatRequest) =>
      JSON.stringify({ reason_for_action: "", action_to_take: PATH[(sample?.step ?? 1) - 1] }),
    "*": (request: ChatRequest) => JSON.stringify(replies(request, textOf(request))),
  }, { id: "mine" });
}

/** What a memory recalls at each step, sorted. */
async function recalls(
  memory: string,
  replies: Replies,
  goal = "Win.",
): Promise<string[][]> {
  const study = {
    ...experiment({ id: "compared", worlds: ["tiny"], memories: [memory] }),
    models: { "*": "mine" },
  };
  using store = openStore(":memory:");
  const options = { store, worlds, providers: [localProvider(model(replies, goal))] };
  const [episode] = (await playStudy(study, options)).episodes;
  assert.equal(episode?.status, "completed", `${episode?.failureMessage}`);
  const turns = listTurns(store, episode?.id ?? "").slice(1);
  assert.deepEqual(turns.map(({ action }) => action), PATH);
  return turns.map(({ details }) => {
    const { facts, memories } = details["recalled"] as Record<string, string[] | undefined>;
    return (facts ?? memories ?? []).map((one) => one.replace(/ \(since step \d+\)$/, "")).sort();
  });
}

/** Every observation speaks of an exit, so that each search finds them. */
const visited = (room: string): string => `The ${room} has an exit`;
const isIn = (room: string): string => `The agent sees an exit in the ${room}`;

/** mem0ai and our mem0, whose models find a fact in each observation. */
function mem0(fact: (room: string) => string, operation: "ADD" | "UPDATE"): Replies {
  return ({ role }: ChatRequest, text: string): unknown => {
    if (role === "mem0/extract") return { facts: [fact(roomIn(text))] };
    if (role === "mem0/update") {
      const [, fresh = ""] = /New facts:?\s+1\. (.*)/.exec(text) ?? [];
      return { operations: [{ operation, memory: operation === "ADD" ? 0 : 1, text: fresh }] };
    }
    const asked = text.split("## New Messages").at(-1) ?? "";
    return { memory: [{ text: fact(roomIn(asked)) }] };
  };
}

slowTest(
  "mem0ai and our mem0 recall the same facts while these add up; only ours updates one",
  async () => {
    const theirs = await packaged("mem0");
    const adds = mem0(visited, "ADD");
    const both = [visited("Hall"), visited("Kitchen")];
    const course = [[visited("Hall")], both, both, both];
    assert.deepEqual(await recalls("mem0", adds), course);
    assert.deepEqual(await recalls(theirs, adds), course);

    const updates = mem0(isIn, "UPDATE");
    const path = ["Hall", "Kitchen", "Hall", "Kitchen"];
    assert.deepEqual(await recalls("mem0", updates), path.map((room) => [isIn(room)]));
    const kept = [isIn("Hall"), isIn("Kitchen")];
    assert.deepEqual(await recalls(theirs, updates), [[isIn("Hall")], kept, kept, kept]);
  },
);

/** graphiti-core and our graphiti; with `moves` each fact ends those of other rooms. */
function graphiti(fact: (room: string) => string, moves: boolean): Replies {
  return ({ role, sampling }: ChatRequest, text: string): unknown => {
    const room = roomIn(text);
    const [source, relation, target] = moves ? ["agent", "is in", room] : [room, "is in", "house"];
    if (role === "graphiti/extract") {
      return { facts: [{ source, relation, target, fact: fact(room), from: null, until: null }] };
    }
    if (role === "graphiti/judge") {
      const [known = "", fresh = ""] = text.split("### Existing triplets")[1]?.split("### New") ??
        [];
      const [, added = ""] = /\[1\] (.*)/.exec(fresh) ?? [];
      const lines = [...known.matchAll(/\[(\d+)\] (.*)/g)];
      const pairs = (isSame: boolean): object[] =>
        lines.filter(([, , one]) => (one === added) === isSame)
          .map(([, number]) => ({ new: 1, known: Number(number) }));
      return { repeated: pairs(true), contradicted: moves ? pairs(false) : [] };
    }
    if (role.startsWith("graphiti/")) return { same: [] };
    const form = sampling?.extraBody?.["response_format"] as
      | { json_schema?: { schema?: { properties?: object } } }
      | undefined;
    const names = Object.keys(form?.json_schema?.schema?.properties ?? {});
    const [, , fresh = ""] = /<NEW FACT>\s*(['"]?)(.*?)\1\s*<\/NEW FACT>/.exec(text) ?? [];
    const listed = [...text.matchAll(/['"]idx['"]: (\d+), ['"]fact['"]: ['"](.*?)['"]\}/g)];
    const numbers = (isSame: boolean): number[] =>
      listed.filter(([, , one]) => (one === fresh) === isSame).map(([, number]) => Number(number));
    const said: Readonly<Record<string, unknown>> = {
      extracted_entities: [source, target].map((name) => ({ name, entity_type_id: 0 })),
      edges: [{
        source_entity_name: source,
        target_entity_name: target,
        relation_type: "IS_IN",
        fact: fact(room),
        valid_at: /<REFERENCE_TIME>\s*(\S+ ?\S*)/.exec(text)?.[1]?.replace(" ", "T"),
        invalid_at: null,
      }],
      duplicate_facts: numbers(true),
      contradicted_facts: moves ? numbers(false) : [],
    };
    return Object.fromEntries(names.map((name) => [name, said[name] ?? []]));
  };
}

slowTest(
  "graphiti-core and our graphiti end a fact alike; only ours takes it up again",
  async () => {
    const theirs = await packaged("graphiti");
    const adds = graphiti(visited, false);
    const both = [visited("Hall"), visited("Kitchen")];
    const course = [[visited("Hall")], both, both, both];
    assert.deepEqual(await recalls("graphiti", adds), course);
    const long = "Win and win. ".repeat(100); // more words than the package's search takes
    assert.deepEqual(await recalls(theirs, adds, long), course);

    const moves = graphiti(isIn, true);
    const [hall, kitchen] = [[isIn("Hall")], [isIn("Kitchen")]];
    assert.deepEqual(await recalls("graphiti", moves), [hall, kitchen, hall, kitchen]);
    // Said again word for word, the package counts it to the edge that has ended (D379).
    assert.deepEqual(await recalls(theirs, moves), [hall, kitchen, kitchen, kitchen]);
  },
);
