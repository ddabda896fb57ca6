import assert from "node:assert/strict";
import { roomsOf } from "../../../lib/core/graph/room-graph.ts";
import type {
  Memory,
  MemoryTool,
  Perception,
  Recollection,
} from "../../../lib/core/memory/memory.ts";
import { createRoomGraph } from "../../../lib/core/memory/room-graph.ts";
import type { RoomGraphOptions } from "../../../lib/core/memory/room-graph-options.ts";
import type { ScriptedResponder } from "../../../lib/core/llm/scripted.ts";
import { formSchema } from "../../../lib/core/llm/prompt.ts";
import { voteForm } from "../../../lib/core/memory/room-graph.prompts.ts";
import { under } from "../agent/recording.ts";
import { context, section } from "./house.ts";

const VIEW = "Wall; Red_Closed_Door; Wall\nEmpty; Agent; Empty";

function seen(
  step: number,
  observation = VIEW,
  action?: string,
  more: Partial<Perception> = {},
): Perception {
  return {
    step,
    goal: "open the blue door",
    observation,
    sections: { facing: "east" },
    ...(action ? { action } : {}),
    ...more,
  };
}

function vote(
  door: string | null,
  direction: string | null,
  passed: unknown,
  confidence = 1,
): string {
  return JSON.stringify({
    connected_door: door,
    door_direction: direction,
    check_pass_door: passed,
    answer_confidence_score: confidence,
  });
}

const nothing = () => '{"current_room_entities": []}';
const none = () => '{"graph_entities": []}';

/**
 * A memory whose modules answer as told, but not where no step was taken; the first perception is
 * taken in.
 */
async function begun(
  replies: Readonly<Record<string, ScriptedResponder>>,
  options: RoomGraphOptions = {},
): Promise<{ readonly memory: Memory; readonly asked: ReturnType<typeof context> }> {
  const asked = context(
    under("graphmind", { extract: nothing, "update-entities": none, ...replies }),
  );
  const memory = createRoomGraph({ whenIdle: false, ...options })(asked);
  await memory.observe(seen(1));
  return { memory, asked };
}

Deno.test("createRoomGraph() asks each module once a step, the verifier five times, and without whenIdle none for room 1", async () => {
  const { memory, asked } = await begun({
    "verify-transition": () => vote("Red_Open_Door", "east", true),
    locate: () => '{"current_graph_node_id": 2}',
  });
  assert.deepEqual(asked.requests.map(({ role }) => role), [
    "graphmind/extract",
    "graphmind/update-entities",
  ]);
  await memory.observe(seen(2, "Wall; Wall; Wall\nEmpty; Agent; Empty", "pass_door(red door)"));
  const roles = asked.requests.slice(2).map(({ role }) => role.split("/")[1]);
  assert.deepEqual(roles, [
    ...Array(5).fill("verify-transition"),
    "extract",
    "locate",
    "update-entities",
  ]);
  assert.deepEqual(
    asked.requests.slice(2, 7).map(({ sample }) => sample),
    [0, 1, 2, 3, 4].map((vote) => ({ step: 2, vote })),
  );
  assert.deepEqual(roomsOf(memory.graph?.triplets() ?? []).map(({ exits }) => exits), [
    [{ door: "red door", to: 2, direction: "east" }],
    [{ door: "red door", to: 1, direction: "west" }],
  ]);
  const { beliefs } = await memory.recall({ ...seen(2), plan: "" });
  assert.deepEqual(beliefs, {
    room: 2,
    rooms: 2,
    transition: {
      passed: true,
      door: "red door",
      direction: "east",
      for: 5,
      against: 0,
      unread: 0,
    },
  });
});

