/** What the texts of one prompt say about a text game (TextWorld), put together for each prompt. */

import { type Fact, placeOf, RELATION } from "./facts.ts";
import { OPPOSITE } from "./lexicon.ts";
import { readScene, readTriplets, type Scene } from "./descriptions.ts";
import { type Named, named } from "./noun-phrases.ts";

interface PastAction {
  readonly action: string;
  readonly room: string | undefined;
}

export class Belief {
  here: string | undefined;
  carried: readonly Named[] = [];
  readonly rooms = new Set<string>();
  readonly places = new Map<string, string>();
  readonly onFloor = new Set<string>();
  readonly states = new Map<string, Set<string>>();
  /** Room → exit → the room behind it, `undefined` if the exit was never taken. */
  readonly exits = new Map<string, Map<string, string | undefined>>();
  frontier: ReadonlyMap<string, string[]> | undefined;
  readonly doors = new Map<string, string>();
  readonly locks = new Map<string, string>();
  readonly ingredients = new Set<string>();
  readonly treatments = new Map<string, Set<string>>();
  readonly appliances = new Map<string, string>();
  mealPlace: string | undefined;
  readonly tried: PastAction[] = [];
  readonly things = new Set<string>();

  #step: number | undefined;
  #taken: string | undefined;

  watch(scenes: readonly Scene[]): void {
    for (const scene of scenes) {
      if (scene.step !== undefined && this.#step !== undefined && scene.step > this.#step + 1) {
        this.here = undefined;
      }
      const action = scene.action ??
        (scene.step !== undefined && scene.step - 1 === this.#step ? this.#taken : undefined);
      this.#step = scene.step ?? this.#step;
      this.#taken = scene.taken;
      const before = this.here;
      if (action !== undefined) this.tried.push({ action: action.toLowerCase(), room: before });
      if (scene.room !== undefined) {
        this.#forgetContents(scene);
        this.here = scene.room;
        this.rooms.add(scene.room);
        this.#move(before, { room: scene.room, action });
      }
      for (const fact of scene.facts) this.learn(fact);
      if (scene.carried) this.hold(scene.carried);
    }
  }

  /** Adds facts, passages between rooms first, since a thing's place needs its room. */
  learnAll(facts: readonly Fact[]): void {
    for (const fact of facts) if (isPassage(fact)) this.learn(fact);
    for (const fact of facts) this.learn(fact);
  }

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
    else if (relation === RELATION.treated) {
      this.treatments.getOrInsertComputed(thing, () => new Set()).add(object);
    } else if (relation === RELATION.appliance) this.appliances.set(object, thing);
    else if (relation === RELATION.prepared) this.mealPlace = object;
    else if (relation === RELATION.state) this.#state(thing, object);
    else if (relation === "contains" || relation === "has on it") {
      this.#place(named(object).name, subject);
    } else {
      const direction = relation.match(/^is (\w+) of$/)?.[1];
      if (direction !== undefined && direction in OPPOSITE) this.link(object, direction, subject);
      else if (relation === "can be achieved from") {
        this.rooms.add(subject);
        this.rooms.add(object);
      }
    }
  }

  link(room: string, direction: string, there: string): void {
    for (
      const [from, way, to] of [[room, direction, there], [
        there,
        OPPOSITE[direction] ?? "",
        room,
      ]] as const
    ) {
      this.exit(from, way);
      this.exits.get(from)?.set(way, to);
    }
  }

  exit(room: string, direction: string): void {
    this.rooms.add(room);
    const known = this.exits.getOrInsertComputed(room, () => new Map());
    if (direction in OPPOSITE && !known.has(direction)) known.set(direction, undefined);
  }

  hold(carried: readonly Named[]): void {
    const names = new Set(carried.map((thing) => thing.name));
    for (const [thing, place] of this.places) {
      if (place === "inventory" && !names.has(thing)) this.places.delete(thing);
    }
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

  /** The room that a thing is in, through whatever holds it. */
  roomOf(thing: string): string | undefined {
    return placeOf(thing, this.places, (name) => this.rooms.has(name));
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
    const states = this.states.getOrInsertComputed(thing, () => new Set());
    if (OPENNESS.includes(state)) { for (const old of OPENNESS) states.delete(old); }
    states.add(state);
  }

  /** A full description lists a room's things: what was believed there and is not named is gone. */
  #forgetContents(scene: Scene): void {
    const listed = new Set(scene.facts.map((fact) => named(fact.subject).name));
    for (const [thing, place] of this.places) {
      const shut = this.is(place, "closed") || this.is(place, "locked");
      if (
        !listed.has(thing) && !shut &&
        (place === scene.room || (listed.has(place) && this.roomOf(place) === scene.room))
      ) {
        this.places.delete(thing);
      }
    }
  }

