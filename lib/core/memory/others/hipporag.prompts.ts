/**
 * HippoRAG 2's prompts and their parsers: open information extraction (names, then triplets) and
 * recognition memory (Gutiérrez et al. 2025, arXiv 2502.14802, §3 and App.). The fields are the
 * paper's; wording and answer formats are ours.
 */

import { z } from "zod";
import { soundTriple } from "../../graph/read-triplets.ts";
import { distinctTriplets, type Triplet, tripletKey } from "../../graph/triplet.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { parseList, soundName } from "../../text/read-lists.ts";
import { refined, type ReplyParser } from "../../text/reply-text.ts";
import { numberForm, numberOf } from "../memory-kit.ts";

const name = z.string().max(100);

export const namesPrompt: Prompt<"text"> = {
  role: "hipporag/names",
  instructions:
    `List the names in the text: persons, places, things, works, dates and numbers, and whatever else a fact can be about.

- Write each as the text does, without articles, and each once.
- Leave out pronouns and whole sentences.

Answer with JSON alone: {"names": ["...", "..."]}
If there are none, the list is empty.`,
  sections: { text: "Text" },
  sampling: { temperature: 0, maxTokens: 600 },
  form: z.object({ names: z.array(name).max(50) }),
};

export const parseNames: ReplyParser<string[]> = refined(
  parseList("names", soundName),
  (names) => ({ kind: "ok", value: [...new Set(names)] }),
);

const EXAMPLES = ["moss", "ivy"].map((subject) => ({
  subject,
  relation: "grows on",
  object: "sundial",
}));

export const tripletsPrompt: Prompt<"names" | "text"> = {
  role: "hipporag/triplets",
  instructions:
    `Write down what the text says as triplets of subject, relation and object, so that each can be understood without the text. Most triplets should contain one of the listed names, better two.

- Put the full name in the place of every pronoun.
- One fact a triplet: "moss and ivy grow on the sundial" gives ["moss", "grows on", "sundial"] and ["ivy", "grows on", "sundial"].
- Always three parts: what stands behind the verb is the object, a part of its own.
- Only what the text says.

Answer with JSON alone: {"triplets": [["…", "…", "…"], …]}
If the text states no fact, the list is empty.`,
  sections: { names: "Names", text: "Text" },
  sampling: { temperature: 0, maxTokens: 1500 },
  form: z.object({ triplets: z.array(z.array(name).length(3)).max(50) }),
};

export const parseTriplets: ReplyParser<Triplet[]> = refined(
  parseList(
    "triplets",
    soundTriple.refine(
      (triplet) => EXAMPLES.every((example) => tripletKey(example) !== tripletKey(triplet)),
      "it is the example",
    ),
  ),
  (triplets) => ({ kind: "ok", value: distinctTriplets(triplets) }),
);

export const recognisePrompt: Prompt<"facts" | "query"> = {
  role: "hipporag/recognise",
  instructions:
    `A search over a knowledge graph has found facts that may help with the situation or question at the end. Choose those that do: they are about what is asked or planned, or lead on towards it. Drop those that merely share words with it.

Answer with JSON alone, the numbers of the chosen facts, the most useful first: {"facts": […]}
If none helps, the list is empty.`,
  sections: { facts: "Facts", query: "Current situation" },
  sampling: { temperature: 0, maxTokens: 200 },
  form: recognisedForm(5),
};

export function recognisedForm(count: number): z.ZodType {
  return z.object({ facts: z.array(numberForm(count)).max(count) });
}

export function parseRecognised(count: number): ReplyParser<number[]> {
  return refined(
    parseList("facts", numberOf(count)),
    (numbers) => ({ kind: "ok", value: [...new Set(numbers)].map((number) => number - 1) }),
  );
}
