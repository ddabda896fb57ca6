/**
 * Answers the roles of the memory stream (Simulacra).
 *
 * @module
 */

import type { Responder } from "../backbone.ts";
import { Belief } from "../reading/belief.ts";
import { RELATION } from "../reading/facts.ts";
import { writeNotes } from "../reading/notes.ts";
import { readScene, readTriplets } from "../reading/descriptions.ts";

/** `simulacra/importance`, `simulacra/questions` and `simulacra/insights`. */
export const simulacraResponders: readonly Responder[] = [
  { role: "simulacra/importance", answer: ({ sections }) => String(importance(sections["Memory"] ?? "")) },
  { role: "simulacra/questions", answer: () => QUESTIONS.join("\n") },
  { role: "simulacra/insights", answer: ({ sections }) => insights(sections["Question"] ?? "", sections["Statements"] ?? "") },
];

/** The questions about a game; each is answered by one paragraph of the notes. */
const QUESTIONS = ["What is needed for the goal?", "How do the places lie to each other?", "Where are the things that matter?"];

/** Scores a memory, 1 … 9: highest what says what is needed, then what changed something, then what shows a place. */
function importance(memory: string): number {
  const { facts, room } = readScene(memory);
  const telling = [...facts, ...readTriplets(memory)].some(({ relation }) => NEEDS.has(relation));
  const changing = /\b(?:you (?:take|pick up|open|unlock|put|prepare)|your score)\b/i.test(memory);
  return (telling ? 8 : changing ? 5 : room !== undefined ? 3 : 1) + (telling && changing ? 1 : 0);
}

const NEEDS = new Set<string>([RELATION.unlocks, RELATION.requires, RELATION.treated]);

/** The notes that answer the question, each with the first statement that speaks of its thing. */
function insights(question: string, statements: string): string {
  const told = statements.split(/^Statement \d+:\n/m).filter((text) => text.trim() !== "");
  const belief = new Belief();
  for (const text of told) {
    const scene = readScene(text);
    for (const fact of readTriplets(text)) belief.learn(fact);
    belief.watch([scene]);
  }
  const asked = QUESTIONS.findIndex((known) => known === question.trim());
  const lines = writeNotes(belief, { most: Infinity }).split(/\n+/).filter((line) => line !== "" && kindOf(line) === Math.max(asked, 0));
  return lines.map((line) => {
    const subject = line.split(",")[0] ?? "";
    const at = told.findIndex((text) => text.toLowerCase().includes(subject));
    return `${line} (because of ${Math.max(at, 0) + 1})`;
  }).slice(-MOST).join("\n") || "none";
}

/** Number of insights, at most. */
const MOST = 5;

/** The index of the question that a line of the notes answers. */
function kindOf(line: string): number {
  const [fact] = readTriplets(line);
  if (fact === undefined) return -1;
  if (NEEDS.has(fact.relation) || fact.relation === RELATION.appliance || fact.relation === RELATION.prepared) return 0;
  return fact.relation === RELATION.exit || / of$/.test(fact.relation) ? 1 : 2;
}
