/**
 * The policy of GraphMind's planner for BabyAI: fetches keys, opens doors, brings things together,
 * and explores.
 */

import type { OfflinePrompt } from "../stand-in.ts";
import {
  kindOf,
  type KnownRoom,
  namesOf,
  readGridView,
  readRooms,
} from "../reading/babyai-text.ts";
import { withoutNumber } from "../reading/noun-phrases.ts";
import { breadthFirst } from "./breadth-first.ts";
import { COLOURS, doorsIn, instruct, keyOf, type Planned, type Target } from "./room-plans.ts";

/** Plans by the prompt's sections; answers of functions are under `<name> <arguments>`. */
export function planInRooms(prompt: OfflinePrompt): Planned {
  try {
    return new Planner(prompt).plan();
  } catch (error) {
    if (error instanceof MissingAnswer) {
      return { kind: "call", name: error.tool, arguments: error.args };
    }
    throw error;
  }
}

class MissingAnswer extends Error {
  constructor(readonly tool: string, readonly args: Record<string, unknown>) {
    super(tool);
  }
}

class Planner {
  readonly #prompt: OfflinePrompt;
  readonly #carried: string | undefined;
  readonly #rooms: ReadonlyMap<number, KnownRoom>;
  readonly #here: number | undefined;
  /**
   * Names of the things in the last observations, oldest first, if memory is a stack of
   * observations.
   */
  readonly #stack: readonly (readonly string[])[];
  readonly #near: readonly string[];

