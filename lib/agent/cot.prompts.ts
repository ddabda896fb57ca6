/**
 * What the chain of thought asks a model (after Wei et al. 2022, arXiv 2201.11903, as WESE's §4.2.1 uses it). The two parts of the answer are
 * those of `answer.prompts.ts`, which reads them; the wording is ours.
 *
 * @module
 */

import type { Prompt } from "../llm/prompt.ts";

/** Answers a question or judges a claim from the paragraphs shown, in one call. */
export const cotPrompt: Prompt<"examples" | "paragraphs" | "task"> = {
  role: "cot/answer",
  instructions: `You are shown a question or a claim, and the paragraphs of an encyclopedia that bear on it, where there are any.

First think step by step: which facts are needed, what is each, and what follows from them together.
Then give the answer in a line of its own. Of a question it is as short as it can be: a name, a date, a number, yes or no, without a sentence around it. Of a claim it is SUPPORTS, REFUTES or NOT ENOUGH INFO.

Answer in this form:
CoT: <your reasoning>
Direct answer: <the answer>`,
  sections: { examples: "Examples of other tasks", paragraphs: "Paragraphs", task: "Task" },
  sampling: { temperature: 0 },
};
