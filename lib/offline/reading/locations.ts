/**
 * Whereabouts: what a dialogue tells of places, ways between them, and the things that are in, on or under them. Made anew for every prompt.
 *
 * @module
 */

import type { Dialogue } from "./dialogue.ts";
import { type Fact, RELATION } from "./facts.ts";
import { listed, named } from "./noun-phrases.ts";

/** What is believed of a world of places and things. Names are in lower case, without article. */
export class Whereabouts {
  here: string | undefined;
  /** Things in hand. */
  readonly held = new Set<string>();
  /** Places that can be gone to from anywhere, in the order in which they were told of. */
  readonly spots = new Set<string>();
  /** Room → rooms next to it. */
  readonly ways = new Map<string, Set<string>>();
  /** Thing → the place, piece of furniture or container that holds it. */
  readonly places = new Map<string, string>();
  readonly closed = new Set<string>();
  /** Places whose contents were shown. */
  readonly searched = new Set<string>();
  readonly states = new Map<string, Set<string>>();
  /** Things put somewhere by the agent, and where. */
  readonly delivered = new Map<string, string>();
  readonly focused: string[] = [];
  readonly switchedOn = new Set<string>();
  /** Action → how often it came to nothing since something last changed. */
  readonly futile = new Map<string, number>();

  /** Takes in a dialogue from its start. */
  watch({ opening, steps }: Dialogue): void {
    this.#read(opening);
    for (const { action, result } of steps) {
      if (FAILURE.test(result)) {
        this.futile.set(action, (this.futile.get(action) ?? 0) + 1);
        continue;
      }
      const arrived = action.match(/^(?:go|teleport) to (?:the )?(.+)$/)?.[1];
      if (arrived !== undefined) this.here = arrived.replace(/^door to (?:the )?/, "");
      this.#read(result);
    }
  }

  /** Takes in a fact that was noted earlier. */
  learn({ subject, relation, object }: Fact): void {
    const [thing, place] = [named(subject).name, named(object).name];
    if (relation === "has door to") this.#way(thing, place);
    else if (relation === RELATION.in || relation === RELATION.on) {
      // what was seen since goes before it
      const known = this.held.has(thing) || this.places.has(thing) || this.searched.has(place);
      if (place === "inventory" || known) return;
      this.places.set(thing, place);
      this.#hearOf(place);
    } else if (relation === "holds") this.learn({ subject: object, relation: RELATION.in, object: subject });
  }

  /** The room, or the place that can be gone to, that a thing is in, through whatever holds it. */
  siteOf(thing: string): string | undefined {
    let place: string | undefined = thing;
    for (let depth = 0; depth < 5 && place !== undefined; depth++) {
      if (this.spots.has(place) || this.ways.has(place)) return place;
      place = this.places.get(place);
    }
    return undefined;
  }

