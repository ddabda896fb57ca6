/**
 * WESE: what may be done while exploring, what becomes of the feedback, what reaches the
 * exploitation, and what does not.
 */

import assert from "node:assert/strict";
import { soundTriple } from "../../../lib/core/graph/read-triplets.ts";
import {
  type ChatRequest,
  connectWorlds,
  createAsker,
  createWese,
  type Environment,
  type MeasuredEnvironment,
  type Method,
  type Outcome,
  scripted,
  type ScriptedModel,
  type Turn,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import {
  parseEntities,
  parseExtracted,
  wesePrompts,
} from "../../../lib/core/agent/wese.prompts.ts";
import { sese } from "../../../lib/core/agent/wese.ts";
import { testWordings } from "../memory/snapshot.ts";
import { type Recording, recording } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

interface Played {
  readonly outcome: Outcome;
  readonly record: Recording;
}

async function play(
  method: Method,
  model: Parameters<typeof createAsker>[0]["model"],
  world: () => Promise<Environment>,
): Promise<Played> {
  const record = recording();
  const outcome = await method.run({
    world,
    ask: createAsker({ model, sample: { attempt: 1, pass: 0 } }),
    embedder: createLexicalEmbedder(),
    recorder: record.recorder,
    seed: 1,
  });
  return { outcome, record };
}

const question = (): Promise<Environment> =>
  worlds.open("wiki/encyclopedia", { seed: 1, index: 0 });

function sectionsOf(request: ChatRequest | undefined): Record<string, string> {
  return readSections(String(request?.messages.at(1)?.content));
}

function script(extract: readonly string[], entities = "tarn\nnowhere\nmoor"): ScriptedModel {
  return scripted({
    "wese/explore": ["search[Tarn]", "finish[a guess]", "lookup[x]", "Enough."],
    "wese/extract": extract,
    "wese/task-entities": () => entities,
    "wese/act": () => "finish[Unknown]",
  });
}

const EXTRACTED = [
  "Tarn, is in, Ostrea; Tarn, lies by, Moor; Sea, is, wet",
  "[]",
  "Tarn, is far from, Moor; Moor, is in, Ostrea",
];

Deno.test("createWese() explores by exploring actions alone, and keeps the last triplet of a pair", async () => {
  const model = script(EXTRACTED);
  const { outcome, record } = await play(createWese({ base: "act" }), model, question);
  assert.deepEqual(outcome.passes.map(({ kind, steps, end }) => [kind, steps, end]), [[
    "explore",
    3,
    "limit",
  ], ["exploit", 1, "lost"]]);
  const explored = record.steps.filter(({ pass }) => pass === 0);
  assert.deepEqual(explored.map(({ action }) => action), [
    undefined,
    "search[Tarn]",
    "think[]",
    "lookup[x]",
  ]); // finish is not allowed
  assert.deepEqual(record.events.map(({ kind }) => kind), [
    ...["invalid-action", "fallback", "stopped-exploring"],
    ...["dropped-entries", "retrieved"], // "nowhere" is no name of the graph
  ]);
  const [graph] = explored.map((step) => step.graph);
  assert.deepEqual(
    graph?.triplets().map(({ subject, relation, object }) => `${subject} ${relation} ${object}`),
    [
      "tarn is in ostrea",
      "sea is wet",
      "tarn is far from moor",
      "moor is in ostrea",
    ],
  );
  assert(record.steps.every((step) => step.graph === graph), "the graph outlives the exploration");
  const offered =
    sectionsOf(model.requests.find(({ role }) => role === "wese/explore"))["What can be done"] ??
      "";
  assert.deepEqual(offered.match(/^\w+/gm), ["search", "lookup"]);
});

Deno.test("createWese() lists the explorer's actions always, and the exploitation's for questions, unless told", async () => {
  const household = (): Promise<Environment> =>
    worlds.open("alfworld", { set: "households", game: 0 });
  for (
    const [world, options, listed] of [
      [question, {}, true],
      [question, { actions: "none" }, false],
      [household, {}, false],
    ] as const
  ) {
    const model = scripted({
      "wese/explore": () => "enough",
      "wese/task-entities": () => "[]",
      "wese/act": () => world === question ? "finish[Unknown]" : "look",
    });
    await play(createWese({ base: "act", maxSteps: 1, ...options }), model, world);
    assert.match(
      sectionsOf(model.requests[0])["What can be done"] ?? "",
      /^(?:search\[\{entity\}\]|look:)/,
    );
    assert.equal(sectionsOf(model.requests.at(-1))["What can be done"] !== undefined, listed);
    assert.match(sectionsOf(model.requests.at(-1))["Examples of other tasks"] ?? "", /\n> /);
  }
});

Deno.test("createWese() shows both passes six worked questions or three claims, unless told", async () => {
  const claim = (): Promise<Environment> =>
    worlds.open("wiki/encyclopedia", { seed: 1, index: 0, ask: "claims" });
  for (
    const [world, options, count] of [[question, {}, 6], [claim, {}, 3], [
      question,
      { examples: 1 },
      1,
    ]] as const
  ) {
    const model = script(EXTRACTED);
    await play(createWese({ base: "react", ...options }), model, world);
    for (const role of ["wese/explore", "wese/act"]) {
      const shown = sectionsOf(model.requests.find((request) =>
        request.role === role
      ))["Examples of other tasks"] ?? "";
      assert.equal(shown.match(/^Task: /gm)?.length, count, role);
    }
  }
});

Deno.test("of a question at most ten triplets are shown, and both passes have eight steps", async () => {
  const many = Array.from({ length: 30 }, (_, i) => `tarn, r${i}, thing ${i}`).join("; ");
  const model = scripted({
    "wese/explore": () => "search[Tarn]",
    "wese/extract": () => many,
    "wese/task-entities": () => "tarn",
    "wese/act": () => "think: Hm.\nsearch[Tarn]",
  });
  const { outcome } = await play(createWese(), model, question);
  assert.deepEqual(outcome.passes.map(({ steps }) => steps), [8, 8]);
  const thinker = scripted({ "wese/explore": () => "enough", "wese/act": () => "think: Hm." });
  const { outcome: thought } = await play(createWese(), thinker, question);
  assert.deepEqual(thought.passes.map(({ steps }) => steps), [0, 0]); // a thought alone takes none of a question's steps
  assert.equal(thinker.requests.filter(({ role }) => role === "wese/act").length, 16);
  assert.equal(
    sectionsOf(model.requests.at(-1))["What exploring has found out"]?.split("\n").length,
    10,
  );
});

Deno.test("triplets and names that cannot be read are counted, and nothing is retrieved", async () => {
  const model = scripted({
    "wese/explore": ["search[Tarn]", "enough"],
    "wese/extract": ["a, b, c; this is no triplet"],
    "wese/task-entities": () => "",
    "wese/act": () => "finish[x]",
  });
  const { record } = await play(createWese({ base: "act", reAsks: 1 }), model, question);
  assert.deepEqual(record.events.map(({ kind }) => kind), [
    "dropped-entries",
    "stopped-exploring",
    "malformed-reply",
  ]);
  assert.equal(sectionsOf(model.requests.at(-1))["What exploring has found out"], "");
  assert.deepEqual(parseExtracted("None."), { kind: "ok", value: [] });
  assert.equal(parseExtracted("I see nothing, sorry").kind, "malformed");
  const known = ["tarn", "the moor", "sea"];
  assert.deepEqual(parseEntities(known)("1. Tarn\n- the moor; sea"), { kind: "ok", value: known });
  assert.deepEqual(parseEntities(known)("Tarn; bog"), { kind: "ok", value: ["tarn"], dropped: 1 });
  assert.equal(parseEntities(known)("bog").kind, "malformed");
  const pans = ["pan 1", "pan 2"];
  assert.deepEqual(parseEntities(pans)("Pan"), { kind: "ok", value: pans });
  assert.deepEqual(parseEntities(known)("[]"), { kind: "ok", value: [] });
});

Deno.test("parseExtracted() reads semicolons for commas, drops sample words, and offers no empty answer", () => {
  const fact = { subject: "mug 1", relation: "is in", object: "fridge 1" };
  assert.deepEqual(parseExtracted("Mug 1; is in; fridge 1"), { kind: "ok", value: [fact] });
  const told = "subject, relation, object\nNote: a, b, c\nmug 1, is in, fridge 1";
  assert.deepEqual(parseExtracted(told), { kind: "ok", value: [fact], dropped: 2 });
  assert.ok(!soundTriple.safeParse("head: a, relation: relation, b").success);
  for (const parse of [parseExtracted, parseEntities(["tarn"])]) {
    for (const reply of ["I see nothing, sorry", "subject, relation, object", ""]) {
      const read = parse(reply);
      assert.ok(
        read.kind === "malformed" && !/\[\s*\]|none if|empty list/.test(read.problem),
        reply,
      );
    }
  }
});

Deno.test("sese asks under roles of its own", async () => {
  const model = createStandIn({ responders: offlineResponders });
  const roles = new Set<string>();
  const watched = {
    id: model.id,
    chat: (request: ChatRequest) => (roles.add(request.role), model.chat(request)),
  };
  const { outcome } = await play(sese.create(), watched, question);
  assert.equal(outcome.passes[1]?.end, "won");
  assert.deepEqual([...roles].toSorted(), [
    "sese/act",
    "sese/explore",
    "sese/extract",
    "sese/task-entities",
  ]);
});

Deno.test("createWese() exploits in a fresh world, with the graph of the exploration", async () => {
  const opened: MeasuredEnvironment[] = [];
  const starts: { turn: Turn; truth: unknown; possible: unknown }[] = [];
  let explored: unknown;
  const world = async (): Promise<Environment> => {
    const env = await worlds.open("textworld/hunt", {});
    explored = await opened.at(-1)?.truth().catch(() => "closed");
    opened.push(env);
    return {
      spec: env.spec,
      step: (action) => env.step(action),
      validActions: () => env.validActions(),
      close: () => env.close(),
      reset: async () => {
        const turn = await env.reset();
        starts.push({ turn, truth: await env.truth(), possible: await env.validActions() });
        return turn;
      },
    };
  };
  const model = scripted({
    "wese/explore": ["go west", "examine key 1", "go north", "enough"],
    "wese/extract": [
      "room b, is west of, room a",
      "key 1, is in, room a",
      "room f, is north of, room b",
    ],
    "wese/task-entities": () => "room b",
    "wese/act": () => "look",
  });
  const { record } = await play(createWese({ base: "act", maxSteps: 2 }), model, world);
  assert.equal(opened.length, 2);
  assert.equal(explored, "closed", "the first world is closed before the second is opened");
  assert.deepEqual(starts[1], starts[0]);
  const last = (pass: number): Turn | undefined =>
    record.steps.filter((step) => step.pass === pass).at(-1)?.turn;
  assert.notEqual(
    last(0)?.sections["location"],
    starts[0]?.turn.sections["location"],
    "exploring led elsewhere",
  );
  assert.equal(last(1)?.sections["location"], starts[0]?.turn.sections["location"]);
  assert.equal(record.steps.at(-1)?.graph?.size, 3);
});

testWordings(
  Object.fromEntries(
    Object.entries(wesePrompts("wese")).map(([name, prompt]) => [`wese-${name}`, prompt]),
  ),
);
