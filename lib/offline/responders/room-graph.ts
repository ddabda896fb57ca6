/** Answers the modules of GraphMind's room graph memory. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { breadthFirst } from "../policies/breadth-first.ts";
import {
  bearing,
  distance,
  type Facing,
  type GridView,
  kindOf,
  type KnownRoom,
  namesOf,
  readGridView,
  readRooms,
  turned,
  wallOf,
} from "../reading/babyai-text.ts";
import { numbered, withoutNumber } from "../reading/noun-phrases.ts";

export const roomGraphResponders: readonly Responder[] = [
  { role: "graphmind/verify-transition", answer: verify },
  { role: "graphmind/extract", answer: extract },
  { role: "graphmind/locate", answer: locate },
  { role: "graphmind/update-entities", answer: update },
];

/** Follows the moves onto a door's cell and off it on the other side. */
function verify({ sections, modelOptions, draw }: OfflinePrompt): string {
  const views = viewsOf(sections["Trajectory"] ?? "");
  const real = passageIn(sections["Trajectory"] ?? "", views);
  const isRight =
    draw.next() < 1 - (real.passed ? modelOptions.missedDoor : modelOptions.rotationAsPassage);
  const seen = real.passed || isRight ? real : passageTakenFor(views.at(-1));
  const passed = real.passed ? isRight : seen.passed;
  return JSON.stringify({
    connected_door_rationale: seen.door
      ? `The agent went forward onto the ${seen.door}.`
      : "No door was stepped onto.",
    connected_door: seen.door ?? null,
    door_direction_rationale: seen.direction
      ? `It faced ${seen.direction} then.`
      : "There is no passage.",
    door_direction: seen.direction ?? null,
    check_pass_door_rationale: seen.passed
      ? "It went on on the other side."
      : "It is where it was.",
    check_pass_door: passed,
    answer_confidence_score: isRight ? 0.9 : 0.5,
  });
}

interface Passage {
  readonly passed: boolean;
  readonly door?: string;
  readonly direction?: Facing;
}

function viewsOf(trajectory: string): readonly (GridView | undefined)[] {
  return trajectory.split(/^Observation \d+(?: \(picture \d+\))?$/m).slice(1).map(readGridView);
}

/** A passage invented through the first door in view. */
function passageTakenFor(view: GridView | undefined): Passage {
  const door = view?.sights.find(({ name }) => name.endsWith(" door"));
  return view && door
    ? { passed: true, door: kindOf(door.name), direction: wallOf(view, door) }
    : { passed: false };
}

function passageIn(trajectory: string, views: ReturnType<typeof viewsOf>): Passage {
  const actions = [...trajectory.matchAll(/^Action \d+: (.*)$/gm)].map((match) => match[1] ?? "");
  let doorway: { readonly door: string; readonly entered: Facing } | undefined;
  let through: { readonly door: string; readonly direction: Facing } | undefined;
  for (const [index, action] of actions.entries()) {
    const [before, after] = [views[index], views[index + 1]];
    if (action !== "forward" || !before || !after) continue;
    const facing = before.facing ?? "north";
    const ahead = before.cell(1, 0);
    if (/\bopen door$/.test(ahead)) doorway = { door: kindOf(ahead), entered: facing };
    else if (doorway && moved(before, after)) {
      const back = turned(doorway.entered, 2);
      if (facing === doorway.entered) {
        through = through?.door === doorway.door && through.direction === back
          ? undefined
          : { door: doorway.door, direction: facing };
      }
      doorway = undefined;
    }
  }
  return { passed: through !== undefined, ...through };
}

function moved(before: GridView, after: GridView): boolean {
  return before.cell(1, 0) === "empty" ||
    JSON.stringify(before.rows) !== JSON.stringify(after.rows);
}

