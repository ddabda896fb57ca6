/**
 * Long dialogues with a truth, made from a seed: people tell of their lives, facts change and are corrected, others contradict them, and most of
 * what is said does not matter. Nothing has to be fetched and no model can have read it. The wordings are in `data/library/dialogue.json`; none of
 * the names is meant to exist.
 *
 * The truth follows two rules, which the goal tells: what people say about themselves holds, whatever others say of them; what was corrected never
 * was the case.
 */

import { z } from "zod";
import wordings from "../../../data/library/dialogue.json" with { type: "json" };
import { createDraw, type Draw } from "../../random.ts";
import { capitalised } from "../../text/capitalised.ts";
import { checkOptions } from "../../text/registry.ts";
import type { Dialogue, DialogueQuestion, DialogueTurn } from "./dialogue.ts";
import { createNamer, shuffled } from "./encyclopedia-text.ts";

/** What a question asks: the present value, the one before it, which of two came first, how many there were, or what nobody told. */
const DIALOGUE_KINDS = ["current", "former", "order", "count", "unknown"] as const;

/** A statement of a dialogue about a fact. */
export interface DialogueFact {
  /** The turn that states it, from 0. */
  readonly turn: number;
  /** Whom it is about. */
  readonly name: string;
  /** `home`, `employer`, `instrument`, `sport`, `favourite dish` or `car`. */
  readonly attribute: string;
  /** The value stated. */
  readonly value: string;
  /** `told` first, `changed`, `corrected` (the value before it never was the case), `repeated`, or `hearsay` of another speaker, which is wrong. */
  readonly how: "told" | "changed" | "corrected" | "repeated" | "hearsay";
}

/** A generated dialogue. */
export interface GeneratedDialogue extends Dialogue {
  /** In the order in which they were stated. */
  readonly facts: readonly DialogueFact[];
}

/** The schema of what a dialogue is made from: the same options give the same dialogue. A short one may not give so many questions. */
export const dialogueOptions = z.strictObject({
  seed: z.int().min(0).max(2 ** 31 - 1).default(1).describe("of the dialogue"),
  sessions: z.int().min(1).max(1000).default(12).describe("how many there are"),
  turns: z.int().min(2).max(100).default(8).describe("of each session"),
  people: z.int().min(2).max(12).default(4).describe("who speak"),
  questions: z.int().min(1).max(100).default(20).describe("asked at the end, of five kinds in turn"),
});

/** The chance that a turn states a fact, and the weights of what a turn does with a fact that is known. */
const FACTS = 0.4;
const MOVES = ["changed", "changed", "changed", "repeated", "repeated", "corrected", "hearsay", "hearsay"] as const;
/** Towns that homes are drawn from. */
const TOWNS = 24;
/** Days between two sessions, at most. */
const LONGEST_GAP = 9;

/**
 * The values that a person's attribute has had up to a turn, oldest first; the last one is the present value. Empty where nobody has told.
 *
 * @param turn the last turn that counts, from 0
 */
export function valuesAt(
  facts: readonly DialogueFact[],
  { name, attribute }: Pick<DialogueFact, "name" | "attribute">,
  turn: number,
): string[] {
  const own = facts.filter((fact) => fact.name === name && fact.attribute === attribute && fact.turn <= turn);
  return own.reduce<string[]>((values, { how, value }) => {
    if (how === "corrected") return [...values.slice(0, -1), value];
    return how === "told" || how === "changed" ? [...values, value] : values;
  }, []);
}

/** Makes a dialogue. About 50 ms for 500 turns. @throws {UsageError} if an option is unknown or out of range. */
export function createDialogue(options: z.input<typeof dialogueOptions>): GeneratedDialogue {
  const { seed, sessions, turns, people, questions } = checkOptions("a dialogue", dialogueOptions, options);
  const draw = createDraw(`dialogue ${seed}`);
  const cast = createCast(people, draw);
  const facts: DialogueFact[] = [];
  const said: DialogueTurn[] = [];
  let day = Date.UTC(2031, 0, 5);
  for (let session = 1; session <= sessions; session++) {
    const date = new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
    for (let at = 0; at < turns; at++) {
      const speaker = draw.pick(cast.names);
      const fact = draw.next() < FACTS ? drawFact(speaker, said.length, facts, cast, draw) : undefined;
      if (fact) facts.push(fact);
      const text = fact ? wordFact(fact, speaker, draw) : wordSmallTalk(cast, draw);
      said.push({ session, date, speaker, text: draw.next() < 0.3 ? `${text} ${wordSmallTalk(cast, draw)}` : text });
    }
    day += (1 + Math.floor(draw.next() * LONGEST_GAP)) * 86_400_000;
  }
  return { id: `dialogue-${seed}`, turns: said, facts, questions: ask(seed, questions, { facts, cast, draw }) };
}

type Attribute = keyof typeof wordings.attributes;
const ATTRIBUTES = Object.keys(wordings.attributes) as Attribute[];

/** The people of a dialogue. */
interface Cast {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** What each of them never tells. */
  readonly silent: ReadonlyMap<string, string>;
}