  #hearOf(place: string): void {
    if (!this.ways.has(place) && this.siteOf(place) === undefined && this.ways.size === 0) this.spots.add(place);
  }

  #way(room: string, next: string): void {
    for (const [a, b] of [[room, next], [next, room]] as const) this.ways.set(a, (this.ways.get(a) ?? new Set()).add(b));
  }

  #read(text: string): void {
    const room = text.match(/this (?:outside )?(?:room|location) is called (?:the )?([\w ]+?)\./i)?.[1]?.toLowerCase();
    if (room !== undefined) this.#readRoom(room, text);
    else for (const sentence of text.split(/\n|(?<=[.!])\s+/)) this.#readSentence(sentence.trim());
  }

  /** A description that lists a thing a line, with what is on or in it. */
  #readRoom(room: string, text: string): void {
    this.here = room;
    this.searched.add(room);
    if (!this.ways.has(room)) this.ways.set(room, new Set());
    for (const line of text.split("\n").slice(1)) {
      const door = line.match(/\bdoor to (?:the )?([\w ]+?) \(that is (open|closed)\)/i);
      if (door?.[1]) {
        this.#way(room, door[1].toLowerCase());
        this.closed.delete(`door to ${door[1].toLowerCase()}`);
        if (door[2] === "closed") this.closed.add(`door to ${door[1].toLowerCase()}`);
        continue;
      }
      const [, item = "", rest = ""] = line.match(/^\s+(?:an? |the |some )?(?:substance called )?([\w' -]+?)(?= \(|[.,]|$)(.*)$/) ?? [];
      if (item === "" || item === "agent") continue;
      this.places.set(item.toLowerCase(), room);
      if (/door is closed/.test(rest)) this.closed.add(item.toLowerCase());
      for (const [, holder = item, held = ""] of rest.matchAll(/\b(?:[Oo]n|[Ii]n) the ([\w' -]+?) is: (.+?)(?=\. [A-Z]|\.?$)/g)) {
        for (const { name } of listed(held.replaceAll(/\([^)]*\)/g, "").replaceAll("substance called ", ""))) {
          this.places.set(name, holder.toLowerCase());
        }
      }
    }
  }

  #readSentence(sentence: string): void {
    let match: RegExpMatchArray | null;
    if ((match = sentence.match(/^looking quickly around you, you see (.+?)\.?$/i))) {
      for (const { name } of listed(match[1] ?? "")) this.spots.add(name);
    } else if ((match = sentence.match(/^you arrive at (?:the )?(.+?)\.$/i))) {
      if (!/^loc \d+$/.test(match[1] ?? "")) this.here = match[1]?.toLowerCase();
    } else if ((match = sentence.match(/^(?:on|in) (?:the )?(.+?), you see (.+?)\.?$/i))) {
      const place = match[1]?.toLowerCase() === "it" ? this.here ?? "" : match[1]?.toLowerCase() ?? "";
      this.searched.add(place);
      this.closed.delete(place);
      for (const [thing, at] of this.places) if (at === place) this.places.delete(thing);
      for (const { name } of listed(match[2] ?? "")) this.places.set(name, place);
    } else if ((match = sentence.match(/^the (.+?) (?:is|door is) (?:now )?(closed|open)\.?$/i))) {
      const thing = match[1]?.toLowerCase() ?? "";
      if (match[2] === "closed") this.closed.add(thing);
      else this.closed.delete(thing);
    } else if ((match = sentence.match(/^you (?:pick up|take) the (.+?) from (?:the )?(.+?)\.?$/i))) this.#take(match[1] ?? "");
    else if ((match = sentence.match(/^you move the (.+?) to the inventory\.?$/i))) this.#take(match[1] ?? "");
    else if ((match = sentence.match(/^you (?:move|put) the (.+?) (?:to|in\/on|in|on|into) the (.+?)\.?$/i))) {
      const [thing = "", place = ""] = match.slice(1).map((part) => part.toLowerCase());
      this.held.delete(thing);
      this.places.set(thing, place);
      this.delivered.set(thing, place);
    } else if ((match = sentence.match(/^you (clean|heat|cool) the (.+?) using the .+$/i))) {
      const states = this.states.get(match[2]?.toLowerCase() ?? "") ?? new Set();
      if (match[1] !== "clean") { for (const other of ["heat", "cool"]) states.delete(other); }
      this.states.set(match[2]?.toLowerCase() ?? "", states.add(match[1]?.toLowerCase() ?? ""));
    } else if ((match = sentence.match(/^you turn on the (.+?)\.?$/i))) this.switchedOn.add(match[1]?.toLowerCase() ?? "");
    else if ((match = sentence.match(/^you focus on the (.+?)\.?$/i))) this.focused.push(match[1]?.toLowerCase() ?? "");
  }

  #take(name: string): void {
    const thing = name.toLowerCase();
    this.places.delete(thing);
    this.delivered.delete(thing);
    this.held.add(thing);
    this.futile.clear();
  }
}

/** How worlds say that an action came to nothing. */
const FAILURE =
  /^(?:nothing happens|no known action|it's not clear how|i'm not sure|you can't|that's not|the .+ (?:is locked|won't|isn't)|could not|invalid action|ambiguous request)/i;
