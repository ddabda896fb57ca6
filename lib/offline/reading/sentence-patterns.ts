/**
 * English sentence patterns of text games. They are structural ("There is a X on the Y"), so that
 * invented names are read too.
 */

import { type FactList, RELATION } from "./facts.ts";
import { OPPOSITE, TREATMENTS } from "./lexicon.ts";
import { groupsOf, isName, listed, type Named, named, type Pattern } from "./noun-phrases.ts";

export interface Reader {
  room: string | undefined;
  readonly facts: FactList;
  last: string | undefined;
}

const SEE = "(?:see|make out|spot|notice|find)";
const COMPASS = new RegExp(
  `\\b(${Object.keys(OPPOSITE).sort((a, b) => b.length - a.length).join("|")})\\b`,
  "g",
);
const EXISTENCE = new RegExp(
  `(?:\\b(?:${SEE}|seeing|reveal|revealing|follow it to|fall onto|other than|it's|it's just|look over there,?!?|over there,|here's|looking for|there (?:is|are|seems to be)))\\s+an?\\s+(.+)$`,
);
const TRAILING =
  /\s*(?:\b(?:here|nearby|close by|in the (?:corner|room)|right there by you|over (?:here|there|in)|on the|in an?|that|which|leading)\b|,|;|-|!|\?).*$/;

/** "you dice the onion", "you fried the onion". */
const TREATED = new RegExp(
  `^you (${
    Object.entries(TREATMENTS).flatMap(([verb, { state }]) => [verb, state]).join("|")
  }) (?:the )?(.+)$`,
);

/** "frying is done only with the stove", "fry with the stove only". */
const APPLIANCE = new RegExp(
  `\\b(${
    Object.entries(TREATMENTS).filter(([, { cut }]) => !cut).flatMap((
      [verb, { gerund }],
    ) => [verb, gerund]).join("|")
  }) (?:is done )?(?:only )?(?:with|in|on) (?:the |an? )?(\\w+)`,
);

