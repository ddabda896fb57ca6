/**
 * Answers questions about a conversation: what holds now, what held before, which came first, how many there were. What people say about themselves
 * holds, whatever others say of them; what was corrected never was the case; what nobody tells is unknown.
 */

import { ATTRIBUTES, type Statement } from "../reading/dialogue-text.ts";
import { type Pattern, readFirst } from "../reading/noun-phrases.ts";

/** What the prompt tells. */
export interface Told {
  /** Statements whose order is known. */
  readonly statements: readonly Statement[];
  /** Statements of a graph, whose order is not: it holds what has not been found outdated. */
  readonly graph: readonly Statement[];
}

type Kind = "current" | "former" | "order" | "count";

/** A question, read. */
interface Asked {
  readonly kind: Kind;
  readonly attribute: string;
  readonly name: string;
  readonly between?: readonly [string, string];
}

const NOUN = [...ATTRIBUTES, ...ATTRIBUTES.map((attribute) => attribute.endsWith("h") ? `${attribute}es` : `${attribute}s`)].join("|");

const QUESTIONS: readonly Pattern<Asked>[] = ([
  [`^How many different (${NOUN}) has (.+) had so far$`, (nouns, name) => ({ kind: "count", attribute: singular(nouns), name })],
  [`^Which (${NOUN}) did (.+) have first, (.+) or (.+)$`, (attribute, name, one, other) => order(attribute, name, one, other)],
  [`^Of (.+) and (.+), which was the (${NOUN}) of (.+) first$`, (one, other, attribute, name) => order(attribute, name, one, other)],
  [`^What was the (${NOUN}) of (.+) just before the present one$`, (attribute, name) => ({ kind: "former", attribute, name })],
  [`^Which (${NOUN}) did (.+) have right before the present one$`, (attribute, name) => ({ kind: "former", attribute, name })],
  [`^What is the (?:present|current) (${NOUN}) of (.+)$`, (attribute, name) => ({ kind: "current", attribute, name })],
  [`^Which (${NOUN}) does (.+) have now$`, (attribute, name) => ({ kind: "current", attribute, name })],
] satisfies [string, Pattern<Asked>[1]][]).map(([form, read]) => [new RegExp(form), read]);

function singular(nouns: string): string {
  return nouns.replace(/(?<=h)es$|s$/, "");
}

function order(attribute: string, name: string, one: string, other: string): Asked {
  return { kind: "order", attribute, name, between: [one.toLowerCase(), other.toLowerCase()] };
}

/** The answer and the reason; "Unknown" where what is told does not decide. */
export function answerAboutDialogue(question: string, { statements, graph }: Told): { readonly answer: string; readonly why: string } {
  const asked = readFirst(question.trim().replace(/[?.]+$/, ""), QUESTIONS);
  if (!asked) return { answer: "Unknown", why: "The question is of no form that I can read." };
  const isMeant = ({ name, attribute, how }: Statement): boolean =>
    how !== "other" && name === asked.name.toLowerCase() && attribute === asked.attribute;
  const past = historyOf(statements.filter(isMeant).toSorted((a, b) => a.at - b.at));
  const kept = graph.filter(isMeant).map(({ value }) => value).findLast((value) => !past.slice(0, -1).includes(value));
  const history = kept === undefined || past.at(-1) === kept ? past : [...past, kept];
  const why = history.length === 0
    ? `Nothing shown tells the ${asked.attribute} of ${asked.name}.`
    : `The ${asked.attribute} of ${asked.name} was, one after the other: ${history.join(", ")}.`;
  return { answer: decide(asked, history, kept !== undefined) ?? "Unknown", why };
}

/** The values one after the other; a correction takes the place of the one before, and a repetition adds none. */
function historyOf(statements: readonly Statement[]): string[] {
  return statements.reduce<string[]>((values, { how, value }) => {
    if (values.includes(value)) return values;
    return [...(how === "corrected" ? values.slice(0, -1) : values), value];
  }, []);
}

function decide({ kind, between }: Asked, history: readonly string[], isKept: boolean): string | undefined {
  if (kind === "current") return history.at(-1);
  if (kind === "former") return history.at(-2);
  if (kind === "count") return history.length > 0 ? String(history.length) : undefined;
  const [one = "", other = ""] = between ?? [];
  const [first, second] = [history.indexOf(one), history.indexOf(other)];
  if (first >= 0 && second >= 0) return first < second ? one : other;
  const last = history.at(-1);
  return isKept && (last === one || last === other) ? last === one ? other : one : undefined; // the present value came after the other one
}
