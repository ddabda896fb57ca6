import assert from "node:assert/strict";
import { formatTriplet, parseTriplet } from "../../../lib/core/graph/triplet.ts";
import {
  entitiesPaperPrompt,
  entitiesPrompt,
  explorePrompt,
  extractParagraphPrompt,
  extractPrompt,
  outdatePrompt,
  questionEntitiesPrompt,
} from "../../../lib/core/memory/arigraph.prompts.ts";
import {
  parseEntities,
  parseExtract,
  parseExtractOf,
  parseOutdate,
  parseOutdateOf,
} from "../../../lib/core/memory/arigraph-replies.ts";
import { renderPrompt } from "../../../lib/mod.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { testWordings } from "./snapshot.ts";

testWordings({
  "arigraph-extract": extractPrompt,
  "arigraph-outdate": outdatePrompt,
  "arigraph-entities": entitiesPaperPrompt,
  "arigraph-entities-cacheable": entitiesPrompt,
  "arigraph-explore": explorePrompt,
  "arigraph-extract-paragraph": extractParagraphPrompt,
  "arigraph-question-entities": questionEntitiesPrompt,
});

function triplets(text: string): string[] | "malformed" {
  const read = parseExtract(text);
  return read.kind === "ok" ? read.value.map(formatTriplet) : "malformed";
}

Deno.test("parseExtract() reads triplets as models write them", () => {
  assert.deepEqual(triplets("Room B, contains, red locker; Room B, has exit, north."), [
    "room b, contains, red locker",
    "room b, has exit, north",
  ]);
  assert.deepEqual(triplets('```\n"key 1, is in, inventory";\n"red locker, is, locked"\n```'), [
    "key 1, is in, inventory",
    "red locker, is, locked",
  ]);
  assert.deepEqual(triplets("[a, is, b; c, is, d]"), ["a, is, b", "c, is, d"]);
  assert.deepEqual(triplets("Extracted triplets:\na, is, b"), ["a, is, b"]);
  assert.deepEqual(triplets("a, is, b; too, few; one, two, three, four"), ["a, is, b"]);
});

function stale(text: string): [string[], number] | "malformed" {
  const read = parseOutdate(text);
  return read.kind === "ok"
    ? [read.value.stale.map(formatTriplet), read.value.ignored]
    : "malformed";
}

Deno.test("the facts of the prompt's example are read only where the observation has their subject", () => {
  const reply = "room a, contains, locker; turnip, is on, bench; coin, is in, inventory";
  const read = (observation: string): unknown => parseExtractOf(observation)(reply);
  const [locker, turnip, coin] = reply.split("; ").map((line) => parseTriplet(line));
  assert.deepEqual(read("-= Room A =-\nYou see a locker."), {
    kind: "ok",
    value: [locker],
    dropped: 2,
  });
  assert.deepEqual(read("You see a Turnip\nand a coin."), {
    kind: "ok",
    value: [locker, turnip, coin],
  });
  const form = parseExtractOf("A lattice.")("the attic, is, hot; subject, relation, object");
  assert.deepEqual(form, { kind: "ok", value: [], dropped: 2 });
});

Deno.test("parseOutdate() reads pairs as models write them", () => {
  assert.deepEqual(
    stale(
      "[[key, is in, locker -> key, is in, inventory], [locker, contains, key -> key, is in, inventory]]",
    ),
    [
      ["key, is in, locker", "locker, contains, key"],
      0,
    ],
  );
  assert.deepEqual(
    stale('Replacing: [["Key, is in, locker" -> "key, is in, inventory"]]. Because it moved.'),
    [["key, is in, locker"], 0],
  );
  assert.deepEqual(stale("[\n  [a, is, b -> a, is, c],\n  [d, is, e -> d, is, f]\n]"), [[
    "a, is, b",
    "d, is, e",
  ], 0]);
  assert.deepEqual(stale("[a, is, b -> a, is, c]"), [["a, is, b"], 0]);
  assert.deepEqual(stale("[[[a, is, b] -> [a, is, c]], [[d, is, e] → [d, is, f]]]"), [[
    "a, is, b",
    "d, is, e",
  ], 0]);
  assert.deepEqual(stale("1. a, is, b --> a, is, c\n2. d, is, e => d, is, f"), [[
    "a, is, b",
    "d, is, e",
  ], 0]);
});

