/**
 * HotpotQA (Yang et al. 2018, arXiv 1809.09600): two-hop questions over 10 paragraphs each, distractor setting, development set.
 *
 * @module
 */

import { z } from "zod";
import { type OfficialSet, officialSet } from "./official-set.ts";

const record = z.looseObject({
  _id: z.string(),
  question: z.string(),
  answer: z.string(),
  supporting_facts: z.array(z.tuple([z.string(), z.int()])),
  context: z.array(z.tuple([z.string(), z.array(z.string())])).min(1),
});

/**
 * The development set in its own order. A paragraph is its sentences as they stand (they bring their own spaces); it supports where one of
 * its sentences is a supporting fact.
 */
export const hotpotqa: OfficialSet = officialSet({
  // The official file: one JSON array, 7405 questions.
  file: {
    folder: "hotpotqa",
    file: "hotpot_dev_distractor_v1.json",
    publisher: "its authors (hotpotqa.github.io)",
  },
  record,
  toQuestion: ({ _id, question, answer, supporting_facts, context }) => {
    const titles = new Set(supporting_facts.map(([title]) => title));
    return {
      id: _id,
      question,
      answer,
      aliases: [],
      evidence: context.filter(([title]) => titles.has(title)).map(([title, sentences]) => ({
        title,
        // a few facts number a sentence that the paragraph does not have
        sentences: sentences.filter((_, at) => supporting_facts.some(([of, line]) => of === title && line === at)).map((text) =>
          text.trim()
        ),
      })),
      paragraphs: context.map(([title, sentences]) => ({ title, text: sentences.join("").trim(), supporting: titles.has(title) })),
    };
  },
});

/** The development set without paragraphs; a question's id is its place. */
export const hotpotqaSimplified: OfficialSet = officialSet({
  // The same questions in the same order without paragraphs, as ReAct's authors publish them.
  file: {
    folder: "hotpotqa",
    file: "hotpot_dev_v1_simplified.json",
    publisher: "the authors of ReAct (ysymyth/ReAct on GitHub, data/)",
  },
  record: z.looseObject({ question: z.string().min(1), answer: z.string() }),
  toQuestion: ({ question, answer }, index) => ({ id: String(index), question, answer, aliases: [], paragraphs: [] }),
});
