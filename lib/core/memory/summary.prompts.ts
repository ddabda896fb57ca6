/**
 * The prompt of the summary memory and the parser of its replies. Fields and form follow AriGraph
 * (Anokhin et al. 2024, arXiv 2407.04363), App. E; the wording is ours.
 */

import type { Prompt } from "../llm/prompt.ts";
import { readText, refined, type ReplyParser } from "../text/reply-text.ts";

export const summaryPaperPrompt: Prompt<"goal" | "history" | "observation" | "summary"> = {
  role: "summary/rewrite",
  instructions:
    `You keep the notes of an agent that plays a text game. Others plan and choose its actions, and of what lies further back than the last few steps they know only what your summary tells. Rewrite the previous summary so that it holds after the current observation as well.

- Keep all that may still matter for the main goal: where things, places and exits are and how places lie to each other; what opens what; what notes, recipes and hints said, word for word where the words matter; what is carried.
- Say which actions were tried and what came of them, above all those that failed and the places that hold nothing more of use.
- Correct what is no longer true. Leave out what no longer matters.
- Write what was seen and read. Mark a guess as one, and make few.
- Where it helps, say what the situation calls for next.

Answer with the summary alone, in plain text of at most three short paragraphs and 250 words in all.`,
  sections: {
    goal: "Main goal",
    history: "History of observations and actions",
    observation: "Current observation",
    summary: "Previous summary",
  },
  closing: "### Your summary",
  // It ends where a model repeats the prompt's headings, TextWorld's of a room, or the history.
  sampling: {
    temperature: 0.6,
    maxTokens: 900,
    stop: ["\n###", "\n-= ", "\nAction that led to this observation"],
  },
};

/** Asks for the summary. The history with the present observation comes before what changes. */
export const summaryPrompt: typeof summaryPaperPrompt = {
  ...summaryPaperPrompt,
  sections: {
    ...summaryPaperPrompt.sections,
    history: "History of observations and actions, up to the current one",
  },
  continues: { observation: "history" },
  repeatedBefore: "summary",
};

export const parseSummary: ReplyParser<string> = refined(
  readText({ longest: 8000 }),
  (text) =>
    /^game step #\d/i.test(text)
      ? { kind: "malformed", problem: 'it goes on with the history; begin with "The agent"' }
      : { kind: "ok", value: text },
);
