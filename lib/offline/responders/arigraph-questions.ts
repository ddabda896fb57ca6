/**
 * How the offline backbone answers the roles of the AriGraph memory where it reads paragraphs.
 *
 * @module
 */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { namesIn } from "../policies/question-answering.ts";

/** `arigraph/extract-paragraph` and `arigraph/question-entities`. */
export const arigraphQuestionResponders: readonly Responder[] = [
  { role: "arigraph/extract-paragraph", answer: extract },
  {
    role: "arigraph/question-entities",
    answer: ({ sections }) => entities(sections["Question"] ?? "", sections["Greatest importance"] ?? ""),
  },
];

/** The paragraph's facts; the knobs drop some (recall) and give some a wrong object (precision). */
function extract({ sections, knobs, draw }: OfflinePrompt): string {
  const facts = readProse(sections["Paragraph"] ?? "");
  const objects = facts.map((fact) => fact.object);
  const written = facts.filter(() => draw.next() < knobs.recall).map((fact) => {
    const others = objects.filter((object) => object !== fact.object && object !== fact.subject);
    return draw.next() < knobs.precision || others.length === 0 ? fact : { ...fact, object: draw.pick(others) };
  });
  return written.length === 0 ? "[]" : written.map(({ subject, relation, object }) => `${subject}, ${relation}, ${object}`).join("; ");
}

/** What the question starts from, as deep as may be. */
function entities(question: string, deepest: string): string {
  const importance = Number(deepest) || 1;
  return JSON.stringify(Object.fromEntries(namesIn(question).map((name) => [name, importance])));
}
