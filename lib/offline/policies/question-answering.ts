/**
 * Answers questions by following relations from fact to fact, and says what to look up next for a
 * question, a comparison or a claim.
 */

import {
  alternatives,
  meaning,
  MUTUAL,
  type Relationship,
  RELATIONSHIPS,
} from "../reading/encyclopedia-text.ts";
import type { Fact } from "../reading/facts.ts";
import { type Pattern, readFirst } from "../reading/noun-phrases.ts";

interface Followed {
  readonly answer: string | undefined;
  readonly steps: readonly string[];
}

/** A thing asked for: a name, or what one of some relations leads to from another thing. */
type Asked = { readonly name: string } | {
  readonly relations: readonly string[];
  readonly of: Asked;
};

/** Answers a question from the facts. */
export function followQuestion(question: string, facts: readonly Fact[]): Followed {
  const asked = readQuestion(question);
  const steps: string[] = [];
  const answer = asked && resolve(asked, facts, steps);
  return { steps, answer };
}

export function namesIn(question: string): string[] {
  const asked = readQuestion(question);
  let inner = asked;
  while (inner && "of" in inner) inner = inner.of;
  if (asked && inner && "name" in inner && asked !== inner) return [inner.name];
  const words = question.replace(/^\W*\w+/, "").replace(/[?.]+$/, "");
  return words.match(/[A-Z][\p{L}\p{N}'’-]*(?: (?:(?:of|the) )*[A-Z][\p{L}\p{N}'’-]*)*/gu) ?? [];
}

function resolve(asked: Asked, facts: readonly Fact[], steps: string[]): string | undefined {
  if ("name" in asked) return asked.name;
  const from = resolve(asked.of, facts, steps);
  if (from === undefined) return undefined;
  for (const relation of asked.relations) {
    const found = lookUp(relation, from, facts);
    if (found === undefined) continue;
    steps.push(`The ${relation} of ${from} is ${found}.`);
    return found;
  }
  steps.push(`Nothing shown tells the ${asked.relations.join(" or ")} of ${from}.`);
  return undefined;
}

function lookUp(relation: string, from: string, facts: readonly Fact[]): string | undefined {
  const { nouns, active, passive, phrases } = RELATIONSHIPS[relation] as Relationship;
  const forward = [...nouns, ...passive, ...phrases];
  const name = key(from);
  // unambiguous wordings before those of several meanings ("in")
  for (const words of [forward.filter((word) => word.includes(" ") || word.length > 2), forward]) {
    const told = facts.find((fact) =>
      key(fact.subject) === name && words.includes(bare(fact.relation))
    );
    if (told) return told.object;
    const inverse = facts.find((fact) =>
      key(fact.object) === name &&
      (MUTUAL.has(relation) ? words : active).includes(bare(fact.relation))
    );
    if (inverse) return inverse.subject;
  }
  return undefined;
}

function bare(relation: string): string {
  return relation.toLowerCase().replace(/^(?:is|was|are|were|has|had)\s+(?:been\s+)?/, "").replace(
    /^(?:an?|the|its|his|her)\s+/,
    "",
  );
}

