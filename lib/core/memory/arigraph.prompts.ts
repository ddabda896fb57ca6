/**
 * The prompts of the AriGraph memory and the parsers of their replies. Fields and answer formats
 * follow AriGraph (Anokhin et al. 2024, arXiv 2407.04363), App. E; the wording is ours. Two of them
 * have a variant for paragraphs and questions in place of observations of a game (§4 "Multi-hop
 * Q&A": slight adjustments of the prompts), with the same answer format.
 */

import { z } from "zod";
import { parseTriplets } from "../graph/read-triplets.ts";
import { parseTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson, type Schema } from "../text/json.ts";
import { keepSound, soundName } from "../text/read-lists.ts";
import { mend } from "../text/reading-rules.ts";
import {
  completeEntries,
  completeSentences,
  eitherOf,
  leaveOut,
  reader,
  refined,
  type ReplyParser,
} from "../text/reply-text.ts";

/** Asks for the triplets of an observation. */
export const extractPrompt: Prompt<"examples" | "observation"> = {
  role: "arigraph/extract",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game. Read the observation and write down every fact in it as triplets "subject, relation, object".

How to write triplets
- Subject and object are single things, places, directions, properties or persons; the relation may be longer. At most 7 words in all, exactly two commas, no comma inside a part.
- One fact a triplet. Split what is joined: "a red box with a coin and a map inside" gives "box, is, red; coin, is in, box; map, is in, box".
- Call a thing by the same name every time, the one that the game uses ("brass lever", "stone urn", "cellar"), without articles.
- Only what the observation says. What it merely suggests is written as such: "door, may lead to, cellar".

What to write down
- Each thing in a place: "attic, contains, trunk". Each thing on or in another: "turnip, is on, bench"; "coin, is in, stone urn". The state of a thing: "trunk, is, closed"; "gate, is, locked".
- Each exit of the place the agent is in, with the place's name as it is given between "-=" and "=-": "attic, has exit, east". A door counts as an exit and is a thing of its own as well.
- What a thing is for, what opens what, what a task needs: "brass lever, opens, gate"; "anvil, used for, forging"; "soup, requires, turnip"; "turnip, to be, peeled".
- Everything that a note, a sign, a book or the task says, and that it is said there: "sign, says coin is in, stone urn".
- What the agent carries: "coin, is in, inventory". If it has just taken something, this replaces where the thing was.
- What an action changed: "turnip, has been, peeled"; "trunk, is, open".

What to leave out: where the agent itself is ("you, are in, cellar"), its feelings, the score, jokes and decoration of the text, and anything with "none" or "nothing" as a part.

Earlier triplets are shown as examples of names and style; do not repeat them unless the observation says them again.

Answer with the triplets alone, in one line, separated by semicolons: subject, relation, object; subject, relation, object; ...
If the observation holds no fact at all, answer with an empty pair of brackets: []`,
  sections: { examples: "Triplets extracted before", observation: "Observation" },
  sampling: { temperature: 0, maxTokens: 1000 },
};

/** Asks for the triplets of a paragraph. */
export const extractParagraphPrompt: Prompt<"examples" | "paragraph"> = {
  role: "arigraph/extract-paragraph",
  instructions:
    `You build a knowledge graph from paragraphs of an encyclopedia, so that questions which join facts of several paragraphs can be answered from it later. Read the paragraph and write down every fact in it as triplets "subject, relation, object".

How to write triplets
- Subject and object are single persons, places, bodies, works, events, dates or numbers; the relation is short and says how they belong together: "Tarn, is located in, Ostrea"; "Alda Merrow, born on, 3 May 1871".
- Exactly two commas a triplet, none inside a part: write "3 May 1871", not "May 3, 1871".
- One fact a triplet. Split what is joined: "a poet and painter born in Tarn" gives "Alda Merrow, is, poet; Alda Merrow, is, painter; Alda Merrow, was born in, Tarn".
- Never "he", "it", "the novel" or the like: write the name that is meant. A first line that is a title says what the paragraph is about.
- Call a thing by the same full name every time, so that facts of different paragraphs meet.
- Only what the paragraph says.

Earlier triplets, where there are any, are shown as examples of names and style; do not repeat them unless the paragraph says them again.

Answer with the triplets alone, in one line, separated by semicolons: subject, relation, object; subject, relation, object; ...
If the paragraph holds no fact at all, answer with an empty pair of brackets: []`,
  sections: { examples: "Triplets extracted before", paragraph: "Paragraph" },
  sampling: { temperature: 0, maxTokens: 1000 },
};

/**
 * Reads `s, r, o; s, r, o; …`. Parts of another form are ignored; a reply that consists of such
 * parts alone is malformed.
 */
export const parseExtract: ReplyParser<Triplet[]> = reader((answer) => {
  if (/^\W*(none|no triplets)?\W*$/i.test(answer) && answer !== "") {
    return { kind: "ok", value: [] };
  }
  const triplets = parseTriplets(answer);
  if (triplets.length === 0) {
    return {
      kind: "malformed",
      problem: 'there is no triplet of the form "subject, relation, object" in it',
    };
  }
  return { kind: "ok", value: triplets };
}, { completed: completeEntries });

/** Asks which known triplets the new ones have made untrue. */
export const outdatePrompt: Prompt<"existing" | "fresh"> = {
  role: "arigraph/outdate",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game. The world changes as the agent acts, so that new triplets can make existing ones untrue. Name each existing triplet that a new one replaces.

Replace an existing triplet
- when a new one says that the same aspect of the same thing has changed: where it is, whether it is open, closed or locked, raw or cooked, whole or cut. With existing "coin, is in, stone urn"; "stone urn, contains, coin" and new "coin, is in, inventory" both existing ones go, because the coin has left the urn;
- when a new one says the same in other words.

Keep an existing triplet
- when the new ones speak of another aspect or another thing: "brush, used for, painting" stays beside "brush, is in, hall", and "turnip, to be, peeled" stays beside "turnip, is on, bench";
- when it tells how places lie to each other, which exits a place has, what a thing is for, or what a task needs, unless a new one contradicts it;
- when you are not sure. A triplet kept in vain does little harm; a lost one may be needed.

Write both triplets exactly as they are given, with an arrow between them, and no existing triplet that stays. Answer with the replacements alone, in this form and in one line:
[[existing triplet -> new triplet], [existing triplet -> new triplet], ...]
In the example of the coin that is:
[[coin, is in, stone urn -> coin, is in, inventory], [stone urn, contains, coin -> coin, is in, inventory]]
If nothing is to be replaced, answer: []`,
  sections: { existing: "Existing triplets", fresh: "New triplets" },
  sampling: { temperature: 0, maxTokens: 500 },
};