Deno.test("parseEntities() reads importances in any clothing and brings them into range", () => {
  const read = parseEntities(2)(
    'Here: ```json\n{"Golden Locker": 2, "room a": 1, "key": "2", "chest": 1.5, "rope": 7, "bell": 0, "x": null}\n```',
  );
  assert(read.kind === "ok");
  assert.deepEqual([...read.value], [
    ["golden locker", 2],
    ["room a", 1],
    ["key", 2],
    ["chest", 2],
    ["rope", 2],
    ["bell", 1],
  ]);
  assert.deepEqual(parseEntities(3)('{"a": 3}'), { kind: "ok", value: new Map([["a", 3]]) });
});

Deno.test("parseEntities() reads lists, with importances or without", () => {
  const read = (text: string): unknown => {
    const reading = parseEntities(2)(text);
    return reading.kind === "ok" ? [[...reading.value], reading.dropped ?? 0] : reading.kind;
  };
  const wanted = [["key 1", 2], ["hall", 1]];
  assert.deepEqual(
    read('{"entities": [{"name": "Key 1", "importance": 2}, {"name": "hall", "importance": 1}]}'),
    [wanted, 0],
  );
  assert.deepEqual(
    read('[{"name": "key 1", "importance": 2}, null, {"name": "hall", "importance": "1"}]'),
    [wanted, 1],
  );
  assert.deepEqual(read('["key 1", "hall"]'), [[["key 1", 1], ["hall", 1]], 0]);
  assert.deepEqual(read('{"key 1": 2, "hall": 1, "rope": null}'), [wanted, 1]);
});

Deno.test("parseOutdateOf() also reads a list without arrows, where each old triplet stands before the new one that replaces it", () => {
  const [on, inside, red, mine] = [
    "key, is on, table",
    "key, is in, box",
    "key, is, red",
    "key, is in, inventory",
  ]
    .map((text) => parseTriplet(text) ?? assert.fail());
  const parse = parseOutdateOf({
    existing: [on, inside, red].map((one) => one ?? assert.fail()),
    fresh: [mine ?? assert.fail()],
  });
  const read = (text: string): unknown => {
    const reading = parse(text);
    return reading.kind === "ok"
      ? [reading.value.stale.map(formatTriplet), reading.dropped ?? 0]
      : reading.kind;
  };
  assert.deepEqual(read("[[key, is on, table], [key, is in, inventory]]"), [
    ["key, is on, table"],
    0,
  ]);
  assert.deepEqual(read("1. key, is in, box\n2. key, is in, inventory"), [["key, is in, box"], 0]);
  assert.equal(
    read("1. key, is in, box\n2. key, is in, inventory\n3. key, is, red"),
    "malformed",
    "a list of anything",
  );
  assert.equal(
    read("[[key, is in, inventory], [key, is in, inventory]]"),
    "malformed",
    "what is new is not stale",
  );
  assert.deepEqual(read("[[key, is on, table -> key, is in, inventory]]"), [
    ["key, is on, table"],
    0,
  ]);
  assert.equal(
    read("[[key, is on, table], [key, is, red]]"),
    "malformed",
    "nothing says that these are to go",
  );
  assert.deepEqual(read("[]"), [[], 0]);
});
const PARAGRAPH = "Tarn\nTarn is a town in Ostrea. Its founder was Oda Vell.";
const QUESTION = { question: "Who founded the birthplace of Ruk Sand?", deepest: "3" };

Deno.test("offline, facts of a paragraph are extracted, and a question is looked up by its name", async () => {
  const answer = async (recall: number): Promise<string> => {
    const model = createStandIn({
      responders: offlineResponders,
      modelOptions: { recall },
    });
    const messages = renderPrompt(extractParagraphPrompt, { examples: "", paragraph: PARAGRAPH });
    return (await model.chat({ role: extractParagraphPrompt.role, messages })).choices[0].text;
  };
  assert.equal(await answer(1), "tarn, in, ostrea; tarn, is, town; tarn, founder, oda vell");
  assert.equal(await answer(0), "[]");
  const model = createStandIn({ responders: offlineResponders });
  const { choices } = await model.chat({
    role: questionEntitiesPrompt.role,
    messages: renderPrompt(questionEntitiesPrompt, QUESTION),
  });
  assert.equal(choices[0].text, '{"Ruk Sand":3}');
});