function key(name: string): string {
  return name.toLowerCase().replace(/^(?:the|an?) /, "").replace(/["'’.?]/g, "").replace(
    /\s+/g,
    " ",
  ).trim();
}

const NOUNS = alternatives("nouns");
const ACTIVE = alternatives("active");
const PASSIVE = alternatives("passive");

/** Words of a class ("market town"), none of which begins a clause. */
const KIND = "(?:(?!(?:where|that|which|who|of|by|in|on|at|is|was|married|attended)\\b)[a-z]+ )+?";

/** Verb phrases at the end of "where X …", and the relations that they ask for. */
const TAILS: readonly Pattern<{ readonly relations: readonly string[]; readonly of: string }>[] = (
  [
    [/^(.+) (?:was|were) born$/, "birthplace"],
    [/^(.+) died$/, "deathplace"],
    [/^(.+) (?:studied|study|was educated)$/, "school"],
    [/^(.+) (?:is|was) (?:based|located|situated)$/, "seat", "country"],
    [/^(.+) (?:lies|lie|stands|stand|is|was)$/, "country", "seat"],
    [/^(.+) belongs? to$/, "country"],
  ] as const
).map(([form, ...relations]) => [form, (of) => ({ relations, of })]);

const CLASSES: readonly string[] = ["country", "river", "capital"];

const QUESTIONS: readonly Pattern<Asked | undefined>[] = [
  [/^Who (?:is|was) (.+) married to$/, (name) => step(["spouse"], name)],
  [
    /^Where (?:is|was) ((?:.+(?<! is| was)) (?:born|based|located|situated))$/,
    (clause) => tail("", withVerb(clause)),
  ],
  [
    /^Where (?:did|does) (.+) (study|die|lie|stand)$/i,
    (name, verb) => tail("", `${name} ${past(verb)}`),
  ],
  [
    /^(?:In|On|At) (?:which|what) (\w+) (?:is|was|does|did) (.+)$/i,
    (kind, clause) => tail(kind, withVerb(clause)),
  ],
  [
    new RegExp(`^By whom (?:is|was|were) (.+) (${PASSIVE.replaceAll(" by", "")})$`, "i"),
    (name, verb) => step(meaning("passive", `${verb} by`), name),
  ],
  [
    new RegExp(`^(?:Who |(?:Which|What) ${KIND})(${ACTIVE}) (.+)$`),
    (verb, name) => step(meaning("active", verb), name),
  ],
  [/^(?:Who|What|Which|Where) (?:is|was|are|were) (.+)$/i, readPhrase],
];

function readQuestion(question: string): Asked | undefined {
  return readFirst(question.trim().replace(/[?.]+$/, ""), QUESTIONS);
}

const PHRASES: readonly Pattern<Asked>[] = [
  [
    new RegExp(`^the (${NOUNS}) of (.+)$`, "i"),
    (noun, name) => step(meaning("nouns", noun.toLowerCase()), name),
  ],
  [
    new RegExp(`^the ${KIND}(?:who|that|which) (${ACTIVE}) (.+)$`),
    (verb, name) => step(meaning("active", verb), name),
  ],
  [
    new RegExp(`^the ${KIND}(?:(?:who|that|which) (?:is|was) )?married to (.+)$`),
    (name) => step(["spouse"], name),
  ],
  [
    new RegExp(`^the [a-z]+ (${PASSIVE}) (.+)$`),
    (verb, name) => step(meaning("passive", verb), name),
  ],
  [
    new RegExp(`^(.+)['’]s (${NOUNS})$`, "i"),
    (name, noun) => step(meaning("nouns", noun.toLowerCase()), name),
  ],
];

/**
 * "the author of X", "X's author", "the person who wrote X", "the town where X was born", or a
 * name.
 */
function readPhrase(phrase: string): Asked {
  const text = phrase.trim();
  const [, kind, clause = ""] =
    text.match(/^the ([a-z]+) (?:where|(?:in|on|at) which|that) (.+)$/) ?? [];
  return (kind && tail(kind, clause)) || (readFirst(text, PHRASES) ?? { name: text });
}

function step(relations: readonly string[], of: string): Asked {
  return { relations, of: readPhrase(of) };
}

/** "country", "the author of X was born" → the country of the birthplace of the author of X. */
function tail(kind: string, clause: string): Asked | undefined {
  const found = readFirst(clause, TAILS);
  if (!found) return undefined;
  const asksCountry = found.relations.includes("country");
  const asked = step(CLASSES.includes(kind) && asksCountry ? [kind] : found.relations, found.of);
  return kind === "country" && !asksCountry ? { relations: ["country"], of: asked } : asked;
}

/** Moves a question's verb to its end: "X born" (asked with "was") → "X was born". */
function withVerb(clause: string): string {
  if (/(?<! (?:is|was|are|were)) (?:born|based|located|situated|educated)$/.test(clause)) {
    return clause.replace(/ (\w+)$/, " was $1");
  }
  return / (?:lie|stand|study|belong to|die)$/.test(clause) ? past(clause) : `${clause} is`;
}

function past(clause: string): string {
  return clause.replace(/\bdie$/, "died");
}
