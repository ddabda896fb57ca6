import assert from "node:assert/strict";
import type { BabyAiTruth } from "../../../lib/core/graph/babyai-truth.ts";
import type { Judgement, Row } from "../../../lib/lab/truth/claims.ts";
import { judgeRooms } from "../../../lib/lab/truth/rooms.ts";
import { asTextTruth, judgeText, type TruthAt } from "../../../lib/lab/truth/text.ts";

/** Each triplet with its verdict, one a line. */
function told(side: Judgement["memory"] | Judgement["world"]): string[] {
  return side.map(({ row, verdict }) => `${verdict}: ${row.join(", ")}`);
}

/** A hall with a chest, and a cellar to its east behind a hatch; where the key is changes. */
function house(location: string, facts: readonly Row[]): TruthAt {
  const exits = [
    { from: "Hall", direction: "east", to: "Cellar", door: "Hatch" },
    { from: "Cellar", direction: "west", to: "Hall", door: "Hatch" },
  ];
  const map: readonly Row[] = [["Hall", "is west of", "Cellar"], ["Cellar", "is east of", "Hall"], [
    "Chest",
    "in",
    "Hall",
  ]];
  return {
    truth: asTextTruth({ rooms: ["Cellar", "Hall"], exits, location, facts: [...map, ...facts] }) ??
      assert.fail(),
    places: [],
  };
}

Deno.test("judgeText() tells right, stale, wrong and missing apart, in whatever words a place is told", () => {
  const before = house("Hall", [["Key", "in", "Chest"], ["Chest", "is", "open"], [
    "Rope",
    "in",
    "Cellar",
  ]]);
  const now = house("Hall", [["Key", "in", "inventory"], ["Chest", "is", "open"], [
    "Chest",
    "is",
    "edible",
  ], ["Rope", "in", "Cellar"]]);
  const memory: Row[] = [
    ["the chest", "lies in", "hall"],
    ["key", "is in", "chest"],
    ["cellar", "is east of", "hall"],
    ["hall", "has exit", "north"],
    ["chest", "was made by", "dwarves"],
    ["hall", "has door east", "hatch"],
  ];
  const { memory: ours, world } = judgeText(memory, [before, now]);
  assert.deepEqual(told(ours), [
    "right: the chest, lies in, hall",
    "stale: key, is in, chest",
    "right: cellar, is east of, hall",
    "wrong: hall, has exit, north",
    "beside: chest, was made by, dwarves",
    "right: hall, has door east, hatch",
  ]);
  assert.deepEqual(told(world).sort(), [
    "missing: chest, is, open",
    "missing: hall, has exit, east",
    "missing: key, is in, inventory",
    "right: cellar, is east of, hall", // the same way, told from both sides
    "right: chest, is in, hall",
    "right: hall, has door east, hatch",
    "right: hall, is west of, cellar",
    "unseen: cellar, has door west, hatch",
    "unseen: cellar, has exit, west",
    "unseen: rope, is in, cellar", // the agent was never there
  ]);
});

Deno.test("judgeText() counts nothing as seen that lies in a closed thing", () => {
  const shut = house("Hall", [["Key", "in", "Chest"], ["Chest", "is", "closed"]]);
  assert.ok(told(judgeText([], [shut]).world).includes("unseen: key, is in, chest"));
  const open = house("Hall", [["Key", "in", "Chest"], ["Chest", "is", "open"]]);
  assert.ok(told(judgeText([], [open]).world).includes("missing: key, is in, chest"));
});

Deno.test("judgeText() tells of a step what it would tell had none before been judged, also of an earlier one or of another course", () => {
  const [hall, cellar, back] = [
    house("Hall", [["Key", "in", "Chest"], ["Chest", "is", "open"], ["Rope", "in", "Cellar"]]),
    house("Cellar", [["Key", "in", "Chest"], ["Chest", "is", "open"], ["Rope", "in", "inventory"]]),
    house("Hall", [["Key", "in", "Chest"], ["Chest", "is", "open"], ["Rope", "in", "Hall"]]),
  ] as const;
  const memory: Row[] = [["rope", "is in", "cellar"], ["rope", "is in", "inventory"], [
    "rope",
    "is in",
    "hall",
  ]];
  const anew = (truths: readonly TruthAt[]): TruthAt[] =>
    truths.map((truth) => structuredClone(truth));
  for (
    const truths of [[hall], [hall, cellar], [hall, cellar, back], [hall], [hall, back], [
      hall,
      back,
      cellar,
    ], [cellar]]
  ) {
    assert.deepEqual(judgeText(memory, truths), judgeText(memory, anew(truths)));
  }
  const verdicts = (truths: readonly TruthAt[]): string =>
    judgeText(memory, truths).memory.map(({ verdict }) => verdict).join(" ");
  assert.equal(verdicts([hall, cellar, back]), "stale stale right");
  assert.equal(verdicts([hall, back]), "stale wrong right");
});

