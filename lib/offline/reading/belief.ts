/**
 * A belief: what the texts of one prompt say about the world, put together. It is made anew for every prompt and forgotten after it.
 *
 * @module
 */

import { type Fact, RELATION } from "./facts.ts";
import { OPPOSITE } from "./lexicon.ts";
import { readScene, readTriplets, type Scene } from "./descriptions.ts";
import { type Named, named } from "./noun-phrases.ts";

/** An action that the prompt's history tells of. */
export interface Tried {
  readonly action: string;
  readonly room?: string;
  /** Whether the text that came of it stands in the prompt, and what it is. */
  readonly result: string;
}

/** What is believed. Names are in lower case, without article and state. */
export class Belief {
  /** Where the agent is, where the texts tell. */
  here: string | undefined;
  carried: readonly Named[] = [];
  readonly rooms = new Set<string>();
  /** Thing → what holds it: a room, a piece of furniture, the inventory. */
  readonly places = new Map<string, string>();
  readonly onFloor = new Set<string>();
  readonly states = new Map<string, Set<string>>();
  /** Room → exit → the room behind it, or nothing where it was never taken. */
  readonly exits = new Map<string, Map<string, string | undefined>>();
  /** `room/direction` → door. */
  readonly doors = new Map<string, string>();
  /** Key → lock. */
  readonly locks = new Map<string, string>();
  readonly ingredients = new Set<string>();
  /** Food → states that the recipe wants of it. */
  readonly treatments = new Map<string, Set<string>>();
  /** Gerund ("frying") → appliance. */
  readonly appliances = new Map<string, string>();
  /** Where the meal is prepared. */
  mealPlace: string | undefined;
  readonly tried: Tried[] = [];
  /** Things named by a text of the prompt in an earlier scene or now. */
  readonly things = new Set<string>();

  #step: number | undefined;

  /** Takes in descriptions in the order in which they were seen; each may tell of the action that led to it. */
  watch(scenes: readonly Scene[]): void {
    for (const scene of scenes) {
      if (scene.step !== undefined && this.#step !== undefined && scene.step > this.#step + 1) this.here = undefined;
      this.#step = scene.step ?? this.#step;
      const before = this.here;
      if (scene.action !== undefined) {
        this.tried.push({ action: scene.action.toLowerCase(), result: scene.text, ...(before === undefined ? {} : { room: before }) });
      }
      if (scene.room !== undefined) {
        this.#forgetContents(scene);
        this.here = scene.room;
        this.rooms.add(scene.room);
        this.#move(before, scene);
      }
      for (const fact of scene.facts) this.learn(fact);
      if (scene.carried) this.hold(scene.carried);
    }
  }

  /** Takes in one fact. Of two facts about the same matter the later one holds. */
  learn({ subject, relation, object }: Fact): void {
    const thing = named(subject).name;
    if (relation === RELATION.in || relation === RELATION.on) this.#place(thing, object);
    else if (relation === RELATION.exit) this.exit(subject, object);
    else if (relation.startsWith(RELATION.door)) {
      const direction = relation.slice(RELATION.door.length + 1);
      this.exit(subject, direction);
      this.doors.set(`${subject}/${direction}`, object);
    } else if (relation === RELATION.unlocks) this.locks.set(thing, named(object).name);
    else if (relation === RELATION.requires) this.ingredients.add(named(object).name);
    else if (relation === RELATION.treated) add(this.treatments, thing, object);
    else if (relation === RELATION.appliance) this.appliances.set(object, thing);
    else if (relation === RELATION.prepared) this.mealPlace = object;
    else if (relation === RELATION.state) this.#state(thing, object);
    else if (relation === "contains" || relation === "has on it") this.#place(named(object).name, subject);
    else {
      const direction = relation.match(/^is (\w+) of$/)?.[1];
      if (direction !== undefined && direction in OPPOSITE) this.link(object, direction, subject);
      else if (relation === "can be achieved from") {
        this.rooms.add(subject);
        this.rooms.add(object);
      }
    }
  }

  /** `there` is reached from `room` by going `direction`. */
  link(room: string, direction: string, there: string): void {
    for (const [from, way, to] of [[room, direction, there], [there, OPPOSITE[direction] ?? "", room]] as const) {
      this.exit(from, way);
      this.exits.get(from)?.set(way, to);
    }
  }

  exit(room: string, direction: string): void {
    this.rooms.add(room);
    const known = this.exits.get(room) ?? new Map<string, string | undefined>();
    this.exits.set(room, known);
    if (direction in OPPOSITE && !known.has(direction)) known.set(direction, undefined);
  }

  /** Sets what is carried; whatever was believed to be carried and is not, is somewhere unknown. */
  hold(carried: readonly Named[]): void {
    const names = new Set(carried.map((thing) => thing.name));
    for (const [thing, place] of this.places) if (place === "inventory" && !names.has(thing)) this.places.delete(thing);
    for (const { name, states } of carried) {
      this.#place(name, "inventory");
      for (const state of states) this.#state(name, state);
    }
    this.carried = carried;
  }

  carries(name: string): boolean {
    return this.carried.some((thing) => thing.name === name);
  }

  is(thing: string, state: string): boolean {
    return this.states.get(thing)?.has(state) ?? false;
  }

  /** The room that a thing is in, through whatever holds it; `undefined` where the texts do not tell. */
  roomOf(thing: string): string | undefined {
    let place: string | undefined = thing;
    for (let depth = 0; depth < 5 && place !== undefined; depth++) {
      if (this.rooms.has(place)) return place;
      place = this.places.get(place);
    }
    return undefined;
  }

  #place(thing: string, place: string): void {
    const where = place === "inventory" ? place : named(place).name;
    this.things.add(thing);
    if (where === "floor") {
      this.onFloor.add(thing);
      if (this.here !== undefined) this.places.set(thing, this.here);
      return;
    }
    if (!this.rooms.has(where)) this.onFloor.delete(thing);
    if (where !== thing) this.places.set(thing, where);
  }

