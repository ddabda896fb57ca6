/**
 * Answers Ariadne's planner and actor: the same reader and the same rules for every memory, over the sections that the memory adds to the prompt.
 *
 * @module
 */

import { readActions } from "../reading/actions.ts";
import type { OfflinePrompt, Responder } from "../backbone.ts";
import { type Belief, believe, TITLES } from "../reading/belief.ts";
import { choose } from "../policies/textworld-policy.ts";
import { chooseSkill, dungeonGoals, type DungeonSituation, WAY_DOWN } from "../policies/nethack-policy.ts";
import { readCalls, readDungeon, readNews } from "../reading/nethack-text.ts";
import { learnPlan, writePlan } from "../policies/sub-goals.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { goalsFor } from "../policies/goals.ts";

/** `ariadne/plan` and `ariadne/act`. */
export const ariadneResponders: readonly Responder[] = [
  { role: "ariadne/plan", answer: ({ sections }) => plan(sections) },
  { role: "ariadne/act", answer: act },
];

type Sections = OfflinePrompt["sections"];

function plan(sections: Sections): string {
  const goal = sections[TITLES.goal] ?? "";
  const dungeon = underground(sections);
  if (dungeon) return writePlan(goal, dungeonGoals(dungeon));
  return writePlan(goal, goalsFor(goal, understand(sections, sections["Previous plan"] ?? "")));
}

function act({ sections, draw }: OfflinePrompt): string {
  const dungeon = underground(sections);
  if (dungeon) {
    const { call, reason } = chooseSkill(dungeon);
    return JSON.stringify({ reason_for_action: reason, action_to_take: call });
  }
  const actions = readActions(sections["Possible actions"] ?? "");
  if (actions.length === 0) return JSON.stringify({ reason_for_action: "No action is offered.", action_to_take: "look" });
  const belief = understand(sections, sections["Current plan"] ?? "");
  for (const { destination } of actions) if (destination !== undefined) belief.rooms.add(destination);
  for (const { direction } of actions) if (direction !== undefined && belief.here !== undefined) belief.exit(belief.here, direction);
  const { action, reason } = choose({
    belief,
    goals: goalsFor(sections[TITLES.goal] ?? "", belief),
    actions,
    observation: sections[TITLES.observation] ?? "",
    draw,
  });
  return JSON.stringify({ reason_for_action: reason, action_to_take: action });
}

/** What an explorer underground is shown, with what memory tells of the present level: ways down, and ways not taken. */
function underground(sections: Sections): DungeonSituation | undefined {
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
  return believe(sections, { before: (belief) => learnPlan(plan, belief) });
}
