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
} from "../../lib/memory/temporal-graph.prompts.ts";
import { assertSnapshot, shownPrompt } from "./snapshot.ts";

Deno.test("the prompts are worded as they were: another wording is another experiment", () => {
  const acted = { task: "Melt tin.", place: "kitchen", action: "activate stove", response: "The stove is now activated." };
  const shown = {
    "summarize": shownPrompt(summarizePrompt, acted),
    "coreference": shownPrompt(coreferencePrompt, { text: "The stove is on. It glows." }),
    "extract": shownPrompt(extractPrompt, { text: "The stove in the kitchen was activated to melt tin." }),
    "query-entities": shownPrompt(queryEntitiesPrompt, { question: "Where is the stove?", entities: "stove\nkitchen" }),
    "answer": shownPrompt(answerPrompt, { question: "Where is the stove?", facts: "[1] stove, is in, kitchen" }),
  };
  for (const [name, text] of Object.entries(shown)) assertSnapshot(import.meta.url, `reasonplanner-${name}`, text);
});

Deno.test("parseExtract() reads relations in normal form, each once, and drops empty ones", () => {
  const text = 'Here: {"entities": ["Stove"], "relations": [{"entity1": "The Stove.", "relation": "is in", "entity2": "Kitchen"},' +
    '{"entity1": "the stove", "relation": "Is In", "entity2": "kitchen"}, {"entity1": "", "relation": "is", "entity2": "hot"}]}';
  assert.deepEqual(parseExtract(text), { kind: "ok", value: [{ subject: "the stove", relation: "is in", object: "kitchen" }] });
  assert.deepEqual(parseExtract('{"entities": [], "relations": []}'), { kind: "ok", value: [] });
  for (
    const bad of ["", "stove, is in, kitchen", '{"entities": []}', '{"relations": [["stove", "is in", "kitchen"]]}', "{".repeat(30_000)]
  ) {
    assert.equal(parseExtract(bad).kind, "malformed", bad.slice(0, 30));
  }
});

Deno.test("parseQueryEntities() reads at most two offered entities and refuses unknown ones alone", () => {
  const parse = parseQueryEntities(["stove", "kitchen", "tin"]);
  assert.deepEqual(parse('{"entities": ["Stove", "garden", "kitchen", "tin"]}'), { kind: "ok", value: ["stove", "kitchen"] });
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
  assert.deepEqual(parseSummary("The stove\n was activated. "), { kind: "ok", value: "The stove was activated." });
  assert.equal(parseSummary("x".repeat(30_000)).kind, "malformed");
});
