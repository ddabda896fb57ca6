/**
 * The prompt of `answer` and `cot`, and its parser. Chain of thought and "Direct answer: …" follow
 * AriGraph's authors (arXiv 2407.04363, §4 "Multi-hop Q&A"; code only); the wording is ours.
 */

import type { Prompt } from "../llm/prompt.ts";
import { completeLines, reader, type ReplyParser } from "../text/reply-text.ts";

export const conversePrompt: Prompt<"goal" | "question"> = {
  role: "converse/answer",
  instructions:
    `You have followed a conversation that went on for many sessions, and are now asked about it. You are shown your task; what a memory of the conversation holds on the question, that is statements "subject, relation, object", turns of the conversation under their session, notes, or several of these; and last the question. Some of it has nothing to do with the question, and some may have been overtaken by what was said later.

First think step by step: what is said on the matter, by whom, in which order, and what holds in the end.
Then give the answer in a line of its own. It is as short as it can be: a name, a thing, a date, a number, yes or no, without a sentence around it. If what you are shown does not tell, it is Unknown.

Answer in this form:
CoT: <your reasoning>
Direct answer: <the answer>`,
  sections: { goal: "Task", question: "Question" },
  memoryBefore: "question",
  sampling: { temperature: 0.001, maxTokens: 500 },
};

/** Answers the question from what the memory shows. */
export const answerPrompt: Prompt<"question"> = {
  role: "answer/answer",
  instructions:
    `You answer a question that joins facts of several paragraphs of an encyclopedia. You are shown what a memory of these paragraphs holds on it, that is triplets "subject, relation, object", paragraphs, or both, and last the question. Some of it has nothing to do with the question.

First think step by step: which facts are needed, what is each, and what follows from them together. Rely on what is shown before what you believe to know.
Then give the answer in a line of its own. It is as short as it can be: a name, a date, a number, yes or no, in the words of the paragraphs, without a sentence around it. If you are in doubt even so, it is Unknown.

Answer in this form:
CoT: <your reasoning>
Direct answer: <the answer>`,
  sections: { question: "Question" },
  memoryBefore: "question",
  sampling: { temperature: 0.001, maxTokens: 500 },
};

/**
 * Answers a question or judges a claim from the texts shown, in one call (chain of thought, Wei et
 * al. 2022, arXiv 2201.11903).
 */
export const cotPrompt: Prompt<"examples" | "texts" | "task"> = {
  role: "cot/answer",
  instructions:
    `You are shown a question or a claim, and what an encyclopedia says that bears on it, page by page, where it says anything.

First think step by step: which facts are needed, what is each, and what follows from them together.
Then give the answer in a line of its own. Of a question it is as short as it can be: a name, a date, a number, yes or no, without a sentence around it. Of a claim it is SUPPORTS, REFUTES or NOT ENOUGH INFO.

Answer in this form:
CoT: <your reasoning>
Direct answer: <the answer>`,
  sections: { examples: "Examples of other tasks", texts: "Encyclopedia", task: "Task" },
  sampling: { temperature: 0, maxTokens: 500 },
};

const LONGEST = 1000;

/**
 * The text after the last "Direct answer:", or the one after which the model asks itself another
 * question; marks of emphasis and quotes around it are dropped. A reply without one is malformed.
 */
export const parseAnswer: ReplyParser<string> = reader((text) => {
  const [, ...parts] = text.split(/\**direct answer\**\s*:\s*\**/i);
  const own = parts.find((part) => /\n[\s#*]{0,9}(?:question|claim)\b.*:/i.test(part)) ??
    parts.at(-1);
  const line = own?.trim().split("\n")[0];
  const answer = line &&
    bare(
      bare(line.replace(/(?:(?<=[\p{L}\p{N}.)\]*"])\s*\[[^[\]]*\])+\.?$/u, "")).replace(
        /(?<=[\p{L}\p{N}]{2})\.$/u,
        "",
      ), // a full stop goes, that of "D.C." stays
    );
  if (!answer || /^<.*>$|^(?:the|your) answer$|^[^\p{L}\p{N}]*$/iu.test(answer)) {
    return { kind: "malformed", problem: 'there is no line "Direct answer: <the answer>" in it' };
  }
  if (answer.length > LONGEST) {
    return {
      kind: "malformed",
      problem:
        `the direct answer has ${answer.length} characters; it must be as short as it can be`,
    };
  }
  return { kind: "ok", value: answer };
}, { completed: completeLines });

function bare(text: string): string {
  return text.replaceAll("**", "").replace(
    /^\s*(?:["“]([^"”]*)["”](?=\s)|\$([^$]+)\$$|\(([^()]+)\)$)/,
    "$1$2$3",
  )
    .replace(/^(?:[\s*_"'“”`[{]|[-•] )+|[\s*_"'“”`\]}]+\.?$/g, "");
}
