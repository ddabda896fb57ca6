/**
 * How the offline backbone answers questions: it follows the question's relations through the triplets and paragraphs shown, whatever memory
 * put them there.
 *
 * @module
 */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import type { Fact } from "../reading/facts.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { followQuestion } from "../policies/question-answering.ts";
import { readTriplets } from "../reading/descriptions.ts";

/** `answer/answer`. */
export const answerResponders: readonly Responder[] = [{ role: "answer/answer", answer }];

function answer({ sections }: OfflinePrompt): string {
  const { Question: question = "", ...memory } = sections;
  const facts = Object.values(memory).flatMap((text) => text.split(/\n\s*\n/)).flatMap(readBlock);
  const { steps, answer = "Unknown" } = followQuestion(question, facts);
  return `CoT: ${steps.join(" ") || "The question is of no form that I can read."}\nDirect answer: ${answer}`;
}

/** Lines of triplets, or a paragraph under its title. */
function readBlock(block: string): Fact[] {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const triplets = lines.flatMap(readTriplets);
  return triplets.length === lines.length ? triplets : readProse(block);
}
