/**
 * What people say of themselves and of each other in a conversation, read as statements; and the same as triplets, in which memories keep them.
 */

import { capitalised } from "../../text/capitalised.ts";
import { linesOf } from "./noun-phrases.ts";
import type { Fact } from "./facts.ts";

/** One statement about a person. */
export interface Statement {
  /** Its place in time: statements of a later turn have a greater one. */
  readonly at: number;
  /** Whom it is about, in lower case. */
  readonly name: string;
  /** What it is about: `home`, `car`, … */
  readonly attribute: string;
  /** In lower case. */
  readonly value: string;
  /** `own`: said by the person; `corrected`: the same, in place of what they said last; `other`: said by someone else. */
  readonly how: "own" | "corrected" | "other";
}

/** Attribute → verb phrases, for "I live in X" and "N lives in X". */
const VERBS: Readonly<Record<string, string>> = {
  home: "lives? in|settled in|moved to",
  employer: "works? for|employed by|joined",
  instrument: "plays?|takes? lessons on",
  sport: "trains? in|taken up",
  "favourite dish": "likes?(?= .* best)",
  car: "drives?|owns?|bought",
};

/** The things that people tell of themselves; each has one value at a time. */
export const ATTRIBUTES: readonly string[] = Object.keys(VERBS);

const NAME = "[A-Z][\\p{L}'’-]+(?: [A-Z][\\p{L}'’-]+)+";
const VALUE = "(?:in )?(?:the |an? )?(.+?)(?: best of all .*)?(?: now)?(?:, as you know)?[.!]?$";
const NOUN = ATTRIBUTES.join("|");

/** Forms of sentences: the person (nobody: the speaker), the attribute and the value. */
const FORMS: readonly (readonly [RegExp, (groups: readonly string[]) => readonly [name: string, attribute: string, value: string]])[] = [
  [new RegExp(`\\bmy (${NOUN}) is ${VALUE}`, "iu"), ([noun = "", value = ""]) => ["", noun, value]],
  [new RegExp(`\\b[Tt]he (${NOUN}) of (${NAME}) is ${VALUE}`, "u"), ([noun = "", name = "", value = ""]) => [name, noun, value]],
  [
    new RegExp(`\\b[Nn]o dish suits (me|${NAME}) like ${VALUE}`, "u"),
    ([name = "", value = ""]) => [name === "me" ? "" : name, "favourite dish", value],
  ],
  ...Object.entries(VERBS).map(([attribute, verbs]): typeof FORMS[number] => [
    new RegExp(`(?:\\b(I)|(${NAME}))(?: have| has| am| is)? (?:${verbs}) ${VALUE}`, "u"),
    ([self = "", name = "", value = ""]) => [self === "I" ? "" : name, attribute, value],
  ]),
];

const HEADER = /^Session (\d+)(?:, turn (\d+))?(?: \([^)]*\))?:$/;
const SPEAKER = new RegExp(`^(${NAME}): (.*)$`, "u");

/** Whether a text is of a conversation: it names a session. */
export function isDialogue(text: string): boolean {
  return /^Session \d+(?:, turn \d+)?(?: \([^)\n]*\))?:$/m.test(text);
}

/** The statements of a text, in its order; what stands under no session and no speaker is left out. */
export function readStatements(text: string): Statement[] {
  let [session, turn] = [0, 0];
  return text.split("\n").flatMap((line) => {
    const header = line.match(HEADER);
    if (header) {
      [session, turn] = [Number(header[1]), Number(header[2] ?? 0)];
      return [];
    }
    const [, speaker, said = ""] = line.match(SPEAKER) ?? [];
    if (session === 0 || speaker === undefined) return [];
    const at = session * 1000 + turn++;
    return said.split(/(?<=[.!?])\s+/).flatMap((sentence) => readSentence(sentence, speaker, at));
  });
}

function readSentence(sentence: string, speaker: string, at: number): Statement[] {
  const corrects = /\b(?:mistaken|misspoke|wrong)\b.*:/.test(sentence);
  const clause = corrects ? capitalised(sentence.replace(/^.*?: /, "")) : sentence;
  for (const [form, read] of FORMS) {
    const match = clause.match(form);
    if (!match) continue;
    const [name, attribute, value] = read(match.slice(1).map((group) => group ?? ""));
    const how = name !== "" && name !== speaker ? "other" : corrects ? "corrected" : "own";
    return [{ at, name: (name || speaker).toLowerCase(), attribute, value: value.toLowerCase(), how }];
  }
  return [];
}

/** The relation in which a statement is kept as a triplet. */
const RELATION_OF = { own: "has", corrected: "has, as corrected,", other: "is said to have" } as const;

/** Statements as triplets; commas would part one. */
export function statementFacts(statements: readonly Statement[]): Fact[] {
  return statements.map(({ name, attribute, value, how }) => ({
    subject: name,
    relation: `${RELATION_OF[how].replaceAll(",", "")} ${attribute}`,
    object: value.replaceAll(",", ""),
  }));
}

const FACT = new RegExp(`^(has|has as corrected|is said to have) (${NOUN})$`);

/** The attribute that a triplet tells, where a person tells it. */
export function attributeOf({ relation }: Fact): string | undefined {
  const [, how, attribute] = relation.match(FACT) ?? [];
  return how === "is said to have" ? undefined : attribute;
}

/** Triplets as statements, each later than the one before. */
export function factStatements(facts: readonly Fact[], from: number): Statement[] {
  return facts.flatMap(({ subject, relation, object }, index) => {
    const [, how, attribute] = relation.match(FACT) ?? [];
    if (attribute === undefined) return [];
    const told = how === "has" ? "own" : how === "has as corrected" ? "corrected" : "other";
    return [{ at: from + index, name: subject, attribute, value: object, how: told }];
  });
}

/** The lines of a summary of a conversation: of each statement its triplet, oldest first; what was said last stands once. */
export function dialogueNotes(summary: string, texts: readonly string[], readTriplets: (text: string) => Fact[], most: number): string {
  const told = factStatements(linesOf(summary).flatMap(readTriplets), 0);
  const fresh = texts.flatMap(readStatements).filter(({ how }) => how !== "other");
  const lines = [
    ...new Set(statementFacts([...told, ...fresh]).map(({ subject, relation, object }) => `${subject}, ${relation}, ${object}`)),
  ];
  return lines.slice(-most).join("\n");
}
