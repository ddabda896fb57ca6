/**
 * English sentence patterns: what a sentence says about a place. They are structural ("There is a X on the Y", "You take the X from the Y",
 * "the X unlocks the Y"), so that invented names read as well as known ones.
 *
 * @module
 */

import { type FactList, RELATION } from "./facts.ts";
import { OPPOSITE, TREATMENTS } from "./lexicon.ts";
import { isName, listed, type Named, named } from "./noun-phrases.ts";

/** Where reading stands in a text. */
export interface Reader {
  /** The room whose header was read last. */
  room: string | undefined;
  readonly facts: FactList;
  /** What "it" means. */
  last: string | undefined;
}

const SEE = "(?:see|make out|spot|notice|find)";
const COMPASS = new RegExp(`\\b(${Object.keys(OPPOSITE).sort((a, b) => b.length - a.length).join("|")})\\b`, "g");
const EXISTENCE = new RegExp(
  `(?:\\b(?:${SEE}|seeing|reveal|revealing|follow it to|fall onto|other than|it's|it's just|look over there,?!?|over there,|here's|looking for|there (?:is|are|seems to be)))\\s+an?\\s+(.+)$`,
);
/** Where a noun phrase ends: a place adverbial, a new clause. */
const TRAILING =
  /\s*(?:\b(?:here|nearby|close by|in the (?:corner|room)|right there by you|over (?:here|there|in)|on the|in an?|that|which|leading)\b|,|;|-|!|\?).*$/;

/** "you dice the onion", "you fried the onion". */
const TREATED = new RegExp(`^you (${Object.entries(TREATMENTS).flatMap(([verb, { state }]) => [verb, state]).join("|")}) (?:the )?(.+)$`);

/** "frying is done only with the stove", "fry with the stove only". */
const APPLIANCE = new RegExp(
  `\\b(${
    Object.entries(TREATMENTS).filter(([, { cut }]) => !cut).flatMap(([verb, { gerund }]) => [verb, gerund]).join("|")
  }) (?:is done )?(?:only )?(?:with|in|on) (?:the |an? )?(\\w+)`,
);

type Rule = readonly [RegExp, (match: RegExpMatchArray, reader: Reader) => void];

