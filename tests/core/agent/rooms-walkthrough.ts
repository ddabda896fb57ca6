/**
 * A way to fulfil a BabyAI mission, worked out from the true map: what a planner that knows
 * everything would write.
 */

import type { BabyAiTruth } from "../../../lib/mod.ts";

interface Door {
  readonly a: number;
  readonly b: number;
  readonly colour: string;
  locked: boolean;
}

/** The instructions in order; `mission` is the goal's text. */
export function walkthrough(truth: BabyAiTruth, mission: string): string[] {
  const doors: Door[] = truth.doors.map(({ a, b, colour, state }) => ({
    a,
    b,
    colour,
    locked: state === "locked",
  }));
  const things = truth.objects.map(({ colour, type, room }) => ({
    label: `${colour} ${type}`,
    room,
  }));
  const instructions: string[] = [];
  let here = truth.agent.room ?? -1;
  let carried: string | undefined;

  /**
   * Doors on the way over unlocked doors; of two doors of one colour in a room neither is taken.
   */
  function way(isGoal: (room: number) => boolean): Door[] | undefined {
    const ways = new Map<number, Door[]>([[here, []]]);
    for (const [room, path] of ways) {
      if (isGoal(room)) return path;
      for (const door of doors) {
        if (door.locked || (door.a !== room && door.b !== room)) continue;
        const alike = doors.filter(({ a, b, colour }) =>
          (a === room || b === room) && colour === door.colour
        );
        const to = door.a === room ? door.b : door.a;
        if (alike.length === 1 && !ways.has(to)) ways.set(to, [...path, door]);
      }
    }
    return undefined;
  }

  function walk(path: readonly Door[]): void {
    for (const door of path) {
      instructions.push(`pass_door(${door.colour} door)`);
      here = door.a === here ? door.b : door.a;
    }
  }

  /** Into the room of a thing, unlocking whatever is in the way. */
  function reach(label: string): void {
    const rooms = things.filter((thing) => thing.label === label).map(({ room }) => room);
    const path = way((room) => rooms.includes(room));
    if (path) return walk(path);
    if (!unlockOne()) throw new Error(`${label} cannot be reached`);
    reach(label);
  }

  /** Opens one locked door whose key can be had. */
  function unlockOne(): boolean {
    for (const door of doors.filter(({ locked }) => locked)) {
      const key = `${door.colour} key`;
      const room = things.find(({ label }) => label === key)?.room;
      if (carried !== key && !way((at) => at === room)) continue;
      if (carried !== key) take(key);
      walk(way((at) => at === door.a || at === door.b) ?? []);
      door.locked = false;
      walk([door]);
      return true;
    }
    return false;
  }

  function take(label: string): void {
    reach(label);
    if (carried !== undefined) {
      instructions.push(`drop_entity(${carried})`);
      things.push({ label: carried, room: here });
    }
    instructions.push(`pick_up_entity(${label})`);
    const taken = things.findIndex((thing) => thing.label === label && thing.room === here);
    if (taken >= 0) things.splice(taken, 1);
    carried = label;
  }

  const [, moved, fixed] =
    mission.toLowerCase().match(/put (?:an?|the) (.+) next to (?:an?|the) (.+?)\.?$/) ?? [];
  if (moved === undefined || fixed === undefined) {
    while (
      doors.some(({ locked, colour }) => locked && mission.includes(`${colour} door`)) &&
      unlockOne()
    ) continue;
    return instructions;
  }
  reach(fixed); // whatever stands between is open before anything is carried
  take(moved);
  reach(fixed);
  return [...instructions, `drop_next_to_entity(${moved}, ${fixed})`];
}
