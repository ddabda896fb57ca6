import assert from "node:assert/strict";
import { snapshotAt } from "../../../lib/core/graph/mod.ts";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import {
  scripted,
  type ScriptedModel,
  type ScriptedResponder,
} from "../../../lib/core/llm/scripted.ts";
import {
  createTemporalGraph,
  type TemporalGraphOptions,
} from "../../../lib/core/memory/temporal-graph.ts";
import type { WorldModel } from "../../../lib/core/memory/world-model.ts";
import { under } from "../agent/recording.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/mod.ts";

interface Made {
  readonly memory: WorldModel;
  readonly model: ScriptedModel;
  readonly events: string[];
}

function made(
  script: Parameters<typeof under<readonly string[] | ScriptedResponder>>[1],
  options: TemporalGraphOptions = {},
): Made {
  const model = scripted(under("reasonplanner", script));
  const events: string[] = [];
  const memory = createTemporalGraph({ coreference: "none", ...options })({
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    onEvent: (kind, detail) => events.push(`${kind}: ${detail}`),
  });
  return { memory, model, events };
}

const relations = (...told: readonly (readonly [string, string, string])[]): string =>
  JSON.stringify({
    entities: [],
    relations: told.map(([entity1, relation, entity2]) => ({ entity1, relation, entity2 })),
  });
const seen = { task: "Boil tin.", observation: "The shed.", place: "shed" };
const textOf = (model: ScriptedModel, at: number): string =>
  String(model.requests.at(at)?.messages.at(-1)?.content);

Deno.test("ingest() extracts from the observation after a relocation, else from a summary (§3.2)", async () => {
  const { memory, model } = made({
    summarize: ["The tin was moved to the furnace."],
    extract: [
      relations(["Shed", "contains", "tin"]),
      relations(["tin", "was moved to", "the furnace"]),
      relations(),
    ],
  });
  await memory.ingest({ ...seen, step: 0, response: "" });
  assert.match(textOf(model, 0), /Task: Boil tin\.\nThe shed\./);
  await memory.ingest({
    ...seen,
    step: 1,
    action: "move tin to furnace",
    response: "You move it.",
  });
  assert.deepEqual(model.requests.map(({ role }) => role.split("/")[1]), [
    "extract",
    "summarize",
    "extract",
  ]);
  assert.match(textOf(model, 1), /move tin to furnace[\s\S]*You move it\./);
  assert.match(textOf(model, 2), /The tin was moved to the furnace\./);
  await memory.ingest({
    ...seen,
    step: 2,
    action: "go to hall",
    response: "You move to the hall.",
    observation: "The hall.",
  });
  assert.match(textOf(model, 3), /The hall\./);
  assert.deepEqual(memory.graph.changes.map(({ triplet, time }) => [triplet.subject, time]), [[
    "shed",
    1,
  ], ["tin", 2]]);
  model.assertDone();
});

Deno.test("ingest() keeps the time of each fact, and times continue in the next episode", async () => {
  const open = relations(["gate", "is", "open"]);
  const first = made({ extract: [open, relations(["gate", "is", "closed"])] });
  await first.memory.ingest({ ...seen, step: 0, response: "" });
  await first.memory.ingest({ ...seen, step: 1, action: "go to hall", response: "" });
  const next = made({ extract: [open] });
  next.memory.load(JSON.parse(JSON.stringify(first.memory.save())));
  await next.memory.ingest({ ...seen, step: 0, response: "" });
  assert.deepEqual(next.memory.facts.around("gate").get("open")?.map(({ time }) => time), [1, 3]);
  assert.equal(snapshotAt(next.memory.graph.changes, 3).length, 2);
  assert.throws(() => next.memory.load({ kind: "arigraph", body: {} }), {
    name: "TypeError",
    message: /temporal-graph/,
  });
  assert.throws(() => next.memory.load({ kind: "temporal-graph", body: { nodes: [] } }), TypeError);
});

