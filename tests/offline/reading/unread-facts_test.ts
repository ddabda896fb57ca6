import assert from "node:assert/strict";
import { withoutUnread } from "../../../lib/offline/reading/unread-facts.ts";

/** The facts of a text, in order. */
function factsOf(text: string): string[] {
  const facts: string[] = [];
  withoutUnread(text, (fact) => facts.push(fact) > 0);
  return facts;
}

/** The text without the facts that contain a word. */
function without(word: string, text: string): string {
  return withoutUnread(text, (fact) => !fact.includes(word));
}

/** A text of each form that prompts have. */
const TEXTS: Readonly<Record<string, string>> = {
  scene:
    "Game step #3\n-= Hall =-\nYou are in a hall. On the table you see a key.\n\nThere is an exit to the east.\n" +
    "Inventory: You are carrying nothing.\nAction that led to this observation: go west",
  dialogue:
    "You are in the middle of a room.\n> think: The mug is needed.\nOK.\n> go to desk 1\nOn the desk 1, you see a mug 1.\n>",
  triplets:
    "kitchen, is east of, hall; key, is in, chest\n[12] cup, is on, desk\nAnswer: [3] a, leads to, b; b, leads to, c",
  grid: "Unseen; Wall; Red_Key\nEmpty; Agent; Blue_Open_Door\nYou are facing west.",
  notes:
    "Room 2 contains red key (north), blue box (west). Passed doors: red door (east) to room 1. Distances: none.\nEntities: red key, blue box",
  pages:
    "Emra School\nEmra School is a school in Dorf. Its founder was Verus.\n\nVerus\nVerus was a poet.",
  laboratory:
    "This room is called the hall. In it, you see: \n\ta cup (containing water. and salt)\n\ta lamp. On the lamp is: a bulb.",
};
Deno.test("withoutUnread() cuts sentences, triplets, cells, items and actions, and no marks", () => {
  const {
    scene = "",
    dialogue = "",
    triplets = "",
    grid = "",
    notes = "",
    pages = "",
    laboratory = "",
  } = TEXTS;
  assert.deepEqual(factsOf(scene), [
    "You are in a hall.",
    "On the table you see a key.",
    "There is an exit to the east.",
    "Inventory: You are carrying nothing.",
    "Action that led to this observation: go west",
  ]);
  assert.deepEqual(factsOf(dialogue), [
    "You are in the middle of a room.",
    "OK.",
    "go to desk 1",
    "On the desk 1, you see a mug 1.",
  ]);
  assert.deepEqual(factsOf(triplets), [
    "kitchen, is east of, hall",
    "key, is in, chest",
    "cup, is on, desk",
    "a, leads to, b",
    "b, leads to, c",
  ]);
  assert.deepEqual(factsOf(grid), ["Red_Key 2", "Blue_Open_Door 2", "You are facing west."]);
  assert.equal(factsOf(notes).length, 5);
  assert.deepEqual(factsOf(pages), [
    "Emra School is a school in Dorf.",
    "Its founder was Verus.",
    "Verus was a poet.",
  ]);
  assert.deepEqual(factsOf(laboratory), [
    "a cup (containing water. and salt)",
    "a lamp.",
    "On the lamp is: a bulb.",
  ]);
});

Deno.test("withoutUnread() leaves text that is read as before when a fact goes", () => {
  const { scene = "", dialogue = "", triplets = "", grid = "", notes = "" } = TEXTS;
  assert.match(without("key", scene), /-= Hall =-\nYou are in a hall\.\n\nThere is an exit/);
  assert.doesNotMatch(without("go west", scene), /Action that led/);
  assert.match(without("go to", dialogue), /\n> …\nOn the desk 1/);
  assert.equal(without("key", triplets).split("\n")[0], "kitchen, is east of, hall");
  assert.equal(
    without("leads", triplets),
    "kitchen, is east of, hall; key, is in, chest\n[12] cup, is on, desk",
  );
  assert.match(without("Red", grid), /^Unseen; Wall; Empty\nEmpty; Agent; Blue_Open_Door/);
  assert.match(
    without("red", notes),
    /^Room 2 contains blue box \(west\)\. Passed doors: none\. Distances: none\.\nEntities: blue box$/,
  );
});

Deno.test("withoutUnread() tells equal sentences apart by what stands above them", () => {
  const topics: string[] = [];
  withoutUnread(
    "-= Hall =-\nThere is an exit.\n\nGame step #2\n-= Den =-\nThere is an exit.",
    (_, topic) => topics.push(topic) > 0,
  );
  assert.deepEqual(topics, ["-= Hall =-", "-= Den =-"]);
});
