import assert from "node:assert/strict";
import { chooseSkill, dungeonGoals } from "../../../lib/offline/policies/nethack-policy.ts";
import {
  dungeonFacts,
  type DungeonView,
  readCalls,
  readDungeon,
  readNews,
} from "../../../lib/offline/reading/nethack-text.ts";
import { readScene } from "../../../lib/offline/reading/descriptions.ts";

const TEXT = `Game step #7

Last skill:
explore_level() was interrupted: Kobold came into view at (65, 7). Fountain came into view at (69, 7).

Game messages:
The kobold misses!

Events:
Kobold came into view at (65, 7).
Fountain came into view at (69, 7).

Position:
(74, 7)

Surroundings:
You are in room 3, which contains:
- a violet gem at (73, 6), 1 step away
- stairs up and some gold pieces at (76, 8), where you stand
Room 1, 7 steps away, contains:
- stairs down at (75, 16), 9 steps away
Nothing of note is in corridor 2 (1 step away).

Exits of this place:
- doorway at (73, 8), passed before, 1 step away
- locked closed door at (75, 6), not passed yet, out of reach now

Monsters:
Close monsters:
- kobold at (65, 7), 9 steps away
- tame little dog at (74, 8), 1 step away

Exploration:
Room 3 can be explored further.

Inventory:
a: a +1 long sword (weapon in hand)
d: an uncursed food ration

Stats:
Depth 2, turn 1212, score 0, gold 0
Hit points 9 of 16, energy 2 of 2, armour class 6
State: Hungry
Last prayer: turn 300
Action that led to this observation: explore_level()`;

Deno.test("readDungeon() reads places, things, ways out, creatures, what is carried and how one is", () => {
  const view = readDungeon(TEXT) as DungeonView;
  assert.equal(view.place, "room 3");
  assert.deepEqual(view.here, [
    { name: "a violet gem", x: 73, y: 6, steps: 1 },
    { name: "stairs up and some gold pieces", x: 76, y: 8, steps: 0 },
  ]);
  assert.deepEqual([...view.elsewhere], [["room 1", [{
    name: "stairs down",
    x: 75,
    y: 16,
    steps: 9,
  }]]]);
  assert.deepEqual(view.exits, [
    { name: "doorway", x: 73, y: 8, steps: 1, passed: true },
    { name: "locked closed door", x: 75, y: 6, steps: undefined, passed: false },
  ]);
  assert.deepEqual(view.creatures.map(({ name, steps }) => [name, steps]), [["kobold", 9], [
    "tame little dog",
    1,
  ]]);
  assert.deepEqual(view.carried, [
    { letter: "a", name: "a +1 long sword (weapon in hand)" },
    { letter: "d", name: "an uncursed food ration" },
  ]);
  assert.deepEqual([
    view.health,
    view.state,
    view.turn,
    view.depth,
    view.prayed,
    view.question,
    view.harmed,
  ], [
    { now: 9, most: 16 },
    "hungry",
    1212,
    2,
    912,
    "",
    false,
  ]);
  assert.deepEqual(readCalls(TEXT), [{
    call: "explore_level()",
    outcome: "interrupted",
    result: "Kobold came into view at (65, 7). Fountain came into view at (69, 7).",
  }]);
  assert.deepEqual(readNews(TEXT).map(({ name }) => name), ["Kobold", "Fountain"]);
  assert.deepEqual(
    readNews(
      `Stairs down came into view at (1, 2).\nYou are on another level now, at depth 2.\nNewt came into view at (3, 4).`,
    ),
    [
      { name: "Newt", x: 3, y: 4 },
    ],
  );
});

Deno.test("readDungeon() leaves the texts of other worlds to other readers", () => {
  for (
    const text of [
      "",
      "-= Kitchen =-\nYou are in a kitchen. There is a fridge.",
      "You see here: a key.",
    ]
  ) {
    assert.equal(readDungeon(text), undefined);
  }
  assert.equal(readScene("-= Kitchen =-\nThere is an exit to the north.").room, "kitchen");
});

Deno.test("dungeonFacts() tell what is where, which ways were taken, and how deep a place lies", () => {
  assert.deepEqual(
    dungeonFacts(readDungeon(TEXT) as DungeonView).map(({ subject, relation, object }) =>
      `${subject}, ${relation}, ${object}`
    ),
    [
      "room 3, is at, depth 2",
      "room 3, contains, violet gem 73 6",
      "room 3, contains, stairs up and some gold pieces 76 8",
      "room 1, contains, stairs down 75 16",
      "kobold 65 7, was seen from, room 3",
      "fountain 69 7, was seen from, room 3",
      "room 3, has passage, doorway 73 8",
      "room 3, has exit, door 75 6",
    ],
  );
});

const CALM: DungeonView = {
  place: "room 1",
  here: [],
  elsewhere: new Map(),
  exits: [],
  creatures: [],
  exploration: "",
  carried: [],
  health: { now: 16, most: 16 },
  state: "normal",
  turn: 1000,
  depth: 1,
  prayed: Infinity,
  question: "",
  harmed: false,
  news: [],
};

