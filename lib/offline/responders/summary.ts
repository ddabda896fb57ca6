/**
 * Answers the summary memory: writes in a few lines what the previous summary and the last observations say.
 *
 * @module
 */

import type { Responder } from "../backbone.ts";
import { believe } from "../reading/belief.ts";
import { writeNotes } from "../reading/notes.ts";

/** `summary/rewrite`. */
export const summaryResponders: readonly Responder[] = [
  {
    role: "summary/rewrite",
    answer: ({ sections }) => {
      const belief = believe({ ...sections, "Summary of what has happened": sections["Previous summary"] ?? "" });
      return writeNotes(belief, { most: MOST_LINES }) || "Nothing of note yet.";
    },
  },
];

/** Number of lines of each paragraph, at most: a language model's summary says about as much. */
const MOST_LINES = 24;