Deno.test("a vote's form lists the doors in view, and knows no passage where none is", async () => {
  const { memory, asked } = await begun({
    "verify-transition": () => vote(null, null, false),
    locate: () => '{"current_graph_node_id": 1}',
  }, { whenIdle: true, votes: 1 });
  await memory.observe(seen(2, "Wall; Wall; Wall\nEmpty; Agent; Empty", "left()"));
  const fields = asked.requests.filter(({ role }) => role === "graphmind/verify-transition")
    .map(({ schema }) => schema?.schema["properties"] as Record<string, Record<string, unknown>>);
  assert.deepEqual(fields.map(({ connected_door: door }) => door?.["anyOf"]), [
    [{ type: "string", enum: ["Red_Closed_Door"] }, { type: "null" }],
    [{ type: "string", enum: ["Red_Closed_Door"] }, { type: "null" }], // of the view before
  ]);
  const { connected_door, check_pass_door } = formSchema(voteForm("Empty; Agent; Wall"))[
    "properties"
  ] as Record<string, Record<string, unknown>>;
  assert.deepEqual([connected_door?.["type"], check_pass_door?.["const"]], ["null", false]);
});

const [RED, OTHER, BLUE, NO] = [
  vote("red door", "east", true),
  vote("blue door", "north", true),
  vote("blue door", "west", true, 0.9),
  vote(null, null, false),
];
for (
  const [votes, passed, door, direction] of [
    [[RED, OTHER, vote("red door", "east", "true"), NO, NO], true, "red door", "east"],
    [[RED, RED, NO, NO, NO], false],
    [[RED, RED, "?", "?", NO], true, "red door", "east"],
    [[RED, "?", "?", "?", NO], false],
    [[vote("red door", "east", true, 0.2), BLUE, "?", "?", "?"], true, "blue door", "west"],
    [["?", "?", "?", "?", "?"], false],
  ] as const satisfies readonly (readonly [readonly string[], boolean, string?, string?])[]
) {
  Deno.test(`room graph: ${votes.filter((text) => text.includes("true")).length} votes of ${votes.filter((text) => text !== "?").length} for a passage make ${passed ? `one through the ${door}` : "none"}`, async () => {
    const { memory, asked } = await begun({
      "verify-transition": ({ sample }) => votes[sample?.vote ?? 0] ?? "",
      locate: () => `{"current_graph_node_id": ${passed ? 2 : 1}}`,
    });
    await memory.observe(seen(2, "Wall", "forward"));
    const { beliefs } = await memory.recall({ ...seen(2), plan: "" });
    const transition = beliefs?.["transition"] as Record<string, unknown>;
    assert.deepEqual([transition["passed"], transition["door"], transition["direction"]], [
      passed,
      door,
      direction,
    ]);
    assert.equal(transition["unread"], votes.filter((text) => text === "?").length);
    assert.equal(
      asked.events.filter((event) =>
        event.startsWith("malformed-reply: graphmind/verify-transition")
      ).length,
      transition["unread"],
    );
  });
}

Deno.test("createRoomGraph() shows the verifier every primitive step, and without whenIdle asks nothing where none was taken", async () => {
  const { memory, asked } = await begun({
    "verify-transition": () => vote(null, null, false),
    locate: () => '{"current_graph_node_id": 1}',
  }, { votes: 1 });
  const frames = ["left", "forward"].map((action, index) => ({
    action,
    observation: `View; ${index}`,
    sections: { facing: "north" },
  }));
  await memory.observe(seen(2, "View; 1", "find_door()", { frames }));
  const [request] = asked.requests.filter(({ role }) => role === "graphmind/verify-transition");
  assert(request);
  assert.equal(
    section(request, "Trajectory"),
    `Observation 0\n${VIEW}\nYou are facing east.\n\nAction 1: left\n\nObservation 1\nView; 0\nYou are facing north.\n\n` +
      "Action 2: forward\n\nObservation 2\nView; 1\nYou are facing north.",
  );
  const before = asked.requests.length;
  await memory.observe({ ...seen(3, "View; 2", "find_door()") });
  await memory.observe({ ...seen(4, "View; 2", "find_door()") });
  assert.equal(
    asked.requests.slice(before).filter(({ role }) => role === "graphmind/verify-transition")
      .length,
    1,
  );
});

