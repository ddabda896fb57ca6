/**
 * MuSiQue (Trivedi et al. 2022, arXiv 2108.00573): questions of 2 to 4 hops over 20 paragraphs each, answerable part, development set.
 *
 * @module
 */

import { z } from "zod";
import { type OfficialSet, officialSet } from "./official-set.ts";

const record = z.looseObject({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  answer_aliases: z.array(z.string()),
  paragraphs: z.array(z.looseObject({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() })).min(1),
});

/** The development set in its own order. */
export const musique: OfficialSet = officialSet({
  // The official file: JSON Lines, 2417 questions.
  file: {
    folder: "musique",
    file: "musique_ans_v1.0_dev.jsonl",
    publisher: "its authors (StonyBrookNLP/musique on GitHub)",
  },
  record,
  toQuestion: ({ id, question, answer, answer_aliases, paragraphs }) => ({
    id,
    question,
    answer,
    aliases: answer_aliases,
    paragraphs: paragraphs.map(({ title, paragraph_text, is_supporting }) => ({ title, text: paragraph_text, supporting: is_supporting })),
  }),
});
