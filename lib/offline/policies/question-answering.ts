/**
 * Answers questions by following relations from fact to fact ("Where was the author of X born?" is
 * X, its author, their birthplace), and says what to look up next in an encyclopedia (HotpotQA,
 * FEVER) for a question, a comparison or a claim.
 */

import {
  alternatives,
  meaning,
  MUTUAL,
  readProse,
  type Relationship,
  RELATIONSHIPS,
} from "../reading/encyclopedia-text.ts";
import type { Fact } from "../reading/facts.ts";
import { type Pattern, readFirst } from "../reading/noun-phrases.ts";

interface Followed {
  readonly answer: string | undefined;
  readonly steps: readonly string[];
}

/** A thing asked for: by its name, or as what one of some relations leads to from another thing. */
type Asked = { readonly name: string } | {
  readonly relations: readonly string[];
  readonly of: Asked;
};

/** Answers a question from the facts alone; a relation that no fact states leaves it open. */
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
 * "the author of X", "X's author", "the person who wrote X", "the town where X was born", "the
 * school attended by X", or a name.
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

/**
 * Moves the verb of a question to its end: "X born" (asked with "was") → "X was born"; "X lie"
 * stays.
 */
function withVerb(clause: string): string {
  if (/(?<! (?:is|was|are|were)) (?:born|based|located|situated|educated)$/.test(clause)) {
    return clause.replace(/ (\w+)$/, " was $1");
  }
  return / (?:lie|stand|study|belong to|die)$/.test(clause) ? past(clause) : `${clause} is`;
}

function past(clause: string): string {
  return clause.replace(/\bdie$/, "died");
}

export type Finding =
  | { readonly kind: "answer"; readonly answer: string; readonly why: string }
  | { readonly kind: "search"; readonly name: string; readonly why: string };

const DATED = "dates from";

export function readPage(title: string, text: string): Fact[] {
  const at = text.toLowerCase().indexOf(title.toLowerCase());
  const spelt = at < 0 ? title : text.slice(at, at + title.length); // facts come in lower case: the page has the capitals
  const dated = (text.match(/\b1[0-9]{3}\b|\b20[0-9]{2}\b/) ?? []).map((object) => ({
    subject: title.toLowerCase(),
    relation: DATED,
    object,
  }));
  return [...readProse(`${spelt}\n${text.replaceAll(/\.\.(?= |$)/g, ".")}`), ...dated];
}

/**
 * The next thing to do for a task.
 *
 * @param task with "Question:" or "Claim:" before it, or without
 * @param looked names that were looked for already, in lower case
 */
export function research(
  task: string,
  facts: readonly Fact[],
  looked: ReadonlySet<string>,
): Finding {
  const text = task.replace(/^(?:question|claim):\s*/i, "").trim();
  if (/^claim:/i.test(task)) return verify(text, facts, looked);
  const between = text.match(
    /^(?:Who|Which)(?: \w+)? (?:was|is) (?:born|founded|made|written|older) ?(first|earlier|later)?, (.+?) or (.+?)\?$/i,
  );
  if (between) {
    return compareYears(
      between[1] === "later",
      [between[2] ?? "", between[3] ?? ""],
      facts,
      looked,
    );
  }
  const alike = text.match(
    /^(?:Were|Are|Do) (.+?) and (.+?) (?:both )?(born in|lie in|in|from) the same (\w+)\?$/i,
  );
  if (alike) {
    const ask = (name: string): string =>
      /born/.test(alike[3] ?? "")
        ? `Where was ${name} born?`
        : `In which ${alike[4]} does ${name} lie?`;
    return compareAnswers([ask(alike[1] ?? ""), ask(alike[2] ?? "")], facts, looked);
  }
  return follow(text, facts, looked);
}

