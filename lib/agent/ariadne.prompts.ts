/**
 * What Ariadne asks a model, and how it reads the answers. Fields and answer formats follow AriGraph (Anokhin et al. 2024, arXiv 2407.04363),
 * App. E; the wording is ours. In the authors' order the sections are goal, history, observation, what the memory recalls under its own titles,
 * plan, exits, and the possible actions; in the order that a server can cache (D60) they stand by how long they stay the same, and planner and
 * actor share everything up to the plan.
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { parseJson } from "../text/json.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

/** The sections of both prompts. */
type Section = "goal" | "lessons" | "history" | "observation" | "exits" | "plan" | "actions";

/** The two prompts of Ariadne. */
export interface AriadnePrompts {
  /** Makes or revises the plan. */
  readonly plan: Prompt<Section>;
  /** Chooses the action: ReAct, the reason before the action. */
  readonly act: Prompt<Section>;
}

const KEEP_PLAN =
  "Keep the plan true and useful: write one if there is none, otherwise revise the previous one in the light of what has just happened.";

const HOW_TO_PLAN = `How to plan
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
}`;

const CHOOSE_ACTION = "Pick the one possible action that does most for the plan.";

const HOW_TO_ACT = `How to choose
- Serve the first sub-goal that can be advanced now, and through it the main goal. If one action achieves any sub-goal at once, such as taking a thing that lies here, take that action first.
- Read notes, recipes and hints that you find as soon as you can.
- "go to <place>", where it is offered, walks the whole known way to that place in one step: use it for places more than one room away, and a single direction for the room next door.
- When something has to be found, go where you have not been: prefer exits that have not been taken and rooms that have not been seen. What has been visited is shown in the history and in what is recalled from memory.
- An action that changed nothing will change nothing again. If you are stuck, do something else, or explore.

Choose exactly one of the possible actions and copy it letter by letter. Answer with JSON alone, exactly in this form:
{"reason_for_action": "...", "action_to_take": "..."}`;

const planReply = {
  role: "ariadne/plan",
  sampling: { temperature: 0.2, maxTokens: 1000 },
  form: z.object({
    main_goal: z.string(),
    plan_steps: z.array(z.object({ sub_goal_1: z.string(), reason: z.string() })),
    your_emotion: z.object({ your_current_emotion: z.string(), reason_behind_emotion: z.string() }),
  }),
} as const;

const actReply = {
  role: "ariadne/act",
  sampling: { temperature: 0.2, maxTokens: 200 },
  form: z.object({ reason_for_action: z.string(), action_to_take: z.string() }),
} as const;

const TITLES = {
  goal: "Main goal",
  lessons: "Lessons from earlier trials",
  history: "History of observations and actions",
  observation: "Current observation",
  exits: "Unexplored exits",
  plan: "Current plan",
  actions: "Possible actions",
} as const;

/** The sections in the order of the authors' prompts. */
const inPaperOrder = ({ plan }: { readonly plan: string }): Pick<Prompt<Section>, "sections" | "memoryBefore"> => {
  const { goal, history, observation, lessons, exits, actions } = TITLES;
  return { sections: { goal, history, observation, lessons, plan, exits, actions }, memoryBefore: "lessons" };
};

const PAPER_ORDER: AriadnePrompts = {
  plan: {
    ...planReply,
    instructions:
      `You are the planner of an agent that plays a text game. Another part of the agent chooses the actions; it follows your plan. ${KEEP_PLAN}

${HOW_TO_PLAN}`,
    ...inPaperOrder({ plan: "Previous plan" }),
  },
  act: {
    ...actReply,
    instructions: `You choose the actions of an agent that plays a text game. ${CHOOSE_ACTION}

${HOW_TO_ACT}`,
    ...inPaperOrder({ plan: TITLES.plan }),
  },
};

/** What planner and actor share: all but the closing line, and what only the actor is shown. */
const SHARED = {
  instructions:
    `You play a text game in two roles that take turns: the planner keeps the plan, and the actor, who follows the plan, chooses the actions. Both are shown the same situation, in which the last observation of the history is the current one. The last line says which of the two is asked; answer as this one alone.

THE PLANNER
${KEEP_PLAN}

${HOW_TO_PLAN}

THE ACTOR
${CHOOSE_ACTION}

${HOW_TO_ACT}`,
  continues: { observation: "history" },
  memoryBefore: "exits",
  repeatedBefore: "plan",
} as const;

