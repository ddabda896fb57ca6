/** The notebook by hand: which lines a search for words finds. */

import assert from "node:assert/strict";
import { createPlainNotes, type Memory, type PlainNotesOptions } from "../../../lib/mod.ts";
import { context, walk } from "./house.ts";

async function walked(
  options: PlainNotesOptions,
  seen: readonly string[],
  memory: Memory = createPlainNotes(options)(context()),
): Promise<Memory> {
  await walk(memory, seen);
  return memory;
}

async function found(
  memory: Memory,
  cue: { step: number; goal?: string; observation?: string; plan?: string },
): Promise<string[]> {
  const { recalled } = await memory.recall({ goal: "", observation: "", plan: "", ...cue });
  return (recalled?.["episodes"] ?? []).map((text) => text.split("\n")[1] ?? "");
}

const SEEN = ["a red chest", "a blue chest", "a red key", "a stove", "a red chest again", "a fog"];

Deno.test("createPlainNotes() gives the lines with most of the words first, and of equal ones the later first", async () => {
  const memory = await walked({ nPrev: 0, k: 4 }, SEEN);
  // "a" stands in all six lines and is not searched for; "red" and "chest" in three each, which is
  // half: lines 1 and 5 have two of them, 2 and 3 one.
  assert.deepEqual(await found(memory, { step: 7, plan: "Open a red chest." }), [
    "a red chest again",
    "a red chest",
    "a red key",
    "a blue chest",
  ]);
  assert.deepEqual(
    await found(memory, { step: 7, goal: "Find the stove" }),
    ["a stove"],
    "the goal's words count",
  );
  assert.deepEqual(
    await found(memory, { step: 7, observation: "KEY!" }),
    ["a red key"],
    "so do the observation's, in any case",
  );
  assert.deepEqual(
    await found(memory, { step: 7, plan: "a lamp" }),
    [],
    "a line without any of the words is not found",
  );
});

Deno.test("createPlainNotes() leaves out the present line and the last ones, which are shown anyway", async () => {
  const memory = await walked({ nPrev: 2, k: 9 }, SEEN);
  assert.deepEqual(
    await found(memory, { step: 6, plan: "a key, a stove and again a fog" }),
    ["a red key"],
    "4 and 5 are the last two, 6 the present",
  );
  assert.deepEqual(
    await found(await walked({ nPrev: 0, k: 0 }, SEEN), { step: 6, plan: "key" }),
    [],
  );
});

Deno.test("createPlainNotes() saves a text file of one line a step, which the next episode searches to its end", async () => {
  const first = createPlainNotes()(context());
  await first.observe({
    step: 1,
    goal: "",
    observation: "-= Hall =-\nA chest.",
    inventory: "nothing",
    action: "go north",
  });
  await first.observe({ step: 2, goal: "", observation: "A lamp." });
  const { body } = first.save();
  assert.equal(
    body,
    "Game step #1 ⏎ -= Hall =- ⏎ A chest. ⏎ Inventory: nothing ⏎ Action that led to this observation: go north\nGame step #2 ⏎ A lamp.",
  );
  const memory = createPlainNotes({ k: 1 })(context());
  memory.load({ kind: "plain-notes", body });
  const { sections } = await memory.recall({ step: 1, goal: "", observation: "", plan: "chest" });
  assert.equal(
    sections["Relevant past observations"],
    "Game step #1\n-= Hall =-\nA chest.\nInventory: nothing\nAction that led to this observation: go north",
  );
  memory.load({ kind: "plain-notes", body: "" });
  assert.equal(memory.save().body, "");
});
