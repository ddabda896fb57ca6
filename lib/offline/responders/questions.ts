/** Answers questions over recalled triplets and paragraphs. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { followQuestion } from "../policies/question-answering.ts";
import { readPage, research } from "../policies/research.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import type { Fact } from "../reading/facts.ts";
import { linesOf } from "../reading/noun-phrases.ts";

export const questionResponders: readonly Responder[] = [
  { role: "answer/answer", answer: answerFromMemory },
  { role: "converse/answer", answer: answerFromMemory },
  { role: "cot/answer", answer: answerFromPages },
];

function answerFromMemory({ sections }: OfflinePrompt): string {
  const { Task: _, Question: question = "", ...memory } = sections;
  const facts = Object.values(memory).map((text) => text.replaceAll(HELPFULNESS, "")).flatMap(
    blocksOf,
  ).flatMap(readBlock);
  const { steps, answer = "Unknown" } = followQuestion(question, facts);
  return reply(steps.join(" ") || "The question is of no form that I can read.", answer);
}

const HELPFULNESS = / \(helpfulness \d+\)$/gm;

function readBlock(block: string): Fact[] {
  const lines = linesOf(block);
  const triplets = lines.flatMap(readTriplets);
  return triplets.length === lines.length ? triplets : readProse(block);
}

/** Answers from the pages alone. */
function answerFromPages({ sections }: OfflinePrompt): string {
  const facts = blocksOf(sections["Encyclopedia"] ?? "").filter((page) => page.trim() !== "")
    .flatMap((page) => {
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
