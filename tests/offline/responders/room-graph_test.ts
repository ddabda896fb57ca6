/**
 * How the offline backbone answers the modules of the room graph: read back through the memory's
 * own parsers.
 */

import assert from "node:assert/strict";
import { createOfflineBackbone, type OfflineOptions } from "../../../lib/offline/backbone.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import {
  parseExtracted,
  parseNode,
  parseUpdated,
  parseVote,
  type ReadContents,
} from "../../../lib/core/memory/room-graph-replies.ts";
import type { Reading } from "../../../lib/core/text/reply-text.ts";

async function ask(
  module: string,
  sections: Record<string, string>,
  modelOptions: OfflineOptions & { vote?: number } = {},
): Promise<string> {
  const { vote = 0, ...rest } = modelOptions;
  const model = createOfflineBackbone({ responders: offlineResponders, modelOptions: rest });
  const content = renderSections(sections);
  return (await model.chat({
    role: `graphmind/${module}`,
    messages: [{ role: "user", content }],
    sample: { vote },
  })).choices[0].text;
}

function value<T>(read: Reading<T>): T {
  assert(read.kind === "ok", JSON.stringify(read));
  return read.value;
}

/** Seven rows; the given ones are the nearest, the agent's own the last. */
function view(facing: string, ...rows: readonly string[]): string {
  const far = Array.from({ length: 7 - rows.length }, () => Array(7).fill("Unseen").join("; "));
  return [...far, ...rows, `You are facing ${facing}.`].join("\n");
}

const ROOM = view(
  "east",
  "Wall; Wall; Wall; Wall; Red_Closed_Door; Wall; Wall",
  "Wall; Empty; Grey_Ball; Empty; Empty; Empty; Wall",
  "Wall; Empty; Empty; Empty; Empty; Empty; Blue_Locked_Door",
  "Wall; Empty; Empty; Agent; Empty; Grey_Ball; Wall",
);

Deno.test("graphmind/extract lists what is in view, doors by their wall, look-alikes numbered", async () => {
  const { contents, dropped } = value(parseExtracted(await ask("extract", { Observation: ROOM })));
  assert.deepEqual(dropped, []);
  assert.deepEqual(contents.entities, [
    { name: "grey ball", direction: "south" },
    { name: "grey ball 2", direction: "north-east" },
    { name: "red closed door", direction: "east" },
    { name: "blue locked door", direction: "south" },
  ]);
  assert(
    contents.distances.some(({ a, b, cells }) =>
      [a, b].sort().join() === "blue locked door,grey ball" && cells === 2
    ),
  );
  assert.deepEqual(value(parseExtracted(await ask("extract", { Observation: "Fog." }))).contents, {
    entities: [],
    distances: [],
  });
});

Deno.test("extract: recall drops things, precision misnames them", async () => {
  const names = async (modelOptions: OfflineOptions): Promise<string[]> =>
    value(parseExtracted(await ask("extract", { Observation: ROOM }, modelOptions))).contents
      .entities.map(
        ({ name }) => name,
      );
  assert.deepEqual(await names({ recall: 0 }), []);
  const wrong = await names({ precision: 0 });
  assert.equal(wrong.length, 4);
  assert.notDeepEqual(new Set(wrong), new Set(await names({})));
});

const BEFORE = view(
  "north",
  "Wall; Wall; Wall; Red_Open_Door; Wall; Wall; Wall",
  "Wall; Empty; Empty; Agent; Empty; Empty; Wall",
);
const DOORWAY = view(
  "north",
  "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
  "Wall; Wall; Wall; Agent; Wall; Wall; Wall",
);
const BEYOND = view(
  "north",
  "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
  "Wall; Empty; Empty; Agent; Empty; Empty; Wall",
);
const TURNED = view(
  "south",
  "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
  "Wall; Wall; Wall; Agent; Wall; Wall; Wall",
);

function trajectory(...parts: readonly string[]): Record<string, string> {
  const [first, ...rest] = parts;
  const steps = rest.map((part, index) =>
    index % 2 === 0 ? `Action ${index / 2 + 1}: ${part}` : `Observation ${(index + 1) / 2}\n${part}`
  );
  return { Trajectory: [`Observation 0\n${first}`, ...steps].join("\n\n") };
}