/** A reply about stale triplets. */
export interface StaleAnswer {
  /** The existing triplet of each pair, in normal form, in the order of the reply. */
  readonly stale: readonly Triplet[];
  /**
   * Number of unreadable pairs: those with several arrows, or whose existing triplet does not have
   * three fields.
   */
  readonly ignored: number;
}

/**
 * Reads `[[old -> new], …]` or `[]`. A line ends a pair, but for lines within the brackets of one;
 * each side may have brackets of its own.
 */
export const parseOutdate: ReplyParser<StaleAnswer> = reader((reply) => {
  const text = reply.replaceAll(/\]?[ \t]*(?:-+>|=>|→)[ \t]*\[?/g, " -> ");
  const joined = text.replaceAll(
    /\[[^[\]]*\]/g,
    (pair) => pair.split("->").length === 2 ? pair.replaceAll("\n", " ") : pair,
  );
  const pairs = joined.split(/[[\]\n]/).filter((part) => part.includes("->"));
  if (pairs.length === 0) {
    if (/\[[\s[\]]*\]|^\W*(none|nothing)\W*$/i.test(text)) {
      return { kind: "ok", value: { stale: [], ignored: 0 } };
    }
    return { kind: "malformed", problem: "there is no [existing triplet -> new triplet] in it" };
  }
  const stale = pairs.map((pair) => {
    const [old, fresh, ...rest] = pair.split("->");
    return old === undefined || fresh === undefined || rest.length > 0
      ? undefined
      : parseTriplet(mend("entry", old));
  });
  const read = stale.filter((triplet) => triplet !== undefined);
  return { kind: "ok", value: { stale: read, ignored: stale.length - read.length } };
}, { completed: completePairs });

