/**
 * The prompts of Mem0 and of its graph form (Chhikara et al. 2025, arXiv 2504.19413), §2.1 and
 * §2.2, and the parsers of their replies. Fields follow the paper and the authors' code; the
 * wording is ours.
 */

import { z } from "zod";
import { soundTriplet } from "../../graph/read-triplets.ts";
import { normaliseEntity, type Triplet } from "../../graph/triplet.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { parseList, soundName, soundNumber, soundText } from "../../text/read-lists.ts";
import type { ReplyParser } from "../../text/reply-text.ts";
import { numberForm, numberOf } from "../memory-kit.ts";

const sampling = { temperature: 0, maxTokens: 1000 };

const name = z.string().max(100);
const sentence = z.string().max(300);

const EXAMPLE = "The sundial is overgrown with moss.";

/** Asks for the salient facts of the newest exchange (φ(P), §2.1). */
export const extractPrompt: Prompt<"goal" | "summary" | "recent" | "exchange"> = {
  role: "mem0/extract",
  instructions:
    `You pick out what an agent that plays a text game should remember. Read its newest action and observation; summary and recent messages are shown so that you understand it. Write down each fact of the newest observation that may matter later.

- One fact an entry, a short statement that can be understood by itself, with full names, such as "${EXAMPLE}"
- Where things are and in which state, which exits a place has and where they lead, what opens or needs what, what a recipe or a note says, what an action changed.
- Nothing from summary or recent messages that the newest observation does not say.

Answer with JSON alone: {"facts": ["…"]}. The list is empty if nothing is worth remembering.`,
  sections: {
    goal: "Main goal",
    summary: "Summary",
    recent: "Recent messages",
    exchange: "Newest action and observation",
  },
  sampling,
  form: z.object({ facts: z.array(sentence).max(20) }),
};

export const parseFacts: ReplyParser<string[]> = parseList(
  "facts",
  z.preprocess((value) => (value as { fact?: unknown } | null)?.fact ?? value, soundText).refine(
    (fact) => fact.replace(/\.$/, "") !== EXAMPLE.replace(/\.$/, ""),
    "it is the example",
  ),
);

/** Asks what the store has to do about new facts (§2.1; Algorithm 1 of App. B). */
export const updatePrompt: Prompt<"memories" | "facts"> = {
  role: "mem0/update",
  instructions:
    `You keep the memory of an agent that plays a text game. The memories most like the new facts are shown before them. Compare each new fact with them, and choose for each fact one operation.

- "ADD": no memory says it. "text" is the fact.
- "UPDATE": it adds to a memory, or says newer what a memory says. "memory" is that memory's number, "text" its new wording, which replaces the old one.
- "DELETE": it contradicts a memory that no longer holds, and there is nothing to put in its place. "memory" is that memory's number.
- "NOOP": a memory says it already, or it is not worth keeping.

"memory" is 0 where none is meant, and "text" is empty where nothing is written. Several memories that one fact makes untrue take an operation each.

Answer with JSON alone: {"operations": [{"operation": "ADD", "memory": 0, "text": "…"}]}`,
  sections: { memories: "Memories", facts: "New facts" },
  sampling,
  form: operationsForm({ facts: 1, memories: 10 }),
};

export function operationsForm(
  { facts, memories }: { readonly facts: number; readonly memories: number },
): z.ZodType {
  const operation = z.object({
    operation: z.enum(["ADD", "UPDATE", "DELETE", "NOOP"]),
    memory: numberForm(memories, 0),
    text: sentence,
  });
  return z.object({ operations: z.array(operation).max(facts + memories) });
}

const operation = z.object({
  operation: z.string().trim().toUpperCase().transform((name) => name === "NONE" ? "NOOP" : name) // NONE is the authors' word
    .pipe(z.enum(["ADD", "UPDATE", "DELETE", "NOOP"])),
  memory: soundNumber.catch(0),
  text: soundText.catch(""),
}).refine(
  ({ operation, text }) => text !== "" || operation === "DELETE" || operation === "NOOP",
  "it has no text",
);

