/** AriGraph's extraction of triplets (arXiv 2407.04363, §2), for it and for composed memories. */

import type { Triplet } from "../graph/triplet.ts";
import { extractParagraphPrompt, extractPrompt } from "./arigraph.prompts.ts";
import { parseExtractOf } from "./arigraph-replies.ts";
import type { Ask } from "./memory-kit.ts";

/** The triplets of a text; `lines` are those extracted before, as examples of the form. */
export function extractTriplets(
  ask: Ask,
  lines: readonly string[],
  text: string,
  texts: "observations" | "paragraphs",
): Promise<Triplet[] | undefined> {
  const examples = lines.join("; ");
  const reading = { parse: parseExtractOf(text) };
  return texts === "paragraphs"
    ? ask(extractParagraphPrompt, { examples, paragraph: text }, reading)
    : ask(extractPrompt, { examples, observation: text }, reading);
}
