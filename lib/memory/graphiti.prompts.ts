/**
 * The prompts of the Graphiti memory and the parsers of their replies (Zep: Rasmussen et al. 2025, arXiv 2501.13956, §2.2, §2.3 and App.). The
 * fields of a fact are the paper's; wording and answer formats are ours.
 */

import { z } from "zod";
import { normaliseEntity, normaliseTriplet, type Triplet } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson } from "../text/json.ts";
import { readText, type ReplyParser } from "../text/reply-text.ts";
import { isNumberOf } from "./memory-kit.ts";

/** A fact as an extraction gives it. */
export interface ExtractedFact extends Triplet {
  /** The fact in a sentence. @default subject, relation and object with commas between */
  readonly text?: string;
  /** The step from which it holds. @default the step of the text */
  readonly from?: number;
  /** The step from which it no longer holds. @default it still does */
  readonly until?: number;
}

/** Asks for the entities and facts of a text, with the times that it names. */
export const extractPrompt: Prompt<"before" | "text" | "step"> = {
  role: "graphiti/extract",
  instructions:
    `You keep a knowledge graph whose facts have times. Read the text and write down every fact between two entities that it states. The texts before it are shown only so that you understand what pronouns and short names in it mean.

- An entity is a person, place, thing, work, date, number, state or notion. Use its full name, the same every time, without articles. Leave out the one who acts ("you").
- The relation is short: "contains", "is in", "has exit", "was born in". The fact says the same in a sentence that can be understood alone.
- Everything that the text gives as present holds from its own step on; leave "from" and "until" out. Where the text itself says that something began or ended earlier, give the number of that step.
- Only what the text says.

Answer with JSON alone: {"facts": [{"source": "trunk", "relation": "is in", "target": "attic", "fact": "The trunk is in the attic."}, {"source": "gate", "relation": "is", "target": "open", "fact": "The gate was open.", "from": 3, "until": 5}]}
If the text states no fact, the list is empty.`,
  sections: { before: "Texts before", step: "Step", text: "Text" },
  sampling: { temperature: 0, maxTokens: 2000 },
};

const step = z.number().nullish().transform((value) => value ?? undefined);

/** Reads facts in normal form; those with an empty part, or from an entity to itself, are dropped. */
export const parseExtract: ReplyParser<ExtractedFact[]> = parseJson(
  z.object({
    facts: z.array(
      z.object({ source: z.string(), relation: z.string(), target: z.string(), fact: z.string().optional(), from: step, until: step }),
    )
      .max(1000),
  }).transform(({ facts }) =>
    facts.flatMap(({ source, relation, target, fact, from, until }) => {
      const triplet = normaliseTriplet({ subject: source, relation, object: target });
      return triplet && triplet.subject !== triplet.object
        ? [{ ...triplet, text: fact?.replaceAll(/\s+/g, " ").trim() || undefined, from, until }]
        : [];
    })
  ),
);

/** Asks which new names mean a known entity. */
export const resolvePrompt: Prompt<"fresh" | "known" | "text"> = {
  role: "graphiti/resolve",
  instructions:
    `New names were found in a text. Say which of them mean the very same entity as one of the known names: another spelling, a shorter or longer form of the name, the same thing called otherwise. Things of one kind are not the same thing ("bench 1" and "bench 2"), nor are a thing and its part. When you are not sure, they are different.

Answer with JSON alone, each new name that is known with the known name, letter by letter: {"old trunk": "trunk"}
If all are new, answer {}`,
  sections: { known: "Known names", fresh: "New names", text: "Text" },
  sampling: { temperature: 0, maxTokens: 400 },
};

/** Reads new name → known name; pairs that name any other are dropped. */
export function parseResolved(fresh: readonly string[], known: readonly string[]): ReplyParser<Map<string, string>> {
  return parseJson(
    z.record(z.string(), z.string()).transform((read) => {
      const pairs = Object.entries(read).map(([name, same]) => [normaliseEntity(name), normaliseEntity(same)] as const);
      return new Map(pairs.filter(([name, same]) => fresh.includes(name) && known.includes(same)));
    }),
  );
}

/** Asks which known facts new ones repeat or contradict. */
export const judgePrompt: Prompt<"known" | "fresh"> = {
  role: "graphiti/judge",
  instructions: `New facts are to enter a knowledge graph. Compare each with the known facts.

- repeated: the new fact says the same as the known one, perhaps in other words.
- contradicted: both cannot be true at one time, so that the new fact ends the known one: a thing is elsewhere now, its state has changed, someone else holds it.
- Facts about another aspect or another thing go together; leave them out. So do facts that only add something.

Answer with JSON alone, pairs of the number of the new fact and that of the known one: {"repeated": [[1, 4]], "contradicted": [[2, 3], [2, 5]]}
Both lists may be empty.`,
  sections: { known: "Existing triplets", fresh: "New triplets" },
  sampling: { temperature: 0, maxTokens: 500 },
};

/** What a new fact does to a known one; both are given by index. Where `fresh` is absent, it is not known which new fact does it. */
export interface Verdict {
  readonly kind: "repeated" | "contradicted";
  readonly known: number;
  readonly fresh?: number;
}

const pairs = z.array(z.tuple([z.number(), z.number()])).max(1000).default([]);

/** Reads verdicts; pairs with a number that no fact has are dropped. */
export function parseVerdicts(counts: { readonly known: number; readonly fresh: number }): ReplyParser<Verdict[]> {
  return parseJson(
    z.object({ repeated: pairs, contradicted: pairs }).transform((read) =>
      (["repeated", "contradicted"] as const).flatMap((kind) =>
        read[kind].filter(([fresh, known]) => isNumberOf(fresh, counts.fresh) && isNumberOf(known, counts.known))
          .map(([fresh, known]) => ({ kind, known: known - 1, fresh: fresh - 1 }))
      )
    ),
  );
}

/** Asks for the summary of a community. */
export const summarisePrompt: Prompt<"entities" | "facts"> = {
  role: "graphiti/summarise",
  instructions:
    `The entities below belong together in a knowledge graph. Sum up in at most three sentences what they are and how they hang together, for one who has to decide whether to look at them more closely. Use their names as given, and only the facts shown.

Answer with the summary alone.`,
  sections: { entities: "Entities", facts: "Facts" },
  sampling: { temperature: 0, maxTokens: 300 },
};

/** Reads a summary as one line. */
export const parseSummary: ReplyParser<string> = readText({ inOneLine: true, longest: 2000 });