function createCast(people: number, draw: Draw): Cast {
  const name = createNamer(draw);
  const names = Array.from({ length: people }, (_, index) => name(index % 2 === 0 ? "f" : "m"));
  const towns = Array.from({ length: TOWNS }, () => name("town"));
  return {
    names,
    values: Object.fromEntries(
      ATTRIBUTES.map((attribute) => [attribute, attribute === "home" ? towns : wordings.attributes[attribute].values]),
    ),
    silent: new Map(names.map((one) => [one, draw.pick(ATTRIBUTES)])),
  };
}

/** What the speaker states on a turn: something of their own that is new, changed, repeated or corrected, or something wrong of another. */
function drawFact(speaker: string, turn: number, facts: readonly DialogueFact[], cast: Cast, draw: Draw): DialogueFact | undefined {
  const move = draw.pick(MOVES);
  const name = move === "hearsay" ? draw.pick(cast.names.filter((one) => one !== speaker)) : speaker;
  const attribute = draw.pick(ATTRIBUTES.filter((one) => one !== cast.silent.get(name)));
  const known = valuesAt(facts, { name, attribute }, turn);
  const present = known.at(-1);
  const how = present === undefined && move !== "hearsay" ? "told" : move;
  if (how === "hearsay" && present === undefined) return undefined;
  const used = new Set(facts.filter((fact) => fact.name === name && fact.attribute === attribute).map(({ value }) => value));
  const fresh = (cast.values[attribute] ?? []).filter((value) => how === "hearsay" ? value !== present : !used.has(value));
  if (how === "repeated" || fresh.length === 0) return { turn, name, attribute, value: present as string, how: "repeated" };
  return { turn, name, attribute, value: draw.pick(fresh), how };
}

function wordFact({ name, attribute, value, how }: DialogueFact, speaker: string, draw: Draw): string {
  const [first = "", third = ""] = draw.pick(wordings.attributes[attribute as Attribute].forms).map((form) => fill(form, { name, value }));
  const noun = attribute;
  const clause = speaker === name ? first : third;
  return fill(draw.pick(wordings[how]), { clause, Clause: capitalised(clause), third, noun });
}

function wordSmallTalk({ values }: Cast, draw: Draw): string {
  const [town, dish, ...rest] = ["home", "favourite dish", "instrument", "sport", "car", "employer"].map((one) =>
    draw.pick(values[one] ?? [])
  );
  const [instrument, sport, car, employer] = rest;
  return fill(draw.pick(wordings.smallTalk), { town, dish, instrument, sport, car, employer } as Record<string, string>);
}

/** Questions of each kind in turn, each once. */
function ask(
  seed: number,
  count: number,
  { facts, cast, draw }: { readonly facts: readonly DialogueFact[]; readonly cast: Cast; readonly draw: Draw },
): DialogueQuestion[] {
  const asked = new Map<string, DialogueQuestion>();
  const matters = cast.names.flatMap((name) => ATTRIBUTES.map((attribute) => ({ name, attribute })));
  for (let tries = 0; asked.size < count && tries < 20 * count; tries++) {
    const kind = DIALOGUE_KINDS[(asked.size + Math.floor(tries / (4 * count))) % DIALOGUE_KINDS.length] as typeof DIALOGUE_KINDS[number];
    for (const matter of shuffled(matters, draw)) {
      const made = questionOn(matter, kind, facts, draw);
      if (!made || asked.has(made.question)) continue;
      asked.set(made.question, { id: `dialogue-${seed}-${asked.size}`, kind, ...made });
      break;
    }
  }
  return [...asked.values()];
}

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A question of a kind on what a person has told; none where too little is told. */
function questionOn(
  { name, attribute }: { readonly name: string; readonly attribute: Attribute },
  kind: typeof DIALOGUE_KINDS[number],
  facts: readonly DialogueFact[],
  draw: Draw,
): Omit<DialogueQuestion, "id" | "kind"> | undefined {
  const values = valuesAt(facts, { name, attribute }, Infinity);
  if (values.length < LEAST[kind] || (kind === "unknown") !== (values.length === 0)) return undefined;
  const [one = "", other = ""] = shuffled(values, draw);
  const wording = draw.pick(wordings.questions[kind === "unknown" ? "current" : kind]);
  const gold = {
    current: [values.at(-1) as string],
    former: [values.at(-2) as string],
    order: [values.indexOf(one) < values.indexOf(other) ? one : other],
    count: [String(values.length), ...NUMBERS.slice(values.length, values.length + 1)],
    unknown: [],
  }[kind];
  const { plural } = wordings.attributes[attribute];
  return {
    question: fill(wording, { name, noun: attribute, plural, one, other }),
    answers: gold,
    evidence: facts.filter((fact) => fact.name === name && fact.attribute === attribute && fact.how !== "hearsay").map(({ turn }) => turn),
  };
}

/** The values that a question of a kind needs at least. */
const LEAST = { current: 1, former: 2, order: 2, count: 1, unknown: 0 } as const;

function fill(wording: string, words: Readonly<Record<string, string>>): string {
  return wording.replaceAll(/\{(\w+)\}/g, (_, slot: string) => words[slot] ?? "").replaceAll(/\ba (?=[AEIOU])/g, "an ");
}
