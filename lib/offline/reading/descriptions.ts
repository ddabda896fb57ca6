/** Reads text games (TextWorld): descriptions and triplets as facts, actions as verb and things. */

import { memoize } from "../../core/text/memoize.ts";
import { type Fact, FactList, RELATION } from "./facts.ts";
import { OPPOSITE, TREATMENTS } from "./lexicon.ts";
import { isName, linesOf, listed, type Named, named, sentences } from "./noun-phrases.ts";
import { type Reader, readSentence } from "./sentence-patterns.ts";

export interface Scene {
  readonly step?: number;
  readonly room?: string;
  readonly action?: string;
  readonly taken?: string;
  readonly carried?: readonly Named[];
  readonly facts: readonly Fact[];
  readonly text: string;
}

const TAKEN = /^action taken:\s*(.+)$/im;

/** Reads one description, with its step number, inventory and last action if it has them. */
export const readScene: (text: string) => Scene = memoize((text) => {
  const step = text.match(/^\s*(?:game )?step:? #?(\d+)/im)?.[1];
  const action = text.match(/^action that led to this observation:\s*(.+)$/im)?.[1]?.trim();
  const taken = text.match(TAKEN)?.[1]?.trim();
  const carrying = text.match(/you are carrying:?\s*([^\n]*)/i)?.[1];
  const body = text
    .replace(/^\s*(?:game )?step:? #?\d+.*$/gim, "")
    .replace(/^action that led to this observation:.*$/gim, "")
    .replace(TAKEN, "")
    .replace(/^\s*inventory:\s*/gim, "")
    .replace(/you are carrying[^\n]*/gi, "")
    .replace(/^>.*$/gm, "");
  const facts = new FactList();
  const reader: Reader = { room: undefined, facts, last: undefined };
  readRecipe(body, facts);
  for (const sentence of sentences(body)) {
    const header = sentence.match(/-=\s*(.+?)\s*=-/)?.[1];
    if (header === undefined) readSentence(sentence, reader);
    else reader.room = header;
  }
  const carried = carrying === undefined ? undefined : listed(carrying.replace(/\.\s*$/, ""));
  for (const thing of carried ?? []) {
    facts.add(thing.name, RELATION.in, "inventory");
    for (const state of thing.states) facts.add(thing.name, RELATION.state, state);
  }
  return {
    text,
    facts: facts.all,
    step: step === undefined ? undefined : Number(step),
    room: reader.room,
    action,
    taken,
    carried,
  };
});

export function readTriplets(text: string): Fact[] {
  return text.split(/[;\n]/).flatMap((line) => {
    const parts = line.toLowerCase().replace(/ \(since step \d+\)$/, "").split(",");
    const [subject, relation, object, ...rest] = parts.map((part) =>
      part.trim().replace(/^["'[(]+|["'\])]+$/g, "")
    );
    return subject && relation && object && rest.length === 0
      ? [{ subject, relation, object }]
      : [];
  });
}

function readRecipe(text: string, facts: FactList): void {
  const recipe = text.match(/ingredients:\s*\n([\s\S]*?)\n\s*directions:\s*\n([\s\S]*)$/i);
  if (!recipe) return;
  for (const line of (recipe[1] ?? "").split("\n")) {
    const { name } = named(line);
    if (isName(name)) facts.add("recipe", RELATION.requires, name);
  }
  for (const line of (recipe[2] ?? "").split("\n")) {
    const [, verb, object] = line.trim().toLowerCase().match(/^(\w+) (?:the |an? )?(.+)$/) ?? [];
    const treatment = TREATMENTS[verb ?? ""];
    if (treatment && object) facts.add(named(object).name, RELATION.treated, treatment.state);
  }
}

export interface Action {
  readonly text: string;
  readonly verb: string;
  readonly thing: string;
  readonly other: string;
  readonly direction?: string;
  readonly destination?: string;
}

export function readActions(section: string): Action[] {
  return linesOf(section).map(readAction);
}

function readAction(text: string): Action {
  const words = text.toLowerCase();
  const destination = words.match(/^go to (?:the )?(.+)$/)?.[1];
  if (destination !== undefined) return { text, verb: "go", thing: "", other: "", destination };
  const move = words.match(/^(?:go )?(\w+)$/)?.[1];
  if (move !== undefined && move in OPPOSITE) {
    return { text, verb: "go", thing: "", other: "", direction: move };
  }
  const [, verb = words, thing = "", other = ""] =
    words.match(/^(\w+)(?: (.+?))?(?: (?:from|with|onto|on|into|in|to|off) (.+))?$/) ?? [];
  return { text, verb, thing: named(thing).name, other: named(other).name };
}