/** Two rooms side by side with a red door, and a ball in the room that is given. */
function rooms(ball: number): BabyAiTruth {
  return {
    grid: { size: 2, side: 13, pitch: 6 },
    rooms: [0, 1, 2, 3].map((id) => ({ id, visited: id < 2 })),
    doors: [{ a: 0, b: 1, colour: "red", state: "open", seen: true, x: 6, y: 2 }, {
      a: 0,
      b: 2,
      colour: "grey",
      state: "closed",
      seen: false,
      x: 2,
      y: 6,
    }],
    objects: [
      { id: 0, colour: "blue", type: "ball", room: ball, seen: true, x: 2, y: 2 },
      { id: 1, colour: "green", type: "key", room: 0, seen: true, x: 3, y: 3 },
    ],
    agent: { x: 8, y: 2, direction: "east", room: 1 },
    trace: [[8, 2, 0]],
  };
}

Deno.test("judgeRooms() holds the memory's rooms against those of the map, whatever their numbers", () => {
  const memory: Row[] = [
    ["room 1", "is_connected_with red door", "room 2"],
    ["room 1", "contains", "blue ball (room 1)"],
    ["room 1", "contains", "green key (room 1)"],
    ["room 2", "contains", "purple box (room 2)"],
    ["room 2", "is_located_to east", "room 1"],
    ["agent", "is_located_to", "room 2"],
  ];
  const { memory: ours, world, edited } = judgeRooms(memory, [rooms(0), rooms(1)]);
  assert.deepEqual(told(ours), [
    "right: room 1, is_connected_with red door, room 2",
    "stale: room 1, contains, blue ball (room 1)",
    "right: room 1, contains, green key (room 1)",
    "wrong: room 2, contains, purple box (room 2)",
    "beside: room 2, is_located_to east, room 1",
    "right: agent, is_located_to, room 2",
  ]);
  assert.deepEqual(told(world), [
    "right: room 1, is_connected_with red door, to the east, room 2",
    "missing: room 2, contains, blue ball (room 2)",
    "right: room 1, contains, green key (room 1)",
    "unseen: room 1, is_connected_with grey door, to the south, room 3",
  ]);
  assert.deepEqual(edited.distance, { lower: 3, upper: 3 }); // the ball leaves the memory's first room, and takes the place of the box
});

Deno.test("judgeRooms() tells the side of a merged room by the direction of the door", () => {
  const map = rooms(0);
  const [door] = map.doors;
  assert.ok(door);
  const { world } = judgeRooms([["room 1", "contains", "blue ball (room 1)"]], [{
    ...map,
    doors: [{ ...door, direction: "west" }],
  }]);
  assert.ok(
    told(world).includes("missing: room 1, is_connected_with red door, to the west, room 2"),
    told(world).join("\n"),
  );
});

Deno.test("judgeRooms() shows what cannot be compared, and says why", () => {
  const map = rooms(0);
  const large = { ...map, rooms: Array.from({ length: 501 }, (_, id) => ({ id, visited: true })) };
  const memory: Row[] = [["room 1", "contains", "green key (room 1)"], [
    "agent",
    "is_located_to",
    "room 2",
  ]];
  const judged = judgeRooms(memory, [large]);
  assert.deepEqual(told(judged.memory), [
    "beside: room 1, contains, green key (room 1)",
    "beside: agent, is_located_to, room 2",
  ]);
  assert.ok(told(judged.world).some((line) => /^beside: room \d+, contains, green key/.test(line)));
  assert.deepEqual([judged.edited.distance, judged.edited.edits], [undefined, []]);
  assert.match(judged.edited.problem ?? "", /501 rooms: at most 500/);
  const [ball] = map.objects;
  const twice = judgeRooms(memory, [{ ...map, objects: [...map.objects, ...ball ? [ball] : []] }]); // a damaged map
  assert.match(twice.edited.problem ?? "", /ids must be unique/);
});
