/** What to look up or answer next for a question, a comparison or a claim. */

import { readProse } from "../reading/encyclopedia-text.ts";
import type { Fact } from "../reading/facts.ts";
import { type Pattern, readFirst } from "../reading/noun-phrases.ts";
import { followQuestion, namesIn } from "./question-answering.ts";

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
 * The next step of a task.
 * @param looked names already looked up, in lower case
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
