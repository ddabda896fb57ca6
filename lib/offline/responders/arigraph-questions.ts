/**
 * Answers the roles that the AriGraph memory asks while it reads paragraphs.
 *
 * @module
 */

import type { Responder } from "../backbone.ts";
import { namesIn } from "../policies/question-answering.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { extractionReply } from "./extraction.ts";

/** `arigraph/extract-paragraph` and `arigraph/question-entities`. */
export const arigraphQuestionResponders: readonly Responder[] = [
  { role: "arigraph/extract-paragraph", answer: (prompt) => extractionReply(readProse(prompt.sections["Paragraph"] ?? ""), prompt) },
  {
    role: "arigraph/question-entities",
    answer: ({ sections }) => entities(sections["Question"] ?? "", sections["Greatest importance"] ?? ""),
  },
];

/** The names that the question starts from, each with the greatest importance. */
function entities(question: string, deepest: string): string {
  const importance = Number(deepest) || 1;
  return JSON.stringify(Object.fromEntries(namesIn(question).map((name) => [name, importance])));
}
