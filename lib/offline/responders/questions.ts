/** Answers questions over what is shown: triplets and paragraphs that a memory recalls, or paragraphs for a chain of thought. */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { answerAboutDialogue } from "../policies/dialogue-answering.ts";
import { followQuestion, readPage, research } from "../policies/question-answering.ts";
import { TITLES } from "../reading/belief.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { factStatements, readStatements, type Statement } from "../reading/dialogue-text.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import type { Fact } from "../reading/facts.ts";
import { linesOf } from "../reading/noun-phrases.ts";
import { normaliseAnswer } from "../../text/qa-scores.ts";

/** `answer/answer`, `converse/answer`, `judge/verdict` and `cot/answer`. */
export const questionResponders: readonly Responder[] = [
  { role: "answer/answer", answer: answerFromMemory },
  { role: "converse/answer", answer: answerFromConversation },
  { role: "judge/verdict", answer: judgeAnswer },
  { role: "cot/answer", answer: answerFromPages },
];

function answerFromMemory({ sections }: OfflinePrompt): string {
  const { Question: question = "", ...memory } = sections;
  const facts = Object.values(memory).flatMap(blocksOf).flatMap(readBlock);
  const { steps, answer = "Unknown" } = followQuestion(question, facts);
  return reply(steps.join(" ") || "The question is of no form that I can read.", answer);
}

/** Notes are triplets in order of time, others have the step since which they hold, or are in no order; all else is turns under their session. */
function answerFromConversation({ sections }: OfflinePrompt): string {
  const { Task: _, Question: question = "", ...memory } = sections;
  const told = Object.entries(memory).map(([title, text]) => ({
    isNote: NOTES.includes(title),
    triplets: factStatements(linesOf(text).filter((line) => !TIMED.test(line)).flatMap(readTriplets), 0),
    turns: [...timedStatements(text), ...readStatements(text)],
  }));
  const { answer, why } = answerAboutDialogue(question, {
    statements: told.flatMap(({ isNote, triplets, turns }) => [...(isNote ? triplets : []), ...turns]),
    graph: told.flatMap(({ isNote, triplets }) => isNote ? [] : triplets),
  });
  return reply(why, answer);
}

/** The step at which a triplet began to hold, at the end of its line: `(since step 3)`, or `(steps 3 to 9)` of one that holds no longer. */
const TIMED = / \((?:since step|steps) (\d+)(?: to \d+)?\)$/;

/** Triplets with the step at which they began to hold, as statements in that order. */
function timedStatements(text: string): Statement[] {
  return linesOf(text).flatMap((line) => {
    const [, from] = line.match(TIMED) ?? [];
    return from === undefined ? [] : factStatements(readTriplets(line.replace(TIMED, "")), Number(from));
  });
}

/** An answer is right if it has all words of a right one and denies nothing, or says that nothing is told where there is no right one. */
function judgeAnswer({ sections }: OfflinePrompt): string {
  const given = normaliseAnswer(sections["Answer to judge"] ?? "").split(" ");
  const golds = linesOf(sections["Right answers"] ?? "").map((gold) => normaliseAnswer(gold).split(" "));
  const denies = given.includes("not") || given.includes("unknown");
  const isRight = golds.length === 0 ? denies : !denies && golds.some((gold) => gold.every((word) => given.includes(word)));
  return `Verdict: ${isRight ? "right" : "wrong"}`;
}

const NOTES: readonly string[] = TITLES.notes;

/** Reads lines of triplets, or a paragraph under its title. */
function readBlock(block: string): Fact[] {
  const lines = linesOf(block);
  const triplets = lines.flatMap(readTriplets);
  return triplets.length === lines.length ? triplets : readProse(block);
}

/** Answers from the pages alone: whatever else would be looked up counts as looked up. */
function answerFromPages({ sections }: OfflinePrompt): string {
  const facts = blocksOf(sections["Encyclopedia"] ?? "").filter((page) => page.trim() !== "").flatMap((page) => {
    const [title = "", ...text] = page.trim().split("\n");
    return readPage(title, text.join(" "));
  });
  const looked = new Set<string>();
  for (;;) {
    const next = research(sections["Task"] ?? "", facts, looked);
    if (next.kind === "answer") return reply(next.why, next.answer);
    looked.add(next.name.toLowerCase());
  }
}

function blocksOf(text: string): string[] {
  return text.split(/\n\s*\n/);
}

function reply(thought: string, answer: string): string {
  return `CoT: ${thought}\nDirect answer: ${answer}`;
}
