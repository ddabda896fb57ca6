/**
 * FEVER (Thorne et al. 2018, arXiv 1803.05355): claims that Wikipedia supports, refutes or says too little about; the development set of the
 * paper, as ReAct and WESE use it. It holds no texts.
 *
 * @module
 */

import { z } from "zod";
import type { OfficialFile } from "./data-folder.ts";
import { CLAIM_LABELS } from "./encyclopedia-tasks.ts";
import { officialSet } from "./official-set.ts";
import type { QuestionSet } from "./question.ts";

/** The official file: JSON Lines, 9999 claims, 3333 of each label. */
export const FEVER_FILE: OfficialFile = {
  folder: "fever",
  file: "paper_dev.jsonl",
  publisher: "its authors (fever.ai)",
};

const record = z.looseObject({ id: z.int(), label: z.enum(CLAIM_LABELS), claim: z.string().min(1) });

/** The claims in the file's own order; the answer is the label. */
export const fever: QuestionSet = officialSet({
  file: FEVER_FILE,
  record,
  toQuestion: ({ id, label, claim }) => ({ id: String(id), question: claim, answer: label, aliases: [], paragraphs: [] }),
});
