/** Ariadne's plans as the stand-in writes and reads them. */

import type { Belief } from "../reading/belief.ts";
import { readScene } from "../reading/descriptions.ts";
import { RELATION } from "../reading/facts.ts";
import { TREATMENTS } from "../reading/lexicon.ts";
import type { Goal } from "./goals.ts";

const LONGEST_PLAN = 12;

export function writePlan(task: string, goals: readonly Goal[]): string {
  const steps = goals.slice(0, LONGEST_PLAN).map((goal, index) => ({
    [`sub_goal_${index + 1}`]: goal.text,
    reason: goal.reason,
  }));
  const searching = goals[0]?.kind === "find" || goals[0]?.kind === "explore";
  return JSON.stringify({
    main_goal: task.trim(),
    plan_steps: steps,
    your_emotion: {
      your_current_emotion: searching ? "curious" : "confident",
      reason_behind_emotion: searching
        ? "Something needed has yet to be found."
        : "The next thing to do is known.",
    },
  });
}

export function subGoals(plan: string): string[] {
  const found = [...plan.matchAll(/"sub_goal_\d+"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map((match) =>
    match[1] ?? ""
  );
  return found.length > 0
    ? found
    : plan.split("\n").map((line) => line.replace(/^[\s\d.)*-]+/, "").trim()).filter((line) =>
      line !== ""
    );
}

/** Adds to a belief what a plan says: where things are, what opens what, what a recipe needs. */
export function learnPlan(plan: string, belief: Belief): void {
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
    for (const fact of readScene(goal).facts) {
      if (fact.relation === RELATION.unlocks) belief.learn(fact);
    }
  }
}
