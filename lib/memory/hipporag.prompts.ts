/**
 * The prompts of the HippoRAG 2 memory and the parsers of their replies: open information extraction in two questions, names and triplets, and
 * recognition memory (Gutiérrez et al. 2025, arXiv 2502.14802, §3 and App.). The fields are the paper's; wording and answer formats are ours.
 */

import { z } from "zod";
import { distinctTriplets, normaliseTriplet, type Triplet } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson } from "../text/json.ts";
import type { ReplyParser } from "../text/reply-text.ts";
import { isNumberOf } from "./memory-kit.ts";

/** Asks for the names in a text. */
export const namesPrompt: Prompt<"text"> = {
  role: "hipporag/names",
  instructions: `List the names in the text: persons, places, things, works, dates and numbers, and whatever else a fact can be about.

- Write each as the text does, without articles, and each once.
- Leave out pronouns and whole sentences.

Answer with JSON alone: {"names": ["...", "..."]}
If there are none, the list is empty.`,
  sections: { text: "Text" },
  sampling: { temperature: 0, maxTokens: 600 },
};

/** Reads names, each once. */
export const parseNames: ReplyParser<string[]> = parseJson(
  z.object({ names: z.array(z.string().trim()).max(500) }).transform(({ names }) => [...new Set(names.filter(Boolean))]),
);

/** Asks for the triplets of a text whose names are known. */
export const tripletsPrompt: Prompt<"names" | "text"> = {
  role: "hipporag/triplets",
  instructions:
    `Write down what the text says as triplets of subject, relation and object, so that each can be understood without the text. Most triplets should contain one of the listed names, better two.

- Put the full name in the place of every pronoun.
- One fact a triplet: "an attic with a trunk and a bench" gives ["attic", "contains", "trunk"] and ["attic", "contains", "bench"].
- Only what the text says.

Answer with JSON alone: {"triplets": [["subject", "relation", "object"], ...]}
If the text states no fact, the list is empty.`,
  sections: { names: "Names", text: "Text" },
  sampling: { temperature: 0, maxTokens: 1500 },
};

/** Reads triplets in normal form, each once. Those with an empty part, or without three parts, are dropped. */
export const parseTriplets: ReplyParser<Triplet[]> = parseJson(
  z.object({ triplets: z.array(z.array(z.coerce.string())).max(1000) }).transform(({ triplets }) =>
    distinctTriplets(
      triplets.flatMap(([subject = "", relation = "", object = "", ...rest]) =>
        (rest.length === 0 ? normaliseTriplet({ subject, relation, object }) : undefined) ?? []
      ),
    )
  ),
);

/** Asks which retrieved facts bear on a query: the filter of recognition memory. */
export const recognisePrompt: Prompt<"query" | "facts"> = {
  role: "hipporag/recognise",
  instructions:
    `A search over a knowledge graph has found facts that may help with the situation or question below. Choose those that do: they are about what is asked or planned, or lead on towards it. Drop those that merely share words with it.

Answer with JSON alone, the numbers of the chosen facts, the most useful first: {"facts": [2, 1]}
If none helps, the list is empty.`,
  sections: { query: "Current situation", facts: "Facts" },
  sampling: { temperature: 0, maxTokens: 200 },
};

/** Reads numbers of facts, each once, as indices from 0; numbers that no fact has are dropped. */
export function parseRecognised(count: number): ReplyParser<number[]> {
  return parseJson(
    z.object({ facts: z.array(z.number()) })
      .transform(({ facts }) => [...new Set(facts.filter((number) => isNumberOf(number, count)))].map((number) => number - 1)),
  );
}