  constructor(prompt: OfflinePrompt) {
    this.#prompt = prompt;
    const { Memory: memory = "", Inventory: inventory = "", Observation: observation = "" } =
      prompt.sections;
    const carried = kindOf(inventory.replace(/^you are carrying:? ?/i, "").replace(/\.$/, ""));
    this.#carried = carried === "" || carried === "nothing" ? undefined : carried;
    this.#rooms = new Map(
      [memory, ...Object.values(prompt.sections)].flatMap(readRooms).map((
        room,
      ) => [room.number, room]),
    );
    const here = memory.match(/^You are in room (\d+)/m)?.[1];
    this.#here = here === undefined ? undefined : Number(here);
    const isStack = /^Observation \d+$/m.test(memory);
    this.#stack = isStack
      ? [...memory.matchAll(/^Entities: (.*)$/gm)].map(([, list]) => namesOf(list))
      : [];
    const seen = readGridView(observation)?.sights.map(({ name }) => name) ?? [];
    this.#near = [...new Set([...seen, ...this.#noted(), ...this.#stack.slice(-RECENT).flat()])];
  }

  plan(): Planned {
    const mission = (this.#prompt.sections["Mission"] ?? "").toLowerCase();
    const [, moved, fixed] = mission.match(BRING) ?? [];
    if (moved && fixed) return this.#bring(kindOf(moved), kindOf(fixed));
    const [, door] = mission.match(/(?:open|unlock|pass|go through) (?:an?|the) (.+? door)/) ?? [];
    if (door) return this.#open(kindOf(door));
    const [, thing] =
      mission.match(/(?:go to|walk to|reach|pick up|take|get|fetch|find) (?:an?|the) (.+?)\.?$/) ??
        [];
    return thing
      ? this.#fetch(kindOf(thing)) ?? this.#explore(kindOf(thing))
      : this.#explore("door");
  }

  #open(door: string): Planned {
    const doors = this.#doorsTo(door);
    const key = keyOf(door);
    const isLocked = this.#near.every((name) => kindOf(name) !== door || name.includes("locked"));
    if (doors && (this.#carried === key || (doors.length === 0 && !isLocked))) {
      return instruct(door, "It can be opened now.", doors, `pass_door(${door})`);
    }
    if (this.#carried === key) return this.#explore(door);
    return this.#fetch(key) ?? this.#explore(key);
  }

  /**
   * With notes on rooms, a thing is fetched once the other one is found. Without them it may have
   * been put down for a key, which is taken to its door first.
   */
  #bring(moved: string, fixed: string): Planned {
    const doors = this.#doorsTo(fixed);
    if (this.#carried === moved) {
      return doors
        ? instruct(fixed, "Its place is known.", doors, `drop_next_to_entity(${moved}, ${fixed})`)
        : this.#explore(fixed);
    }
    const remembers = this.#here !== undefined;
    const isReady = doors !== undefined || !remembers;
    if (doors === undefined && !remembers && this.#hasKey() && this.#doorsTo(moved)) {
      return this.#explore(fixed);
    }
    return (isReady ? this.#fetch(moved) : undefined) ??
      this.#explore(isReady ? moved : fixed, remembers ? () => this.#fetch(moved) : undefined);
  }

  #fetch(thing: string): Planned | undefined {
    const doors = this.#doorsTo(thing);
    const free = this.#carried === undefined ? [] : [`drop_entity(${this.#carried})`];
    return doors &&
      instruct(thing, "Its place is known.", doors, ...free, `pick_up_entity(${thing})`);
  }

  /**
   * Looks round a new room; then takes a door never passed, or fetches the key of a locked one;
   * then searches the room, and at last leaves by any door.
   */
  #explore(wanted: string, otherwise?: () => Planned | undefined): Planned {
    const { "Last plan": lastPlan = "", "Last plan completion": completion = "" } =
      this.#prompt.sections;
    const [call = ""] = (lastPlan.split("\n").findLast((line) => line.includes("(")) ?? "").split(
      "(",
    );
    if (call === "pass_door" && !completion.includes("not completed")) {
      return instruct("door", "This room has not been looked at.", [], "find_door()");
    }
    const frontier = this.#frontier();
    if (frontier) {
      return instruct(
        kindOf(frontier.name),
        "Nobody has gone through it.",
        frontier.doors,
        `pass_door(${withoutNumber(frontier.name)})`,
      );
    }
    for (const door of this.#lockedDoors()) {
      const putDown = this.#here === undefined && lastPlan.includes(`drop_entity(${keyOf(door)})`);
      const fetched = putDown || this.#carried === keyOf(door)
        ? undefined
        : this.#fetch(keyOf(door));
      if (fetched) return fetched;
    }
    const other = otherwise?.();
    if (other) return other;
    if (call === "find_door") {
      const keys = this.#here === undefined && this.#carried === undefined
        ? this.#lockedDoors().map(keyOf)
        : [];
      const sought = this.#prompt.draw.pick([wanted, ...keys]);
      return instruct(sought, "It may lie where nobody has looked.", [], `go_to_entity(${sought})`);
    }
    return call === "go_to_entity"
      ? this.#wander()
      : instruct("door", "There may be another door.", [], "find_door()");
  }

  /** Leaves by any door that opens, else by one seen lately, else by a guess at a colour. */
  #wander(): Planned {
    const exits = this.#room()?.exits.map(({ door }) => door) ?? [];
    const near = [...exits, ...this.#near.filter((name) => this.#opens(name)).map(withoutNumber)];
    const late = this.#stack.slice(-LATE).flat().filter((name) => this.#opens(name)).map(kindOf);
    const guesses = COLOURS.map((colour) => `${colour} door`);
    const door = this.#prompt.draw.pick([
      ...new Set([near, late, guesses].find((names) => names.length > 0)),
    ]);
    return instruct(kindOf(door), "There is nothing more to find here.", [], `pass_door(${door})`);
  }

  #frontier(): Target | undefined {
    if (this.#here === undefined) return this.#doorInView();
    this.#ask(NEIGHBOURS, { node: this.#here });
    const exits = this.#room()?.exits ?? [];
    const name = this.#noted().find((name) => this.#opens(name)) ??
      this.#near.find((name) =>
        this.#opens(name) && !exits.some(({ door }) => door === kindOf(name))
      );
    if (name !== undefined) return { doors: [], name };
    const answer = this.#ask(UNEXPLORED, { node: this.#here });
    const [, found] = answer?.match(/^(.+? door)(?: \(\w+\))? is in room/) ?? [];
    if (answer !== undefined && found === undefined) return undefined;
    if (answer !== undefined && found !== undefined && this.#opens(found)) {
      return { doors: doorsIn(answer), name: found };
    }
    return this.#nearest(({ entities }) =>
      entities.map(({ name }) => name).find((name) => this.#opens(name))
    );
  }

  /** Without notes on rooms: the closed door in view that was seen least often. */
  #doorInView(): Target | undefined {
    const stack = this.#stack.flat().map(kindOf);
    const doors = this.#near.filter((name) => this.#opens(name) && !name.includes("open"));
    const times = (name: string): number => stack.filter((kind) => kind === kindOf(name)).length;
    const least = Math.min(...doors.map(times));
    const best = doors.filter((name) => times(name) === least);
    return best.length > 0 ? { doors: [], name: this.#prompt.draw.pick(best) } : undefined;
  }

  #lockedDoors(): string[] {
    const known = [...this.#rooms.values()].flatMap(({ entities }) =>
      entities.map(({ name }) => name)
    );
    const latest = new Map(
      [...this.#stack.flat(), ...known, ...this.#near].map((name) => [kindOf(name), name]),
    );
    return [...latest].filter(([, name]) => name.includes("locked door")).map(([kind]) => kind);
  }

  #hasKey(): boolean {
    const { "Last plan": plan = "", "Last plan completion": completion = "" } =
      this.#prompt.sections;
    const [, passed = ""] = completion.includes("not completed")
      ? []
      : plan.match(/pass_door\(([^()]+)\)\s*$/) ?? [];
    return this.#lockedDoors().some((door) =>
      this.#carried === keyOf(door) && door !== kindOf(passed)
    );
  }

  #doorsTo(kind: string): readonly string[] | undefined {
    if (this.#near.some((name) => kindOf(name) === kind)) return [];
    if (this.#here === undefined) return undefined;
    const answer = this.#ask(CLOSEST, { node: this.#here, entity: kind });
    if (answer !== undefined) return answer.includes("is in room") ? doorsIn(answer) : undefined;
    return this.#nearest(({ entities, exits }) =>
      entities.find(({ name }) => kindOf(name) === kind)?.name ??
        exits.find(({ door }) => door === kind)?.door
    )?.doors;
  }

  /** The nearest thing that `find` names in the notes on a room; missing notes are requested. */
  #nearest(find: (room: KnownRoom) => string | undefined): Target | undefined {
    if (this.#here === undefined) return undefined;
    const rooms = breadthFirst(
      this.#here,
      (number) => this.#rooms.get(number)?.exits.map(({ door, to }) => [door, to] as const) ?? [],
    );
    for (const { node, path } of rooms) {
      if (!this.#rooms.has(node)) this.#ask(NEIGHBOURS, { node });
      const room = this.#rooms.get(node);
      const name = room && find(room);
      if (name !== undefined) return { doors: path, name };
    }
    return undefined;
  }

  #room(): KnownRoom | undefined {
    return this.#here === undefined ? undefined : this.#rooms.get(this.#here);
  }

  #noted(): string[] {
    return this.#room()?.entities.map(({ name }) => name) ?? [];
  }

  #opens(name: string): boolean {
    return / door\b/.test(name) &&
      (!name.includes("locked") || this.#carried === keyOf(kindOf(name)));
  }

  /**
   * The answer of a function, `undefined` if it is not offered.
   * @throws {MissingAnswer} if it was
   * not called yet.
   */
  #ask(tool: string, args: Record<string, unknown>): string | undefined {
    const answer = this.#prompt.sections[`${tool} ${JSON.stringify(args)}`];
    if (answer === undefined && this.#prompt.tools.some(({ name }) => name === tool)) {
      throw new MissingAnswer(tool, args);
    }
    return answer;
  }
}

const BRING =
  /(?:put|place|bring|move|take|carry|drop|set) (?:an?|the) (.+?)(?: and (?:put|place|bring|move|carry|drop|set) it)? (?:next to|beside|by|near|alongside|to) (?:an?|the) (.+?)\.?$/;

const RECENT = 2;
const LATE = 8;

const NEIGHBOURS = "get_neighbor_entity_information";
const CLOSEST = "search_closest_entity";
const UNEXPLORED = "find_unexplored_closed_door";