/**
 * Reads a reply about these triplets. A reply without any arrow is read if each existing triplet in
 * it, which is not new as well, is followed by the new one that replaces it: by one with the same
 * subject or object.
 *
 * @example
 * ```ts
 * import { parseOutdateOf } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const existing = [{ subject: "coin", relation: "is in", object: "urn" }];
 * const fresh = [{ subject: "coin", relation: "is in", object: "inventory" }];
 * const read = parseOutdateOf({ existing, fresh })("[[coin, is in, urn -> coin, is in, inventory]]");
 * assert.deepEqual(read, { kind: "ok", value: { stale: existing, ignored: 0 } });
 * ```
 */
export function parseOutdateOf(
  { existing, fresh }: {
    readonly existing: readonly Triplet[];
    readonly fresh: readonly Triplet[];
  },
): ReplyParser<StaleAnswer> {
  const [isKnown, isNew] = [existing, fresh].map((triplets) => {
    const keys = new Set(triplets.map(tripletKey));
    return (triplet: Triplet): boolean => keys.has(tripletKey(triplet));
  }) as [(triplet: Triplet) => boolean, (triplet: Triplet) => boolean];
  return eitherOf(
    parseOutdate,
    reader((text) => {
      const listed = text.includes("->")
        ? []
        : text.split(/[[\]\n;]/).flatMap((part) => parseTriplet(mend("entry", part)) ?? []);
      const stale = listed.filter((_, at) => at % 2 === 0);
      const isPaired = stale.length > 0 && listed.length % 2 === 0 && stale.every((old, at) => {
        const next = listed[2 * at + 1] as Triplet;
        const isAlike = old.subject === next.subject || old.object === next.object ||
          old.subject === next.object ||
          old.object === next.subject;
        return isAlike && isKnown(old) && !isNew(old) && isNew(next);
      });
      return isPaired
        ? { kind: "ok", value: { stale, ignored: 0 } }
        : { kind: "malformed", problem: "no arrow is in it" };
    }, { completed: completePairs }),
  );
}

/** What is complete in pairs that were cut: all up to the last closing bracket. */
function completePairs(text: string): string {
  return text.slice(0, text.lastIndexOf("]") + 1);
}

/** Asks what to look up in memory, in the order of the authors' prompt. */
export const entitiesPaperPrompt: Prompt<"observation" | "plan"> = {
  role: "arigraph/entities",
  instructions:
    `You choose what an agent that plays a text game should look up in its memory. From its observation and its plan, name the things, places and persons that matter for what it will do next, and say how much each matters:
- 2: it is part of a sub-goal, or needed to reach one; its surroundings in memory are worth reading too;
- 1: it is worth a look, such as the place where the agent is.

Name things as the texts name them, without articles, also those that only the plan speaks of. Leave out the agent itself, actions, directions and decoration. About 3 to 8 names.

Answer with a JSON object of name and importance alone, for example: {"cellar": 1, "brass lever": 2}`,
  sections: { observation: "Observation", plan: "Plan" },
  sampling: { temperature: 1, maxTokens: 400 },
};

export const entitiesPrompt: Prompt<"observation" | "plan"> = {
  ...entitiesPaperPrompt,
  sections: { plan: "Plan", observation: "Observation" },
};

/** Asks what to look up in memory for a question. */
export const questionEntitiesPrompt: Prompt<"question" | "deepest"> = {
  role: "arigraph/question-entities",
  instructions:
    `You choose what to look up in a knowledge graph in order to answer a question. Name the persons, places, bodies, works, events and other notions of the question, and say how much each matters, from 1 up to the greatest importance given: the greatest for what the answer is sought from, whose further surroundings in the graph are worth reading too; 1 for what is worth a look.

Name things as the question names them, with their full names. Leave out question words. About 1 to 6 names.

Answer with a JSON object of name and importance alone, for example: {"Alda Merrow": 3, "birthplace": 1}`,
  sections: { question: "Question", deepest: "Greatest importance" },
  sampling: { temperature: 0.001, maxTokens: 400 },
};

