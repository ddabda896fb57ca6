/**
 * What the summary memory asks a model, and how it reads the answer. Fields and form follow AriGraph (Anokhin et al. 2024,
 * arXiv 2407.04363), App. E; the wording is ours.
 *
 * @module
 */

import type { Reading } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import { overlong } from "../text/reply-length.ts";

/** The most paragraphs of a summary. */
export const MOST_PARAGRAPHS = 3;

/** A longer reply (characters) is no summary. */
const LONGEST_REPLY = 8_000;

/** Rewrites the summary in the light of the last step. */
export const summaryPrompt: Prompt<"goal" | "history" | "observation" | "summary"> = {
  role: "summary/rewrite",
  instructions:
    `You keep the notes of an agent that plays a text game. Others plan and choose its actions, and of what lies further back than the last few steps they know only what your summary tells. Rewrite the previous summary so that it holds after the current observation as well.

- Keep all that may still matter for the main goal: where things, places and exits are and how places lie to each other; what opens what; what notes, recipes and hints said, word for word where the words matter; what is carried.
- Say which actions were tried and what came of them, above all those that failed and the places that hold nothing more of use.
- Correct what is no longer true. Leave out what no longer matters.
- Write what was seen and read. Mark a guess as one, and make few.
- Where it helps, say what the situation calls for next.

Answer with the summary alone, in plain text of at most three short paragraphs.`,
  sections: {
    goal: "Main goal",
    history: "Last observations and actions",
    observation: "Current observation",
    summary: "Previous summary",
  },
  sampling: { temperature: 0.2 },
};

/** Reads a summary: any text of one to three paragraphs, which blank lines part. */
export function parseSummary(text: string): Reading<string> {
  const summary = text.replace(/\r\n/g, "\n").trim();
  if (summary === "") return { kind: "malformed", problem: "it is empty" };
  const long = overlong(summary, LONGEST_REPLY);
  if (long) return long;
  const paragraphs = summary.split(/\n\s*\n/).length;
  if (paragraphs > MOST_PARAGRAPHS) {
    return { kind: "malformed", problem: `it has ${paragraphs} paragraphs and may have ${MOST_PARAGRAPHS}` };
  }
  return { kind: "ok", value: summary };
}
