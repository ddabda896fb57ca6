/**
 * MemGPT by hand, and against a literal transcription of its queue manager: functions, stores,
 * eviction and what is shown.
 */

import assert from "node:assert/strict";
import {
  type ChatRequest,
  createMemGpt,
  type MemGptOptions,
  type Memory,
} from "../../../../lib/mod.ts";
import { MEMGPT_PAPER } from "../../../../lib/core/memory/others/memgpt.ts";
import { parseDone } from "../../../../lib/core/memory/others/memgpt.prompts.ts";
import { createDraw } from "../../../../lib/core/random.ts";
import { countTokens } from "../../../../lib/core/text/tokens.ts";
import { context, section } from "../house.ts";
import { byWord } from "../vectors.ts";

type Call = readonly [name: string, args: unknown];

const append = (label: string, content: string): Call => ["core_memory_append", { label, content }];
const replace = (
  label: string,
  old_content: string,
  new_content: string | null,
): Call => ["core_memory_replace", { label, old_content, new_content }];
const search = (query: string, page?: number): Call => ["archival_memory_search", { query, page }];

const VECTORS = byWord({ apple: [2, 0], plum: [4, 3], pear: [3, 4], nut: [0, 5] });

/** A memory whose model makes these calls on each step, all at once, and is done. */
function fresh(calls: (step: number) => readonly Call[], options: MemGptOptions = {}): {
  readonly memory: Memory;
  readonly events: string[];
  readonly requests: readonly ChatRequest[];
  /** The results of the last step's calls. */
  readonly results: () => readonly string[];
} {
  const asked = context({
    "memgpt/manage": (request) => {
      const step = Number(section(request, "New message").match(/#(\d+)/)?.[1]);
      const made = calls(step);
      if (made.length === 0 || request.messages.some(({ role }) => role === "tool")) return "done";
      const toolCalls = made.map(([name, args], at) => ({
        id: String(at),
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args),
      }));
      return { choices: [{ text: "", toolCalls, finish: "tools" }] };
    },
    "memgpt/summarise": (request) =>
      `Summary of [${section(request, "Previous summary")}] and ${
        stepsIn(section(request, "History of observations and actions"))
      }.`,
  }, VECTORS);
  const { events, requests } = asked;
  return {
    memory: createMemGpt(options)(asked),
    events,
    requests,
    results: () =>
      (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map((
        { content },
      ) => String(content).split("\n").slice(1).join("\n")),
  };
}

function stepsIn(text: string): string {
  return [...text.matchAll(/^Game step #(\d+)$/gm)].map(([, step]) => step).join(",");
}

async function walk(memory: Memory, seen: readonly string[], from = 1): Promise<void> {
  for (const [i, observation] of seen.entries()) {
    await memory.observe({ step: from + i, goal: "Eat.", observation });
  }
}

async function sections(memory: Memory, step: number): Promise<Readonly<Record<string, string>>> {
  return (await memory.recall({ step, goal: "Eat.", observation: "Fog.", plan: "Go on." }))
    .sections;
}

Deno.test("createMemGpt() edits core memory by calls, within the limit of each block", async () => {
  const made: Readonly<Record<number, readonly Call[]>> = {
    1: [append("world", "a nut"), append("world", "a $& pear")],
    2: [replace("world", "a nut", "no $& nut")],
    3: [
      replace("task", "a nut", ""),
      append("world", "x".repeat(82)),
      append("persona", "x"),
      ["send_message", {}],
      ["core_memory_append", "{"],
    ],
    4: [append("world", "x".repeat(80)), replace("world", "a $& pear", "")],
  };
  const { memory, events, results } = fresh((step) => made[step] ?? [], { limit: 100 });
  await walk(memory, ["one", "two"]);
  assert.equal((await sections(memory, 2))["Core memory"], "world:\nno $& nut\na $& pear");
  await walk(memory, ["three"], 3);
  assert.deepEqual(results(), [
    "Refused: the block task does not hold the old text.",
    // 9 characters, a line break, 9 characters, a line break and 82 more
    "Refused: the block world would have 102 characters and may have 100; shorten it, or use archival_memory_insert.",
    'Refused: the JSON does not fit: label: Invalid option: expected one of "task"|"world".',
    "Refused: there is no such function; there are core_memory_append, core_memory_replace, archival_memory_insert, archival_memory_search, conversation_search.",
    "Refused: there is no JSON in it.",
  ]);
  assert.equal(events.length, 5);
  assert.match(
    events[0] ?? "",
    /^refused-call: core_memory_replace \{"label":"task".*: the block task does not hold the old text$/,
  );
  assert.equal(
    (await sections(memory, 3))["Core memory"],
    "world:\nno $& nut\na $& pear",
    "refused calls change nothing",
  );
  await walk(memory, ["four"], 4);
  assert.equal(
    (await sections(memory, 4))["Core memory"],
    `world:\nno $& nut\n\n${"x".repeat(80)}`,
    "100 characters fit",
  );
  assert.equal(MEMGPT_PAPER.limit, 2000);
});

Deno.test("createMemGpt() searches archival memory by meaning, five results a page, and shows what it found on that step alone", async () => {
  const texts = ["a nut", "a pear", "an apple", "a plum", "nut 2", "nut 3"];
  const { memory, results } = fresh((step) => {
    if (step === 1) return texts.map((content) => ["archival_memory_insert", { content }] as const);
    if (step === 2) return [search("apple")];
    return step === 3 ? [search("apple", 1), search("apple", 2)] : [];
  });
  await walk(memory, ["one", "two"]);
  // cosines with apple: 1, plum 0.8, pear 0.6, nuts 0, of which the later come first
  assert.deepEqual(results(), ["an apple\n\na plum\n\na pear\n\nnut 3\n\nnut 2"]);
  assert.equal(
    (await sections(memory, 2))["Found in archival memory"],
    "an apple\na plum\na pear\nnut 3\nnut 2",
  );
  await walk(memory, ["three"], 3);
  assert.deepEqual(results(), ["a nut", "Nothing found."]);
  assert.equal((await sections(memory, 3))["Found in archival memory"], "a nut");
  await walk(memory, ["four"], 4);
  assert.equal((await sections(memory, 4))["Found in archival memory"], undefined);
});

Deno.test("createMemGpt() finds evicted messages by their text, latest first, and shows them in their order", async () => {
  const { memory, results } = fresh(
    (step) => step === 9 ? [["conversation_search", { query: "a KEY" }]] : [],
    { window: 100, nPrev: 0 },
  );
  await walk(memory, [
    "A key here.",
    "Fog.",
    "A Key there.",
    "fog ".repeat(60),
    "fog ".repeat(60),
    "fog ".repeat(60),
    "Fog.",
    "Fog.",
  ]);
  assert.equal(
    (await sections(memory, 8))["Relevant past observations"]?.includes("key"),
    false,
    "they are evicted",
  );
  await walk(memory, ["Fog."], 9);
  assert.deepEqual(results(), ["Game step #3\nA Key there.\n\nGame step #1\nA key here."]);
  assert.match(
    (await sections(memory, 9))["Relevant past observations"] ?? "",
    /^Game step #1\nA key here\.\n\nGame step #3\nA Key there\.\n\n/,
  );
});

Deno.test("createMemGpt() makes room as a literal transcription of §2.2 does, on 30 random walks", async () => {
  const { warning, flush, eviction } = { warning: 0.7, flush: 1, eviction: 0.5 }; // of the window, as the paper has them
  const window = 200;
  let [warned, flushed] = [0, 0];
  for (let seed = 0; seed < 30; seed++) {
    const draw = createDraw(`memgpt ${seed}`);
    const seen = Array.from(
      { length: 15 },
      () => "word ".repeat(1 + Math.floor(draw.next() * 90)).trim(),
    );
    const { memory, requests } = fresh(() => [], { window });
    let queue: { readonly step: number; readonly tokens: number }[] = [];
    let [summary, first] = ["", 0];
    for (const [i, observation] of seen.entries()) {
      const incoming = {
        step: i + 1,
        tokens: await countTokens(`Game step #${i + 1}\n${observation}`),
      };
      const total = [...queue, incoming].reduce((sum, { tokens }) => sum + tokens, 0);
      const isWarned = total >= warning * window && total <= flush * window;
      if (total > flush * window) {
        const evicted: number[] = [];
        for (let gone = 0; queue.length > 0 && gone < eviction * window; first++) {
          const [oldest, ...rest] = queue as [typeof incoming, ...typeof queue];
          evicted.push(oldest.step);
          gone += oldest.tokens;
          queue = rest;
        }
        if (evicted.length > 0) summary = `Summary of [${summary}] and ${evicted.join(",")}.`;
        flushed++;
      }
      await walk(memory, [observation], i + 1);
      const asked = requests.at(-1) as ChatRequest;
      assert.equal(
        stepsIn(section(asked, "Message queue")),
        queue.map(({ step }) => step).join(","),
        `seed ${seed}, step ${i + 1}`,
      );
      assert.equal(section(asked, "Summary of evicted messages"), summary);
      assert.equal(section(asked, "Memory pressure") !== "", isWarned);
      if (isWarned) warned++;
      queue.push(incoming);
      const body = memory.save().body as { first: number; messages: readonly unknown[] };
      assert.deepEqual(
        [body.first, body.messages.length],
        [first, i + 1],
        "recall storage keeps every message",
      );
    }
  }
  assert(warned > 20 && flushed > 100, `${warned} warnings, ${flushed} evictions`);
  assert.deepEqual({ warning, flush, eviction }, {
    warning: MEMGPT_PAPER.warning,
    flush: MEMGPT_PAPER.flush,
    eviction: MEMGPT_PAPER.eviction,
  });
});

Deno.test("createMemGpt() is perpetual: core, stores, queue and summary go on in the next episode", async () => {
  const first = fresh((step) =>
    step === 1 ? [append("task", "eat"), ["archival_memory_insert", { content: "a nut" }]] : []
  );
  await walk(first.memory, ["one", "two"]);
  const { memory, requests } = fresh((step) => step === 1 ? [search("nut")] : []);
  memory.load(JSON.parse(JSON.stringify(first.memory.save())));
  await walk(memory, ["three"]);
  assert.equal(
    section(requests.at(-1) as ChatRequest, "Message queue"),
    "Game step #1\none\n\nGame step #2\ntwo",
  );
  assert.deepEqual(await sections(memory, 1), {
    "Core memory": "task:\neat",
    "Relevant past observations": "Game step #1\none\n\nGame step #2\ntwo",
    "Found in archival memory": "a nut",
  });
  assert.deepEqual(
    (memory.save().body as { messages: { time: number }[] }).messages.map(({ time }) => time),
    [1, 2, 3],
  );
});

Deno.test("createMemGpt() tells the model the plan, the stores and the room in core memory", async () => {
  const { memory, requests } = fresh((step) => step === 1 ? [append("task", "eat")] : []);
  await walk(memory, ["one"]);
  await sections(memory, 1);
  await walk(memory, ["two"], 2);
  const asked = requests.at(-1) as ChatRequest;
  assert.equal(section(asked, "Current plan"), "Go on.");
  assert.equal(
    section(asked, "Core memory"),
    "task (3 of 2000 characters):\neat\nworld (0 of 2000 characters):",
  );
  assert.equal(
    section(asked, "Stores"),
    "1 messages, 0 of them evicted; 0 texts in archival memory",
  );
});

Deno.test("createMemGpt() keeps what calls have done where the last word is unreadable", async () => {
  const asked = context({ "memgpt/manage": () => "I am not sure." });
  const memory = createMemGpt()(asked);
  await walk(memory, ["one"]);
  assert.deepEqual(asked.events, ["malformed-reply: memgpt/manage: it is not the word: done"]);
  assert.equal((memory.save().body as { messages: unknown[] }).messages.length, 1);
  for (const text of ["done", "Done.", "All is done"]) {
    assert.equal(parseDone(text).kind, "ok", text);
  }
  for (const text of ["", "abandoned", "done ".repeat(1000)]) {
    assert.equal(parseDone(text).kind, "malformed", text.slice(0, 20));
  }
});

Deno.test("createMemGpt() passes over arguments that it does not know and over null, and refuses a null where it needs a value", async () => {
  const { memory, events } = fresh(() => [
    ["core_memory_append", {
      label: "task",
      content: "eat",
      request_heartbeat: true,
      inner_thoughts: "I am hungry.",
    }],
    ["archival_memory_insert", { content: "a nut", tags: null }],
    ["archival_memory_search", { query: "nut", page: null, top_k: 3, request_heartbeat: false }],
    ["conversation_search", { query: "one", page: null, start_date: null }],
    replace("task", "eat", null),
  ]);
  await walk(memory, ["one"]);
  assert.deepEqual((memory.save().body as { core: unknown }).core, { task: "eat", world: "" });
  assert.equal((await sections(memory, 1))["Found in archival memory"], "a nut");
  assert.equal(events.length, 1, events.join("\n"));
  assert.match(events[0] ?? "", /^refused-call: core_memory_replace .*new_content/);
});

Deno.test("createMemGpt() carries out a call that is written as text, and stores no placeholder", async () => {
  const written = (content: string): string =>
    `{{"name": "archival_memory_insert", "arguments": {{"content": "${content}"}}}}`;
  const asked = context({
    "memgpt/manage": ["```json\n" + written("The key is red.") + "\n```", written("…"), "done"],
  });
  const memory = createMemGpt()(asked);
  await walk(memory, ["a nut"]);
  assert.deepEqual((memory.save().body as { archive: string[] }).archive, ["The key is red."]);
  assert.deepEqual(asked.events.map((event) => event.replace(/\{.*\}/, "…")), [
    "refused-call: archival_memory_insert …: the JSON does not fit: content: it is a placeholder, not a text",
  ]);
});