function extract({ sections, modelOptions, draw }: OfflinePrompt): string {
  const view = readGridView(sections["Observation"] ?? "");
  const fields = [
    "current_room_entities",
    "entities_relationships",
    "direction_of_entities",
  ] as const;
  if (!view) return contents(fields, "No grid is shown.", []);
  const sights = view.sights.filter(() => draw.next() < modelOptions.recall);
  const names = numbered(sights.map(({ name }) => {
    const others = sights.map((sight) => sight.name).filter((other) => other !== name);
    return draw.next() < modelOptions.precision || others.length === 0 ? name : draw.pick(others);
  }));
  const named = sights.map((sight, index) => ({ sight, name: names[index] ?? sight.name }));
  const things = named.map(({ sight, name }): Entity => {
    const [nearest] = named.filter((other) => other.name !== name).sort((a, b) =>
      distance(a.sight, sight) - distance(b.sight, sight)
    );
    const direction = sight.name.endsWith(" door") ? wallOf(view, sight) : bearing(view, sight);
    return {
      name,
      direction,
      nearest: nearest?.name,
      cells: nearest && distance(nearest.sight, sight),
    };
  });
  return contents(fields, "Read off the grid.", things);
}

interface Entity {
  readonly name: string;
  readonly direction?: string;
  readonly nearest?: string;
  readonly cells?: number;
}

function contents(
  [entities, relations, directions]: readonly [string, string, string],
  why: string,
  things: readonly Entity[],
): string {
  return JSON.stringify({
    [`${entities}_rationale`]: why,
    [entities]: things.map(({ name }) => name),
    [`${relations}_rationale`]: why,
    [relations]: things.flatMap(({ name, nearest, cells }) =>
      nearest === undefined ? [] : [{ from: name, relation: "are_apart", to: nearest, cells }]
    ),
    [`${directions}_rationale`]: why,
    [directions]: things.flatMap(({ name, direction }) =>
      direction ? [{ entity: name, direction }] : []
    ),
  });
}

/**
 * Identifies the present room: behind a known door that door's room; else the room that lies there
 * by the known doors, or the only one with such a door that holds what is seen; else new.
 */
function locate({ sections }: OfflinePrompt): string {
  const {
    "Rooms list": list = "",
    "Previous room and those connected with it": near = sections["Previous room"] ?? "",
  } = sections;
  const rooms = readRooms(`${list}\n${near}`);
  const previous = rooms.find(({ number }) => number === Number(near.match(/\d+/)?.[0]));
  const passage = sections["Passage"]?.match(/has passed the (.+? door)(?:, going (\w+))?/);
  const next =
    Math.max(0, ...[...list.matchAll(/Room (\d+)/g)].map(([, number]) => Number(number))) + 1;
  const [, door = "", direction] = passage ?? [];
  if (previous && !passage) return node(previous.number, "No door was passed.");
  const known = previous?.exits.find((exit) =>
    exit.door === door && (!direction || !exit.direction || exit.direction === direction)
  );
  if (known) return node(known.to, `The ${door} leads there.`);
  const places = previous ? placesFrom(rooms, previous) : new Map<string, number>();
  const there = direction ? places.get(placeAfter([direction as Facing])) : undefined;
  if (there !== undefined) return node(there, "The ways known so far lead round to it.");
  const seen = namesOf(sections["Observed entities"]?.match(/^Entities: (.*)$/m)?.[1]);
  const arrival = direction && turned(direction as Facing, 2);
  const elsewhere = new Set(direction ? places.values() : []);
  const same = rooms.filter((room) =>
    room !== previous && !elsewhere.has(room.number) && agrees(room, { door, arrival, seen })
  );
  return same.length === 1 && same[0]
    ? node(same[0].number, `It has the ${door} on that side, and holds what is seen.`)
    : node(next, "Nothing known fits.");
}

/** The place that a path leads to, in rooms to the east and north. */
function placeAfter(path: readonly Facing[]): string {
  const count = (direction: Facing): number => path.filter((each) => each === direction).length;
  return `${count("east") - count("west")},${count("north") - count("south")}`;
}

/** Place → room number as seen from one room; the first one counts. */
function placesFrom(rooms: readonly KnownRoom[], from: KnownRoom): Map<string, number> {
  const reached = breadthFirst(
    from.number,
    (number) =>
      rooms.find((room) => room.number === number)?.exits
        .flatMap(({ to, direction }) => direction ? [[direction as Facing, to] as const] : []) ??
        [],
  );
  return new Map([...reached].reverse().map(({ node, path }) => [placeAfter(path), node]));
}

