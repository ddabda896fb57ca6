/**
 * Plans as text: the sub-goals that a planner writes, and what an actor or the next planning reads out of them again.
 *
 * @module
 */

import type { Belief } from "../reading/belief.ts";
import { RELATION } from "../reading/facts.ts";
import { TREATMENTS } from "../reading/lexicon.ts";
import { readScene } from "../reading/descriptions.ts";
import type { Want } from "./situation.ts";

/** Sub-goals of a plan that are shown: a language model's plans have about as many. */
const LONGEST_PLAN = 12;

/** The plan in the planner's answer format. */
export function writePlan(goal: string, wants: readonly Want[]): string {
  const steps = wants.slice(0, LONGEST_PLAN).map((want, index) => ({ [`sub_goal_${index + 1}`]: want.text, reason: want.reason }));
  const searching = wants[0]?.kind === "find" || wants[0]?.kind === "explore";
  return JSON.stringify({
    main_goal: goal.trim(),
    plan_steps: steps,
    your_emotion: {
      your_current_emotion: searching ? "curious" : "confident",
      reason_behind_emotion: searching ? "Something needed has yet to be found." : "The next thing to do is known.",
    },
  });
}

/** The sub-goals of a plan, in order; of a plan in free text its lines. */
export function subGoals(plan: string): string[] {
  const found = [...plan.matchAll(/"sub_goal_\d+"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "");
  return found.length > 0 ? found : plan.split("\n").map((line) => line.replace(/^[\s\d.)*-]+/, "").trim()).filter((line) => line !== "");
}

/** Takes what a plan says about the world into a belief: where things are, what opens what, what the recipe wants. */
export function recall(plan: string, belief: Belief): void {
  for (const goal of subGoals(plan)) {
    const sentence = goal.toLowerCase().replace(/\.$/, "");
    const taken = sentence.match(/^take the (.+?) from the (.+)$/);
    if (taken?.[1] && taken[2] && !belief.places.has(taken[1])) {
      belief.learn({ subject: taken[1], relation: RELATION.in, object: taken[2] });
    }
    const treated = sentence.match(/^(\w+) the (.+) with the (.+)$/);
    const treatment = TREATMENTS[treated?.[1] ?? ""];
    if (treated?.[2] && treatment) {
      belief.learn({ subject: treated[2], relation: RELATION.treated, object: treatment.state });
      belief.learn({ subject: "recipe", relation: RELATION.requires, object: treated[2] });
      continue;
    }
    for (const fact of readScene(goal).facts) if (fact.relation === RELATION.unlocks) belief.learn(fact);
  }
}
