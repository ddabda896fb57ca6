/**
 * What Ariadne asks a model, and how it reads the answers. Fields and answer formats follow AriGraph (Anokhin et al. 2024, arXiv 2407.04363),
 * App. E; the wording is ours. The sections stand in the order of the authors' prompts: goal, history, observation, what the memory recalls under
 * its own titles, plan, exits, and the possible actions.
 *
 * @module
 */

import { z } from "zod";
import type { Reading } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseShortJson } from "../text/reply-length.ts";

/** Makes or revises the plan. */
export const planPrompt: Prompt<"goal" | "history" | "observation" | "plan" | "exits"> = {
  role: "ariadne/plan",
  instructions:
    `You are the planner of an agent that plays a text game. Another part of the agent chooses the actions; it follows your plan. Keep the plan true and useful: write one if there is none, otherwise revise the previous one in the light of what has just happened.

How to plan
- The plan is a list of sub-goals in the order in which they should be done. Each serves the main goal, or something that the main goal needs first. There is always at least one.
- Keep each sub-goal that is neither achieved nor pointless as it is: the same words, the same place in the order. Write progress and news into its "reason".
- Remove a sub-goal only when the observation or the inventory shows that it is achieved, or when it no longer serves the main goal. A thing counts as taken only when it is in the inventory.
- Add a sub-goal when something new calls for it, after those that are under way unless it must come first.
- Be concrete: name things and places as the game names them, and copy what matters from notes, recipes and hints (which key opens which lock, what must be done with what) into sub-goals or reasons, so that it is not forgotten.
- If something has to be found and its place is unknown, make finding it a sub-goal, and prefer places and exits that have not been explored.
- If the last actions have changed nothing, plan something else.
- Rely on what is shown from memory, but where it disagrees with the current observation, the observation is right.

Answer with JSON alone, exactly in this form, with one entry in "plan_steps" for each sub-goal:
{
  "main_goal": "...",
  "plan_steps": [
    {"sub_goal_1": "...", "reason": "..."},
    {"sub_goal_2": "...", "reason": "..."}
  ],
  "your_emotion": {"your_current_emotion": "...", "reason_behind_emotion": "..."}
}`,
  sections: {
    goal: "Main goal",
    history: "History of observations and actions",
    observation: "Current observation",
    plan: "Previous plan",
    exits: "Unexplored exits",
  },
  memoryBefore: "plan",
  sampling: { temperature: 0.2, maxTokens: 1000 },
  form: {
    main_goal: "string",
    plan_steps: [{ sub_goal_1: "string", reason: "string" }],
    your_emotion: { your_current_emotion: "string", reason_behind_emotion: "string" },
  },
};

/** A plan as it was read. */
export interface Plan {
  readonly mainGoal: string;
  /** In order; at least one. */
  readonly steps: readonly { readonly subGoal: string; readonly reason: string }[];
  readonly emotion: { readonly current: string; readonly reason: string };
}

/** A plan as it is shown in prompts: the planner's own format, sub-goals numbered from 1. */
export function formatPlan(plan: Plan): string {
  return JSON.stringify(
    {
      main_goal: plan.mainGoal,
      plan_steps: plan.steps.map(({ subGoal, reason }, i) => ({ [`sub_goal_${i + 1}`]: subGoal, reason })),
      your_emotion: { your_current_emotion: plan.emotion.current, reason_behind_emotion: plan.emotion.reason },
    },
    null,
    2,
  );
}

const words = z.string().catch("");
const readPlan = parseShortJson(z.object({
  main_goal: words,
  plan_steps: z.array(z.record(z.string(), z.unknown())).min(1),
  your_emotion: z.object({ your_current_emotion: words, reason_behind_emotion: words })
    .catch({ your_current_emotion: "", reason_behind_emotion: "" }),
}));

/** Reads a plan, which must have a sub-goal. Fields that nothing depends on may be absent. */
export function parsePlan(text: string): Reading<Plan> {
  const parsed = readPlan(text);
  if (parsed.kind === "malformed") return parsed;
  const { main_goal, plan_steps, your_emotion } = parsed.value;
  const steps = plan_steps.flatMap((step) => {
    const subGoal = Object.entries(step).find(([key]) => key.startsWith("sub_goal"))?.[1];
    const { reason } = step;
    if (typeof subGoal !== "string" || subGoal.trim() === "") return [];
    return [{ subGoal: subGoal.trim(), reason: typeof reason === "string" ? reason : "" }];
  });
  if (steps.length === 0) return { kind: "malformed", problem: 'no entry of "plan_steps" has a "sub_goal_1", "sub_goal_2", …' };
  const emotion = { current: your_emotion.your_current_emotion, reason: your_emotion.reason_behind_emotion };
  return { kind: "ok", value: { mainGoal: main_goal, steps, emotion } };
}

/** Chooses the action: ReAct, the reason before the action. */
export const actPrompt: Prompt<"goal" | "history" | "observation" | "plan" | "exits" | "actions"> = {
  role: "ariadne/act",
  instructions: `You choose the actions of an agent that plays a text game. Pick the one possible action that does most for the plan.

How to choose
- Serve the first sub-goal that can be advanced now, and through it the main goal. If one action achieves any sub-goal at once, such as taking a thing that lies here, take that action first.
- Read notes, recipes and hints that you find as soon as you can.
- "go to <place>", where it is offered, walks the whole known way to that place in one step: use it for places more than one room away, and a single direction for the room next door.
- When something has to be found, go where you have not been: prefer exits that have not been taken and rooms that have not been seen. What has been visited is shown in the history and in what is recalled from memory.
- An action that changed nothing will change nothing again. If you are stuck, do something else, or explore.

Choose exactly one of the possible actions and copy it letter by letter. Answer with JSON alone, exactly in this form:
{"reason_for_action": "...", "action_to_take": "..."}`,
  sections: {
    goal: "Main goal",
    history: "History of observations and actions",
    observation: "Current observation",
    plan: "Current plan",
    exits: "Unexplored exits",
    actions: "Possible actions",
  },
  memoryBefore: "plan",
  sampling: { temperature: 0.2, maxTokens: 200 },
  form: { reason_for_action: "string", action_to_take: "string" },
};

/** Reads a decision: the reason, and the action as the model wrote it, without white space at its ends. */
export const parseAct = parseShortJson(
  z.object({ reason_for_action: words, action_to_take: z.string().trim().min(1).max(4000) })
    .transform(({ reason_for_action: reason, action_to_take: action }) => ({ reason, action })),
);