  #move(before: string | undefined, scene: Pick<Scene, "room" | "action">): void {
    const direction = scene.action?.toLowerCase().match(/^(?:go )?(\w+)$/)?.[1];
    if (before === undefined || scene.room === undefined || before === scene.room) return;
    if (direction !== undefined && direction in OPPOSITE) this.link(before, direction, scene.room);
  }
}

/** The belief from notes, episodes, triplets, latest history and observation, in this order. */
export function believe(
  sections: Readonly<Record<string, string>>,
  options: { readonly before?: (belief: Belief) => void } = {},
): Belief {
  const text = (title: string): string => sections[title] ?? "";
  const belief = new Belief();
  for (const fact of readScene(text(TITLES.goal)).facts) belief.learn(fact);
  options.before?.(belief);
  for (const title of TITLES.notes) belief.learnAll(readTriplets(text(title)));
  const shown = new Set(
    [TITLES.history, TITLES.observation].flatMap((title) =>
      readScenes(text(title)).map((scene) => scene.step)
    ),
  );
  for (const title of [TITLES.episodes, TITLES.everything]) {
    belief.watch(
      inOrder(readScenes(text(title))).filter((scene) =>
        scene.step === undefined || !shown.has(scene.step)
      ),
    );
  }
  if (sections[TITLES.everything] === undefined) belief.here = undefined;
  belief.learnAll(readTriplets(`${text(TITLES.triplets)}\n${text(TITLES.facts)}`));
  if (sections[TITLES.frontier] !== undefined) {
    belief.frontier = readFrontier(text(TITLES.frontier));
  }
  for (const [room, exits] of belief.frontier ?? []) {
    for (const exit of exits) belief.exit(room, exit);
  }
  belief.watch(inOrder(readScenes(text(TITLES.history))));
  belief.watch(readScenes(text(TITLES.observation)));
  return belief;
}

function readFrontier(section: string): Map<string, string[]> {
  return new Map(
    section.toLowerCase().split("\n").flatMap((line): [string, string[]][] => {
      const [room, exits] = line.split(":");
      return room?.trim() && exits
        ? [[room.trim(), exits.split(",").map((exit) => exit.trim())]]
        : [];
    }),
  );
}

export const TITLES = {
  goal: "Main goal",
  history: "History of observations and actions",
  observation: "Current observation",
  triplets: "Relevant triplets from memory",
  facts: "Facts that hold now",
  episodes: "Relevant past observations",
  everything: "All observations and actions so far",
  frontier: "Unexplored exits",
  notes: [
    "Lessons from earlier trials",
    "Insights from reflection",
    "Summary of what has happened",
    "Found in archival memory",
    "Facts from memory, oldest first",
    "Core memory",
  ],
} as const;

const WHOLE_HISTORY = "History of observations and actions, up to the current one";

/** Separates the current observation from a history that ends with it. */
export function separateObservation(
  sections: Readonly<Record<string, string>>,
): Record<string, string> {
  const { [WHOLE_HISTORY]: whole, ...others } = sections;
  if (whole === undefined) return others;
  const at = Math.max(0, ...[...whole.matchAll(/^Game step #\d+$/gm)].map(({ index }) => index));
  return {
    ...others,
    [TITLES.history]: whole.slice(0, at).trimEnd(),
    [TITLES.observation]: whole.slice(at),
  };
}

export function readScenes(text: string): Scene[] {
  return text
    .split(/(?=^\s*(?:game )?step:? #?\d+)/im)
    .filter((part) => part.trim() !== "")
    .map(readScene);
}

function isPassage({ relation }: Fact): boolean {
  return relation === RELATION.exit || / of$/.test(relation);
}

function inOrder(scenes: readonly Scene[]): Scene[] {
  return [...scenes].sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
}

const OPENNESS = ["open", "closed", "locked", "unlocked"];
