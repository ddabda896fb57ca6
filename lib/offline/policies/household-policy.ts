/**
 * Errands: things to be found, treated and brought somewhere. What a task's words ask for, and the next action that does something for it.
 *
 * @module
 */

import type { Draw } from "../../random.ts";
import { HOUSEHOLD } from "../reading/lexicon.ts";
import type { Whereabouts } from "../reading/locations.ts";
import { headWord, named } from "../reading/noun-phrases.ts";

/** What a task asks for. */
export interface Errand {
  /** The kind of thing, singular: `mug`, `living thing`. */
  readonly kind: string;
  /** How many of them. */
  readonly count: number;
  /** What is to be done to it: `clean`, `heat`, `cool`. */
  readonly treatment?: string;
  /** Where it is to be brought. */
  readonly to?: string;
  /** The room where that is. */
  readonly room?: string;
  /** What is to be switched on beside it. */
  readonly light?: string;
  /** Whether it is to be pointed out first. */
  readonly focus?: true;
}

/** An action in parts, before it is put in the world's words. */
export interface Doing {
  readonly verbs: readonly string[];
  readonly thing?: string;
  readonly other?: string;
  /** Why, as a sentence. */
  readonly why: string;
}

/** Reads a task such as "put a clean mug in shelf", "find two pens and put them in the drawer", "look at the vase under the lamp". */
export function readErrand(task: string): Errand | undefined {
  const text = task.toLowerCase().replaceAll("a(n)", "a").replace(/^your task is to:? /, "").trim();
  let match: RegExpMatchArray | null;
  if ((match = text.match(/^find (an? [\w -]+?)\. first, focus on .*move (?:it|them) to the ([\w ]+?) in the ([\w ]+?)\./))) {
    return { ...thing(match[1]), to: match[2] ?? "", room: match[3] ?? "", focus: true };
  }
  if ((match = text.match(/^(?:look at|examine) (.+?) (?:under|with|by|in the light of) (?:the |an? )?(.+?)\.?$/))) {
    return { ...thing(match[1]), light: bare(match[2]) };
  }
  if ((match = text.match(/^(?:find|get|take) (.+?) and (?:put|place|move) (?:it|them) (?:in\/on|in|on|into|to) (.+?)\.?$/))) {
    return { ...thing(match[1]), to: bare(match[2]) };
  }
  if (
    (match = text.match(
      /^(clean|wash|rinse|heat|warm|cool|chill) (.+?) and (?:put|place|move) (?:it|them) (?:in\/on|in|on|into|to) (.+?)\.?$/,
    ))
  ) {
    return { ...thing(match[2]), treatment: TREATED[match[1] ?? ""] ?? "clean", to: bare(match[3]) };
  }
  if ((match = text.match(/^(?:put|place|move) (.+?) (?:in\/on|in|on|into|to) (.+?)\.?$/))) {
    return { ...thing(match[1]), to: bare(match[2]) };
  }
  return undefined;
}

/** "two clean mugs" → mug, 2, clean. */
function thing(phrase = ""): Pick<Errand, "kind" | "count" | "treatment"> {
  let words = phrase.trim().split(/\s+/);
  const count = words[0] === "two" ? 2 : words[0] === "three" ? 3 : 1;
  if (/^(?:an?|the|some|one|two|three)$/.test(words[0] ?? "")) words = words.slice(1);
  const treatment = words.length > 1 ? TREATED[words[0] ?? ""] : undefined;
  if (treatment !== undefined) words = words.slice(1);
  const name = words.join(" ");
  return { kind: count > 1 ? name.replace(/s$/, "") : name, count, ...(treatment === undefined ? {} : { treatment }) };
}

function bare(phrase = ""): string {
  return named(phrase).name;
}

/** Words for a treated thing, or for treating it, and the verb of the treatment. */
const TREATED: Readonly<Record<string, string>> = {
  clean: "clean",
  cleaned: "clean",
  wash: "clean",
  washed: "clean",
  rinse: "clean",
  rinsed: "clean",
  hot: "heat",
  heat: "heat",
  heated: "heat",
  warm: "heat",
  cool: "cool",
  cooled: "cool",
  chill: "cool",
  chilled: "cool",
  cold: "cool",
};

/** What treats things, best first. */
const APPLIANCES: Readonly<Record<string, readonly string[]>> = {
  clean: ["sink", "sinkbasin", "basin", "washbasin"],
  heat: ["microwave", "oven", "stove"],
  cool: ["fridge", "refrigerator", "freezer"],
};

