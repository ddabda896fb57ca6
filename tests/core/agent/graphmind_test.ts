import assert from "node:assert/strict";
import {
  createGraphMind,
  createNoMemory,
  createRoomGraph,
  type Environment,
  type GraphMindOptions,
  scripted,
  type ScriptedModel,
  type Turn,
  WorldError,
} from "../../../lib/mod.ts";
import { createStacked } from "../../../lib/core/memory/stacked.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import type { ScriptedReply, ScriptedResponder } from "../../../lib/core/llm/scripted.ts";
import { type Recording, recording, under, worldless } from "./recording.ts";

/** A world that answers by rote: `done` to everything, unless told otherwise; `last` wins. */
function rote(
  answers: Readonly<Record<string, Partial<Turn> | "bad">> = {},
): Environment & { readonly taken: string[] } {
  const taken: string[] = [];
  const sections = { facing: "north", inventory: "nothing", passed_door: "", result: "done" };
  const seen: Turn = {
    goal: "Open the red door.",
    observation: "Wall; Agent",
    sections,
    frames: [],
    score: 0,
    maxScore: 1,
  };
  const names = ["find_door()", "pass_door({x})", "left", "forward", "last"];
  return {
    spec: {
      id: "rote",
      version: "1",
      parameters: {},
      sections: Object.keys(sections),
      actions: names.map((name) => ({
        name,
        params: [],
        description: `does ${name}`,
        explores: false,
      })),
      fallback: "find_door()",
      identity: "0".repeat(64),
    },
    taken,
    reset: () => Promise.resolve({ ...seen, sections: { ...sections, result: "" } }),
    step: (action) => {
      taken.push(action);
      const answer = answers[action];
      if (answer === "bad") return Promise.reject(new WorldError("bad-action", "no such thing"));
      const won = action.startsWith("last") || action.includes("last door")
        ? { end: "won" as const, score: 1 }
        : {};
      return Promise.resolve({
        ...seen,
        observation: `Wall; Agent; ${taken.length}`,
        ...won,
        ...answer,
        sections: { ...sections, ...answer?.sections },
      });
    },
    validActions: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

function plan(...subplans: string[]): string {
  return JSON.stringify({ subplan_target_entity: "red door", subplans });
}

function verdict(is_complete: boolean, need_to_adjust = false): string {
  return JSON.stringify({ is_complete, need_to_adjust });
}

interface Play {
  readonly record: Recording;
  readonly model: ScriptedModel;
  readonly events: string[];
}

async function play(
  world: Environment,
  script: Readonly<Record<string, ScriptedResponder | readonly ScriptedReply[]>>,
  options: Partial<GraphMindOptions> = {},
): Promise<Play> {
  const record = recording();
  const model = scripted(under("graphmind", script));
  await createGraphMind({ memory: createNoMemory(), maxSteps: 10, ...options }).run({
    world: () => Promise.resolve(world),
    ...worldless(model, record),
  });
  return {
    record,
    model,
    events: record.events.map(({ step, kind, detail }) => `${step} ${kind}: ${detail}`),
  };
}

function prompts(model: ScriptedModel, role: string): Record<string, string>[] {
  return model.requests.filter((request) => request.role === `graphmind/${role}`).map((
    { messages },
  ) => readSections(String(messages[1]?.content)));
}

Deno.test("createGraphMind() plans again when every instruction is carried out and judged done", async () => {
  const world = rote();
  const { model, record, events } = await play(world, {
    plan: [plan("find_door()", "pass_door(blue door)"), plan("pass_door(last door)")],
    "verify-completion": [verdict(true), verdict(true)],
  });
  model.assertDone();
  assert.deepEqual(world.taken, ["find_door()", "pass_door(blue door)", "pass_door(last door)"]);
  assert.deepEqual(events, []);
  assert.deepEqual(record.steps.map(({ details }) => details?.["planned"]), [
    undefined,
    true,
    false,
    true,
  ]);
  assert.deepEqual(record.steps[2]?.details, {
    plan: ["find_door()", "pass_door(blue door)"],
    target: "red door",
    instruction: "pass_door(blue door)",
    planned: false,
    tries: 1,
    verdict: { complete: true, adjust: false },
  });
  const [first, second] = prompts(model, "plan");
  assert.equal(
    first?.["DSL list"],
    "find_door(): does find_door()\npass_door(x): does pass_door({x})",
  );
  assert.deepEqual([first?.["Last plan"], first?.["Memory"]], ["", undefined]);
  assert.equal(second?.["Last plan"], "Target: red door\nfind_door()\npass_door(blue door)");
  assert.equal(second?.["Last plan completion"], "pass_door(blue door): completed");
});

Deno.test("createGraphMind() retries an instruction until the verifier gives the plan up; the actor's report is an option", async () => {
  for (const actorReport of [false, true]) {
    const world = rote({
      "pass_door(blue door)": { sections: { result: "the blue door is locked" } },
    });
    const { model, events } = await play(world, {
      plan: [plan("pass_door(blue door)", "find_door()"), plan("pass_door(last door)")],
      "verify-completion": [verdict(false), verdict(false, true)],
    }, { actorReport });
    model.assertDone();
    assert.deepEqual(world.taken, [
      "pass_door(blue door)",
      "pass_door(blue door)",
      "pass_door(last door)",
    ]);
    assert.deepEqual(events, []);
    assert.equal(
      prompts(model, "plan")[1]?.["Last plan completion"],
      `pass_door(blue door): not completed${actorReport ? " (the blue door is locked)" : ""}`,
    );
    const checks = prompts(model, "verify-completion");
    assert.deepEqual(checks.map((shown) => shown["Times the last plan was tried"]), ["1", "2"]);
    assert.deepEqual(
      checks.map((shown) => shown["Actor's report"]),
      Array(2).fill(actorReport ? "the blue door is locked" : undefined),
    );
  }
});

Deno.test("createGraphMind() ends a plan after maxTries, or when a verdict cannot be read", async () => {
  const tried = await play(rote(), {
    plan: () => plan("find_door()"),
    "verify-completion": () => verdict(false),
  }, {
    maxTries: 3,
    maxSteps: 7,
  });
  assert.deepEqual(tried.events, [
    "3 try-limit: find_door(): tried 3 times",
    "6 try-limit: find_door(): tried 3 times",
  ]);
  assert.equal(prompts(tried.model, "plan").length, 3);
  const mumbled = await play(rote(), {
    plan: () => plan("find_door()"),
    "verify-completion": () => "Well.",
  }, {
    maxSteps: 2,
  });
  assert.deepEqual(mumbled.events.map((event) => event.split(" ").slice(0, 3).join(" ")), [
    "1 malformed-reply: graphmind/verify-completion:",
    "2 malformed-reply: graphmind/verify-completion:",
  ]);
  assert.equal(prompts(mumbled.model, "plan").length, 2);
});

/** A memory of one room whose modules see nothing. */
const GRAPH = {
  extract: () => '{"current_room_entities": []}',
  "update-entities": () => '{"graph_entities": ["red closed door"]}',
  "verify-transition": () => '{"connected_door": null, "check_pass_door": false}',
  locate: () => '{"current_graph_node_id": 1}',
};

Deno.test("createGraphMind() answers calls of the graph, and refuses and counts unknown ones", async () => {
  const calls = [
    { id: "a", name: "find_unexplored_closed_door", arguments: '{"node": 1}' },
    { id: "b", name: "find_unexplored_closed_door", arguments: '{"node": 7}' },
    { id: "c", name: "search_closest_entity", arguments: '{"node": 1, "entity": null}' },
    { id: "d", name: "open_sesame", arguments: "{}" },
    { id: "e", name: "get_neighbor_entity_information", arguments: "{node" },
  ];
  const { model, events, record } = await play(rote(), {
    ...GRAPH,
    plan: [
      { choices: [{ text: "", toolCalls: calls, finish: "tools" }] },
      plan("pass_door(last door)"),
    ],
  }, { memory: createRoomGraph({ votes: 1 }) });
  assert.deepEqual(events.map((event) => event.split(" ").slice(1, 3).join(" ")), [
    "refused-call: find_unexplored_closed_door",
    "refused-call: search_closest_entity",
    "refused-call: open_sesame",
    "refused-call: get_neighbor_entity_information",
  ]);
  const kinds = (record.steps[1]?.details?.["calls"] as { readonly kind: string }[]).map((
    { kind },
  ) => kind);
  assert.deepEqual(kinds, ["ok", "refused", "refused", "refused", "refused"]);
  const answers = model.requests.filter(({ role }) => role === "graphmind/plan").at(-1)?.messages
    .slice(3).map(({ content }) => String(content));
  assert.match(answers?.[0] ?? "", /red closed door is in room 1\. That is room 1 itself\./);
  assert.match(answers?.[1] ?? "", /There is no room 7; the known rooms are 1\./);
  assert.match(
    answers?.[3] ?? "",
    /There is no function open_sesame; there are get_neighbor_entity_information, /,
  );
});

Deno.test("createGraphMind() asks again for a plan without functions, so that its form can be enforced", async () => {
  const { model } = await play(rote(), {
    ...GRAPH,
    plan: ["Hm.", plan("pass_door(last door)")],
  }, {
    memory: createRoomGraph({ votes: 1 }),
  });
  const [first, second] = model.requests.filter(({ role }) => role === "graphmind/plan");
  assert.deepEqual([first?.tools?.length, second?.tools, second?.schema?.name], [
    3,
    undefined,
    "graphmind_plan",
  ]);
});

Deno.test("createGraphMind() records primitive actions of a model as frames of one decision step", async () => {
  const world = rote({ left: { sections: { passed_door: "red door, north" } } });
  const { record, events, model } = await play(world, {
    plan: [plan("find_door()")],
    "verify-completion": [verdict(false), verdict(false)],
    execute: [
      '{"actions": ["Left", "dance", "forward"]}',
      '{"actions": []}',
      "?",
      "?",
      '{"actions": ["last", "left"]}',
    ],
  }, { actor: "llm" });
  model.assertDone();
  assert.deepEqual(world.taken, ["left", "forward", "last"]);
  assert.deepEqual(
    record.steps.map(({ action, turn }) => [action, turn.frames.map((frame) => frame.action)]),
    [
      [undefined, []],
      ["find_door()", ["left", "forward"]],
      ["find_door()", []],
      ["find_door()", ["last"]],
    ],
  );
  assert.deepEqual([
    record.steps[1]?.turn.sections["passed_door"],
    record.steps[1]?.turn.sections["result"],
  ], ["red door, north", ""]);
  assert.equal(record.steps[2]?.turn.observation, record.steps[1]?.turn.observation);
  assert.deepEqual(events, [
    '1 invalid-action: "dance": it is no primitive action',
    "2 malformed-reply: graphmind/execute: there is no JSON in it",
  ]);
});

Deno.test("graphmind: pictures are shown where the world gives them, unless told not to", async () => {
  for (const image of [true, false]) {
    const { model } = await play(rote({ "find_door()": { image: new Uint8Array([1]) } }), {
      plan: [plan("find_door()"), plan("pass_door(last door)")],
      "verify-completion": [verdict(true)],
    }, { image });
    const pictures = model.requests.map(({ messages }) => Array.isArray(messages[1]?.content));
    assert.deepEqual(pictures, image ? [false, true, true] : [false, false, false]);
  }
});

Deno.test("createGraphMind() shows the planner the memory, and the verifier the agent's room alone", async () => {
  const seen = { ...GRAPH, extract: () => '{"current_room_entities": ["blue box"]}' };
  const ends = {
    plan: [plan("find_door()"), plan("pass_door(last door)")],
    "verify-completion": [verdict(true)],
  };
  for (
    const [memory, told, shown] of [
      [createRoomGraph({ votes: 1 }), "You are in room 1; 1 is known.", /Known rooms: 1\./],
      [
        createRoomGraph({ votes: 1, access: "static" }),
        "You are in room 1; 1 is known.",
        /contains red closed door/,
      ],
      [createStacked(), undefined, /Entities: blue box/],
    ] as const
  ) {
    const { model } = await play(rote(), { ...seen, ...ends }, { memory });
    const [asked] = prompts(model, "verify-completion");
    assert.equal(asked?.["Graph information"], told);
    assert.doesNotMatch(JSON.stringify(asked), /red closed door|blue box/);
    assert.match(prompts(model, "plan").at(-1)?.["Memory"] ?? "", shown);
  }
});