Deno.test("query() answers by two entities, path, ring and order of time (§3.4)", async () => {
  const { memory, model } = made({
    extract: [
      relations(["tin", "is in", "shed"], ["furnace", "is in", "foundry"]),
      relations(["tin", "was moved to", "furnace"], ["lid", "is on", "box"]),
    ],
    "query-entities": ['{"entities": ["Tin", "foundry"]}'],
    answer: ["In the furnace."],
  });
  await memory.ingest({ ...seen, step: 0, response: "" });
  await memory.ingest({ ...seen, step: 1, action: "look around", response: "" });
  const answer = await memory.query("How does tin get to the foundry?", { step: 2 });
  assert.deepEqual(answer, {
    kind: "answer",
    text: "In the furnace.",
    entities: ["tin", "foundry"],
    facts: 3,
  });
  const facts = textOf(model, -1).split("### Facts\n")[1];
  assert.equal(
    facts,
    "[1] tin, is in, shed; furnace, is in, foundry\n[2] tin, was moved to, furnace",
  );
});

Deno.test("query() gives nothing without facts, without an entity, or for UNKNOWN", async () => {
  const empty = made({});
  assert.deepEqual(await empty.memory.query("Where is tin?", { step: 1 }), { kind: "nothing" });
  for (
    const [chosen, said] of [['{"entities": []}', ""], [
      '{"entities": ["tin"]}',
      "UNKNOWN.",
    ]] as const
  ) {
    const { memory } = made({
      extract: [relations(["tin", "is in", "shed"])],
      "query-entities": [chosen],
      answer: [said],
    });
    await memory.ingest({ ...seen, step: 0, response: "" });
    assert.deepEqual(await memory.query("Where is tin?", { step: 1 }), { kind: "nothing" });
  }
});

Deno.test("query() keeps the nearest, then the latest facts when there are too many, and reports it", async () => {
  const { memory, model, events } = made({
    extract: [
      relations(["tin", "is in", "shed"], ["shed", "leads to", "hall"]),
      relations(["shed", "is", "dark"]),
    ],
    "query-entities": ['{"entities": ["tin", "shed"]}'],
    answer: ["Yes."],
  }, { mostFacts: 2 });
  await memory.ingest({ ...seen, step: 0, response: "" });
  await memory.ingest({ ...seen, step: 1, action: "look", response: "" });
  await memory.query("Is tin in the shed?", { step: 2 });
  assert.equal(
    textOf(model, -1).split("### Facts\n")[1],
    "[1] tin, is in, shed\n[2] shed, is, dark",
  );
  assert.deepEqual(events, ["facts-cut: 2 of 3"]);
});

Deno.test("query() reports where a ceiling leaves entities or the neighbours of a hub out", async () => {
  const { memory, model, events } = made({
    extract: [
      relations(["tin", "is in", "shed"], ["box", "is in", "shed"], ["lid", "is in", "shed"]),
    ],
    "query-entities": ['{"entities": ["tin", "shed"]}'],
    answer: ["Yes."],
  }, { widest: 2, candidates: 2 });
  await memory.ingest({ ...seen, step: 0, response: "" });
  await memory.query("Is tin in the shed?", { step: 2 });
  assert.deepEqual(events, ["candidates-cut: 2 of 4", "hubs-left-out: shed"]);
  assert.equal(textOf(model, -1).split("### Facts\n")[1], "[1] tin, is in, shed");
});

Deno.test("ingest() and query() go on after unreadable replies and report them", async () => {
  const { memory, model, events } = made({
    summarize: () => "  ",
    extract: () => "no JSON",
    "*": () => "{}",
  });
  await memory.ingest({ ...seen, step: 1, action: "eat tin", response: "No." });
  assert.match(textOf(model, 3), /eat tin: No\./); // action and response in the summary's place
  assert.equal(memory.graph.size, 0);
  assert.deepEqual(events.map((event) => event.split(":")[1]?.trim()), [
    "reasonplanner/summarize",
    "reasonplanner/extract",
  ]);
});

Deno.test("ingest() reports the texts that coreference resolution is asked for and changes", async () => {
  const { memory, model, events } = made({
    summarize: ["It glows.", "The tin glows."],
    coreference: ["The tin glows.", "The tin glows."],
    extract: () => relations(),
  }, { coreference: "model" });
  for (const step of [1, 2]) {
    await memory.ingest({ ...seen, step, action: "heat tin", response: "It glows." });
  }
  assert.match(textOf(model, 2), /The tin glows\./);
  assert.deepEqual(events.map((event) => event.split(":")[0]), [
    "coreference-asked",
    "coreference-changed",
    "coreference-asked",
  ]);
});
