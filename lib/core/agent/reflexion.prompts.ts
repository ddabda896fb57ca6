/**
 * What Reflexion asks a model after a failed trial, and how it reads the answer (Shinn et al. 2023,
 * arXiv 2303.11366, §3); the wording is ours.
 */

import type { Prompt } from "../llm/prompt.ts";
import { readText, type ReplyParser } from "../text/reply-text.ts";

const LONGEST_REPLY = 8_000;

export const reflectPrompt: Prompt<"goal" | "result" | "trial" | "lessons"> = {
  role: "reflexion/reflect",
  instructions:
    `You are given the record of one trial of a text game that ended without reaching the goal. The same game will be played again from its start, by an agent that remembers nothing of this trial but what you write down now. Write the lesson that helps it most.

- Say what went wrong and where steps were lost, and what to do instead, in the order in which to do it.
- Write down what will be the same next time and was hard to find out: where things are at the start, how places lie to each other, what opens what, what notes and recipes said, which actions end the game or cost points.
- Do not repeat the earlier lessons; correct what was wrong in them.

Answer with the lesson alone, in plain text, as short as it can be.`,
  sections: {
    goal: "Main goal",
    result: "Result",
    trial: "Record of the trial",
    lessons: "Lessons from earlier trials",
  },
  sampling: { temperature: 0.2, maxTokens: 1500 },
};

export const parseLesson: ReplyParser<string> = readText({ longest: LONGEST_REPLY });
