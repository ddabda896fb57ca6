import assert from "node:assert/strict";
import {
  answerPrompt,
  coreferencePrompt,
  extractPrompt,
  parseAnswer,
  parseExtract,
  parseQueryEntities,
  parseSummary,
  queryEntitiesPrompt,
  summarizePrompt,
} from "../../../lib/core/memory/temporal-graph.prompts.ts";
import { testWordings } from "./snapshot.ts";

testWordings({
  "reasonplanner-summarize": summarizePrompt,
  "reasonplanner-coreference": coreferencePrompt,
  "reasonplanner-extract": extractPrompt,
  "reasonplanner-query-entities": queryEntitiesPrompt,
  "reasonplanner-answer": answerPrompt,
});

const TEXT = "The stove is in the kitchen.";

Deno.test("parseExtract() reads relations in normal form, each once, and leaves out empty ones", () => {
  const text =
    'Here: {"entities": ["Stove"], "relations": [{"entity1": "The Stove.", "relation": "is in", "entity2": "Kitchen"},' +
    '{"entity1": "the stove", "relation": "Is In", "entity2": "kitchen"}, {"entity1": "", "relation": "is", "entity2": "hot"}]}';
  const inKitchen = (subject: string) => ({ subject, relation: "is in", object: "kitchen" });
  assert.deepEqual(parseExtract(TEXT)(text), {
    kind: "ok",
    value: [inKitchen("the stove")],
    dropped: 1,
  });
  assert.deepEqual(
    parseExtract(TEXT)(
      '{"relations": [["stove", "is in", "kitchen"], {"entity1": null, "relation": "is", "entity2": "..."}]}',
    ),
    {
      kind: "ok",
      value: [inKitchen("stove")],
      dropped: 1,
    },
  );
  assert.deepEqual(parseExtract(TEXT)('{"entities": [], "relations": []}'), {
    kind: "ok",
    value: [],
  });
  for (
    const bad of [
      "",
      "stove, is in, kitchen",
      '{"entities": []}',
      '{"relations": [["stove", "kitchen"]]}',
      "{".repeat(30_000),
    ]
  ) {
    assert.equal(parseExtract(TEXT)(bad).kind, "malformed", bad.slice(0, 30));
  }
});

Deno.test("parseExtract() leaves out the prompt's own examples unless the text speaks of them", () => {
  const said = extractPrompt.instructions.match(/\{"entity1"[^}]*\}/g) ?? [];
  const examples = said.filter((relation) => !relation.includes("..."));
  assert.equal(examples.length, 4);
  const reply = `{"entities": [], "relations": [${examples.join(", ")}]}`;
  assert.deepEqual(parseExtract(TEXT)(reply), { kind: "ok", value: [], dropped: 4 });
  const read = parseExtract("The clay bowl is on the floor.")(reply);
  assert.deepEqual(read.kind === "ok" && [read.value.length, read.dropped], [2, 2]);
});

Deno.test("parseQueryEntities() reads at most two offered entities and refuses unknown ones alone", () => {
  const parse = parseQueryEntities(["stove", "kitchen", "tin"]);
  assert.deepEqual(parse('{"entities": ["Stove", "garden", "kitchen", "tin"]}'), {
    kind: "ok",
    value: ["stove", "kitchen"],
    dropped: 1,
  });
  assert.deepEqual(parse('{"entities": ["tin", "tin"]}'), { kind: "ok", value: ["tin"] });
  assert.deepEqual(parse('{"entities": []}'), { kind: "ok", value: [] });
  assert.equal(parse('{"entities": ["garden"]}').kind, "malformed");
  assert.equal(parse("stove").kind, "malformed");
});

Deno.test("parseAnswer() reads UNKNOWN as no answer; parseSummary() gives one line", () => {
  assert.deepEqual(parseAnswer(" Unknown. "), { kind: "ok", value: undefined });
  assert.deepEqual(parseAnswer("In the kitchen.\nIt is unknown since when."), {
    kind: "ok",
    value: "In the kitchen.\nIt is unknown since when.",
  });
  assert.equal(parseAnswer("").kind, "malformed");
  assert.deepEqual(parseSummary("The stove\n was activated. "), {
    kind: "ok",
    value: "The stove was activated.",
  });
  assert.equal(parseSummary("x".repeat(30_000)).kind, "malformed");
});
