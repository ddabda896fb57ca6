/**
 * The prompts of Mem0 and of its graph form (Chhikara et al. 2025, arXiv 2504.19413), §2.1 and §2.2, and the parsers of their replies. Fields
 * follow the paper and the authors' code; the wording is ours.
 */

import { z } from "zod";
import { normaliseEntity, normaliseTriplet, type Triplet } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson } from "../text/json.ts";
import type { ReplyParser } from "../text/reply-text.ts";

const sampling = { temperature: 0, maxTokens: 1000 };

/** Reads the list of a field. */
function listOf<T>(field: string, entry: z.ZodType<T>): ReplyParser<T[]> {
  return parseJson(z.object({ [field]: z.array(entry) }).transform((reply) => reply[field] ?? []));
}

/** Asks for the salient facts of the newest exchange (φ(P), §2.1). */
export const extractPrompt: Prompt<"goal" | "summary" | "recent" | "exchange"> = {
  role: "mem0/extract",
  instructions:
    `You pick out what an agent that plays a text game should remember. Read its newest action and observation; summary and recent messages are shown so that you understand it. Write down each fact of the newest observation that may matter later.

- One fact an entry, a short statement that can be understood by itself, with full names: "The brass lever opens the gate."
- Where things are and in which state, which exits a place has and where they lead, what opens or needs what, what a recipe or a note says, what an action changed.
- Nothing from summary or recent messages that the newest observation does not say.

Answer with JSON alone: {"facts": ["…"]}. The list is empty if nothing is worth remembering.`,
  sections: { goal: "Main goal", summary: "Summary", recent: "Recent messages", exchange: "Newest action and observation" },
  sampling,
  form: z.object({ facts: z.array(z.string()) }),
};

/** Reads facts, without white space at their ends. */
export const parseFacts: ReplyParser<string[]> = listOf("facts", z.string().trim());

/** Asks what the store has to do about new facts (§2.1; Algorithm 1 of App. B). */
export const updatePrompt: Prompt<"facts" | "memories"> = {
  role: "mem0/update",
  instructions:
    `You keep the memory of an agent that plays a text game. Compare each new fact with the memories most like it, and choose for each fact one operation.

- "ADD": no memory says it. "text" is the fact.
- "UPDATE": it adds to a memory, or says newer what a memory says. "memory" is that memory's number, "text" its new wording, which replaces the old one.
- "DELETE": it contradicts a memory that no longer holds, and there is nothing to put in its place. "memory" is that memory's number.
- "NOOP": a memory says it already, or it is not worth keeping.

"memory" is 0 where none is meant, and "text" is empty where nothing is written. Several memories that one fact makes untrue take an operation each.

Answer with JSON alone: {"operations": [{"operation": "ADD", "memory": 0, "text": "…"}]}`,
  sections: { facts: "New facts", memories: "Memories" },
  sampling,
  form: z.object({ operations: z.array(z.object({ operation: z.string(), memory: z.number(), text: z.string() })) }),
};

const operation = z.object({
  operation: z.string().toUpperCase().pipe(z.enum(["ADD", "UPDATE", "DELETE", "NOOP"])),
  memory: z.number().default(0),
  text: z.string().trim().default(""),
});

/** An operation on the store; `memory` is the number of a memory in the prompt, from 1, and is of no meaning for `ADD` and `NOOP`. */
export type Operation = z.output<typeof operation>;

/** Reads operations. */
export const parseOperations: ReplyParser<Operation[]> = listOf("operations", operation);

/** Asks for the summary S of all that has happened (§2.1). */
export const summarisePrompt: Prompt<"goal" | "summary" | "history"> = {
  role: "mem0/summarise",
  instructions:
    `You keep a running summary of what an agent that plays a text game has seen and done. Bring the previous summary up to date with the latest messages: what the task needs, how places lie to each other, where things are, what was tried and what came of it. Correct what no longer holds.

Answer with the summary alone, in plain text of at most three short paragraphs.`,
  sections: { goal: "Main goal", summary: "Previous summary", history: "History of observations and actions" },
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
  form: z.object({ entities: z.array(z.object({ name: z.string(), type: z.string() })) }),
};

const entity = z.object({ name: z.string().transform(normaliseEntity), type: z.string() });

/** Reads entities, their names in normal form. */
export const parseEntities: ReplyParser<z.output<typeof entity>[]> = listOf("entities", entity);

/** Asks for the relations among entities of a text (§2.2). */
export const relationsPrompt: Prompt<"before" | "entities" | "text"> = {
  role: "mem0/relations",
  instructions:
    `You build a knowledge graph of a text game. Connect the listed entities by the relations that the text states or plainly implies. A relation is a short phrase in the present tense, the same one for the same matter every time: "is in", "is on", "has exit", "leads north to", "opens", "requires", "is". The previous message is shown so that you understand the text, and how the place of the one lies to that of the other; relate nothing else of which the text does not speak.

Answer with JSON alone: {"relations": [{"source": "…", "relation": "…", "destination": "…"}]}`,
  sections: { before: "Previous message", entities: "Entities", text: "Text" },
  sampling,
  form: z.object({ relations: z.array(z.object({ source: z.string(), relation: z.string(), destination: z.string() })) }),
};

const relation = z.object({ source: z.string(), relation: z.string(), destination: z.string() })
  .transform(({ source, relation, destination }) => normaliseTriplet({ subject: source, relation, object: destination }));

/** Reads relations as triplets in normal form; `undefined` for one with an empty part. */
export const parseRelations: ReplyParser<(Triplet | undefined)[]> = listOf("relations", relation);

/** Asks which existing relations new ones have made obsolete (§2.2, conflict detection). */
export const conflictsPrompt: Prompt<"existing" | "fresh"> = {
  role: "mem0/conflicts",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game, in which things change as it acts. Name the existing relations that the new ones contradict or replace: the same aspect of the same thing, now otherwise. Keep what is merely related, and what can hold beside the new relations.

Answer with JSON alone, the numbers of the obsolete relations: {"obsolete": [1]}. The list is empty if there is none.`,
  sections: { existing: "Existing relations", fresh: "New relations" },
  sampling,
  form: z.object({ obsolete: z.array(z.number()) }),
};

/** Reads the numbers of obsolete relations. */
export const parseObsolete: ReplyParser<number[]> = listOf("obsolete", z.number());
