/**
 * Answers questions by following relations from fact to fact: "Where was the author of X born?" is X, its author, their birthplace.
 *
 * @module
 */

import type { Fact } from "../reading/facts.ts";
import { alternatives, meaning, RELATIONSHIPS } from "../reading/relations.ts";

/** What came of a question. */
export interface Followed {
  /** The answer, where every step was found. */
  readonly answer?: string;
  /** Each fact used, or what is missing, as a sentence. */
  readonly steps: readonly string[];
}

/** A thing asked for: named, or what a relationship leads to from another. */
type Asked = { readonly name: string } | { readonly relations: readonly string[]; readonly of: Asked };

/** Answers from the facts alone; a relation that none tells leaves the question open. */
export function followQuestion(question: string, facts: readonly Fact[]): Followed {
  const asked = readQuestion(question);
  const steps: string[] = [];
  const answer = asked && resolve(asked, facts, steps);
  return { steps, ...(answer === undefined ? {} : { answer }) };
}

/** The names that a question starts from. */
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
  const { nouns, active = [], passive = [], phrases = [], mutual = false } = RELATIONSHIPS[relation] ?? { nouns: [] };
  const forward = [...nouns, ...passive, ...phrases];
  const name = key(from);
  // wordings that can only mean this before those that can mean several ("in")
  for (const words of [forward.filter((word) => word.includes(" ") || word.length > 2), forward]) {
    const told = facts.find((fact) => key(fact.subject) === name && words.includes(bare(fact.relation)));
    if (told) return told.object;
    const inverse = facts.find((fact) => key(fact.object) === name && (mutual ? words : active).includes(bare(fact.relation)));
    if (inverse) return inverse.subject;
  }
  return undefined;
}

/** "was written by" → "written by". */
function bare(relation: string): string {
  return relation.toLowerCase().replace(/^(?:is|was|are|were|has|had)\s+(?:been\s+)?/, "").replace(/^(?:an?|the|its|his|her)\s+/, "");
}

function key(name: string): string {
  return name.toLowerCase().replace(/^(?:the|an?) /, "").replace(/["'’.?]/g, "").replace(/\s+/g, " ").trim();
}

const NOUNS = alternatives("nouns");
const ACTIVE = alternatives("active");
const PASSIVE = alternatives("passive");

/** Words of a class ("market town"), none of which begins a clause. */
const KIND = "(?:(?!(?:where|that|which|who|of|by|in|on|at|is|was|married|attended)\\b)[a-z]+ )+?";

/** Verb phrases at the end of "where X …": what they ask for. */
const TAILS: readonly { readonly pattern: RegExp; readonly relations: readonly string[] }[] = [
  { pattern: /^(.+) (?:was|were) born$/, relations: ["birthplace"] },
  { pattern: /^(.+) died$/, relations: ["deathplace"] },
  { pattern: /^(.+) (?:studied|study|was educated)$/, relations: ["school"] },
  { pattern: /^(.+) (?:is|was) (?:based|located|situated)$/, relations: ["seat", "country"] },
  { pattern: /^(.+) (?:lies|lie|stands|stand|is|was)$/, relations: ["country", "seat"] },
  { pattern: /^(.+) belongs? to$/, relations: ["country"] },
];

/** "In which river …" asks for the river, whatever the verb. */
const CLASSES: readonly string[] = ["country", "river", "capital"];

function readQuestion(question: string): Asked | undefined {
  const text = question.trim().replace(/[?.]+$/, "");
  let match: RegExpMatchArray | null;
  if ((match = text.match(/^Who (?:is|was) (.+) married to$/))) return step(["spouse"], match[1]);
  if ((match = text.match(/^Where (?:is|was) (.+(?<! is| was)) (?:born|based|located|situated)$/))) {
    return tail(undefined, withVerb(text.replace(/^Where \w+ /, "")));
  }
  if ((match = text.match(/^Where (?:did|does) (.+) (study|die|lie|stand)$/i))) return tail(undefined, `${match[1]} ${past(match[2])}`);
  if ((match = text.match(/^(?:In|On|At) (?:which|what) (\w+) (?:is|was|does|did) (.+)$/i))) {
    return tail(match[1], withVerb(match[2] ?? ""));
  }
  if ((match = text.match(new RegExp(`^By whom (?:is|was|were) (.+) (${PASSIVE.replaceAll(" by", "")})$`, "i")))) {
    return step(meaning("passive", `${match[2]} by`), match[1]);
  }
  if ((match = text.match(new RegExp(`^(?:Who |(?:Which|What) ${KIND})(${ACTIVE}) (.+)$`)))) {
    return step(meaning("active", match[1] ?? ""), match[2]);
  }
  if ((match = text.match(/^(?:Who|What|Which|Where) (?:is|was|are|were) (.+)$/i))) return readPhrase(match[1] ?? "");
  return undefined;
}

/** "the author of X", "X's author", "the person who wrote X", "the town where X was born", "the school attended by X", or a name. */
function readPhrase(phrase: string): Asked {
  const text = phrase.trim();
  let match: RegExpMatchArray | null;
  if ((match = text.match(/^the ([a-z]+) (?:where|(?:in|on|at) which|that) (.+)$/))) {
    const asked = tail(match[1], match[2] ?? "");
    if (asked) return asked;
  }
  if ((match = text.match(new RegExp(`^the (${NOUNS}) of (.+)$`, "i")))) {
    return step(meaning("nouns", (match[1] ?? "").toLowerCase()), match[2]);
  }
  if ((match = text.match(new RegExp(`^the ${KIND}(?:who|that|which) (${ACTIVE}) (.+)$`)))) {
    return step(meaning("active", match[1] ?? ""), match[2]);
  }
  if ((match = text.match(new RegExp(`^the ${KIND}(?:(?:who|that|which) (?:is|was) )?married to (.+)$`)))) {
    return step(["spouse"], match[1]);
  }
  if ((match = text.match(new RegExp(`^the [a-z]+ (${PASSIVE}) (.+)$`)))) return step(meaning("passive", match[1] ?? ""), match[2]);
  if ((match = text.match(new RegExp(`^(.+)['’]s (${NOUNS})$`, "i")))) {
    return step(meaning("nouns", (match[2] ?? "").toLowerCase()), match[1]);
  }
  return { name: text };
}

function step(relations: readonly string[], of: string | undefined): Asked {
  return { relations, of: readPhrase(of ?? "") };
}

/** "country", "the author of X was born" → the country of the birthplace of the author of X. */
function tail(kind: string | undefined, text: string): Asked | undefined {
  for (const { pattern, relations } of TAILS) {
    const of = text.match(pattern)?.[1];
    if (of === undefined) continue;
    const asked = step(kind !== undefined && CLASSES.includes(kind) && relations.includes("country") ? [kind] : relations, of);
    return kind === "country" && !relations.includes("country") ? { relations: ["country"], of: asked } : asked;
  }
  return undefined;
}

/** "X born" (asked with "was") as it would be told: "X was born"; "X lie" stays. */
function withVerb(text: string): string {
  if (/(?<! (?:is|was|are|were)) (?:born|based|located|situated|educated)$/.test(text)) return text.replace(/ (\w+)$/, " was $1");
  return / (?:lie|stand|study|belong to|die)$/.test(text) ? past(text) : `${text} is`;
}

function past(text: string | undefined): string {
  return (text ?? "").replace(/\bdie$/, "died");
}