Deno.test("graphmind/verify-transition sees a passage when a door was crossed, not when turning", async () => {
  const read = async (sections: Record<string, string>, modelOptions = {}) =>
    value(parseVote(await ask("verify-transition", sections, modelOptions)));
  const through = trajectory(BEFORE, "forward", DOORWAY, "forward", BEYOND);
  assert.deepEqual(await read(through), {
    passed: true,
    door: "red door",
    direction: "north",
    confidence: 0.9,
  });
  const back = trajectory(
    BEFORE,
    "forward",
    DOORWAY,
    "left",
    DOORWAY,
    "left",
    TURNED,
    "forward",
    view("south", "Unseen; Unseen; Unseen; Agent; Unseen; Unseen; Unseen"),
  );
  assert.equal((await read(back)).passed, false);
  assert.equal((await read(trajectory(BEFORE, "left", BEYOND, "toggle", BEYOND))).passed, false);
  assert.equal(
    (await read(trajectory(BEFORE, "forward", DOORWAY))).passed,
    false,
    "standing in the doorway",
  );
});

Deno.test("verify-transition: each vote errs for itself, as often as precision says", async () => {
  const sections = trajectory(BEFORE, "forward", DOORWAY, "forward", BEYOND);
  let right = 0;
  for (let vote = 0; vote < 200; vote++) {
    if (
      value(parseVote(await ask("verify-transition", sections, { precision: 0.8, vote }))).passed
    ) right += 1;
  }
  assert(right > 140 && right < 180, String(right));
});

const ROOMS = [
  "Room 1 contains blue closed door (north). Passed doors: red door (east) to room 2.",
  "Room 2 contains grey ball (north). Passed doors: red door (west) to room 1, green door (north) to room 3.",
  "Room 3 contains yellow key (east). Passed doors: green door (south) to room 2, grey door (west) to room 4.",
  "Room 4 contains none known. Passed doors: grey door (east) to room 3.",
].join("\n");

for (
  const [why, previous, passage, wanted] of [
    ["no door was passed", 3, "The agent has passed no door since then.", 3],
    ["the door is known", 2, "The agent has passed the red door, going west.", 1],
    [
      "the ways known so far lead round to it",
      4,
      "The agent has passed the blue door, going south.",
      1,
    ],
    ["nothing is known there", 3, "The agent has passed the white door, going north.", 5],
  ] as const
) {
  Deno.test(`locate: room ${wanted}, since ${why}`, async () => {
    const sections = {
      "Rooms list": ROOMS,
      "Previous room": `Room ${previous}`,
      Passage: passage,
      "Observed entities": "Entities: none",
    };
    assert.equal(value(parseNode([1, 2, 3, 4])(await ask("locate", sections))), wanted);
  });
}

Deno.test("locate: a room that looks alike but lies elsewhere by the known doors is another one", async () => {
  const sections = (previous: number): Record<string, string> => ({
    "Rooms list":
      ROOMS.replace("grey ball (north)", "grey ball (north), purple closed door (south)") +
      "\nRoom 5 contains none known. Passed doors: none known.",
    "Previous room": `Room ${previous}`,
    Passage: "The agent has passed the purple door, going north.",
    "Observed entities": "Entities: grey ball",
  });
  const read = async (previous: number): Promise<unknown> =>
    value(parseNode([1, 2, 3, 4, 5])(await ask("locate", sections(previous))));
  assert.equal(await read(5), 2, "nothing is known of where room 5 lies");
  assert.equal(await read(3), 6, "room 2 lies south of room 3, not north of it");
});

async function update(
  stored: string[],
  seen: string[],
  changes: Record<string, string> = {},
): Promise<string[]> {
  const lines = (things: string[]): string => {
    const parts = things.map((thing) => thing.split("@"));
    const directions = parts.filter(([, direction]) => direction).map(([name, direction]) =>
      `${name}: ${direction}`
    );
    return `Entities: ${
      parts.map(([name]) => name).join(", ") || "none"
    }\nDistances: none\nDirections: ${directions.join("; ") || "none"}`;
  };
  const reply = await ask("update-entities", {
    "Current room entities": lines(stored),
    "Partial observation entities": lines(seen),
    ...changes,
  });
  const read: ReadContents = value(parseUpdated(reply));
  return read.contents.entities.map(({ name }) => name).sort();
}

Deno.test("graphmind/update-entities keeps what is out of view, follows doors, hands, look-alikes", async () => {
  assert.deepEqual(await update(["grey ball", "red closed door@east"], ["red open door@east"]), [
    "grey ball",
    "red open door",
  ]);
  assert.deepEqual(await update(["red closed door@east"], ["red closed door@south"]), [
    "red closed door",
    "red closed door 2",
  ]);
  assert.deepEqual(
    await update(["red key", "grey ball"], [], {
      "Inventory change": "You picked up the red key.",
    }),
    ["grey ball"],
  );
  assert.deepEqual(
    await update(["red key"], ["red key"], { "Inventory change": "You dropped the red key." }),
    ["red key", "red key 2"],
  );
  assert.deepEqual(
    await update(["red locked door@east"], [], {
      "Door change": "The red door changed from locked to open.",
    }),
    [
      "red open door",
    ],
  );
  assert.deepEqual(await update([], []), []);
});
