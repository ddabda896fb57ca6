/**
 * Planning a mission in rooms with coloured doors: fetch keys, open doors, bring things together, and explore what nobody has seen.
 *
 * @module
 */

import type { ToolSpec } from "../../llm/chat-model.ts";
import type { Draw } from "../../random.ts";
import { type GridView, kindOf, readGridView } from "../reading/grid-view.ts";
import { type KnownRoom, readRooms } from "../reading/room-notes.ts";

/** What a planner reads. */
export interface PlanningText {
  readonly mission: string;
  readonly memory: string;
  readonly inventory: string;
  readonly lastPlan: string;
  readonly completion: string;
  readonly observation: string;
  /** All sections: answers of functions stand under `<name> <arguments>`. */
  readonly sections: Readonly<Record<string, string>>;
  readonly tools: readonly ToolSpec[];
  readonly draw: Draw;
}

/** What it comes to: instructions, or a function to ask first. */
export type Planned =
  | { readonly kind: "plan"; readonly target: string; readonly why: string; readonly instructions: readonly string[] }
  | { readonly kind: "call"; readonly name: string; readonly arguments: Record<string, unknown> };

/** The next instructions, or the next question. */
export function planInRooms(text: PlanningText): Planned {
  try {
    return new Planner(text).plan();
  } catch (error) {
    if (error instanceof MissingAnswer) return { kind: "call", name: error.tool, arguments: error.args };
    throw error;
  }
}

/** A function that should be asked before going on. */
class MissingAnswer extends Error {
  constructor(readonly tool: string, readonly args: Record<string, unknown>) {
    super(tool);
  }
}

/** A door to go through, and the doors on the way to its room. */
interface Way {
  readonly doors: readonly string[];
}

class Planner {
  readonly #text: PlanningText;
  readonly #view: GridView | undefined;
  readonly #carried: string | undefined;
  readonly #rooms = new Map<number, KnownRoom>();
  readonly #here: number | undefined;
  /** Things in reach of the actor as far as is known, with their states. */
  readonly #near: string[];
  /** Instructions of the last plan. */
  readonly #last: readonly string[];

  constructor(text: PlanningText) {
    this.#text = text;
    this.#view = readGridView(text.observation);
    const carried = kindOf(text.inventory.replace(/^you are carrying:? ?/i, "").replace(/\.$/, ""));
    this.#carried = carried === "" || carried === "nothing" ? undefined : carried;
    for (const part of [text.memory, ...Object.values(text.sections)]) {
      for (const room of readRooms(part)) this.#rooms.set(room.number, room);
    }
    const here = text.memory.match(/^You are in room (\d+)/m)?.[1];
    this.#here = here === undefined ? undefined : Number(here);
    this.#last = text.lastPlan.split("\n").filter((line) => line.includes("("));
    const seen = this.#view?.sights.map(({ name }) => name) ?? [];
    this.#near = [...new Set([...seen, ...this.#noted(), ...stackOf(text.memory).slice(-RECENT).flat()])];
  }

  plan(): Planned {
    const mission = this.#text.mission.toLowerCase();
    const [, moved, fixed] = mission.match(/put (?:an?|the) (.+?) next to (?:an?|the) (.+?)\.?$/) ?? [];
    if (moved && fixed) return this.#bring(kindOf(moved), kindOf(fixed));
    const [, door] = mission.match(/open (?:an?|the) (.+? door)/) ?? [];
    if (door) return this.#open(kindOf(door));
    const [, thing] = mission.match(/(?:go to|pick up|find) (?:an?|the) (.+?)\.?$/) ?? [];
    return thing ? this.#fetch(kindOf(thing)) ?? this.#explore(kindOf(thing)) : this.#explore("door");
  }

  /** Opens a door, with its key if it is locked. */
  #open(door: string): Planned {
    const way = this.#wayTo(door);
    const key = keyOf(door);
    const isLocked = this.#near.every((name) => kindOf(name) !== door || name.includes("locked"));
    if (way && (this.#carried === key || (way.doors.length === 0 && !isLocked))) {
      return this.#plan(door, "It can be opened now.", way, `pass_door(${door})`);
    }
    if (this.#carried === key) return this.#explore(door);
    return this.#fetch(key) ?? this.#explore(key);
  }

  /** Brings one thing to another; with a memory to rely on it is fetched only when the other one has been found too. */
  #bring(moved: string, fixed: string): Planned {
    const goal = this.#wayTo(fixed);
    if (this.#carried === moved) {
      return goal ? this.#plan(fixed, "Its place is known.", goal, `drop_next_to_entity(${moved}, ${fixed})`) : this.#explore(fixed);
    }
    const remembers = this.#here !== undefined;
    return (goal || !remembers ? this.#fetch(moved) : undefined) ??
      this.#explore(goal || !remembers ? moved : fixed, remembers ? () => this.#fetch(moved) : undefined);
  }

  #fetch(thing: string): Planned | undefined {
    const way = this.#wayTo(thing);
    if (!way) return undefined;
    const free = this.#carried === undefined ? [] : [`drop_entity(${this.#carried})`];
    return this.#plan(thing, "Its place is known.", way, ...free, `pick_up_entity(${thing})`);
  }

