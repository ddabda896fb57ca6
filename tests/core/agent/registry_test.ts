import assert from "node:assert/strict";
import {
  type DialogueWorldOptions,
  openDialogue,
} from "../../../lib/core/env/questions/dialogue.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { connectWorlds, type Environment, MEMORIES, METHODS } from "../../../lib/mod.ts";
import { containedScore } from "../../../lib/core/text/dialogue-scores.ts";
import { methodSpec } from "./conformance.ts";

const worlds = connectWorlds();

const DIALOGUE = {
  id: "own",
  turns: [{ session: 1, speaker: "Ada", text: "I live in Tarn." }, {
    session: 2,
    speaker: "Bo",
    text: "I have moved to Moor.",
  }],
  questions: ["Ada", "Bo"].map((name) => ({
    ...{
      id: name,
      kind: "home",
      question: `Where does ${name} live?`,
      answers: [name === "Ada" ? "Tarn" : "Moor"],
      evidence: [],
    },
  })),
};
const DIALOGUE_OPTIONS: DialogueWorldOptions = {
  ...{ id: "dialogues/own", version: "1", parameters: {}, unit: "turn", goal: "Answer." },
  scorer: (answer, { answers }) => ({ ...containedScore(answer, answers), score: 1 }),
};

/** What a method plays that does not play games. */
const WORLDS: Readonly<Record<string, () => Promise<Environment>>> = {
  answer: () => worlds.open("questions/encyclopedia", { seed: 1, index: 0, paragraphs: 4 }),
  converse: () => Promise.resolve(openDialogue(DIALOGUE, DIALOGUE_OPTIONS)),
  cot: () => worlds.open("wiki/encyclopedia", { seed: 1, index: 0, documents: "sentences" }),
};

for (const [id, entry] of Object.entries(METHODS)) {
  if (entry.takesMemory) {
    for (const [memory, { create }] of Object.entries(MEMORIES)) {
      methodSpec(`${id} with ${memory}`, () => entry.create({ memory: create({}) }), WORLDS[id]);
    }
    Deno.test(`${id}: is refused without a memory`, () => {
      assert.throws(
        () => entry.create({}),
        (error: Error) => error instanceof UsageError && /needs a memory/.test(error.message),
      );
    });
  } else methodSpec(id, () => entry.create({}), WORLDS[id]);

  Deno.test(`${id}: an option that does not exist is refused in one line`, () => {
    const memory = MEMORIES["full-history"]?.create({});
    const options = { elephant: 1, ...(entry.takesMemory && memory ? { memory } : {}) };
    assert.throws(
      () => entry.create(options),
      (error: Error) => error instanceof UsageError && /^[^\n]*elephant[^\n]*$/.test(error.message),
    );
  });
}