Deno.test("createRoomGraph() accepts a room that contradicts the passage, reports it and adds no door", async () => {
  const { memory, asked } = await begun({
    "verify-transition": ({ sample }) =>
      sample?.step === 2 ? vote(null, null, false) : vote("red door", "east", true),
    locate: () => '{"current_graph_node_id": 2}',
  });
  await memory.observe(seen(2, "Wall", "left"));
  await memory.observe(seen(3, "Wall; Wall", "forward"));
  assert.deepEqual(asked.events, [
    "inconsistent-location: no passage from room 1 to room 2",
    "inconsistent-location: a passage from room 2 to room 2",
  ]);
  assert(
    !memory.graph?.triplets().some(({ relation }) => relation.startsWith("is_connected_with")),
  );
});

Deno.test("createRoomGraph() re-asks for an impossible room number, then the passage decides", async () => {
  const { memory, asked } = await begun({
    "verify-transition": ({ sample }) =>
      (sample?.step ?? 0) < 4
        ? vote("red door", sample?.step === 2 ? "east" : "west", true)
        : vote(null, null, false),
    locate: () => '{"current_graph_node_id": 17}',
  });
  const rooms = [];
  for (const step of [2, 3, 4]) {
    await memory.observe(seen(step, `Wall; ${step}`, "forward"));
    rooms.push((await memory.recall({ ...seen(step), plan: "" })).beliefs?.["room"]);
  }
  assert.deepEqual(rooms, [2, 1, 1], "a new room, back behind the known door, and where it was");
  assert.equal(asked.events.length, 3);
  assert.match(
    asked.events[0] ?? "",
    /malformed-reply: graphmind\/locate: there is no room 17: the known ones are 1, and a new one is 2/,
  );
});

Deno.test("createRoomGraph() drops and reports relations that make no sense", async () => {
  const { memory, asked } = await begun({
    "update-entities": () =>
      JSON.stringify({
        graph_entities: ["Grey_Ball", "grey ball", "red key", ""],
        graph_entities_relate: [
          { from: "grey ball", relation: "are_apart", to: "grey_ball 2", cells: "2" },
          { from: "grey ball", relation: "opens", to: "red key", cells: 1 },
          { from: "grey ball", relation: "are_apart", to: "sofa", cells: 1 },
          { from: "grey ball", relation: "are_apart", to: "red key", cells: -1 },
          "grey ball is near",
        ],
        graph_dir_of_entities: { "Red_Key": "North East", "grey ball": "up", "grey ball 2": 7 },
      }),
  });
  assert.equal(
    asked.events.filter((event) => event.startsWith("dropped-fact: graphmind/update-entities"))
      .length,
    6,
  );
  const [room] = roomsOf(memory.graph?.triplets() ?? []);
  assert.deepEqual(room?.entities, [{ name: "grey ball" }, { name: "grey ball 2" }, {
    name: "red key",
    direction: "north-east",
  }]);
  assert.deepEqual(room?.distances, [{ a: "grey ball", b: "grey ball 2", cells: 2 }]);
});

function tool(tools: readonly MemoryTool[] | undefined, name: string): MemoryTool {
  const found = tools?.find(({ spec }) => spec.name === name);
  assert(found, name);
  return found;
}

async function twoRooms(access: "dynamic" | "static"): Promise<Recollection> {
  const { memory } = await begun({
    "verify-transition": () => vote("red door", "east", true),
    locate: () => '{"current_graph_node_id": 2}',
    "update-entities": ({ sample }) =>
      JSON.stringify({
        graph_entities: sample?.step === 1
          ? ["red closed door", "red key"]
          : ["blue locked door", "box"],
      }),
  }, { access });
  await memory.observe(seen(2, "Wall", "pass_door(red door)"));
  return await memory.recall({ ...seen(2), plan: "" });
}

