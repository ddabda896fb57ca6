/** The prompts of the baselines as a model gets them. */

import {
  importancePrompt,
  insightsPrompt,
  questionsPrompt,
} from "../../../lib/core/memory/simulacra.prompts.ts";
import { summaryPaperPrompt, summaryPrompt } from "../../../lib/core/memory/summary.prompts.ts";
import { assertSnapshot, shownPrompt } from "./snapshot.ts";

const SUMMARY = {
  goal: "Open the chest",
  history: "Game step #1\n-= Hall =-\nYou see a chest.",
  observation:
    "Game step #2\n-= Kitchen =-\nYou see a key.\nAction that led to this observation: go north",
  summary: "A chest stands in the hall.",
};

const shown: Readonly<Record<string, string>> = {
  "summary-rewrite": shownPrompt(summaryPaperPrompt, SUMMARY),
  "summary-rewrite-cacheable": shownPrompt(summaryPrompt, SUMMARY),
  "simulacra-importance": shownPrompt(importancePrompt, {
    goal: "Open the chest",
    memory: "Game step #2\nYou take the key.",
  }),
  "simulacra-questions": shownPrompt(questionsPrompt, {
    goal: "Open the chest",
    memories: "Game step #1\nYou see a chest.\n\nGame step #2\nYou take the key.",
    count: "3",
  }),
  "simulacra-insights": shownPrompt(insightsPrompt, {
    question: "What opens the chest?",
    statements:
      "Statement 1:\nGame step #1\nYou see a chest.\n\nStatement 2:\nGame step #2\nYou take the key.",
    count: "5",
  }),
};

for (const [name, text] of Object.entries(shown)) {
  Deno.test(`prompt ${name} is as it was reviewed`, () => assertSnapshot(name, text));
}
