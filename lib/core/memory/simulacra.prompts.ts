/**
 * The memory stream's prompts and their parsers. Questions and answer formats follow Park et al.
 * 2023 (arXiv 2304.03442), §4.1 and §4.2, and for importance AriGraph's authors, who name the main
 * goal; the wording is ours.
 */

import type { Prompt } from "../llm/prompt.ts";
import { nameIn, numberIn } from "../text/read-lists.ts";
import { mend } from "../text/reading-rules.ts";
import { completeLines, completeSentences, reader, type ReplyParser } from "../text/reply-text.ts";

const MAX_REPLY = 8_000;

export const importancePrompt: Prompt<"goal" | "memory"> = {
  role: "simulacra/importance",
  instructions:
    `You rate the memories of an agent that plays a text game by how much they will matter to it later. 1 stands for what happens all the time and tells nothing new, such as coming through a known place; 10 for what decides about the main goal, such as finding the very thing that it speaks of.

Answer with one whole number from 1 to 10 and nothing else.`,
  sections: { goal: "Main goal", memory: "Memory" },
  sampling: { temperature: 0.4, maxTokens: 20 },
};

export const parseImportance: ReplyParser<number> = reader((text) => {
  const importance = numberIn(text) ?? NaN;
  if (Number.isInteger(importance) && importance >= 1 && importance <= 10) {
    return { kind: "ok", value: importance };
  }
  return { kind: "malformed", problem: "there is no whole number from 1 to 10 in it" };
}, { completed: completeSentences, longest: MAX_REPLY });

export const questionsPrompt: Prompt<"goal" | "memories" | "count"> = {
  role: "simulacra/questions",
  instructions:
    `You help an agent that plays a text game to think about what it has seen. Read its recent memories and find the most salient questions of a general kind that can be answered from them and whose answers would serve the main goal: about how the world is built, what is needed for what, what has been learnt from what was tried.

Answer with as many questions as are wanted, one a line, and nothing else.`,
  sections: { goal: "Main goal", memories: "Recent memories", count: "Questions wanted" },
  sampling: { temperature: 0.4, maxTokens: 300 },
};

export function parseQuestions(most: number): ReplyParser<string[]> {
  return reader((text) => {
    const lines = mend("lines", text).split("\n").map((line) =>
      mend("entry", line).trim().replace(/^(?:question |q)?(?:\d+|[a-z])[.:)] +/i, "")
    ).filter((line) => line !== "");
    if (lines.length === 0) return { kind: "malformed", problem: "there is no question in it" };
    const asked = lines.filter((line) => line.endsWith("?")); // the others announce them
    return { kind: "ok", value: (asked.length > 0 ? asked : lines).slice(0, most) };
  }, { completed: completeLines, longest: MAX_REPLY });
}

export const insightsPrompt: Prompt<"question" | "statements" | "count"> = {
  role: "simulacra/insights",
  instructions:
    `You help an agent that plays a text game to draw conclusions from its memories. Read the numbered statements and infer from them what answers the question, in general insights that are not said as plainly in any single statement. Each insight is one sentence that can be understood by itself, followed by the numbers of the statements that it rests on.

Answer with at most as many insights as are wanted, one a line, and nothing else. A line is the sentence and then, in round brackets, the numbers:
insight (because of 1, 5, 3)
If nothing follows from them, answer: none`,
  sections: { question: "Question", statements: "Statements", count: "Insights wanted" },
  sampling: { temperature: 0.4, maxTokens: 500 },
};

export interface Insight {
  readonly text: string;
  /** Numbers of the statements that the insight rests on, from 1, each once; at least one. */
  readonly evidence: readonly number[];
}

/**
 * Reads insights, at most `most`, or `none`. Lines without evidence among the statements are
 * dropped. If nothing, a label or a placeholder comes before the evidence, the insight is what
 * follows it.
 */
export function parseInsights(
  options: { readonly statements: number; readonly most: number },
): ReplyParser<Insight[]> {
  return reader((text) => {
    if (/^\W*none\W*$/i.test(text)) return { kind: "ok", value: [] };
    const insights = mend("lines", text).split("\n").flatMap((line): Insight[] => {
      const [, before = "", numbers = "", after = ""] =
        mend("entry", line).match(/^(.*?)\(because of ([^)]*)\)(.*)$/i) ?? [];
      const said = nameIn(before.replace(/^\W*insight(?: \d+)?(?:\W*$|\W*:\W*)/i, "")) ||
        nameIn(after.replace(/^[\s:,-]+/, ""));
      const evidence = [...new Set((numbers.match(/\d+/g) ?? []).map(Number))].filter((at) =>
        at >= 1 && at <= options.statements
      );
      return said === "" || evidence.length === 0 ? [] : [{ text: said, evidence }];
    });
    if (insights.length === 0) {
      return {
        kind: "malformed",
        problem: "there is no line of the form: insight (because of 1, 5, 3)",
      };
    }
    return { kind: "ok", value: insights.slice(0, options.most) };
  }, { completed: completeLines, longest: MAX_REPLY });
}