Deno.test("recall() of a dynamic room graph shows the agent's room and offers tools", async () => {
  const { sections, tools } = await twoRooms("dynamic");
  assert.deepEqual(sections, { "Graph information": "Known rooms: 1, 2.\nYou are in room 2." });
  const ask = (name: string, args: unknown) => tool(tools, name).call(args);
  assert.deepEqual(ask("get_neighbor_entity_information", { node: 2 }), {
    kind: "ok",
    text: '### get_neighbor_entity_information {"node":2}\n' +
      "Room 2 (entered once, looked up once in this step) contains blue locked door, box. Passed doors: red door (west) to room 1.\n" +
      "Room 1 (entered once, looked up once in this step) contains red key. Passed doors: red door (east) to room 2.",
  });
  assert.match(
    ask("get_neighbor_entity_information", { node: "room 1", depth: 2 }).text,
    /Room 1 \(entered once, looked up 2 times in this step\)/,
  );
  assert.match(
    ask("search_closest_entity", { node: 2, entity: "Red_Key" }).text,
    /\nred key is in room 1\. Doors to pass from room 2: red door \(west\) to room 1\.$/,
  );
  assert.match(
    ask("search_closest_entity", { node: 2, entity: "box" }).text,
    /\nbox is in room 2\. That is room 2 itself\.$/,
  );
  assert.match(
    ask("search_closest_entity", { node: 2, entity: "ball" }).text,
    /\nball has not been discovered\.$/,
  );
  assert.match(
    ask("find_unexplored_closed_door", { node: 1 }).text,
    /\nblue locked door is in room 2\. Doors to pass from room 1: red door \(east\) to room 2\.$/,
  );
});

Deno.test("a tool of the room graph refuses a call with wrong arguments in words", async () => {
  const { tools } = await twoRooms("dynamic");
  const ask = (name: string, args: unknown) => tool(tools, name).call(args);
  for (
    const [name, args, why] of [
      [
        "get_neighbor_entity_information",
        { node: 9 },
        /There is no room 9; the known rooms are 1, 2\./,
      ],
      ["get_neighbor_entity_information", {}, /arguments do not fit: node:/],
      ["get_neighbor_entity_information", { node: "the hall" }, /node:/],
      ["search_closest_entity", { node: 1 }, /entity:/],
      ["search_closest_entity", "node 1", /arguments do not fit/],
      ["find_unexplored_closed_door", null, /arguments do not fit/],
      ["find_unexplored_closed_door", { node: 1.5 }, /node:/],
    ] as const
  ) {
    const { kind, text } = ask(name, args);
    assert.equal(kind, "refused");
    assert.match(text, why);
  }
});

Deno.test("recall() of a static room graph shows the whole graph, the room last, and no tools", async () => {
  const { sections, tools } = await twoRooms("static");
  assert.equal(tools, undefined);
  assert.equal(
    sections["Graph information"],
    "Room 1 contains red key. Passed doors: red door (east) to room 2.\n" +
      "Room 2 contains blue locked door, box. Passed doors: red door (west) to room 1.\nYou are in room 2.",
  );
});