/** Common English words for living things; drawn from no world's list. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  plant: "plant tree flower seed seedling grass moss fern bush herb shrub vine ivy cactus oak pine rose tulip".split(" "),
  animal: (
    "animal ant ape badger bear beaver bee beetle bird butterfly camel cat chameleon chicken cow crab crocodile crow deer dog dolphin donkey " +
    "dove dragonfly duck eagle elephant fish fox frog giraffe goat goose hamster hare hedgehog hen horse insect kangaroo lion lizard mammal " +
    "monkey moth mouse owl parrot penguin pig pigeon rabbit rat reptile shark sheep snail snake spider squirrel swan tiger toad tortoise " +
    "turtle wasp whale wolf worm zebra"
  ).split(" "),
};

/** The next thing to do for an errand, in order of preference; never empty. */
export function nextDoings(errand: Errand, at: Whereabouts, draw: Draw): Doing[] {
  const found = [...errandDoings(errand, at, draw)];
  return found.filter(({ verbs, thing = "", other = "" }) => (at.futile.get(`${verbs[0]} ${thing} ${other}`.trim()) ?? 0) < 1);
}

function* errandDoings(errand: Errand, at: Whereabouts, draw: Draw): Generator<Doing> {
  const { kind, to, room, light, treatment, focus } = errand;
  const wanted = [...at.held].find((name) => fits(name, kind));
  const point = focus && at.focused.length === 0;
  if (wanted !== undefined && point) yield { verbs: ["focus on"], thing: wanted, why: `The ${wanted} is of the kind that is asked for.` };
  if (wanted !== undefined && !point) {
    if (light !== undefined) {
      const lamp = known(light, at);
      if (lamp === undefined) yield* search(light, at, draw);
      else yield* goAnd(at, lamp, { verbs: ["use", "turn on", "activate"], thing: lamp, why: `The ${wanted} is to be seen by its light.` });
    } else if (treatment !== undefined && !at.states.get(wanted)?.has(treatment)) {
      const by = APPLIANCES[treatment]?.map((appliance) => known(appliance, at)).find((name) => name !== undefined);
      if (by === undefined) yield* search(APPLIANCES[treatment]?.[0] ?? "", at, draw);
      else yield* goAnd(at, by, { verbs: [treatment], thing: wanted, other: by, why: `The ${wanted} is to be treated first.` });
    } else if (to !== undefined) {
      const place = known(to, at);
      if (place === undefined && room !== undefined && at.here !== room) yield* travel(at, room, `The ${to} is in the ${room}.`);
      else if (place === undefined) yield* search(to, at, draw);
      else yield* goAnd(at, place, { verbs: ["put", "move", "place"], thing: wanted, other: place, why: `The ${wanted} belongs there.` });
    }
  }
  if (at.held.size > 0 && wanted === undefined && at.here !== undefined) {
    const burden = [...at.held][0] as string;
    if (!at.ways.size) yield { verbs: ["put", "move", "place"], thing: burden, other: at.here, why: `The ${burden} is of no use.` };
  }
  for (const [name, place] of at.places) {
    if (!fits(name, kind) || at.held.has(name) || (to !== undefined && fits(at.delivered.get(name) ?? "", to))) continue;
    const take: Doing = { verbs: ["take", "pick up", "get"], thing: name, other: place, why: `The ${name} is needed.` };
    if (point && at.siteOf(name) === at.here) {
      yield { verbs: ["focus on"], thing: name, why: `The ${name} is of the kind that is asked for.` };
    }
    yield* goAnd(at, name, take);
  }
  yield* search(kind, at, draw);
}

/** A doing in the world's words: one of the actions offered, or a form of action (`take {thing} from {place}: …`) filled in. */
export function say({ verbs, thing = "", other = "" }: Doing, offered: readonly string[]): string | undefined {
  const parts = [thing, other].filter((part) => part !== "");
  for (const verb of verbs) {
    for (const line of offered) {
      if (!line.startsWith(verb)) continue;
      const form = line.replace(/:.*$/, "");
      const slots = form.match(/\{\w+\}/g)?.length ?? 0;
      if (slots > parts.length || (slots === 0 && !parts.every((part) => line.includes(part)))) continue;
      if (slots > 0 || parts.length === 0 || line.startsWith(`${verb} ${thing}`)) {
        let next = 0;
        return form.replaceAll(/\{\w+\}/g, () => parts[next++] ?? "");
      }
    }
  }
  return undefined;
}

/** Tests of the kinds of things that an errand speaks of. */
export function errandKinds({ kind, to, light, treatment }: Errand): ((name: string) => boolean)[] {
  return [kind, to, light, ...(treatment === undefined ? [] : APPLIANCES[treatment] ?? [])]
    .flatMap((each) => each === undefined ? [] : [(name: string) => fits(name, each)]);
}