/**
 * An operation on the store; `memory` is the number of a memory in the prompt, from 1, and is of no
 * meaning for `ADD` and `NOOP`.
 */
export type Operation = z.output<typeof operation>;

/**
 * Reads operations; one that should write but has no text is left out; a memory without a number is
 * 0.
 */
export const parseOperations: ReplyParser<Operation[]> = parseList("operations", operation);

/** Asks for the summary S of all that has happened (§2.1). */
export const summarisePrompt: Prompt<"goal" | "summary" | "history"> = {
  role: "mem0/summarise",
  instructions:
    `You keep a running summary of what an agent that plays a text game has seen and done. Bring the previous summary up to date with the latest messages: what the task needs, how places lie to each other, where things are, what was tried and what came of it. Correct what no longer holds.

Answer with the summary alone, in plain text of at most three short paragraphs.`,
  sections: {
    goal: "Main goal",
    summary: "Previous summary",
    history: "History of observations and actions",
  },
  sampling,
};

/** Asks for the entities of a text, an observation or a query (§2.2). */
export const entitiesPrompt: Prompt<"text"> = {
  role: "mem0/entities",
  instructions:
    `You read texts of a text game for a knowledge graph. Name every entity in the text: things, places, persons, substances, and states or values that matter. Use the text's own names, without articles. If the text asks something, do not answer it.

Answer with JSON alone: {"entities": [{"name": "…", "type": "…"}]}`,
  sections: { text: "Text" },
  sampling,
  form: z.object({ entities: z.array(z.object({ name, type: z.string().max(40) })).max(40) }),
};

const entityName = soundName.transform(normaliseEntity);
const entity = z.union([
  z.object({ name: entityName, type: soundName.catch("") }),
  entityName.transform((name) => ({ name, type: "" })),
]);

export const parseEntities: ReplyParser<z.output<typeof entity>[]> = parseList("entities", entity);

/** Asks for the relations among entities of a text (§2.2). */
export const relationsPrompt: Prompt<"before" | "entities" | "text"> = {
  role: "mem0/relations",
  instructions:
    `You build a knowledge graph of a text game. Connect the listed entities by the relations that the text states or plainly implies. A relation is a short phrase in the present tense, the same one for the same matter every time: "is in", "is on", "has exit", "leads north to", "opens", "requires", "is". The previous message is shown so that you understand the text, and how the place of the one lies to that of the other; relate nothing else of which the text does not speak.

Answer with JSON alone: {"relations": [{"source": "…", "relation": "…", "destination": "…"}]}`,
  sections: { before: "Previous message", entities: "Entities", text: "Text" },
  sampling,
  form: z.object({
    relations: z.array(z.object({ source: name, relation: name, destination: name })).max(40),
  }),
};

export const parseRelations: ReplyParser<Triplet[]> = parseList(
  "relations",
  soundTriplet({ subject: "source", relation: "relation", object: "destination" }),
);

/** Asks which existing relations new ones have made obsolete (§2.2, conflict detection). */
export const conflictsPrompt: Prompt<"existing" | "fresh"> = {
  role: "mem0/conflicts",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game, in which things change as it acts. Name the existing relations that the new ones contradict or replace: the same aspect of the same thing, now otherwise. Keep what is merely related, and what can hold beside the new relations.

Answer with JSON alone, the numbers of the obsolete relations: {"obsolete": […]}. The list is empty if there is none.`,
  sections: { existing: "Existing relations", fresh: "New relations" },
  sampling,
  form: obsoleteForm(10),
};

export function obsoleteForm(count: number): z.ZodType {
  return z.object({ obsolete: z.array(numberForm(count)).max(count) });
}

export function parseObsolete(count: number): ReplyParser<number[]> {
  return parseList("obsolete", numberOf(count));
}
