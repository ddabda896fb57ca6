/**
 * What a dialogue of ALFWorld or ScienceWorld shows about places, ways between them, and things.
 */

import { type Fact, placeOf, RELATION } from "./facts.ts";
import { LEADS_TO, readRoom } from "./scienceworld-text.ts";
import { listed, named, type Pattern, readFirst } from "./noun-phrases.ts";

/** Beliefs about places and things. Names are in lower case, without article. */
export class Locations {
  here: string | undefined;
  readonly held = new Set<string>();
  readonly spots = new Set<string>();
  readonly ways = new Map<string, Set<string>>();
  readonly places = new Map<string, string>();
  readonly closed = new Set<string>();
  readonly searched = new Set<string>();
  readonly states = new Map<string, Set<string>>();
  readonly delivered = new Map<string, string>();
  readonly focused: string[] = [];
  /** Actions without effect, each with its place; taking or opening something clears them. */
  readonly #failures = new Set<string>();

  watch({ opening, steps }: Dialogue): void {
    this.#read(opening);
    for (const { action, result } of steps) {
      if (FAILURE.test(result)) {
        this.#failures.add(`${this.here}: ${action}`);
        continue;
      }
      const arrived = action.match(/^(?:go|teleport) to (?:the )?(.+)$/)?.[1];
      if (arrived !== undefined) this.here = arrived.replace(/^door to (?:the )?/, "");
      this.#read(result);
      const door = action.match(/^open (?:the )?(door to .+)$/)?.[1];
      if (door !== undefined && /\bopen\b/.test(result)) this.open(door);
    }
  }

  hasFailed(action: string, place = this.here): boolean {
    return this.#failures.has(`${place}: ${action}`);
  }

  /** What an opened thing held may be reached now, or has to be looked at. */
  open(thing: string): void {
    if (!this.closed.delete(thing)) return;
    const concerned = [
      thing,
      ...[...this.places].flatMap(([inside, place]) => place === thing ? [inside] : []),
    ];
    for (const failure of this.#failures) {
      if (concerned.some((name) => failure.includes(name))) this.#failures.delete(failure);
    }
    if (this.here !== undefined && this.ways.has(this.here) && this.places.has(thing)) {
      this.searched.delete(this.here);
    }
  }

  learn({ subject, relation, object }: Fact): void {
    const [thing, place] = [named(subject).name, named(object).name];
    if (relation === "has door to") this.#connect(thing, place);
    else if (relation === RELATION.in || relation === RELATION.on) {
      const known = this.held.has(thing) || this.places.has(thing) || this.searched.has(place);
      if (place === "inventory" || known) return;
      this.places.set(thing, place);
      if (this.ways.size === 0 && this.siteOf(place) === undefined) this.spots.add(place);
    } else if (relation === "holds") {
      this.learn({ subject: object, relation: RELATION.in, object: subject });
    }
  }

  siteOf(thing: string): string | undefined {
    return placeOf(thing, this.places, (name) => this.spots.has(name) || this.ways.has(name));
  }

  /** Whether it is known where to go for a thing; without rooms everything is at hand. */
  isLocated(thing: string): boolean {
    return this.held.has(thing) || this.ways.size === 0 || this.siteOf(thing) !== undefined;
  }

  take(thing: string): void {
    this.places.delete(thing);
    this.delivered.delete(thing);
    this.held.add(thing);
    this.#failures.clear();
  }

  deliver(thing: string, place: string): void {
    this.held.delete(thing);
    this.places.set(thing, place);
    this.delivered.set(thing, place);
  }

  setContents(place: string, list: string): void {
    this.searched.add(place);
    this.closed.delete(place);
    for (const [thing, at] of this.places) if (at === place) this.places.delete(thing);
    for (const { name } of listed(list)) this.places.set(name, place);
  }

  treat(thing: string, treatment: string): void {
    const states = this.states.getOrInsertComputed(thing, () => new Set());
    if (treatment !== "clean") { for (const other of ["heat", "cool"]) states.delete(other); }
    states.add(treatment);
  }

  #connect(room: string, next: string): void {
    for (const [a, b] of [[room, next], [next, room]] as const) {
      this.ways.getOrInsertComputed(a, () => new Set()).add(b);
    }
  }

  #read(text: string): void {
    const { place, facts } = readRoom(text);
    if (place === undefined) {
      for (const sentence of text.split(/\n|(?<=[.!])\s+/)) {
        readFirst(sentence.trim().toLowerCase(), SENTENCES, this);
      }
      return;
    }
    this.here = place;
    this.searched.add(place);
    this.ways.getOrInsertComputed(place, () => new Set());
    for (const { subject, relation, object } of facts) {
      if (relation === LEADS_TO) this.#connect(subject, object);
      else if (object === "closed") this.closed.add(subject);
      else if (object === "open") this.closed.delete(subject);
      else if (relation !== RELATION.state) this.places.set(subject, object);
    }
  }
}

const SENTENCES: readonly Pattern<void, [Locations]>[] = [
  [/^looking quickly around you, you see (.+?)\.?$/, (at, list) => {
    for (const { name } of listed(list)) at.spots.add(name);
  }],
  [/^you arrive at (?:the )?(.+?)\.$/, (at, place) => {
    if (!/^loc \d+$/.test(place)) at.here = place;
  }],
  [
    /^(?:on|in|inside) (?:the )?(.+?),? (?:you see|there (?:is|are)) (.+?)\.?$/,
    (at, place, list) => at.setContents(place === "it" ? at.here ?? "" : place, list),
  ],
  [/^the (.+?) (?:is|door is) (?:now )?(closed|open)\.?$/, (at, thing, openness) => {
    if (openness === "closed") at.closed.add(thing);
    else at.open(thing);
  }],
  [
    /^you (?:pick up|take|get|grab) the (.+?) from (?:the )?(.+?)\.?$/,
    (at, thing) => at.take(thing),
  ],
  [/^you move the (.+?) to the inventory\.?$/, (at, thing) => at.take(thing)],
  [
    /^you (?:move|put) the (.+?) (?:to|in\/on|in|on|into) the (.+?)\.?$/,
    (at, thing, place) => at.deliver(thing, place),
  ],
  [
    /^you (clean|heat|cool) the (.+?) using the .+$/,
    (at, treatment, thing) => at.treat(thing, treatment),
  ],
  [/^you (?:focus|concentrate) on the (.+?)\.?$/, (at, thing) => void at.focused.push(thing)],
];

const FAILURE =
  /^(?:nothing happens|no known action|it's not clear how|i'm not sure|you can't|that's not|the .+ (?:is locked|won't|isn't)|could not|invalid action|ambiguous request)/i;

export interface Step {
  readonly action: string;
  readonly result: string;
}

export interface Dialogue {
  readonly opening: string;
  readonly steps: readonly Step[];
  readonly thoughts: readonly string[];
}

export function readDialogue(text: string): Dialogue {
  const [opening = "", ...parts] = text.split(/^>/m);
  const all = parts.map((part): Step => {
    const [action = "", ...lines] = part.split("\n");
    return { action: action.trim(), result: lines.join("\n").trim() };
  }).filter(({ action }) => action !== "");
  const isThought = ({ action }: Step): boolean => action.startsWith("think:");
  return {
    opening: opening.trim(),
    steps: all.filter((step) => !isThought(step)),
    thoughts: all.filter(isThought).map(({ action }) => action.slice("think:".length).trim()),
  };
}