/** Where to look next for what an errand needs, or for whatever there may be; nothing once all of it was seen. */
export function* exploreDoings(errand: Errand | undefined, at: Whereabouts, draw: Draw): Generator<Doing> {
  const needed = errand ? [errand.kind, errand.to, errand.light, ...APPLIANCES[errand.treatment ?? ""]?.slice(0, 1) ?? []] : [];
  const missing = needed.filter((kind) => kind !== undefined).filter((kind) => known(kind, at) === undefined);
  if (errand && missing.length === 0 && countOf(errand.kind, at) >= errand.count) return;
  yield* search(missing[0] ?? errand?.kind ?? "", at, draw, { last: false });
}

function countOf(kind: string, at: Whereabouts): number {
  return [...at.places.keys()].filter((name) => fits(name, kind)).length;
}

/** The thing of a kind: the one that is here before others. */
function known(kind: string, at: Whereabouts): string | undefined {
  const all = [...at.spots, ...at.places.keys()].filter((name) => fits(name, kind));
  return all.find((name) => at.siteOf(name) === at.here || name === at.here) ?? all[0];
}

/** Goes where a thing is, opens what holds it, then does what is to be done. */
function* goAnd(at: Whereabouts, thing: string, doing: Doing): Generator<Doing> {
  const site = at.siteOf(thing);
  if (site !== undefined && site !== at.here) {
    yield* travel(at, site, doing.why);
    return;
  }
  const holder = at.closed.has(thing) ? thing : at.places.get(thing) ?? thing;
  if (at.closed.has(holder) && !Object.values(APPLIANCES).flat().includes(doing.other?.replace(/ \d+$/, "") ?? "")) {
    yield { verbs: ["open"], thing: holder, why: `The ${holder} is closed.` };
  }
  yield doing;
}

/** The first step of a shortest way. */
function* travel(at: Whereabouts, goal: string, why: string): Generator<Doing> {
  const go = (place: string): Doing => ({ verbs: ["go to"], thing: place, why });
  if (at.spots.has(goal) || at.here === undefined) {
    yield go(goal);
    return;
  }
  const from = new Map<string, string>([[at.here, ""]]);
  for (const room of from.keys()) {
    for (const next of at.ways.get(room) ?? []) if (!from.has(next)) from.set(next, room);
  }
  let step = goal;
  while (from.has(step) && from.get(step) !== at.here) step = from.get(step) as string;
  if (!from.has(goal) || step === "") return;
  if (at.closed.has(`door to ${step}`)) yield { verbs: ["open"], thing: `door to ${step}`, why };
  yield go(step);
}

/** Looks into what is at hand, then goes where nobody has looked: where such things are kept first. */
function* search(kind: string, at: Whereabouts, draw: Draw, { last = true } = {}): Generator<Doing> {
  const why = `The ${kind} has to be found.`;
  const here = at.here;
  if (here !== undefined && at.closed.has(here)) yield { verbs: ["open"], thing: here, why };
  if (here !== undefined && at.ways.has(here) && !at.searched.has(here)) yield { verbs: ["look around", "look"], why };
  for (const [name, place] of at.places) {
    if (place === here && at.ways.has(place) && at.closed.has(name)) yield { verbs: ["open"], thing: name, why };
  }
  const open = [...at.spots, ...at.ways.keys()].filter((place) => !at.searched.has(place) && place !== here);
  const ranked = open.map((place) => ({ place, rank: likely(kind, place) + draw.next() / 2 })).sort((a, b) => b.rank - a.rank);
  for (const { place } of ranked) yield* travel(at, place, why);
  if (last) yield { verbs: ["look around", "look"], why };
}

function likely(kind: string, place: string): number {
  const sort = HOUSEHOLD.find(({ things }) => things.some((word) => kind === word || kind.endsWith(word)));
  const furniture = place.replace(/ \d+$/, "");
  return sort?.furniture.some((word) => furniture.includes(word)) ? 1 : 0;
}

/** Whether a thing is of a kind: by its name without number, by its head word, or by what it is. */
function fits(name: string, kind: string): boolean {
  const plain = name.replace(/ \d+$/, "");
  if (plain === "" || kind === "") return false;
  if (kind === "living thing") return fits(name, "plant") || fits(name, "animal");
  if (kind === "non-living thing") return !fits(name, "living thing") && !/^(?:air|agent)$/.test(plain);
  return plain === kind || headWord(plain) === kind || (KINDS[kind]?.includes(headWord(plain)) ?? false);
}
