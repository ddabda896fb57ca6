/**
 * FEVER (Thorne et al. 2018, arXiv 1803.05355): claims that Wikipedia supports, refutes or says too little about; the development set of the
 * paper, as ReAct and WESE use it. It holds no texts, and names the sentences of Wikipedia that decide a claim by page and line.
 *
 * @module
 */

import { z } from "zod";
import { CLAIM_LABELS } from "./encyclopedia-tasks.ts";
import { type OfficialSet, officialSet } from "./official-set.ts";
import type { Evidence } from "./question.ts";
import { titleOfPage } from "./wiki-record.ts";

/** An annotation, its evidence, a page and a line in it; page and line are null of a claim that nothing decides. */
const sentence = z.tuple([z.unknown(), z.unknown(), z.string().nullable(), z.int().nullable()]);

const record = z.looseObject({
  id: z.int(),
  label: z.enum(CLAIM_LABELS),
  claim: z.string().min(1),
  evidence: z.array(z.array(sentence)).default([]),
});

/** The distinct sentences of all sets of evidence, page by page in the order of the file. */
function evidenceOf(sets: z.output<typeof record>["evidence"]): Evidence[] {
  const named = sets.flat().flatMap(([, , page, line]) => page === null || line === null ? [] : [{ page, line }]);
  return [...Map.groupBy(named, ({ page }) => page)].map(([page, lines]) => ({
    title: titleOfPage(page),
    sentences: [...new Set(lines.map(({ line }) => line))].sort((a, b) => a - b),
  }));
}

/** The claims in the file's own order; the answer is the label. */
export const fever: OfficialSet = officialSet({
  // The official file: JSON Lines, 9999 claims, 3333 of each label.
  file: {
    folder: "fever",
    file: "paper_dev.jsonl",
    publisher: "its authors (fever.ai)",
  },
  record,
  toQuestion: ({ id, label, claim, evidence }) => ({
    ...{ id: String(id), question: claim, answer: label, aliases: [], paragraphs: [] },
    evidence: evidenceOf(evidence),
  }),
});