  /**
   * Looks round a room just entered; then a door that nobody has gone through, or the key for a locked one. Where there is none, the room is
   * searched for another door and for what is wanted, and at last left by any door.
   */
  #explore(wanted: string, otherwise?: () => Planned | undefined): Planned {
    const [call = ""] = (this.#last.at(-1) ?? "").split("(");
    const done = !this.#text.completion.includes("not completed");
    if (call === "pass_door" && done) return this.#plan("door", "This room has not been looked at.", HERE, "find_door()");
    const frontier = this.#frontier();
    if (frontier) {
      return this.#plan(kindOf(frontier.door), "Nobody has gone through it.", frontier, `pass_door(${nameless(frontier.door)})`);
    }
    const isFree = this.#here !== undefined || this.#carried === undefined || this.#carried.endsWith(" key"); // else it would be lost
    for (const door of isFree ? this.#lockedDoors() : []) {
      const fetched = this.#carried === keyOf(door) ? undefined : this.#fetch(keyOf(door));
      if (fetched) return fetched;
    }
    const other = otherwise?.();
    if (other) return other;
    if (call === "find_door") {
      const keys = this.#here === undefined && this.#carried === undefined ? this.#lockedDoors().map(keyOf) : [];
      const sought = this.#text.draw.pick([wanted, ...keys]);
      return this.#plan(sought, "It may lie where nobody has looked.", HERE, `go_to_entity(${sought})`);
    }
    if (call !== "go_to_entity") return this.#plan("door", "There may be another door.", HERE, "find_door()");
    return this.#wander();
  }

