/**
 * Graphiti's prompts and their parsers (Zep: Rasmussen et al. 2025, arXiv 2501.13956, §2.2, §2.3
 * and App.). The fields of a fact are the paper's; wording and answer formats are ours.
 */

import { z } from "zod";
import { soundTriplet } from "../../graph/read-triplets.ts";
import { normaliseEntity, type Triplet, tripletKey } from "../../graph/triplet.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { parseJson } from "../../text/json.ts";
import { keepSound, parseList, soundName, soundNumber, soundText } from "../../text/read-lists.ts";
import { readText, refined, type ReplyParser } from "../../text/reply-text.ts";
import { numberForm, numberOf } from "../memory-kit.ts";

export interface ExtractedFact extends Triplet {
  /** The fact in a sentence. @default subject, relation and object with commas between */
  readonly text?: string;
  /** The step from which it holds. @default the step of the text */
  readonly from?: number;
  /** The step from which it no longer holds. @default it still does */
  readonly until?: number;
}

const name = z.string().max(100);
const step = z.int().min(0).nullable();

const EXAMPLE = { subject: "sundial", relation: "is overgrown with", object: "moss" };

export const extractPrompt: Prompt<"before" | "text" | "step"> = {
  role: "graphiti/extract",
  instructions:
    `You keep a knowledge graph whose facts have times. Read the text and write down every fact between two entities that it states. The texts before it are shown only so that you understand what pronouns and short names in it mean.

- An entity is a person, place, thing, work, date, number, state or notion. Use its full name, the same every time, without articles. Leave out the one who acts ("you").
- The relation is short: "contains", "is in", "has exit", "was born in". The fact says the same in a sentence that can be understood alone.
- Everything that the text gives as present holds from its own step on; "from" and "until" are null. Where the text itself says that something began or ended earlier, give the number of that step.
- Only what the text says.

Answer with JSON alone: {"facts": [{"source": "${EXAMPLE.subject}", "relation": "${EXAMPLE.relation}", "target": "${EXAMPLE.object}", "fact": "The sundial is overgrown with moss.", "from": null, "until": null}]}
If the text states no fact, the list is empty.`,
  sections: { before: "Texts before", step: "Step", text: "Text" },
  sampling: { temperature: 0, maxTokens: 2000 },
  form: z.object({
    facts: z.array(
      z.object({
        source: name,
        relation: name,
        target: name,
        fact: z.string().max(300),
        from: step,
        until: step,
      }),
    ).max(40),
  }),
};

const dated = z.object({
  fact: soundText.transform((text) => text.replaceAll(/\s+/g, " ")).optional().catch(undefined),
  from: soundNumber.optional().catch(undefined),
  until: soundNumber.optional().catch(undefined),
});

/**
 * Reads facts in normal form; those without a part, from an entity to itself, or of the prompt's
 * example are left out.
 */
export const parseExtract: ReplyParser<ExtractedFact[]> = parseList(
  "facts",
  z.intersection(soundTriplet({ subject: "source", relation: "relation", object: "target" }), dated)
    .refine(
      (fact) => fact.subject !== fact.object && tripletKey(fact) !== tripletKey(EXAMPLE),
      "that is no fact of the text",
    )
    .transform(({ fact, ...read }) => ({ ...read, text: fact })),
);

export const resolvePrompt: Prompt<"text" | "known" | "fresh"> = {
  role: "graphiti/resolve",
  instructions:
    `New names were found in a text. Say which of them mean the very same entity as one of the known names: another spelling, a shorter or longer form of the name, the same thing called otherwise. Things of one kind are not the same thing ("bench 1" and "bench 2"), nor are a thing and its part. When you are not sure, they are different.

Answer with JSON alone, a pair for each new name that is known, with both names letter by letter: {"same": [{"new": "…", "known": "…"}]}
If all are new, the list is empty.`,
  sections: { text: "Text", known: "Known names", fresh: "New names" },
  sampling: { temperature: 0, maxTokens: 400 },
  form: resolvedForm(["…"], ["…"]),
};

export function resolvedForm(fresh: readonly string[], known: readonly string[]): z.ZodType {
  return z.object({
    same: z.array(z.object({ new: z.enum(fresh), known: z.enum(known) })).max(fresh.length),
  });
}

export function parseResolved(
  fresh: readonly string[],
  known: readonly string[],
): ReplyParser<Map<string, string>> {
  const among = (names: readonly string[]): z.ZodType<string> =>
    soundName.transform(normaliseEntity).refine(
      (name) => names.includes(name),
      "it is none of the names",
    );
  return refined(
    parseList("same", z.object({ new: among(fresh), known: among(known) })),
    (pairs) => ({ kind: "ok", value: new Map(pairs.map(({ new: name, known }) => [name, known])) }),
  );
}

export const judgePrompt: Prompt<"known" | "fresh"> = {
  role: "graphiti/judge",
  instructions: `New facts are to enter a knowledge graph. Compare each with the known facts.

- repeated: the new fact says the same as the known one, perhaps in other words.
- contradicted: both cannot be true at one time, so that the new fact ends the known one: a thing is elsewhere now, its state has changed, someone else holds it.
- Facts about another aspect or another thing go together; leave them out. So do facts that only add something.

Answer with JSON alone, pairs of the number of the new fact and that of the known one: {"repeated": [{"new": …, "known": …}], "contradicted": [{"new": …, "known": …}]}
Both lists may be empty.`,
  sections: { known: "Existing triplets", fresh: "New triplets" },
  sampling: { temperature: 0, maxTokens: 500 },
  form: verdictsForm({ known: 10, fresh: 10 }),
};

interface Counts {
  readonly known: number;
  readonly fresh: number;
}

export function verdictsForm({ known, fresh }: Counts): z.ZodType {
  const pairs = z.array(z.object({ new: numberForm(fresh), known: numberForm(known) })).max(
    2 * Math.max(known, fresh),
  );
  return z.object({ repeated: pairs, contradicted: pairs });
}

/**
 * What a new fact does to a known one; both are given by index. Without `fresh` the new fact is
 * unknown.
 */
export interface Verdict {
  readonly kind: "repeated" | "contradicted";
  readonly known: number;
  readonly fresh?: number;
}

export function parseVerdicts(counts: Counts): ReplyParser<Verdict[]> {
  const pairs = keepSound(z.object({ new: numberOf(counts.fresh), known: numberOf(counts.known) }))
    .default([]);
  return parseJson(
    z.looseObject({}).refine(
      (read) => "repeated" in read || "contradicted" in read,
      "repeated and contradicted are missing",
    ).pipe(
      z.object({ repeated: pairs, contradicted: pairs }),
    ).transform((read) =>
      (["repeated", "contradicted"] as const).flatMap((kind) =>
        read[kind].map(({ new: fresh, known }) => ({ kind, known: known - 1, fresh: fresh - 1 }))
      )
    ),
  );
}

export const summarisePrompt: Prompt<"entities" | "facts"> = {
  role: "graphiti/summarise",
  instructions:
    `The entities below belong together in a knowledge graph. Sum up in at most three sentences what they are and how they hang together, for one who has to decide whether to look at them more closely. Use their names as given, and only the facts shown.

Answer with the summary alone.`,
  sections: { entities: "Entities", facts: "Facts" },
  sampling: { temperature: 0, maxTokens: 300 },
};

export const parseSummary: ReplyParser<string> = readText({ inOneLine: true, longest: 2000 });
