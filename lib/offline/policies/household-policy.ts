/** Lists the next actions for household tasks (ALFWorld, ScienceWorld). */

import type { Draw } from "../../core/random.ts";
import { APPLIANCES, HOUSEHOLD } from "../reading/lexicon.ts";
import type { Locations } from "../reading/locations.ts";
import { withoutNumber } from "../reading/noun-phrases.ts";
import { type HouseholdTask, isFor, isOfKind } from "../reading/tasks.ts";
import { breadthFirst } from "./breadth-first.ts";

export interface ActionIntent {
  readonly verbs: readonly string[];
  readonly thing?: string;
  readonly other?: string;
  readonly why: string;
}

/** The next actions for a task, best first, without those that failed since something changed. */
export function nextIntents(task: HouseholdTask, at: Locations, draw: Draw): ActionIntent[] {
  const found = [...intentsFor(task, at, draw)];
  return found.filter(({ verbs, thing = "", other = "" }) =>
    !at.hasFailed(`${verbs[0]} ${thing} ${other}`.trim())
  );
}

function* intentsFor(task: HouseholdTask, at: Locations, draw: Draw): Generator<ActionIntent> {
  const { to, focus = [], rooms } = task;
  const pending = focus[at.focused.length];
  const kind = pending ?? (focus.length > 0 ? at.focused.at(-1) : undefined) ?? task.kind;
  if (pending !== undefined) {
    const thing = [...at.held, ...at.places.keys()]
      .find((name) =>
        isOfKind(name, pending) && at.isLocated(name) &&
        !at.hasFailed(`focus on ${name}`, at.siteOf(name))
      );
    const why = `The ${thing} is of the kind that is asked for.`;
    if (thing !== undefined) yield* goAndDo(at, thing, { verbs: ["focus on"], thing, why });
    yield* search(kind, at, draw, { rooms });
    return;
  }
  const wanted = [...at.held].find((name) => isOfKind(name, kind));
  if (wanted !== undefined) yield* finish(wanted, task, at, draw);
  if (focus.length > 0 && to === undefined) return; // what else it asks for is science
  if (at.held.size > 0 && wanted === undefined && at.here !== undefined && at.ways.size === 0) {
    const burden = [...at.held][0] as string;
    yield { verbs: PUT, thing: burden, other: at.here, why: `The ${burden} is of no use.` };
  }
  for (const [name, place] of at.places) {
    if (
      !isOfKind(name, kind) || at.held.has(name) ||
      (to !== undefined && isOfKind(at.delivered.get(name) ?? "", to))
    ) continue;
    yield* goAndDo(at, name, {
      verbs: ["take", "pick up", "get"],
      thing: name,
      other: place,
      why: `The ${name} is needed.`,
    });
  }
  yield* search(kind, at, draw, { rooms });
}

const PUT: readonly string[] = ["put", "move", "place"];

function* finish(
  wanted: string,
  { to, room, light, treatment }: HouseholdTask,
  at: Locations,
  draw: Draw,
): Generator<ActionIntent> {
  if (light !== undefined) {
    const lamp = nearestOfKind(light, at);
    if (lamp === undefined) yield* search(light, at, draw);
    else {
      yield* goAndDo(at, lamp, {
        verbs: ["use", "turn on", "activate"],
        thing: lamp,
        why: `The ${wanted} is to be seen by its light.`,
      });
    }
  } else if (treatment !== undefined && !at.states.get(wanted)?.has(treatment)) {
    const by = nearest(at, (name) => isFor(name, treatment));
    if (by === undefined) yield* search(APPLIANCES[treatment]?.[0] ?? "", at, draw);
    else {yield* goAndDo(at, by, {
        verbs: [treatment],
        thing: wanted,
        other: by,
        why: `The ${wanted} is to be treated first.`,
      });}
  } else if (to !== undefined) {
    const place = nearestOfKind(to, at);
    if (place === undefined && room !== undefined && at.here !== room) {
      yield* travel(at, room, `The ${to} is in the ${room}.`);
    } else if (place === undefined) yield* search(to, at, draw);
    else {yield* goAndDo(at, place, {
        verbs: PUT,
        thing: wanted,
        other: place,
        why: `The ${wanted} belongs there.`,
      });}
  }
}

/**
 * The first intent that has not failed, in the world's words: an offered action, a filled form
 * (`take {thing} from {place}: …`), or the wording of an example.
 */
export function groundFirst(
  intents: Iterable<ActionIntent>,
  at: Locations,
  { offered, examples = [] }: {
    readonly offered: readonly string[];
    readonly examples?: readonly string[];
  },
): { readonly action: string; readonly why: string } | undefined {
  for (const intent of intents) {
    const action = offered.length > 0 ? ground(intent, offered) : imitate(intent, examples);
    if (action !== undefined && !at.hasFailed(action)) return { action, why: intent.why };
  }
  return undefined;
}

function ground(
  { verbs, thing = "", other = "" }: ActionIntent,
  offered: readonly string[],
): string | undefined {
  const parts = [thing, other].filter((part) => part !== "");
  for (const verb of verbs) {
    for (const line of offered) {
      if (!line.startsWith(verb)) continue;
      const form = line.replace(/:.*$/, "");
      const slots = form.match(/\{\w+\}/g)?.length ?? 0;
      if (slots > parts.length || (slots === 0 && !parts.every((part) => line.includes(part)))) {
        continue;
      }
      if (slots > 0 || parts.length === 0 || line.startsWith(`${verb} ${thing}`)) {
        let next = 0;
        return form.replaceAll(/\{\w+\}/g, () => parts[next++] ?? "");
      }
    }
  }
  return undefined;
}

