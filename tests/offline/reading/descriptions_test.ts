/** Sentences of places that nobody has seen, read as facts. */

import assert from "node:assert/strict";
import { readScene, readTriplets } from "../../../lib/offline/reading/descriptions.ts";
import { listed, named } from "../../../lib/offline/reading/noun-phrases.ts";

function facts(text: string): string[] {
  return readScene(text).facts.map(({ subject, relation, object }) =>
    `${subject}, ${relation}, ${object}`
  );
}

Deno.test("reading: a room with its furniture, what lies about, and its exits", () => {
  const text = `-= Bluvor =-
You've just walked into a Bluvor. You try to gain information on your surroundings by using a technique you call 'looking.'

You smell an awful smell, and follow it to a frenk. The frenk is typical. On the frenk you can make out a zolbit, a gram and sirp mill and a raw drask. What a letdown! You see a gleam over in a corner, where you can see a locked odd looking Vurn locker. A closed plimo is in the corner.

Look over there! a Navux crate. An ordinary kind of place. A typical one.

There is an unguarded exit to the east. You need an exit without a door? You should try going north. There is a closed glavik door leading west.

There is a Key 7 and some kelp on the floor.`;
  assert.deepEqual(facts(text).sort(), [
    "bluvor, has door west, glavik door",
    "bluvor, has exit, east",
    "bluvor, has exit, north",
    "bluvor, has exit, west",
    "drask, is on, frenk",
    "drask, is, raw",
    "frenk, is in, bluvor",
    "glavik door, is, closed",
    "gram and sirp mill, is on, frenk",
    "kelp, is in, bluvor",
    "kelp, is on, floor",
    "key 7, is in, bluvor",
    "key 7, is on, floor",
    "navux crate, is in, bluvor",
    "plimo, is in, bluvor",
    "plimo, is, closed",
    "vurn locker, is in, bluvor",
    "vurn locker, is, locked",
    "zolbit, is on, frenk",
  ]);
  assert.equal(readScene(text).room, "bluvor");
});

for (
  const [sentence, expected] of [
    ["You open the Vurn locker, revealing a Key 3 and a Note 3.", [
      "vurn locker, is, open",
      "key 3, is in, vurn locker",
      "note 3, is in, vurn locker",
    ]],
    ["You unlock the Vurn locker.", ["vurn locker, is, unlocked"]],
    ["You close the plimo.", ["plimo, is, closed"]],
    ["You take the Key 3 from the Vurn locker.", ["key 3, is in, inventory"]],
    ["You pick up the zolbit from the ground.", ["zolbit, is in, inventory"]],
    ["You put the zolbit into the plimo.", ["zolbit, is in, plimo"]],
    ["You put the zolbit on the frenk.", ["zolbit, is on, frenk"]],
    ["You drop the zolbit on the ground.", ["zolbit, is on, floor"]],
    ["You dice the drask.", ["drask, is, diced"]],
    ["You fried the drask.", ["drask, is, fried"]],
    ["The key 3 unlocks Hesp locker.", ["key 3, unlocks, hesp locker"]],
    ["Key 3 fits the Hesp locker.", ["key 3, unlocks, hesp locker"]],
    ["Key 1, which lies in this room, opens the Hesp locker.", ["key 1, unlocks, hesp locker"]],
    ["The key 1 you found in room A unlocks hesp locker.", ["key 1, unlocks, hesp locker"]],
    ["You have to unlock the Hesp locker with the Key 4 first.", ["key 4, unlocks, hesp locker"]],
    ["The dulim is hidden in the Vurn locker. You need a vurn key to unlock it.", [
      "dulim, is in, vurn locker",
      "vurn key, unlocks, vurn locker",
    ]],
    [
      "Your task is to find the dulim. It lies in the Vurn locker, which only the Vurn key opens, and that key is hidden.",
      ["dulim, is in, vurn locker", "vurn key, unlocks, vurn locker"],
    ],
    ["All lockers are locked and require a specific key to unlock.", []],
    ["Fry with the stove only, roast with the oven only and grill with the BBQ only.", [
      "stove, used for, frying",
      "oven, used for, roasting",
      "bbq, used for, grilling",
    ]],
    ["Remember that frying is done only with stove and grilling is done only with BBQ.", [
      "stove, used for, frying",
      "bbq, used for, grilling",
    ]],
    ["When all is at hand, prepare the meal in the gorf, then eat it.", [
      "meal, is prepared in, gorf",
    ]],
    ["Check the cookbook in the gorf for the recipe.", ["cookbook, is in, gorf"]],
    [
      "Suddenly, you bump your head on the ceiling, but it's not such a bad bump that it's going to prevent you from looking.",
      [],
    ],
    ["Your score has just gone up by one point.", []],
  ] as const
) {
  Deno.test(`reading: "${sentence}"`, () => assert.deepEqual(facts(sentence), expected));
}

Deno.test("reading: a recipe's ingredients and directions", () => {
  const recipe = `You open the cookbook and start reading:

Recipe
---------
Ingredients:
  drask
  pale zolbit

Directions:
  dice the drask
  fry the drask
  roast the pale zolbit
  prepare meal`;
  const found = facts(recipe);
  for (
    const fact of [
      "recipe, requires, drask",
      "recipe, requires, pale zolbit",
      "drask, to be, diced",
      "drask, to be, fried",
      "pale zolbit, to be, roasted",
    ]
  ) assert(found.includes(fact), `${fact} is missing in ${found.join("; ")}`);
});

Deno.test("reading: step, action and inventory of a history entry", () => {
  const scene = readScene(
    "Game step #12\nYou dice the drask.\nInventory: You are carrying: a knife, a diced raw drask and a Key 2.\nAction that led to this observation: dice drask with knife",
  );
  assert.equal(scene.step, 12);
  assert.equal(scene.action, "dice drask with knife");
  assert.deepEqual(scene.carried, [
    { name: "knife", states: [] },
    { name: "drask", states: ["diced", "raw"] },
    { name: "key 2", states: [] },
  ]);
});

Deno.test("reading: two rooms in one text keep their own things", () => {
  const text = "-= Gorf =-\nYou see a frenk.\n-= Melp =-\nYou see a plimo.";
  assert.deepEqual(facts(text), ["frenk, is in, gorf", "plimo, is in, melp"]);
  assert.equal(readScene(text).room, "melp");
});

Deno.test("readTriplets: lines and semicolons; other than three fields are left out", () => {
  assert.deepEqual(readTriplets("A, is in, B; a, b\nc, d, e, f\nKey, unlocks, Lock"), [
    { subject: "a", relation: "is in", object: "b" },
    { subject: "key", relation: "unlocks", object: "lock" },
  ]);
});

Deno.test("words: lists part at articles only, states are no part of names", () => {
  assert.deepEqual(
    listed("a salt and pepper mill, an opened box and the old key").map(({ name }) => name),
    [
      "salt and pepper mill",
      "box",
      "old key",
    ],
  );
  assert.deepEqual(named("a sliced fried red onion"), {
    name: "red onion",
    states: ["sliced", "fried"],
  });
});