/** Orders the sections by how long they stay the same; `fixed` actions are the same at every step. */
function inCacheableOrder(fixed: boolean): AriadnePrompts {
  const { goal, lessons, observation, exits, actions } = TITLES;
  const changing = { lessons, history: "History of observations and actions, up to the current one", observation, exits, plan: "Plan" };
  const sections = fixed ? { goal, actions, ...changing } : { goal, ...changing, actions };
  const asked = (who: string): string => `### Asked now\n${who}`;
  return {
    plan: { ...planReply, ...SHARED, sections, closing: asked("The planner.") },
    act: { ...actReply, ...SHARED, sections, closing: asked("The actor.") },
  };
}

const CACHEABLE = { listed: inCacheableOrder(false), forms: inCacheableOrder(true) };

/** The prompts of a play: in an order, with actions that change from step to step, or with the fixed forms of action. */
export function ariadnePrompts(order: PromptOrder, actions: "possible" | "forms"): AriadnePrompts {
  if (order === "paper") return PAPER_ORDER;
  return actions === "forms" ? CACHEABLE.forms : CACHEABLE.listed;
}

/** The prompts of every order. */
export const ALL_ARIADNE_PROMPTS: readonly Prompt[] = [CACHEABLE.listed, PAPER_ORDER].flatMap(({ plan, act }) => [plan, act]);

/** A plan as it was read. */
export interface Plan {
  readonly mainGoal: string;
  /** In order; at least one. */
  readonly steps: readonly { readonly subGoal: string; readonly reason: string }[];
  readonly emotion: { readonly current: string; readonly reason: string };
}

/** A plan as it is shown in prompts: the planner's own format, sub-goals numbered from 1, without line breaks unless in the paper's order. */
export function formatPlan(plan: Plan, order: PromptOrder = "cacheable"): string {
  return JSON.stringify(
    {
      main_goal: plan.mainGoal,
      plan_steps: plan.steps.map(({ subGoal, reason }, i) => ({ [`sub_goal_${i + 1}`]: subGoal, reason })),
      your_emotion: { your_current_emotion: plan.emotion.current, reason_behind_emotion: plan.emotion.reason },
    },
    null,
    order === "paper" ? 2 : 0,
  );
}

const words = z.string().catch("");
const readPlan = parseJson(z.object({
  main_goal: words,
  plan_steps: z.array(z.record(z.string(), z.unknown())).min(1),
  your_emotion: z.object({ your_current_emotion: words, reason_behind_emotion: words })
    .catch({ your_current_emotion: "", reason_behind_emotion: "" }),
}));

/** Reads a plan, which must have a sub-goal. Fields that nothing depends on may be absent. */
export const parsePlan: ReplyParser<Plan> = refined(readPlan, ({ main_goal, plan_steps, your_emotion }) => {
  const steps = plan_steps.flatMap((step) => {
    const subGoal = Object.entries(step).find(([key]) => key.startsWith("sub_goal"))?.[1];
    const { reason } = step;
    if (typeof subGoal !== "string" || subGoal.trim() === "") return [];
    return [{ subGoal: subGoal.trim(), reason: typeof reason === "string" ? reason : "" }];
  });
  if (steps.length === 0) return { kind: "malformed", problem: 'no entry of "plan_steps" has a "sub_goal_1", "sub_goal_2", …' };
  const emotion = { current: your_emotion.your_current_emotion, reason: your_emotion.reason_behind_emotion };
  return { kind: "ok", value: { mainGoal: main_goal, steps, emotion } };
});

/** Reads a decision: the reason, and the action as the model wrote it, without white space at its ends. */
export const parseAct = parseJson(
  z.object({ reason_for_action: words, action_to_take: z.string().trim().min(1).max(4000) })
    .transform(({ reason_for_action: reason, action_to_take: action }) => ({ reason, action })),
);