Deno.test("createRoomGraph() shows pictures to extractor and verifier only, unless image is off", async () => {
  for (const image of [true, false]) {
    const png = new Uint8Array([1, 2, 3]);
    const asked = context(under("graphmind", {
      extract: nothing,
      "update-entities": none,
      "verify-transition": () => vote(null, null, false),
      locate: () => '{"current_graph_node_id": 1}',
    }));
    const memory = createRoomGraph({ votes: 1, image, whenIdle: false })(asked);
    await memory.observe(seen(1, VIEW, undefined, { image: png }));
    const frame = { action: "left", observation: "Wall", sections: {}, image: png };
    await memory.observe(seen(2, "Wall", "find_door()", { image: png, frames: [frame, frame] }));
    const pictures = asked.requests.map(({ role, messages }) => {
      const content = messages.at(-1)?.content;
      return [
        role.split("/")[1],
        typeof content === "string" ? 0 : content?.filter(({ kind }) => kind === "image").length,
      ];
    });
    const [one, three] = image ? [1, 3] : [0, 0];
    assert.deepEqual(pictures, [
      ["extract", one],
      ["update-entities", 0],
      ["verify-transition", three],
      ["extract", one],
      ["locate", 0],
      ["update-entities", 0],
    ]);
  }
});

/** The agent goes east twice, from room 1 to room 3, and is located once more there. */
async function locatedInRoom3(
  options: RoomGraphOptions,
): Promise<Record<"list" | "previous" | "instructions", string>> {
  const { memory, asked } = await begun({
    "verify-transition": ({ sample }) =>
      sample?.step === 4 ? vote(null, null, false) : vote("red door", "east", true),
    locate: ({ sample }) => `{"current_graph_node_id": ${Math.min(sample?.step ?? 0, 3)}}`,
    "update-entities": ({ sample }) =>
      JSON.stringify({ graph_entities: [`box of step ${sample?.step}`] }),
  }, { votes: 1, ...options });
  for (const step of [2, 3, 4]) await memory.observe(seen(step, `Wall; ${step}`, "forward"));
  const request = asked.requests.findLast(({ role }) => role === "graphmind/locate") ??
    assert.fail();
  const previous = options.locator === "global-map"
    ? "Previous room"
    : "Previous room and those connected with it";
  return {
    list: section(request, "Rooms list"),
    previous: section(request, previous),
    instructions: section(request, "How to tell"),
  };
}

Deno.test("createRoomGraph() shows the localiser the rooms connected with the previous one, or with global-map all of them", async () => {
  const neighbours = await locatedInRoom3({});
  assert.equal(neighbours.list, "Room 1, Room 2, Room 3");
  assert.match(
    neighbours.previous,
    /^Room 3 contains box of step 3\..*\nRoom 2 contains box of step 2\..*$/,
  );
  assert.doesNotMatch(neighbours.instructions, /lead round/);
  const map = await locatedInRoom3({ locator: "global-map" });
  assert.match(map.list, /^Room 1 contains box of step 1\..*\nRoom 2 .*\nRoom 3 .*$/);
  assert.deepEqual([map.previous, /lead round/.test(map.instructions)], ["Room 3", true]);
});

Deno.test("createRoomGraph() thins pictures evenly to maxPictures and names each by its observation", async () => {
  const { memory, asked } = await begun({
    "verify-transition": () => vote(null, null, false),
    locate: () => '{"current_graph_node_id": 1}',
  }, { votes: 1, maxPictures: 3 });
  const frames = Array.from({ length: 7 }, (_, index) => ({
    ...{ action: "left", observation: `View; ${index + 1}`, sections: {} },
    image: new Uint8Array([index + 1]),
  }));
  await memory.observe(seen(2, "View; 7", "find_door()", { frames })); // the first perception had no picture
  const request = asked.requests.find(({ role }) => role === "graphmind/verify-transition") ??
    assert.fail();
  const parts = request.messages.at(-1)?.content;
  assert.ok(Array.isArray(parts));
  assert.deepEqual(parts.flatMap((part) => part.kind === "image" ? [part.png[0]] : []), [1, 4, 7]);
  assert.deepEqual(
    String(parts[0]?.kind === "text" && parts[0].text).match(/^Observation .*picture.*$/gm),
    [
      "Observation 1 (picture 1)",
      "Observation 4 (picture 2)",
      "Observation 7 (picture 3)",
    ],
  );
  assert.deepEqual(asked.events, ["picture-limit: 3 of 7 pictures shown"]);
});
