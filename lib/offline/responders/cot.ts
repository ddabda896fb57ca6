/**
 * How the offline backbone answers by a chain of thought: it follows the task's relations through the paragraphs shown.
 *
 * @module
 */

import type { Responder } from "../backbone.ts";
import { readPage, research } from "../policies/research.ts";

/** `cot/answer`. */
export const cotResponders: readonly Responder[] = [{
  role: "cot/answer",
  answer: ({ sections }) => {
    const pages = (sections["Paragraphs"] ?? "").split(/\n\s*\n/).filter((page) => page.trim() !== "");
    const facts = pages.flatMap((page) => {
      const [title = "", ...text] = page.trim().split("\n");
      return readPage(title, text.join(" "));
    });
    // nothing can be looked up: whatever would be, was
    const { answer, why } = settled(sections["Task"] ?? "", facts);
    return `CoT: ${why}\nDirect answer: ${answer}`;
  },
}];

function settled(task: string, facts: Parameters<typeof research>[1]): { readonly answer: string; readonly why: string } {
  const looked = new Set<string>();
  for (;;) {
    const next = research(task, facts, looked);
    if (next.kind === "answer") return next;
    looked.add(next.name.toLowerCase());
  }
}
