/**
 * How the offline backbone writes a summary: what it believes from the previous one and the last observations, in a few lines.
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

/** Lines of each paragraph: a summary of a language model tells about as much. */
const MOST_LINES = 24;
