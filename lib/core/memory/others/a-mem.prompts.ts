/**
 * The prompts of A-MEM (Xu et al. 2025, arXiv 2502.12110), §3.1 to §3.3, and the parsers of their
 * replies. Fields follow the paper and the authors' code; the wording is ours.
 */

import { z } from "zod";
import type { Prompt } from "../../llm/prompt.ts";
import { parseJson } from "../../text/json.ts";
import { keepSound, soundNames, soundText } from "../../text/read-lists.ts";
import type { ReplyParser } from "../../text/reply-text.ts";
import { numberForm, numberOf } from "../memory-kit.ts";

const attributes = z.object({ keywords: soundNames(), context: soundText, tags: soundNames() });

const contextForm = z.string().max(300);
const tagsForm = z.array(z.string().max(40)).max(8);

export const notePrompt: Prompt<"content"> = {
  role: "a-mem/note",
  instructions:
    `You file the observations of an agent that plays a text game as notes. Read the observation and describe it, so that it can be found again.

- "keywords": the things, places, persons and actions that it is about, by the names that it uses, the most telling first; leave out the agent itself and the step number.
- "context": one sentence on what the observation is about and what it may be of use for.
- "tags": a few general terms by which notes of the same kind can be grouped, each of one to three words.

Answer with JSON alone: {"keywords": ["…"], "context": "…", "tags": ["…"]}`,
  sections: { content: "Observation" },
  sampling: { temperature: 0.7, maxTokens: 400 },
  form: z.object({
    keywords: z.array(z.string().max(60)).max(15),
    context: contextForm,
    tags: tagsForm,
  }),
};

export const parseNote: ReplyParser<z.output<typeof attributes>> = parseJson(attributes);

export interface Evolution {
  readonly links: readonly number[];
  readonly tags: string[];
  readonly neighbours: readonly {
    readonly number: number;
    readonly context: string;
    readonly tags: string[];
  }[];
}

/** Asks which neighbours a new note is linked to, and how they change (P_s2 and P_s3; D331). */
export const evolvePrompt: Prompt<"neighbours" | "note"> = {
  role: "a-mem/evolve",
  instructions:
    `You keep the notes of an agent that plays a text game. A new note has come in; its nearest neighbours among the earlier notes are shown before it, with their numbers. Decide how they belong together.

- "links": the numbers of the neighbours that the new note should be linked to, because whoever needs the one will need the other: the same thing in two places, what opens or needs what, cause and effect. None if nothing but the wording is alike.
- "tags": the tags of the new note, in the light of its neighbours. An empty list leaves them as they are.
- "neighbours": those neighbours that have to be described anew because of what the new note tells, each with its "number", its new "context" (one sentence) and its new "tags". Leave out those that stay as they are. What was observed is never changed.

Answer with JSON alone: {"links": […], "tags": ["…"], "neighbours": [{"number": …, "context": "…", "tags": ["…"]}]}`,
  sections: { neighbours: "Nearest neighbours", note: "New note" },
  sampling: { temperature: 0.7, maxTokens: 1000 },
  form: evolutionForm(5),
};

export function evolutionForm(count: number): z.ZodType {
  const number = numberForm(count);
  return z.object({
    links: z.array(number).max(count),
    tags: tagsForm,
    neighbours: z.array(z.object({ number, context: contextForm, tags: tagsForm })).max(count),
  });
}

/**
 * Reads an evolution. Its numbers are those of neighbours in the prompt, from 1, of which there are
 * `count`; others are left out.
 */
export function parseEvolution(count: number): ReplyParser<Evolution> {
  const number = numberOf(count);
  return parseJson(z.object({
    links: keepSound(number).transform((links) => [...new Set(links)]),
    tags: soundNames(),
    neighbours: keepSound(z.object({ number, context: soundText, tags: soundNames() })),
  }));
}
