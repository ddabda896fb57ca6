/** Answers Ariadne's planner and actor by the same rules for every memory; and NetPlay. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { goalsFor } from "../policies/goals.ts";
import { learnPlan, writePlan } from "../policies/plan-text.ts";
import {
  chooseSkill,
  dungeonGoals,
  type DungeonSituation,
  WAY_DOWN,
} from "../policies/nethack-policy.ts";
import { play } from "../policies/textworld-policy.ts";
import { type Belief, believe, separateObservation, TITLES } from "../reading/belief.ts";
import { readActions, readTriplets } from "../reading/descriptions.ts";
import { readCalls, readDungeon, readNews } from "../reading/nethack-text.ts";

export const ariadneResponders: readonly Responder[] = [
  { role: "ariadne/plan", normalise: withoutActions, answer: plan },
  { role: "ariadne/act", normalise, answer: act },
  { role: "netplay/skill", answer: chooseNetPlay },
];

type Sections = OfflinePrompt["sections"];

/** The sections as in the authors' prompts, with one title for the plan. */
function normalise(sections: Sections): Sections {
  const { "Asked now": _asked, "Previous plan": previous, "Current plan": current, ...others } =
    separateObservation(sections);
  return { ...others, Plan: inOneLine(previous ?? current ?? others["Plan"] ?? "") };
}

function inOneLine(plan: string): string {
  try {
    return JSON.stringify(JSON.parse(plan));
  } catch {
    return plan;
  }
}

function withoutActions(sections: Sections): Sections {
  const { "Possible actions": _actions, ...others } = normalise(sections);
  return others;
}

function plan({ sections }: OfflinePrompt): string {
  const goal = sections[TITLES.goal] ?? "";
  const dungeon = belowGround(sections);
  if (dungeon) return writePlan(goal, dungeonGoals(dungeon));
  const belief = understand(sections, sections["Plan"] ?? "");
  return writePlan(goal, goalsFor(goal, belief));
}

function act({ sections, draw }: OfflinePrompt): string {
  const dungeon = belowGround(sections);
  if (dungeon) {
    const { call, reason } = chooseSkill(dungeon);
    return JSON.stringify({
      reason_for_action: reason,
      action_to_take: call,
    });
  }
  const actions = readActions(sections["Possible actions"] ?? "");
  if (actions.length === 0) {
    return JSON.stringify({ reason_for_action: "No action is offered.", action_to_take: "look" });
  }
  const belief = understand(sections, sections["Plan"] ?? "");
  for (const { destination } of actions) {
    if (destination !== undefined) belief.rooms.add(destination);
  }
  const { action, reason } = play({
    belief,
    actions,
    draw,
    goal: sections[TITLES.goal] ?? "",
    observation: sections[TITLES.observation] ?? "",
  });
  return JSON.stringify({ reason_for_action: reason, action_to_take: action });
}

function belowGround(sections: Sections): DungeonSituation | undefined {
  const dungeon = underground(
    sections[TITLES.goal] ?? "",
    sections[TITLES.history] ?? "",
    sections[TITLES.observation] ?? "",
  );
  return dungeon && withMemory(dungeon, sections);
}

function underground(
  task: string,
  history: string,
  observation: string,
): DungeonSituation | undefined {
  const recent = `${history}\n${observation}`;
  const view = readDungeon(observation);
  return view && { view, task, made: readCalls(recent), news: readNews(recent) };
}

function withMemory(dungeon: DungeonSituation, sections: Sections): DungeonSituation {
  const facts = readTriplets(`${sections[TITLES.triplets] ?? ""}\n${sections[TITLES.facts] ?? ""}`);
  const depths = new Map(
    facts.flatMap(({ subject, relation, object }) =>
      relation === "is at" ? [[subject, object] as const] : []
    ),
  );
  const { depth } = dungeon.view;
  const isNear = (place: string): boolean =>
    depth !== undefined && depths.get(place) === `depth ${depth}`;
  return {
    ...dungeon,
    knownWaysDown: facts.flatMap(({ subject, relation, object }) => {
      if (relation === "contains" && WAY_DOWN.test(object) && isNear(subject)) {
        return [`in ${subject}`];
      }
      return relation === "was seen from" && WAY_DOWN.test(subject) && isNear(object)
        ? [`that were seen from ${object}`]
        : [];
    }),
    unexplored: [...(sections[TITLES.frontier] ?? "").matchAll(/^(.+?): (.*)$/gm)].filter((
      [, place = ""],
    ) => isNear(place))
      .flatMap(([, , ways = ""]) =>
        [...ways.matchAll(/(\d+) (\d+)(?=,|$)/g)].map(([, x, y]) => ({
          x: Number(x),
          y: Number(y),
        }))
      ),
  };
}

function understand(sections: Sections, plan: string): Belief {
  return believe(sections, { before: (belief) => learnPlan(plan, belief) });
}

function chooseNetPlay({ sections }: OfflinePrompt): string {
  const {
    Task: task = "",
    "What has happened so far": history = "",
    "Current situation": situation = "",
  } = sections;
  const dungeon = underground(task, history, situation);
  if (!dungeon) return written("explore_level()", "There is nothing to go by.", "");
  const { call, reason } = chooseSkill(dungeon);
  return written(call, reason, dungeon.view.place ?? "");
}

function written(call: string, reasoning: string, place: string): string {
  const name = call.split("(")[0] ?? "";
  const params = [...call.matchAll(/(\w+)=("[^"]*"|[^,)]+)/g)].map((
    [, key = "", value = ""],
  ) => [key, JSON.parse(value)]);
  return JSON.stringify({
    thoughts: {
      observations: place === "" ? "" : `I am in ${place}.`,
      reasoning,
      speak: reasoning,
    },
    skill: { name, ...Object.fromEntries(params) },
  });
}