  /** A way out of a dead end: any door that opens, else one that was seen of late, else a guess at the colour of one that is out of view. */
  #wander(): Planned {
    const exits = (this.#here === undefined ? [] : this.#rooms.get(this.#here)?.exits ?? []).map(({ door }) => door);
    const near = [...exits, ...this.#near.filter((name) => this.#opens(name)).map(nameless)];
    const late = stackOf(this.#text.memory).slice(-LATE).flat().filter((name) => this.#opens(name)).map(kindOf);
    const guesses = COLOURS.map((colour) => `${colour} door`);
    const doors = [near, late, guesses].find((names) => names.length > 0) ?? guesses;
    const door = this.#text.draw.pick([...new Set(doors)]);
    return this.#plan(kindOf(door), "There is nothing more to find here.", HERE, `pass_door(${door})`);
  }

  /** The nearest door that opens and was never passed. */
  #frontier(): (Way & { readonly door: string }) | undefined {
    if (this.#here === undefined) return this.#doorInView();
    this.#ask(NEIGHBOURS, { node: this.#here });
    const exits = this.#rooms.get(this.#here)?.exits ?? [];
    const near = this.#near.find((name) => this.#opens(name) && !exits.some(({ door }) => door === kindOf(name)));
    const noted = this.#noted().find((name) => this.#opens(name));
    if (noted ?? near) return { doors: [], door: (noted ?? near) as string };
    const answer = this.#ask(UNEXPLORED, { node: this.#here });
    const [, found] = answer?.match(/^(.+? door)(?: \(\w+\))? is in room/) ?? [];
    if (answer !== undefined && found === undefined) return undefined;
    if (answer !== undefined && found !== undefined && this.#opens(found)) return { doors: doorsIn(answer), door: found };
    return this.#nearest(({ entities }) => entities.map(({ name }) => name).find((name) => this.#opens(name)));
  }

  /** Without notes on rooms: a closed door in view, of several the one that was seldom seen. */
  #doorInView(): (Way & { readonly door: string }) | undefined {
    const stack = stackOf(this.#text.memory).flat().map(kindOf);
    const doors = this.#near.filter((name) => this.#opens(name) && !name.includes("open"));
    const times = (name: string): number => stack.filter((kind) => kind === kindOf(name)).length;
    const least = Math.min(...doors.map(times));
    const best = doors.filter((name) => times(name) === least);
    return best.length > 0 ? { doors: [], door: this.#text.draw.pick(best) } : undefined;
  }

  /** Doors that were locked when last seen. */
  #lockedDoors(): string[] {
    const known = [...this.#rooms.values()].flatMap(({ entities }) => entities.map(({ name }) => name));
    const latest = new Map([...stackOf(this.#text.memory).flat(), ...known, ...this.#near].map((name) => [kindOf(name), name]));
    return [...latest].filter(([, name]) => name.includes("locked door")).map(([kind]) => kind);
  }

  /** The way to the nearest thing of a kind, as far as anything tells. */
  #wayTo(kind: string): Way | undefined {
    if (this.#near.some((name) => kindOf(name) === kind)) return HERE;
    if (this.#here === undefined) return undefined;
    const answer = this.#ask(CLOSEST, { node: this.#here, entity: kind });
    if (answer !== undefined) return answer.includes("is in room") ? { doors: doorsIn(answer) } : undefined;
    return this.#nearest(({ entities, exits }) =>
      entities.find(({ name }) => kindOf(name) === kind)?.name ?? exits.find(({ door }) => door === kind)?.door
    );
  }

  /** Breadth first over the notes; rooms without a note are asked for. */
  #nearest(find: (room: KnownRoom) => string | undefined): (Way & { readonly door: string }) | undefined {
    if (this.#here === undefined) return undefined;
    const ways = new Map<number, readonly string[]>([[this.#here, []]]);
    for (const [number, doors] of ways) {
      if (!this.#rooms.has(number)) this.#ask(NEIGHBOURS, { node: number });
      const room = this.#rooms.get(number);
      const door = room && find(room);
      if (door !== undefined) return { doors, door };
      for (const exit of room?.exits ?? []) if (!ways.has(exit.to)) ways.set(exit.to, [...doors, exit.door]);
    }
    return undefined;
  }

  /** What the notes say of the present room. */
  #noted(): string[] {
    return this.#here === undefined ? [] : this.#rooms.get(this.#here)?.entities.map(({ name }) => name) ?? [];
  }

  /** Whether one can go through it, as far as its state tells. */
  #opens(name: string): boolean {
    if (!/ door\b/.test(name)) return false;
    return !name.includes("locked") || this.#carried === keyOf(kindOf(name));
  }

  /** A function's answer; `undefined` where it cannot be asked. */
  #ask(tool: string, args: Record<string, unknown>): string | undefined {
    const answer = this.#text.sections[`${tool} ${JSON.stringify(args)}`];
    if (answer !== undefined) return answer;
    if (this.#text.tools.some(({ name }) => name === tool)) throw new MissingAnswer(tool, args);
    return undefined;
  }

  #plan(target: string, why: string, way: Way, ...instructions: readonly string[]): Planned {
    return { kind: "plan", target, why, instructions: [...way.doors.map((door) => `pass_door(${door})`), ...instructions] };
  }
}

const HERE: Way = { doors: [] };
/** Observations of a stack that may well be of the present room. */
const RECENT = 2;
/** Observations of a stack whose doors cannot be far. */
const LATE = 8;
const COLOURS = ["blue", "green", "grey", "purple", "red", "yellow", "brown", "white"];

const NEIGHBOURS = "get_neighbor_entity_information";
const CLOSEST = "search_closest_entity";
const UNEXPLORED = "find_unexplored_closed_door";

/** `red door` → `red key`. */
function keyOf(door: string): string {
  return door.replace(/ door$/, " key");
}

/** Without the number that tells look-alikes apart in notes. */
function nameless(name: string): string {
  return name.replace(/ \d+$/, "");
}

/** "Doors to pass from room 1: red door (east) to room 2, …". */
function doorsIn(answer: string): string[] {
  const legs = answer.match(/Doors to pass from room \d+: (.*)\./)?.[1]?.split(", ") ?? [];
  return legs.map((leg) => leg.replace(/(?: \(\w+\))? to room \d+$/, ""));
}

/** The entities of each stacked observation. */
function stackOf(memory: string): string[][] {
  if (!/^Observation \d+$/m.test(memory)) return [];
  return [...memory.matchAll(/^Entities: (.*)$/gm)].map(([, list = ""]) => (list === "none" ? [] : list.split(", ")));
}