  #state(thing: string, state: string): void {
    this.things.add(thing);
    const states = this.states.get(thing) ?? new Set<string>();
    if (OPENNESS.includes(state)) { for (const old of OPENNESS) states.delete(old); }
    states.add(state);
    this.states.set(thing, states);
  }

  /** A full description of a room tells anew what lies in it: what was believed to be there and is not named is gone. */
  #forgetContents(scene: Scene): void {
    const told = new Set(scene.facts.map((fact) => named(fact.subject).name));
    for (const [thing, place] of this.places) {
      const shut = this.is(place, "closed") || this.is(place, "locked");
      if (!told.has(thing) && !shut && (place === scene.room || (told.has(place) && this.roomOf(place) === scene.room))) {
        this.places.delete(thing);
      }
    }
  }

  #move(before: string | undefined, scene: Scene): void {
    const direction = scene.action?.toLowerCase().match(/^(?:go )?(\w+)$/)?.[1];
    if (before === undefined || scene.room === undefined || before === scene.room) return;
    if (direction !== undefined && direction in OPPOSITE) this.link(before, direction, scene.room);
  }
}

/** The belief that a prompt's sections give: notes, then episodes, then triplets, then the latest history, then what is seen now. */
export function believe(
  sections: Readonly<Record<string, string>>,
  options: { readonly before?: (belief: Belief) => void; readonly titles?: Titles } = {},
): Belief {
  const { titles = TITLES, before } = options;
  const belief = new Belief();
  const goal = sections[titles.goal] ?? "";
  for (const fact of readScene(goal).facts) belief.learn(fact);
  before?.(belief);
  for (const title of titles.notes) {
    const facts = readTriplets(sections[title] ?? "");
    for (const fact of facts) if (isWay(fact)) belief.learn(fact);
    for (const fact of facts) belief.learn(fact);
  }
  const shown = new Set([titles.history, titles.observation].flatMap((title) => parted(sections[title] ?? "").map((scene) => scene.step)));
  for (const title of [titles.episodes, titles.everything]) {
    belief.watch(inOrder(parted(sections[title] ?? "")).filter((scene) => scene.step === undefined || !shown.has(scene.step)));
  }
  belief.here = sections[titles.everything] === undefined ? undefined : belief.here;
  const triplets = readTriplets(sections[titles.triplets] ?? "");
  for (const fact of triplets) if (isWay(fact)) belief.learn(fact);
  for (const fact of triplets) belief.learn(fact);
  for (const line of (sections[titles.frontier] ?? "").split("\n")) {
    const [room, exits] = line.toLowerCase().split(":");
    if (room?.trim() && exits) { for (const exit of exits.split(",")) belief.exit(room.trim(), exit.trim()); }
  }
  belief.watch(inOrder(parted(sections[titles.history] ?? "")));
  belief.watch(parted(sections[titles.observation] ?? ""));
  return belief;
}

/** Titles of the sections, by what they hold. */
export interface Titles {
  readonly goal: string;
  readonly history: string;
  readonly observation: string;
  readonly triplets: string;
  readonly episodes: string;
  readonly everything: string;
  readonly frontier: string;
  /** What was noted earlier, as triplets: oldest first. */
  readonly notes: readonly string[];
}

/** As the prompts of Ariadne and its memories name them. */
export const TITLES: Titles = {
  goal: "Main goal",
  history: "Last observations and actions",
  observation: "Current observation",
  triplets: "Relevant triplets from memory",
  episodes: "Relevant past observations",
  everything: "All observations and actions so far",
  frontier: "Unexplored exits",
  notes: ["Lessons from earlier trials", "Insights from reflection", "Summary of what has happened"],
};

/** The descriptions in a text that holds several, each from its step number on. */
export function parted(text: string): Scene[] {
  return text
    .split(/(?=^\s*(?:game )?step:? #?\d+)/im)
    .filter((part) => part.trim() !== "")
    .map(readScene);
}

/** Rooms are known by their ways, and what lies in them only then. */
function isWay({ relation }: Fact): boolean {
  return relation === RELATION.exit || / of$/.test(relation);
}

function inOrder(scenes: readonly Scene[]): Scene[] {
  return [...scenes].sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set<string>()).add(value));
}

const OPENNESS = ["open", "closed", "locked", "unlocked"];
