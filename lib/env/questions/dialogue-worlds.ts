/** The dialogues that need no server: those that are made here, and the public sets where a user has their files. */

import { z } from "zod";
import { musiqueScore } from "../../text/qa-scores.ts";
import { type DialogueWorldOptions, openDialogue } from "./dialogue.ts";
import { createDialogue } from "./dialogue-maker.ts";
import { type LocalWorld, localWorld } from "./local-world.ts";

const unit = z.enum(["turn", "session"]).default("turn").describe("what is read at a time");

/** The answer to a question that the dialogue does not answer. */
const UNTOLD = "Unknown";

const GOAL =
  "Answer questions about a conversation that you have followed. What people say about themselves holds, whatever others say of them; " +
  `what was corrected never was the case. If the conversation does not tell, the answer is ${UNTOLD}.`;

/** Exact match decides; where nobody has told, ${UNTOLD} alone is right. */
export const exactScorer: DialogueWorldOptions["scorer"] = (answer, { answers }) => {
  const scores = musiqueScore(answer, answers.length > 0 ? answers : [UNTOLD]);
  return { ...scores, score: scores.em };
};

/** Worlds of dialogues by id. */
export const DIALOGUE_WORLDS: Readonly<Record<string, LocalWorld>> = {
  "dialogues/generated": localWorld("dialogues/generated", {
    doc: "questions about a long dialogue whose facts change, are corrected and contradicted, made from a seed; scored by exact match",
    schema: z.strictObject({
      seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the dialogue"),
      sessions: z.int().min(1).max(1000).default(12).describe("how many there are"),
      turns: z.int().min(2).max(100).default(8).describe("of each session"),
      people: z.int().min(2).max(12).default(4).describe("who speak"),
      questions: z.int().min(1).max(100).default(20).describe("asked at the end, of five kinds in turn"),
      unit,
    }),
    open: (parameters) => {
      const made = createDialogue(parameters);
      const world = { id: "dialogues/generated", version: "1", parameters, unit: parameters.unit, goal: GOAL };
      return Promise.resolve(openDialogue(made, { ...world, scorer: exactScorer, truth: { facts: made.facts } }));
    },
  }),
};
