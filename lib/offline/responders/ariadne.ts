/**
 * How the offline backbone answers Ariadne's planner and actor: the same reader and the same rules for every memory, over whatever
 * sections the memory put into the prompt.
 *
 * @module
 */

import { readActions } from "../reading/actions.ts";
import type { OfflinePrompt, Responder } from "../backbone.ts";
import { type Belief, believe, TITLES } from "../reading/belief.ts";
import { choose } from "../policies/textworld-policy.ts";
import { delve, type Delving, delvingWants, WAY_DOWN } from "../policies/nethack-policy.ts";
import { readCalls, readDungeon, readNews } from "../reading/nethack-text.ts";
import { recall, writePlan } from "../policies/sub-goals.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { wants } from "../policies/goals.ts";

/** `ariadne/plan` and `ariadne/act`. */
export const ariadneResponders: readonly Responder[] = [
  { role: "ariadne/plan", answer: ({ sections }) => plan(sections) },
  { role: "ariadne/act", answer: act },
];

type Sections = OfflinePrompt["sections"];

function plan(sections: Sections): string {
  const goal = sections[TITLES.goal] ?? "";
  const delving = underground(sections);
  if (delving) return writePlan(goal, delvingWants(delving));
  return writePlan(goal, wants(goal, understand(sections, sections["Previous plan"] ?? "")));
}

function act({ sections, draw }: OfflinePrompt): string {
  const delving = underground(sections);
  if (delving) {
    const { call, reason } = delve(delving);
    return JSON.stringify({ reason_for_action: reason, action_to_take: call });
  }
  const actions = readActions(sections["Possible actions"] ?? "");
  if (actions.length === 0) return JSON.stringify({ reason_for_action: "No action is offered.", action_to_take: "look" });
  const belief = understand(sections, sections["Current plan"] ?? "");
  for (const { destination } of actions) if (destination !== undefined) belief.rooms.add(destination);
  for (const { direction } of actions) if (direction !== undefined && belief.here !== undefined) belief.exit(belief.here, direction);
  const frontier = frontierOf(sections[TITLES.frontier]);
  const { action, reason } = choose({
    belief,
    wants: wants(sections[TITLES.goal] ?? "", belief),
    actions,
    observation: sections[TITLES.observation] ?? "",
    draw,
    ...(frontier ? { frontier } : {}),
  });
  return JSON.stringify({ reason_for_action: reason, action_to_take: action });
}

/** What an explorer underground is shown, with what memory tells of the present level: ways down, and ways not taken. */
function underground(sections: Sections): Delving | undefined {
  const view = readDungeon(sections[TITLES.observation] ?? "");
  if (!view) return undefined;
  const facts = readTriplets(sections[TITLES.triplets] ?? "");
  const depths = new Map(facts.flatMap(({ subject, relation, object }) => relation === "is at" ? [[subject, object] as const] : []));
  const isNear = (place: string): boolean => view.depth !== undefined && depths.get(place) === `depth ${view.depth}`;
  const recent = `${sections[TITLES.history] ?? ""}\n${sections[TITLES.observation] ?? ""}`;
  return {
    view,
    task: sections[TITLES.goal] ?? "",
    made: readCalls(recent),
    news: readNews(recent),
    knownWaysDown: facts.flatMap(({ subject, relation, object }) => {
      if (relation === "contains" && WAY_DOWN.test(object) && isNear(subject)) return [`in ${subject}`];
      return relation === "was seen from" && WAY_DOWN.test(subject) && isNear(object) ? [`that were seen from ${object}`] : [];
    }),
    unexplored: [...(sections[TITLES.frontier] ?? "").matchAll(/^(.+?): (.*)$/gm)].filter(([, place = ""]) => isNear(place)).flatMap((
      [, , ways = ""],
    ) => [...ways.matchAll(/(\d+) (\d+)(?=,|$)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))),
  };
}

function understand(sections: Sections, plan: string): Belief {
  return believe(sections, { before: (belief) => recall(plan, belief) });
}

/** `room: exit, exit` a line. */
function frontierOf(section: string | undefined): Map<string, string[]> | undefined {
  if (section === undefined) return undefined;
  return new Map(
    section.toLowerCase().split("\n").flatMap((line): [string, string[]][] => {
      const [room, exits] = line.split(":");
      return room && exits ? [[room.trim(), exits.split(",").map((exit) => exit.trim()).filter((exit) => exit !== "none")]] : [];
    }),
  );
}