const PATTERNS: readonly Pattern<unknown, [Reader]>[] = [
  [/there is an? (.+?) leading (\w+)$/, (r, thing, direction) => door(r, named(thing), direction)],
  [
    /^(.*\b(?:exits?|entranceway|entrance|doorway|passage|path|going|don't like doors|leads?|corridor runs)\b.*\b(?:north|south|east|west|up|down).*)$/,
    exits,
  ],
  [
    new RegExp(`^(?:on|upon) (?:the )?(.+?),? (?:you (?:can )?${SEE}|is|are|lies|lie|sits) (.+)$`),
    (r, holder, list) => contents(r, holder, RELATION.on, list),
  ],
  [
    new RegExp(`^(?:in|inside) (?:the )?(.+?),? (?:you (?:can )?${SEE}|is|are) (.+)$`),
    (r, holder, list) => contents(r, holder, RELATION.in, list),
  ],
  [
    new RegExp(`^you (?:can )?${SEE} (.+) on the (.+)$`),
    (r, list, holder) => contents(r, holder, RELATION.on, list),
  ],
  [
    /^(?:the )?(.+?) (?:contains|holds|has inside|is filled with|shelters) (.+)$/,
    (r, holder, list) => contents(r, holder, RELATION.in, list),
  ],
  [
    /^there (?:is|are) (.+?) (?:lying )?on (?:the )?(.+)$/,
    (r, list, holder) => contents(r, holder, RELATION.on, list),
  ],
  [
    /^there (?:is|are) (.+?) (?:inside|in) (?:the )?(?!corner|room)(.+)$/,
    (r, list, holder) => contents(r, holder, RELATION.in, list),
  ],
  [
    /^you (?:pick up|take|grab|get) (?:the |an? )?(.+?)(?: from (?:the )?(.+))?$/,
    (r, thing) => put(r, thing, RELATION.in, "inventory"),
  ],
  [
    /^you put (?:the )?(.+?) (on|onto|into|in|inside) (?:the )?(.+)$/,
    (r, thing, where, holder) =>
      put(r, thing, where.startsWith("on") ? RELATION.on : RELATION.in, holder),
  ],
  [
    /^you drop (?:the )?(.+?)(?: on (?:the )?(.+))?$/,
    (r, thing) => put(r, thing, RELATION.on, "floor"),
  ],
  [/^you open (?:the )?(.+?)(?:, revealing (.+))?$/, (r, thing, list) => {
    state(r, thing, "open");
    if (list) contents(r, thing, RELATION.in, list);
  }],
  [/^you (close|unlock|lock) (?:the )?(.+?)(?: with (?:the )?(.+))?$/, (r, verb, thing, key) => {
    state(r, thing, `${verb}ed`.replace("eed", "ed"));
    if (verb === "unlock" && key) r.facts.add(named(key).name, RELATION.unlocks, named(thing).name);
  }],
  [/^you eat (?:the )?(.+)$/, (r, thing) => state(r, thing, "eaten")],
  [new RegExp(`^(.*${APPLIANCE.source}.*)$`), appliances],
  [
    /^(?:the )?(.+?) (?:is|lies)(?: hidden| locked| kept)? in (?:the )?(.+?), which only (?:the )?(.+?) (?:opens|unlocks)\b/,
    (r, thing, holder, key) => {
      put(r, thing === "it" ? r.last : thing, RELATION.in, holder);
      unlocks(r, key, holder);
    },
  ],
  [
    /(?:need|use|using|requires?) (?:an? |the )?(.+?) (?:to|in order to) (?:unlock|open) (?:the )?(.+)$/,
    (r, key, lock) => unlocks(r, key, lock),
  ],
  [
    /(?:unlock|open) (?:the )?(.+?) with (?:the )?(.+?)(?: first)?$/,
    (r, lock, key) => unlocks(r, key, lock),
  ],
  [
    /^(?:the )?(.+?) (?:can be|is) (?:unlocked|opened) (?:with|by) (?:the )?(.+)$/,
    (r, lock, key) => unlocks(r, key, lock),
  ],
  [
    /^(?:.*: )?(?:the )?(.+?)(?:,? (?:that|which|you) .+?)? (?:unlocks|opens|fits(?: into| in)?|is for|belongs to) (?:the |an? )?(.+)$/,
    (r, key, lock) => unlocks(r, key, lock),
  ],
  [/^(?:the )?(.+?) (?:should|must|can|has to) (?:only )?be prepared in (?:the )?(.+)$/, prepared],
  [/\bprepare the (\w+) in the ([\w ]+)/, prepared],
  [
    /^(?:your task is to )?(?:find|get|take|bring) (?:the |an? )([\w' -]+)$/,
    (r, thing) => r.last = named(thing).name,
  ],
  [
    /^an? (.+?)(?: is (?:here|nearby|close by|in the (?:corner|room)|right there by you))?$/,
    (r, thing) => exists(r, named(thing)),
  ],
  [/^(?:the )?(.+?) (?:is|are|looks) (locked|closed|open|opened|unlocked)$/, state],
  [
    /^(?:.*: )?(?:the )?(.+?) (?:is|are) (?:hidden |located |kept |stored |now )?(in|inside|on) (?:the )?(?!one of|corner)(.+)$/,
    (r, thing, where, holder) => put(r, thing, where === "on" ? RELATION.on : RELATION.in, holder),
  ],
  [
    /(?:check|read|look at|find) the (.+?) in the (\w+(?: \w+)?)(?: for .*)?$/,
    (r, thing, holder) => put(r, thing, RELATION.in, holder),
  ],
  [TREATED, treat],
];

export function readSentence(sentence: string, reader: Reader): void {
  const before = reader.facts.said;
  for (const [form, read] of PATTERNS) {
    const match = sentence.match(form);
    if (match) read(reader, ...groupsOf(match));
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

function contents(reader: Reader, holder: string, relation: string, list: string): void {
  const ground = /^(?:floor|ground)\b/.test(holder);
  const place = holder === "it" ? reader.last : named(holder.replace(TRAILING, "")).name;
  if (!place || !isName(place)) return;
  for (const thing of listed(list.replace(/, so there's.*$/, ""))) {
    reader.facts.add(thing.name, relation, ground ? "floor" : place);
    if (ground) reader.facts.add(thing.name, RELATION.in, reader.room);
    for (const word of thing.states) reader.facts.add(thing.name, RELATION.state, word);
  }
}

function put(reader: Reader, thing: string | undefined, relation: string, place: string): void {
  const { name } = named(thing ?? "");
  const where = named(place).name;
  if (!isName(name) || !isName(where)) return;
  reader.facts.add(name, relation, /^(?:floor|ground)$/.test(where) ? "floor" : where);
  reader.last = where === "inventory" ? name : where;
}

function state(reader: Reader, thing: string, word: string): void {
  const { name } = named(thing);
  if (isName(name)) reader.facts.add(name, RELATION.state, word === "opened" ? "open" : word);
}

function door(reader: Reader, thing: Named, direction: string): void {
  if (!(direction in OPPOSITE)) return;
  reader.facts.add(reader.room, RELATION.exit, direction);
  reader.facts.add(reader.room, `${RELATION.door} ${direction}`, thing.name);
  for (const word of thing.states) reader.facts.add(thing.name, RELATION.state, word);
}

function exits(reader: Reader, sentence: string): void {
  for (const [word] of sentence.matchAll(COMPASS)) {
    reader.facts.add(reader.room, RELATION.exit, word);
  }
}

function unlocks(reader: Reader, key: string, lock: string): void {
  const opened = lock === "it" ? reader.last : named(lock).name;
  const { name } = named(key);
  if (
    opened && isName(opened) && isName(name) &&
    !/specific|different|certain|special|right|some/.test(name)
  ) {
    reader.facts.add(name, RELATION.unlocks, opened);
  }
}

function appliances(reader: Reader, sentence: string): void {
  for (const [, verb = "", tool] of sentence.matchAll(new RegExp(APPLIANCE, "g"))) {
    reader.facts.add(tool, RELATION.appliance, TREATMENTS[verb]?.gerund ?? verb);
  }
}

function prepared(reader: Reader, dish: string, place: string): void {
  reader.facts.add(
    named(dish).name,
    RELATION.prepared,
    named(place.replace(/ (?:then|after|once|when|and)\b.*$/, "")).name,
  );
}

function treat(reader: Reader, verb: string, thing: string): void {
  const treatment = Object.entries(TREATMENTS).find(([command, { state }]) =>
    verb === command || verb === state
  )?.[1];
  if (treatment) state(reader, thing, treatment.state);
}
