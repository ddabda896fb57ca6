/**
 * The world model's prompts and their parsers: ReasonPlanner (Pham-Dinh et al. 2024, arXiv
 * 2410.09252), §3.2 and §3.4. The parts of a fact are the paper's; wording and answer formats are
 * ours.
 */

import { z } from "zod";
import { soundTriple, soundTriplet, withoutExamples } from "../graph/read-triplets.ts";
import { distinctTriplets, normaliseEntity, type Triplet } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseList, soundName } from "../text/read-lists.ts";
import { leaveOut, readText, refined, type ReplyParser } from "../text/reply-text.ts";

/** Asks for one line about an action and its result. */
export const summarizePrompt: Prompt<"task" | "place" | "action" | "response"> = {
  role: "reasonplanner/summarize",
  instructions:
    `An agent in a simulated laboratory has done something. Sum up in one sentence what it did and what came of it, for a record that will be read long afterwards.

- Name every thing, substance and place as the texts name them; no pronouns.
- Say where it was done, and which task it served, in a few words ("to bake clay").
- Copy readings, numbers, colours and states exactly. If nothing came of it, say so.

Answer with the sentence alone.`,
  sections: { task: "Task", place: "Place", action: "Action", response: "Response" },
  sampling: { temperature: 0, maxTokens: 300 },
};

/** Reads a text of at least one word. Line breaks in it become spaces. */
export const parseSummary: ReplyParser<string> = readText({ inOneLine: true });

/** Asks for a text with its coreferences resolved. */
export const coreferencePrompt: Prompt<"text"> = {
  role: "reasonplanner/coreference",
  instructions:
    `Rewrite the text so that nothing in it has to be looked up elsewhere in it: put the full name in the place of each pronoun and of each other word that only points to a thing named before ("it", "its", "them", "the former"). Change nothing else: keep every other word, every mark and every line break.

Answer with the text alone.`,
  sections: { text: "Text" },
  sampling: { temperature: 0, maxTokens: 2000 },
};

/**
 * Makes a parser of a text with its coreferences resolved. It is malformed if over half of the
 * words are missing, or if it is three times as long: names for pronouns change little.
 */
export function parseResolved(text: string): ReplyParser<string> {
  const words = wordsOf(text);
  return refined(readText(), (resolved) => {
    const kept = words.intersection(wordsOf(resolved)).size;
    if (2 * kept < words.size) {
      return { kind: "malformed", problem: "most words of the text are not in it" };
    }
    if (resolved.length > 3 * text.length + 200) {
      return { kind: "malformed", problem: "it is much longer than the text" };
    }
    return { kind: "ok", value: resolved };
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

const name = z.string().max(80);

/** Asks for the entities and relations of a text. */
export const extractPrompt: Prompt<"text"> = {
  role: "reasonplanner/extract",
  instructions:
    `You keep the knowledge graph of an agent that works in a simulated laboratory. First find every entity that the text names: things, substances, devices, living beings, places, tasks, states and readings. Then write down every relation between two of them that the text states.

- Name an entity as the text does, in lower case, without articles: "clay bowl", "kiln", "drying loft". Leave out the agent itself.
- One fact a relation, each with two entities: {"entity1": "clay bowl", "relation": "is on", "entity2": "floor"}.
- Where things are, what is in or on what, what a place leads to, in which state something is, what was measured.
- What was done to what, where, and for which task: {"entity1": "clay bowl", "relation": "was moved to", "entity2": "kiln"}, {"entity1": "kiln", "relation": "was activated in", "entity2": "pottery"}, {"entity1": "kiln", "relation": "was activated to", "entity2": "bake clay"}.
- Only what the text says.

Answer with JSON alone, exactly in this form:
{"entities": ["...", "..."], "relations": [{"entity1": "...", "relation": "...", "entity2": "..."}]}
If the text states nothing, both lists are empty.`,
  sections: { text: "Text" },
  sampling: { temperature: 0, maxTokens: 4000 },
  form: z.object({
    entities: z.array(name).max(100),
    relations: z.array(z.object({ entity1: name, relation: name, entity2: name })).max(100),
  }),
};

const EXAMPLES = ["clay bowl", "kiln"];

const readRelations = parseList(
  "relations",
  z.union([
    soundTriplet({ subject: "entity1", relation: "relation", object: "entity2" }),
    soundTriple,
  ]),
);

/**
 * Makes a parser of relations as triplets in normal form, each once. Those with a part that is not
 * a name are left out and counted, as are the prompt's examples if the text lacks their first
 * entity.
 */
export function parseExtract(text: string): ReplyParser<Triplet[]> {
  return refined(
    readRelations,
    (told) => ({ kind: "ok", value: distinctTriplets(withoutExamples(told, EXAMPLES, text)) }),
  );
}

/** Asks for the two entities that a question is about. */
export const queryEntitiesPrompt: Prompt<"question" | "entities"> = {
  role: "reasonplanner/query-entities",
  instructions:
    `A question will be answered from a knowledge graph: from the path between two of its entities and what lies around that path. Choose the two entities of the list that matter most for the question; if only one matters, give it alone; if none has to do with the question, give none.

Copy them letter by letter. Answer with JSON alone: {"entities": ["...", "..."]}`,
  sections: { question: "Question", entities: "Entities" },
  sampling: { temperature: 0, maxTokens: 200 },
  form: z.object({ entities: z.array(name).max(2) }),
};

const readEntities = parseList("entities", soundName, 100);

/** Reads at most two of the known entities. A reply that names only unknown ones is malformed. */
export function parseQueryEntities(known: readonly string[]): ReplyParser<string[]> {
  const names = new Map(known.map((name) => [normaliseEntity(name), name]));
  return refined(readEntities, (entities) => {
    const chosen = entities.map((name) => names.get(normaliseEntity(name))).filter((name) =>
      name !== undefined
    );
    if (chosen.length === 0 && entities.length > 0) {
      return { kind: "malformed", problem: "the entities in it are not in the list" };
    }
    leaveOut(entities.length - chosen.length);
    return { kind: "ok", value: [...new Set(chosen)].slice(0, 2) };
  });
}

/** Asks a question about facts in order of time. */
export const answerPrompt: Prompt<"question" | "facts"> = {
  role: "reasonplanner/answer",
  instructions:
    `Answer the question of an agent that works in a simulated laboratory. What it has learnt so far is given as facts in order of time: "[time] entity, relation, entity; …", all that was learnt at one time in one line. A larger time is later; what is later replaces what it contradicts, and events that follow each other in time were done one after another.

- Use what bears on the question: where things are, what actions do, which steps led to a result and in which order.
- Extrapolate where the facts show a pattern, and say that you do.
- Name things and places as the facts do.

Answer in a few lines of plain text. If the facts tell nothing that bears on the question, answer with the one word UNKNOWN.`,
  sections: { question: "Question", facts: "Facts" },
  sampling: { temperature: 0, maxTokens: 2000 },
};

/** Reads an answer; `undefined` for UNKNOWN. */
export const parseAnswer: ReplyParser<string | undefined> = refined(
  readText(),
  (text) => ({
    kind: "ok",
    value: /^\W*(?:the answer is )?unknown\W*?(?:$|[.!;,\n])/i.test(text) ? undefined : text,
  }),
);
