/**
 * The prompts of A-MEM (Xu et al. 2025, arXiv 2502.12110), §3.1 to §3.3, and the parsers of their replies. Fields follow the paper and the
 * authors' code; the wording is ours.
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson } from "../text/json.ts";
import type { ReplyParser } from "../text/reply-text.ts";
import { isNumberOf } from "./memory-kit.ts";

const words = z.array(z.string());
const attributes = z.object({ keywords: words, context: z.string(), tags: words });

/** Asks for the attributes of a note (P_s1). */
export const notePrompt: Prompt<"content"> = {
  role: "a-mem/note",
  instructions:
    `You file the observations of an agent that plays a text game as notes. Read the observation and describe it, so that it can be found again.

- "keywords": the things, places, persons and actions that it is about, by the names that it uses, the most telling first; leave out the agent itself and the step number.
- "context": one sentence on what the observation is about and what it may be of use for.
- "tags": a few general terms by which notes of the same kind can be grouped, such as "locked container" or "recipe".

Answer with JSON alone: {"keywords": ["…"], "context": "…", "tags": ["…"]}`,
  sections: { content: "Observation" },
  sampling: { temperature: 0.7, maxTokens: 400 },
  form: z.object({ keywords: z.array(z.string()), context: z.string(), tags: z.array(z.string()) }),
};

/** Reads the attributes of a note. */
export const parseNote: ReplyParser<z.output<typeof attributes>> = parseJson(attributes);

const evolution = z.object({
  links: z.array(z.number()),
  tags: words,
  neighbours: z.array(z.object({ number: z.number(), context: z.string(), tags: words })),
});

/** Asks which neighbours a new note is linked to, and how they change (P_s2 and P_s3; D331). */
export const evolvePrompt: Prompt<"note" | "neighbours"> = {
  role: "a-mem/evolve",
  instructions:
    `You keep the notes of an agent that plays a text game. A new note has come in; its nearest neighbours among the earlier notes are shown with their numbers. Decide how they belong together.

- "links": the numbers of the neighbours that the new note should be linked to, because whoever needs the one will need the other: the same thing in two places, what opens or needs what, cause and effect. None if nothing but the wording is alike.
- "tags": the tags of the new note, in the light of its neighbours. An empty list leaves them as they are.
- "neighbours": those neighbours that have to be described anew because of what the new note tells, each with its "number", its new "context" (one sentence) and its new "tags". Leave out those that stay as they are. What was observed is never changed.

Answer with JSON alone: {"links": [1], "tags": ["…"], "neighbours": [{"number": 1, "context": "…", "tags": ["…"]}]}`,
  sections: { note: "New note", neighbours: "Nearest neighbours" },
  sampling: { temperature: 0.7, maxTokens: 1000 },
  form: z.object({
    links: z.array(z.number()),
    tags: z.array(z.string()),
    neighbours: z.array(z.object({ number: z.number(), context: z.string(), tags: z.array(z.string()) })),
  }),
};

/** Reads an evolution. Its numbers are those of neighbours in the prompt, from 1, of which there are `count`; others are dropped. */
export function parseEvolution(count: number): ReplyParser<z.output<typeof evolution>> {
  return parseJson(evolution.transform(({ links, tags, neighbours }) => ({
    links: [...new Set(links.filter((number) => isNumberOf(number, count)))],
    tags,
    neighbours: neighbours.filter(({ number }) => isNumberOf(number, count)),
  })));
}