/**
 * Largest number of names that are searched for: each costs up to w·(2w + 1) comparisons with the
 * graph.
 */
const MAX_ENTITIES = 40;

/** Names in the form that endpoints enforce, and characters of each. */
const LISTED_ENTITIES = { names: 12, characters: 60 } as const;

/**
 * The form of a reply that names what to look up. It is a list, since an object with any names has
 * no form that could be enforced.
 *
 * @example
 * ```ts
 * import { entitiesForm } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.ok(entitiesForm(2).safeParse({ entities: [{ name: "brass lever", importance: 2 }] }).success);
 * ```
 */
export function entitiesForm(deepest: number): Schema<unknown> {
  const name = z.string().max(LISTED_ENTITIES.characters);
  const importance = z.int().min(1).max(deepest);
  return z.object({ entities: z.array(z.object({ name, importance })).max(LISTED_ENTITIES.names) });
}

/** An entity of a list: an object with its importance, or a name alone, which has importance 1. */
const listedEntity = z.union([
  z.object({ name: soundName, importance: z.unknown() }).transform((
    { name, importance },
  ): Named => [name, importance]),
  soundName.transform((name): Named => [name, 1]),
]);
type Named = readonly [name: string, importance: unknown];

const listOfEntities = keepSound(listedEntity);
const readEntities = parseJson(z.union([
  z.object({ entities: listOfEntities }).transform(({ entities }) => entities),
  listOfEntities,
  z.record(z.string(), z.unknown()).transform((object): Named[] => Object.entries(object)),
]));

/**
 * Reads entity → importance, as an object or as a list. Names are lower-cased, numbers rounded up
 * and clamped to 1 … `deepest`. Entries without a name or a number are left out and counted.
 *
 * @example
 * ```ts
 * import { parseEntities } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const read = parseEntities(2)('{"Cellar": 1, "brass lever": 7}');
 * assert.ok(read.kind === "ok");
 * assert.deepEqual([...read.value], [["cellar", 1], ["brass lever", 2]]);
 * ```
 */
export function parseEntities(deepest: number): ReplyParser<Map<string, number>> {
  return refined(readEntities, (listed) => {
    const entities = new Map<string, number>();
    for (const [name, importance] of listed) {
      const entity = name.trim().toLowerCase();
      const number = typeof importance === "string" && importance.trim() !== ""
        ? Number(importance)
        : importance;
      const isRead = entity !== "" && typeof number === "number" && Number.isFinite(number) &&
        entities.size < MAX_ENTITIES;
      if (isRead) entities.set(entity, Math.min(Math.max(Math.ceil(number), 1), deepest));
      else leaveOut();
    }
    if (entities.size === 0 && listed.length > 0) {
      return { kind: "malformed", problem: `no importance in it is a number from 1 to ${deepest}` };
    }
    return { kind: "ok", value: entities };
  });
}

/** Whether the plan calls for looking around. */
export const explorePrompt: Prompt<"plan"> = {
  role: "arigraph/explore",
  instructions:
    `You judge the plan of an agent that plays a text game. Answer True if its next sub-goals need the agent to explore: to find or locate a thing, a place or a person whose whereabouts it does not know, or to see new places. Answer False if it knows where to go and what to do there.

Answer with the one word True or False.`,
  sections: { plan: "Plan" },
  sampling: { temperature: 0.2, maxTokens: 20 },
};

/** Reads True or False. A reply with both or neither is malformed. */
export const parseExplore: ReplyParser<boolean> = reader((text) => {
  const [yes, no] = [/\btrue\b/i.test(text), /\bfalse\b/i.test(text)];
  if (yes === no) return { kind: "malformed", problem: "it is neither True nor False" };
  return { kind: "ok", value: yes };
}, { completed: completeSentences });