function agrees(
  { entities }: KnownRoom,
  { door, arrival, seen }: {
    readonly door: string;
    readonly arrival: string | undefined;
    readonly seen: readonly string[];
  },
): boolean {
  const hasDoor = entities.some(({ name, direction }) =>
    kindOf(name) === door && (!arrival || !direction || direction === arrival)
  );
  const kinds = entities.map(({ name }) => kindOf(name));
  return hasDoor &&
    seen.filter((name) => !name.includes("door")).every((name) => kinds.includes(kindOf(name)));
}

function node(number: number, why: string): string {
  return JSON.stringify({ current_graph_node_id_rationale: why, current_graph_node_id: number });
}

function update({ sections }: OfflinePrompt): string {
  const stored = readContents(sections["Current room entities"] ?? "");
  const seen = readContents(sections["Partial observation entities"] ?? "");
  const inventory = sections["Inventory change"] ?? "";
  const gone = kindOf(inventory.match(/picked up (?:the |an? )?([\w ]+)/i)?.[1] ?? "");
  const left = [...stored];
  const lost = gone === "" ? -1 : left.findIndex(({ name }) => kindOf(name) === gone);
  if (lost >= 0) left.splice(lost, 1);
  let dropped = kindOf(inventory.match(/dropped (?:the |an? )?([\w ]+)/i)?.[1] ?? "");
  for (const thing of seen) {
    const at = kindOf(thing.name) === dropped ? -1 : left.findIndex((old) => isSame(old, thing));
    if (at >= 0) left.splice(at, 1);
    else if (kindOf(thing.name) === dropped) dropped = ""; // it is new here; a second one of its kind need not be
  }
  const states = [
    ...(sections["Door change"] ?? "").matchAll(/the (\w+ door) changed from \w+ to (\w+)/gi),
  ];
  const kept = left.map((thing) => {
    const state = states.find(([, door]) =>
      thing.name.includes(" door") && kindOf(thing.name) === door
    )?.[2];
    return state === undefined
      ? thing
      : { ...thing, name: thing.name.replace(/\b(?:open|closed|locked) door/, `${state} door`) };
  });
  return contents(
    ["graph_entities", "graph_entities_relate", "graph_dir_of_entities"],
    "What was known stays, what is seen is added.",
    renumbered([...seen, ...kept]),
  );
}

/** Whether two entities are the same: of one kind, and doors in one wall if both are known. */
function isSame(a: Entity, b: Entity): boolean {
  if (kindOf(a.name) !== kindOf(b.name)) return false;
  return !a.name.includes(" door") || !a.direction || !b.direction || a.direction === b.direction;
}

/** The same things with look-alikes numbered; distances to renamed things are dropped. */
function renumbered(things: readonly Entity[]): Entity[] {
  const names = numbered(things.map(({ name }) => withoutNumber(name)));
  const renamed = new Set(
    things.filter(({ name }, index) => name !== names[index]).map(({ name }) => name),
  );
  return things.map(({ nearest, cells, ...thing }, index) => {
    const name = names[index] ?? thing.name;
    const stays = nearest !== undefined && name === thing.name && !renamed.has(nearest);
    return stays ? { ...thing, name, nearest, cells: cells ?? 0 } : { ...thing, name };
  });
}

function readContents(text: string): Entity[] {
  const directions = new Map(
    (text.match(/^Directions: (.*)$/m)?.[1] ?? "").split("; ").map((part) =>
      part.split(": ") as [string, string]
    ),
  );
  const distances = [...text.matchAll(/([\w ]+?) and ([\w ]+?) are (\d+) cells apart/g)];
  return namesOf(text.match(/^Entities: (.*)$/m)?.[1]).map((name) => {
    const [, , nearest, cells] = distances.find(([, from]) =>
      from?.replace(/^Distances: /, "").trim() === name
    ) ?? [];
    return {
      name,
      direction: directions.get(name),
      nearest,
      cells: cells === undefined ? undefined : Number(cells),
    };
  });
}