function follow(question: string, facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const { answer, steps } = followQuestion(question, facts);
  const why = steps.join(" ");
  if (answer !== undefined) return { kind: "answer", answer, why };
  const missing = steps.at(-1)?.match(/^Nothing shown tells the .+? of (.+)\.$/)?.[1];
  for (const name of [missing, ...namesIn(question)]) {
    if (name !== undefined && !looked.has(name.toLowerCase())) {
      return { kind: "search", name, why: why || `I need to read about ${name}.` };
    }
  }
  return {
    kind: "answer",
    answer: "Unknown",
    why: why || "The question is of no form that I can read.",
  };
}

function compareYears(
  later: boolean,
  names: readonly [string, string],
  facts: readonly Fact[],
  looked: ReadonlySet<string>,
): Finding {
  const years = names.map((name) =>
    facts.find(({ subject, relation }) => subject === name.toLowerCase() && relation === DATED)
      ?.object
  );
  for (const [i, name] of names.entries()) {
    if (years[i] === undefined && !looked.has(name.toLowerCase())) {
      return { kind: "search", name, why: `I need the year of ${name}.` };
    }
  }
  const [one, other] = years.map(Number);
  const first = (one ?? NaN) < (other ?? NaN);
  const why = names.map((name, i) => `${name}: ${years[i] ?? "no year is shown"}`).join(", ");
  return { kind: "answer", answer: first !== later ? names[0] : names[1], why: `${why}.` };
}

function compareAnswers(
  questions: readonly string[],
  facts: readonly Fact[],
  looked: ReadonlySet<string>,
): Finding {
  const found = questions.map((question) => follow(question, facts, looked));
  const next = found.find(({ kind }) => kind === "search");
  if (next) return next;
  const [one = "", other = ""] = found.map((finding) =>
    finding.kind === "answer" ? finding.answer : ""
  );
  const same = one.toLowerCase() === other.toLowerCase() && one !== "Unknown";
  return { kind: "answer", answer: same ? "yes" : "no", why: `One is ${one}, the other ${other}.` };
}

function verify(claim: string, facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const statement = readFirst(claim.replace(/\.$/, ""), STATEMENTS);
  if (!statement) {
    const name = namesIn(`That ${claim}`)[0];
    if (name !== undefined && !looked.has(name.toLowerCase())) {
      return { kind: "search", name, why: `I need to read about ${name}.` };
    }
    return { kind: "answer", answer: "NOT ENOUGH INFO", why: "Nothing shown tells it." };
  }
  const finding = follow(statement.question, facts, looked);
  if (finding.kind === "search") return finding;
  if (finding.answer === "Unknown") return { ...finding, answer: "NOT ENOUGH INFO" };
  const bare = (text: string): string => text.toLowerCase().replace(/^the /, "");
  return {
    ...finding,
    answer: bare(finding.answer) === bare(statement.answer) ? "SUPPORTS" : "REFUTES",
  };
}

interface Statement {
  readonly question: string;
  readonly answer: string;
}

const STATEMENTS: readonly Pattern<Statement>[] = [
  ...([
    [/^(.+) (?:was|is) (?:written|authored) by (.+)$/, "author"],
    [/^(.+) (?:was|is) published by (.+)$/, "publisher"],
    [/^(.+) (?:was|were) born in (.+)$/, "birthplace"],
    [/^(.+) (?:was|is) married to (.+)$/, "spouse"],
    [/^(.+) was taught by (.+)$/, "teacher"],
    [/^(.+) (?:studied at|attended) (.+)$/, "school"],
    [/^(.+) was founded by (.+)$/, "founder"],
    [/^(.+) (?:is|was) (?:based|located) in (.+)$/, "seat"],
    [/^(.+) (?:lies|is|was) in (.+)$/, "country"],
    [/^(.+) (?:stands|lies) on the river (.+)$/, "river"],
  ] as const).map(([form, relation]): Pattern<Statement> => [
    form,
    (subject, answer) => ({
      question: `What is the ${relation} of ${subject.replace(/^The /, "the ")}?`,
      answer,
    }),
  ]),
  [
    /^[Tt]he (capital|currency|author|founder|publisher|teacher|spouse) of (.+) (?:is|was) (?:the )?(.+)$/,
    (relation, subject, answer) => ({ question: `What is the ${relation} of ${subject}?`, answer }),
  ],
];
