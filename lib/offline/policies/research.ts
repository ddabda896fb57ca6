/**
 * Research: what to look up next for a question, a comparison or a claim, until the facts at hand answer it.
 *
 * @module
 */

import type { Fact } from "../reading/facts.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { followQuestion, namesIn } from "./question-answering.ts";

/** The next thing to do, and why. */
export type Finding =
  | { readonly kind: "answer"; readonly answer: string; readonly why: string }
  | { readonly kind: "search"; readonly name: string; readonly why: string };

/** The relation by which a year is noted. */
const DATED = "dates from";

/** A page as facts, with the year that it tells first. */
export function readPage(title: string, text: string): Fact[] {
  const at = text.toLowerCase().indexOf(title.toLowerCase());
  const spelt = at < 0 ? title : text.slice(at, at + title.length); // facts come in lower case: the page has the capitals
  const year = text.match(/\b1[0-9]{3}\b|\b20[0-9]{2}\b/)?.[0];
  const dated = year === undefined ? [] : [{ subject: title.toLowerCase(), relation: DATED, object: year }];
  return [...readProse(`${spelt}\n${text.replaceAll(/\.\.(?= |$)/g, ".")}`), ...dated];
}

/**
 * What to do next.
 *
 * @param task with "Question:" or "Claim:" before it, or without
 * @param looked names that were looked for already, in lower case
 */
export function research(task: string, facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const text = task.replace(/^(?:question|claim):\s*/i, "").trim();
  if (/^claim:/i.test(task)) return judge(text, facts, looked);
  const between = text.match(
    /^(?:Who|Which)(?: \w+)? (?:was|is) (?:born|founded|made|written|older) ?(first|earlier|later)?, (.+?) or (.+?)\?$/i,
  );
  if (between) return compareYears(between[1] === "later", [between[2] ?? "", between[3] ?? ""], facts, looked);
  const alike = text.match(/^(?:Were|Are|Do) (.+?) and (.+?) (?:both )?(born in|lie in|in|from) the same (\w+)\?$/i);
  if (alike) {
    const ask = (name: string): string =>
      /born/.test(alike[3] ?? "") ? `Where was ${name} born?` : `In which ${alike[4]} does ${name} lie?`;
    return compareAnswers([ask(alike[1] ?? ""), ask(alike[2] ?? "")], facts, looked);
  }
  return follow(text, facts, looked);
}

/** Follows a question's relations; what is missing is looked up. */
function follow(question: string, facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const { answer, steps } = followQuestion(question, facts);
  const why = steps.join(" ");
  if (answer !== undefined) return { kind: "answer", answer, why };
  const missing = steps.at(-1)?.match(/^Nothing shown tells the .+? of (.+)\.$/)?.[1];
  for (const name of [missing, ...namesIn(question)]) {
    if (name !== undefined && !looked.has(name.toLowerCase())) return { kind: "search", name, why: why || `I need to read about ${name}.` };
  }
  return { kind: "answer", answer: "Unknown", why: why || "The question is of no form that I can read." };
}

function compareYears(later: boolean, names: readonly [string, string], facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const years = names.map((name) => facts.find(({ subject, relation }) => subject === name.toLowerCase() && relation === DATED)?.object);
  for (const [i, name] of names.entries()) {
    if (years[i] === undefined && !looked.has(name.toLowerCase())) return { kind: "search", name, why: `I need the year of ${name}.` };
  }
  const [one, other] = years.map(Number);
  const first = (one ?? NaN) < (other ?? NaN);
  return { kind: "answer", answer: first !== later ? names[0] : names[1], why: `${names[0]}: ${years[0]}, ${names[1]}: ${years[1]}.` };
}

function compareAnswers(questions: readonly string[], facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const found = questions.map((question) => follow(question, facts, looked));
  const next = found.find(({ kind }) => kind === "search");
  if (next) return next;
  const [one = "", other = ""] = found.map((finding) => finding.kind === "answer" ? finding.answer : "");
  const same = one.toLowerCase() === other.toLowerCase() && one !== "Unknown";
  return { kind: "answer", answer: same ? "yes" : "no", why: `One is ${one}, the other ${other}.` };
}

/** What a statement says, as a question and the answer that it gives. */
function judge(claim: string, facts: readonly Fact[], looked: ReadonlySet<string>): Finding {
  const statement = asQuestion(claim.replace(/\.$/, ""));
  if (!statement) {
    const name = namesIn(`That ${claim}`)[0];
    if (name !== undefined && !looked.has(name.toLowerCase())) return { kind: "search", name, why: `I need to read about ${name}.` };
    return { kind: "answer", answer: "NOT ENOUGH INFO", why: "Nothing shown tells it." };
  }
  const finding = follow(statement.question, facts, looked);
  if (finding.kind === "search") return finding;
  if (finding.answer === "Unknown") return { ...finding, answer: "NOT ENOUGH INFO" };
  const bare = (text: string): string => text.toLowerCase().replace(/^the /, "");
  return { ...finding, answer: bare(finding.answer) === bare(statement.answer) ? "SUPPORTS" : "REFUTES" };
}

function asQuestion(claim: string): { readonly question: string; readonly answer: string } | undefined {
  const held = claim.match(/^[Tt]he (capital|currency|author|founder|publisher|teacher|spouse) of (.+) (?:is|was) (?:the )?(.+)$/);
  if (held && !STATEMENTS.some(({ pattern }) => pattern.test(claim))) {
    return { question: `What is the ${held[1]} of ${held[2]}?`, answer: held[3] ?? "" };
  }
  for (const { pattern, relation } of STATEMENTS) {
    const [, subject = "", object = ""] = claim.match(pattern) ?? [];
    if (subject !== "") return { question: `What is the ${relation} of ${subject.replace(/^The /, "the ")}?`, answer: object };
  }
  return undefined;
}

/** Verb phrases of statements, and the noun of what they tell. */
const STATEMENTS: readonly { readonly pattern: RegExp; readonly relation: string }[] = [
  { pattern: /^(.+) (?:was|is) (?:written|authored) by (.+)$/, relation: "author" },
  { pattern: /^(.+) (?:was|is) published by (.+)$/, relation: "publisher" },
  { pattern: /^(.+) (?:was|were) born in (.+)$/, relation: "birthplace" },
  { pattern: /^(.+) (?:was|is) married to (.+)$/, relation: "spouse" },
  { pattern: /^(.+) was taught by (.+)$/, relation: "teacher" },
  { pattern: /^(.+) (?:studied at|attended) (.+)$/, relation: "school" },
  { pattern: /^(.+) was founded by (.+)$/, relation: "founder" },
  { pattern: /^(.+) (?:is|was) (?:based|located) in (.+)$/, relation: "seat" },
  { pattern: /^(.+) (?:lies|is|was) in (.+)$/, relation: "country" },
  { pattern: /^(.+) (?:stands|lies) on the river (.+)$/, relation: "river" },
];
