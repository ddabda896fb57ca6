/**
 * A scripted model that plays a known walk through Ariadne's real prompts, and keeps AriGraph's
 * graph as a careful reader would.
 */

import { type ChatRequest, scripted, type ScriptedModel } from "../../../lib/mod.ts";
import { separateObservation } from "../../../lib/offline/reading/belief.ts";
import { sectionsOf } from "../memory/house.ts";

/** What the player knows beforehand. */
export interface Walk {
  /** Actions that win, one step each; "go <direction>" moves. */
  readonly actions: readonly string[];
}

/** The player; `macros` counts the "go to" it chose. */
export interface ScriptedPlayer {
  readonly model: ScriptedModel;
  readonly macros: () => number;
}

/**
 * It takes the walk's actions in order. A run of moves that ends in a place it has been to before
 * is taken as one "go to", if that is offered: it learns the map from the places and moves that it
 * sees in its prompts alone.
 */
export function scriptedPlayer({ actions }: Walk): ScriptedPlayer {
  const map = new Map<string, Map<string, string>>();
  let at = 0;
  let macros = 0;
  let here = "";
  let moved: { from: string; direction: string } | undefined;

  function act(request: ChatRequest): string {
    const sections = sectionsOf(request);
    const possible = (sections["Possible actions"] ?? "").split("\n");
    here = placeIn(separateObservation(sections)["Current observation"] ?? "") ?? here;
    if (moved) {
      link(moved.from, moved.direction, here);
      link(here, OPPOSITE[moved.direction] ?? "", moved.from);
      moved = undefined;
    }
    while (actions[at]?.startsWith("open ") && !possible.includes(actions[at] ?? "")) at++; // the makers open what stands open already
    const run = actions.slice(at).findIndex((action) => !MOVE.test(action));
    const moves = actions.slice(at, run < 0 ? actions.length : at + run);
    for (let length = moves.length; length >= 2; length--) {
      const end = moves.slice(0, length).reduce<string | undefined>(
        (place, move) => map.get(place ?? "")?.get(move.slice(3)),
        here,
      );
      if (end === undefined || !possible.includes(`go to ${end}`)) continue;
      at += length;
      macros += 1;
      return answer(`go to ${end}`);
    }
    const action = actions[at++] ?? "look";
    const direction = action.match(MOVE)?.[1];
    if (direction) moved = { from: here, direction };
    return answer(cookingName(action, possible));
  }

  function link(from: string, direction: string, to: string): void {
    if (!map.has(from)) map.set(from, new Map());
    map.get(from)?.set(direction, to);
  }

  const model = scripted({
    "arigraph/extract": (request) => extract(sectionsOf(request)["Observation"] ?? ""),
    "arigraph/outdate": (request) => outdate(sectionsOf(request)),
    "arigraph/entities": () => JSON.stringify({ inventory: 2, [here || "kitchen"]: 1 }),
    "arigraph/explore": () => "True",
    "ariadne/plan": () =>
      JSON.stringify({
        main_goal: "win",
        plan_steps: [{
          sub_goal_1: `Do: ${actions[at] ?? "nothing"}`,
          reason: `${at} of ${actions.length} done`,
        }],
        your_emotion: { your_current_emotion: "calm", reason_behind_emotion: "The way is known." },
      }),
    "ariadne/act": act,
  });
  return { model, macros: () => macros };
}

const MOVE = /^go (north|south|east|west)$/;
const OPPOSITE: Readonly<Record<string, string>> = {
  north: "south",
  south: "north",
  east: "west",
  west: "east",
};

function answer(action: string): string {
  return JSON.stringify({ reason_for_action: "It is next.", action_to_take: action });
}

/** The walks of the makers say "cook x with stove"; the worlds offer "fry x with stove". */
function cookingName(action: string, possible: readonly string[]): string {
  if (possible.includes(action)) return action;
  const tail = action.replace(/^cook /, "");
  return possible.find((offered) =>
    /^(fry|roast|grill) /.test(offered) && offered.endsWith(` ${tail}`)
  ) ?? action;
}

function placeIn(observation: string): string | undefined {
  return [...observation.matchAll(/-= (.+?) =-/g)].at(-1)?.[1]?.toLowerCase();
}

function extract(observation: string): string {
  const place = placeIn(observation);
  const exits = [...new Set(observation.match(/\b(north|south|east|west)\b/g))];
  const carried = observation.match(/You are carrying: (.+?)\.?$/m)?.[1]?.split(/, | and /) ?? [];
  const triplets = [
    ...(place ? exits.map((exit) => `${place}, has exit, ${exit}`) : []),
    ...carried.map((thing) =>
      `${thing.replace(/^(and |a |an |some |the )+/, "")}, is in, inventory`
    ),
  ];
  return triplets.join("; ") || "[]";
}

/**
 * What is no longer carried is not told by a new triplet; so only things that are elsewhere now are
 * replaced.
 */
function outdate(sections: Record<string, string>): string {
  const fresh = (sections["New triplets"] ?? "").split("\n");
  const pairs = (sections["Existing triplets"] ?? "").split("\n").flatMap((old) => {
    const successor = fresh.find((line) =>
      line.split(", is in, ")[0] === old.split(", is in, ")[0] && old.includes(", is in, ")
    );
    return successor ? [`[${old} -> ${successor}]`] : [];
  });
  return `[${pairs.join(", ")}]`;
}