Deno.test("chooseSkill() does the most pressing thing first", () => {
  const task = "Go down as deep as you can.";
  const call = (
    view: Partial<DungeonView>,
    more: Partial<Parameters<typeof chooseSkill>[0]> = {},
  ): string => chooseSkill({ view: { ...CALM, ...view }, task, made: [], ...more }).call;
  const foe = { name: "newt", x: 3, y: 4, steps: 1 };
  const stairs = { name: "stairs down", x: 9, y: 9, steps: 8 };
  const food = { letter: "d", name: "an uncursed food ration" };
  assert.equal(call({}), "explore_level()");
  assert.equal(
    call({ question: "Really attack the gnome? [yn]", creatures: [foe] }),
    'press_key(key="ESC")',
  );
  assert.equal(
    call({ question: "There is a corpse here; eat it? [ynq]", state: "hungry" }),
    'press_key(key="y")',
  );
  assert.equal(call({ health: { now: 2, most: 16 }, creatures: [foe] }), "pray()");
  assert.equal(
    call({ health: { now: 2, most: 16 }, creatures: [foe], prayed: 500 }),
    "melee_attack(x=3, y=4)",
    "too soon to pray again",
  );
  assert.equal(
    call({ creatures: [{ ...foe, name: "tame dog" }, { ...foe, name: "peaceful gnome" }] }),
    "explore_level()",
  );
  assert.equal(
    call({ creatures: [foe], here: [stairs], state: "hungry", carried: [food] }),
    "melee_attack(x=3, y=4)",
  );
  assert.equal(call({ here: [stairs], state: "hungry", carried: [food] }), 'eat(item_letter="d")');
  assert.equal(call({ state: "weak" }), "pray()", "nothing to eat");
  assert.equal(
    call({ here: [{ name: "4 gold pieces", x: 5, y: 5, steps: 2 }] }),
    "pickup(x=5, y=5)",
  );
  assert.equal(call({ here: [{ name: "a boulder", x: 5, y: 5, steps: 2 }] }), "explore_level()");
  assert.equal(call({ elsewhere: new Map([["room 2", [stairs]]]) }), "down()");
  assert.equal(call({ here: [stairs] }, { task: "Find a wand." }), "explore_level()");
  assert.equal(call({}, { knownWaysDown: ["in room 8"] }), "down()");
  assert.equal(call({}, { news: [{ name: "Stairs down", x: 1, y: 1 }] }), "down()");
  assert.equal(call({ health: { now: 5, most: 40 }, prayed: 10 }), "rest(count=20)");
});

Deno.test("chooseSkill() tries another call after a failure, and untaken exits after exploring", () => {
  const task = "Go down.";
  const failed = (call: string): { call: string; outcome: "failed"; result: string } => ({
    call,
    outcome: "failed",
    result: "",
  });
  const spent = {
    call: "explore_level()",
    outcome: "interrupted" as const,
    result: "100 game turns have passed",
  };
  assert.equal(
    chooseSkill({ view: CALM, task, made: [failed("down()")], knownWaysDown: ["in room 8"] }).call,
    "explore_level()",
  );
  assert.equal(
    chooseSkill({ view: CALM, task, made: [failed("explore_level()")] }).call,
    "search(count=15)",
  );
  const exits = [{ name: "doorway", x: 7, y: 8, steps: 3, passed: false }];
  assert.equal(
    chooseSkill({ view: { ...CALM, exits }, task, made: [spent] }).call,
    "move_to(x=7, y=8)",
  );
  const unexplored = [{ x: 1, y: 2 }];
  assert.equal(
    chooseSkill({ view: CALM, task, made: [spent], unexplored }).call,
    "move_to(x=1, y=2)",
  );
  assert.equal(
    chooseSkill({ view: CALM, task, made: [spent, failed("move_to(x=1, y=2)")], unexplored }).call,
    "explore_level()",
  );
  const locked = [{ name: "locked closed door", x: 7, y: 8, steps: 3 }];
  assert.equal(
    chooseSkill({ view: { ...CALM, exits: locked }, task, made: [failed("explore_level()")] }).call,
    "kick(x=7, y=8)",
  );
});

Deno.test("chooseSkill() kicks each locked door in turn, and walks to none, once exploring used up its time", () => {
  const spent = {
    call: "explore_level()",
    outcome: "interrupted" as const,
    result: "100 game turns have passed",
  };
  const exits = [{ name: "locked closed door", x: 51, y: 13, steps: 7, passed: false }];
  const view = {
    ...CALM,
    exits,
    exploration:
      "a locked door at (51, 13) and a locked door at (36, 16) block the way out of room 1.",
  };
  const unexplored = [{ x: 36, y: 16 }, { x: 51, y: 13 }];
  const made = [spent];
  const calls = Array.from({ length: 12 }, () => {
    const { call } = chooseSkill({ view, task: "Go down.", made, unexplored });
    made.push({ ...spent, call, result: call === spent.call ? spent.result : "WHAMMM!!!" });
    return call;
  });
  assert.deepEqual([...new Set(calls.slice(0, 8))], ["kick(x=51, y=13)", "kick(x=36, y=16)"]);
  assert.equal(calls[8], "explore_level()", "a door that does not give way is left for a while");
  assert(!calls.some((call) => call.startsWith("move_to")), calls.join(" "));
});

Deno.test("dungeonGoals() ask for a way down until one is known", () => {
  const texts = (more: Partial<DungeonView>): string[] =>
    dungeonGoals({ view: { ...CALM, ...more }, task: "Go down.", made: [] }).map(({ text }) =>
      text
    );
  assert.equal(texts({})[0], "Find the stairs down.");
  assert.equal(
    texts({ here: [{ name: "stairs down", x: 9, y: 9, steps: 1 }] })[0],
    "Take the stairs down at (9, 9).",
  );
});