function imitate(
  { verbs, thing = "", other = "" }: ActionIntent,
  examples: readonly string[],
): string | undefined {
  const verb = verbs.find((each) =>
    examples.some((action) => action === each || action.startsWith(`${each} `))
  );
  if (verb === undefined) return undefined;
  const [joint] =
    examples.find((action) => action.startsWith(`${verb} `))?.slice(verb.length).match(
      / (?:to|into|in\/on|in|on|with|from) /,
    ) ??
      [];
  return `${verb} ${thing}${joint === undefined || other === "" ? "" : joint + other}`.trim();
}

export function isNeededFor({ kind, to, light, treatment }: HouseholdTask, name: string): boolean {
  return [kind, to, light].some((each) => each !== undefined && isOfKind(name, each)) ||
    isFor(name, treatment);
}

/** Yields the places to search next for a task's needs, or for anything without a task. */
export function* explorationIntents(
  task: HouseholdTask | undefined,
  at: Locations,
  draw: Draw,
): Generator<ActionIntent> {
  const needed = task
    ? [task.kind, task.to, task.light, ...APPLIANCES[task.treatment ?? ""]?.slice(0, 1) ?? []]
    : [];
  const missing = needed.find((kind) =>
    kind !== undefined && nearestOfKind(kind, at) === undefined
  );
  if (
    task && missing === undefined &&
    [...at.places.keys()].filter((name) => isOfKind(name, task.kind)).length >= task.count
  ) return;
  yield* search(missing ?? task?.kind ?? "", at, draw, { last: false });
}

function nearestOfKind(kind: string, at: Locations): string | undefined {
  return nearest(at, (name) => isOfKind(name, kind));
}

function nearest(at: Locations, fits: (name: string) => boolean): string | undefined {
  const all = [...at.spots, ...at.places.keys()].filter(fits);
  return all.find((name) => at.siteOf(name) === at.here || name === at.here) ?? all[0];
}

/** Goes where a thing is, opens what holds it, then acts. */
function* goAndDo(at: Locations, thing: string, intent: ActionIntent): Generator<ActionIntent> {
  if (!at.isLocated(thing)) return;
  const site = at.siteOf(thing);
  if (site !== undefined && site !== at.here) {
    yield* travel(at, site, intent.why);
    return;
  }
  const holder = at.closed.has(thing) ? thing : at.places.get(thing) ?? thing;
  if (at.closed.has(holder) && !Object.hasOwn(APPLIANCES, intent.verbs[0] ?? "")) { // an appliance treats things behind its door
    yield { verbs: ["open"], thing: holder, why: `The ${holder} is closed.` };
  }
  yield intent;
}

function* travel(at: Locations, goal: string, why: string): Generator<ActionIntent> {
  const go = (place: string): ActionIntent => ({ verbs: ["go to"], thing: place, why });
  if (at.spots.has(goal) || at.here === undefined) {
    yield go(goal);
    return;
  }
  const rooms = breadthFirst(
    at.here,
    (room) => [...at.ways.get(room) ?? []].map((next) => [next, next] as const),
  );
  const step = rooms.find(({ node }) => node === goal)?.path[0];
  if (step === undefined) return yield { verbs: ["teleport to"], thing: goal, why };
  if (at.closed.has(`door to ${step}`)) yield { verbs: ["open"], thing: `door to ${step}`, why };
  yield go(step);
}

/** Looks into what is at hand, then goes to places that the task names, then to usual places. */
function* search(
  kind: string,
  at: Locations,
  draw: Draw,
  { last = true, rooms = [] }: { readonly last?: boolean; readonly rooms?: readonly string[] } = {},
): Generator<ActionIntent> {
  const why = `The ${kind} has to be found.`;
  for (const room of rooms) {
    if (room !== at.here && !at.searched.has(room)) yield* travel(at, room, why);
  }
  const here = at.here;
  if (here !== undefined && at.closed.has(here)) yield { verbs: ["open"], thing: here, why };
  for (const [name, place] of at.places) {
    if (place === here && at.ways.has(place) && at.closed.has(name)) {
      yield { verbs: ["open"], thing: name, why };
    }
  }
  if (here !== undefined && (at.ways.has(here) || at.spots.size === 0) && !at.searched.has(here)) {
    yield { verbs: ["look around", "look"], why };
  }
  const open = [...at.spots, ...at.ways.keys()].filter((place) =>
    !at.searched.has(place) && place !== here
  );
  const ranked = open.map((place) => ({ place, rank: likelihood(kind, place) + draw.next() / 2 }))
    .sort((a, b) => b.rank - a.rank);
  for (const { place } of ranked) yield* travel(at, place, why);
  if (last) yield { verbs: ["look around", "look"], why };
}

function likelihood(kind: string, place: string): number {
  const sort = HOUSEHOLD.find(({ things }) =>
    things.some((word) => kind === word || kind.endsWith(word))
  );
  return sort?.furniture.some((word) => withoutNumber(place).includes(word)) ? 1 : 0;
}