/** The first rule that finds something said reads the sentence. */
const RULES: readonly Rule[] = [
  [/there is an? (.+?) leading (\w+)$/, (m, r) => door(r, named(m[1] ?? ""), m[2] ?? "")],
  [
    /\b(?:exits?|entranceway|entrance|doorway|passage|path|going|don't like doors|leads?|corridor runs)\b.*\b(?:north|south|east|west|up|down)/,
    exits,
  ],
  [
    new RegExp(`^(?:on|upon) (?:the )?(.+?),? (?:you (?:can )?${SEE}|is|are|lies|lie|sits) (.+)$`),
    (m, r) => contents(r, m[1], RELATION.on, m[2]),
  ],
  [new RegExp(`^(?:in|inside) (?:the )?(.+?),? (?:you (?:can )?${SEE}|is|are) (.+)$`), (m, r) => contents(r, m[1], RELATION.in, m[2])],
  [new RegExp(`^you (?:can )?${SEE} (.+) on the (.+)$`), (m, r) => contents(r, m[2], RELATION.on, m[1])],
  [/^(?:the )?(.+?) (?:contains|holds|has inside|is filled with|shelters) (.+)$/, (m, r) => contents(r, m[1], RELATION.in, m[2])],
  [/^there (?:is|are) (.+?) (?:lying )?on (?:the )?(.+)$/, (m, r) => contents(r, m[2], RELATION.on, m[1])],
  [/^there (?:is|are) (.+?) (?:inside|in) (?:the )?(?!corner|room)(.+)$/, (m, r) => contents(r, m[2], RELATION.in, m[1])],
  [/^you (?:pick up|take|grab|get) (?:the |an? )?(.+?)(?: from (?:the )?(.+))?$/, (m, r) => put(r, m[1], RELATION.in, "inventory")],
  [
    /^you put (?:the )?(.+?) (on|onto|into|in|inside) (?:the )?(.+)$/,
    (m, r) => put(r, m[1], /^on/.test(m[2] ?? "") ? RELATION.on : RELATION.in, m[3]),
  ],
  [/^you drop (?:the )?(.+?)(?: on (?:the )?(.+))?$/, (m, r) => put(r, m[1], RELATION.on, "floor")],
  [/^you open (?:the )?(.+?)(?:, revealing (.+))?$/, (m, r) => {
    state(r, m[1], "open");
    if (m[2]) contents(r, m[1], RELATION.in, m[2]);
  }],
  [/^you (close|unlock|lock) (?:the )?(.+?)(?: with (?:the )?(.+))?$/, (m, r) => {
    state(r, m[2], `${m[1]}ed`.replace("eed", "ed"));
    if (m[1] === "unlock" && m[3]) r.facts.add(named(m[3]).name, RELATION.unlocks, named(m[2] ?? "").name);
  }],
  [/^you eat (?:the )?(.+)$/, (m, r) => state(r, m[1], "eaten")],
  [APPLIANCE, (m, r) => appliances(m.input ?? "", r)],
  [/^(?:the )?(.+?) (?:is|lies)(?: hidden| locked| kept)? in (?:the )?(.+?), which only (?:the )?(.+?) (?:opens|unlocks)\b/, (m, r) => {
    put(r, m[1] === "it" ? r.last : m[1], RELATION.in, m[2]);
    unlocks(r, m[3], m[2]);
  }],
  [/(?:need|use|using|requires?) (?:an? |the )?(.+?) (?:to|in order to) (?:unlock|open) (?:the )?(.+)$/, (m, r) => unlocks(r, m[1], m[2])],
  [/(?:unlock|open) (?:the )?(.+?) with (?:the )?(.+?)(?: first)?$/, (m, r) => unlocks(r, m[2], m[1])],
  [/^(?:the )?(.+?) (?:can be|is) (?:unlocked|opened) (?:with|by) (?:the )?(.+)$/, (m, r) => unlocks(r, m[2], m[1])],
  [
    /^(?:.*: )?(?:the )?(.+?)(?:,? (?:that|which|you) .+?)? (?:unlocks|opens|fits(?: into| in)?|is for|belongs to) (?:the |an? )?(.+)$/,
    (m, r) => unlocks(r, m[1], m[2]),
  ],
  [
    /^(?:the )?(.+?) (?:should|must|can|has to) (?:only )?be prepared in (?:the )?(.+)$|\bprepare the (\w+) in the ([\w ]+)/,
    (m, r) => prepared(m[1] ?? m[3], m[2] ?? m[4], r),
  ],
  [/^(?:your task is to )?(?:find|get|take|bring) (?:the |an? )([\w' -]+)$/, (m, r) => (r.last = named(m[1] ?? "").name)],
  [/^an? (.+?)(?: is (?:here|nearby|close by|in the (?:corner|room)|right there by you))?$/, (m, r) => exists(r, named(m[1] ?? ""))],
  [/^(?:the )?(.+?) (?:is|are|looks) (locked|closed|open|opened|unlocked)$/, (m, r) => state(r, m[1], m[2] ?? "")],
  [
    /^(?:.*: )?(?:the )?(.+?) (?:is|are) (?:hidden |located |kept |stored |now )?(in|inside|on) (?:the )?(?!one of|corner)(.+)$/,
    (m, r) => put(r, m[1], m[2] === "on" ? RELATION.on : RELATION.in, m[3]),
  ],
  [/(?:check|read|look at|find) the (.+?) in the (\w+(?: \w+)?)(?: for .*)?$/, (m, r) => put(r, m[1], RELATION.in, m[2])],
  [TREATED, treat],
];

/** Reads one sentence, as `sentences` gives it, into the reader's facts. */
export function readSentence(sentence: string, reader: Reader): void {
  for (const [pattern, read] of RULES) {
    const match = sentence.match(pattern);
    if (!match) continue;
    const before = reader.facts.said;
    read(match, reader);
    if (reader.facts.said > before) return;
  }
  if (sentence.startsWith("what a ") || sentence.includes(" not ")) return;
  const seen = sentence.match(EXISTENCE)?.[1];
  if (seen !== undefined) exists(reader, named(lastSeen(seen).replace(TRAILING, "")));
}

/** "a gleam …, where you can see a lamp" is about the lamp. */
function lastSeen(text: string): string {
  const deeper = text.match(EXISTENCE)?.[1];
  return deeper === undefined ? text : lastSeen(deeper);
}

function exists(reader: Reader, thing: Named): void {
  if (!isName(thing.name)) return;
  reader.last = thing.name;
  reader.facts.add(thing.name, RELATION.in, reader.room);
  for (const word of thing.states) reader.facts.add(thing.name, RELATION.state, word);
}

function contents(reader: Reader, holder: string | undefined, relation: string, list: string | undefined): void {
  const ground = /^(?:floor|ground)\b/.test(holder ?? "");
  const place = holder === "it" ? reader.last : named((holder ?? "").replace(TRAILING, "")).name;
  if (!place || !isName(place)) return;
  for (const thing of listed((list ?? "").replace(/, so there's.*$/, ""))) {
    reader.facts.add(thing.name, relation, ground ? "floor" : place);
    if (ground) reader.facts.add(thing.name, RELATION.in, reader.room);
    for (const word of thing.states) reader.facts.add(thing.name, RELATION.state, word);
  }
}

function put(reader: Reader, thing: string | undefined, relation: string, place: string | undefined): void {
  const { name } = named(thing ?? "");
  const where = named(place ?? "").name;
  if (!isName(name) || !isName(where)) return;
  reader.facts.add(name, relation, /^(?:floor|ground)$/.test(where) ? "floor" : where);
  reader.last = where === "inventory" ? name : where;
}

function state(reader: Reader, thing: string | undefined, word: string): void {
  const { name } = named(thing ?? "");
  if (isName(name)) reader.facts.add(name, RELATION.state, word === "opened" ? "open" : word);
}

function door(reader: Reader, thing: Named, direction: string): void {
  if (!(direction in OPPOSITE)) return;
  reader.facts.add(reader.room, RELATION.exit, direction);
  reader.facts.add(reader.room, `${RELATION.door} ${direction}`, thing.name);
  for (const word of thing.states) reader.facts.add(thing.name, RELATION.state, word);
}

function exits(match: RegExpMatchArray, reader: Reader): void {
  for (const [word] of (match.input ?? "").matchAll(COMPASS)) reader.facts.add(reader.room, RELATION.exit, word);
}

function unlocks(reader: Reader, key: string | undefined, lock: string | undefined): void {
  const opened = lock === "it" ? reader.last : named(lock ?? "").name;
  const { name } = named(key ?? "");
  if (opened && isName(opened) && isName(name) && !/specific|different|certain|special|right|some/.test(name)) {
    reader.facts.add(name, RELATION.unlocks, opened);
  }
}

function appliances(sentence: string, reader: Reader): void {
  for (const [, verb = "", tool] of sentence.matchAll(new RegExp(APPLIANCE, "g"))) {
    reader.facts.add(tool, RELATION.appliance, TREATMENTS[verb]?.gerund ?? verb);
  }
}

function prepared(dish: string | undefined, place: string | undefined, reader: Reader): void {
  reader.facts.add(named(dish ?? "").name, RELATION.prepared, named((place ?? "").replace(/ (?:then|after|once|when|and)\b.*$/, "")).name);
}

/** "You dice the onion", "You fried the onion": its state from now on. */
function treat(match: RegExpMatchArray, reader: Reader): void {
  const verb = match[1] ?? "";
  for (const [command, treatment] of Object.entries(TREATMENTS)) {
    if (verb === command || verb === treatment.state) return state(reader, match[2], treatment.state);
  }
}
