/**
 * FEVER (Thorne et al. 2018, arXiv 1803.05355): claims that Wikipedia supports, refutes or says too little about; the development set of the
 * paper, as ReAct and WESE use it. It holds no texts.
 *
 * @module
 */

import { z } from "zod";
import { CLAIM_LABELS } from "./encyclopedia-tasks.ts";
import { type OfficialSet, officialSet } from "./official-set.ts";

const record = z.looseObject({ id: z.int(), label: z.enum(CLAIM_LABELS), claim: z.string().min(1) });

/** The claims in the file's own order; the answer is the label. */
export const fever: OfficialSet = officialSet({
  // The official file: JSON Lines, 9999 claims, 3333 of each label.
  file: {
    folder: "fever",
    file: "paper_dev.jsonl",
    publisher: "its authors (fever.ai)",
  },
  record,
  toQuestion: ({ id, label, claim }) => ({ id: String(id), question: claim, answer: label, aliases: [], paragraphs: [] }),
});
