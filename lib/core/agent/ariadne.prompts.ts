/**
 * Ariadne's prompts. Fields and answer formats follow AriGraph (Anokhin et al. 2024, arXiv
 * 2407.04363), App. E; the wording is ours. The authors' order is goal, history, observation,
 * recalled sections, plan, exits, possible actions; the cacheable order (D60) puts what changes
 * least first, and planner and actor share everything up to the plan.
 */

import type { Prompt } from "../llm/prompt.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { actReply, planReply } from "./ariadne-replies.ts";

/** The sections of both prompts. */
export type AriadneSection =
  | "goal"
  | "lessons"
  | "history"
  | "observation"
  | "exits"
  | "plan"
  | "actions";

/** The two prompts of Ariadne. */
export interface AriadnePrompts {
  /** Makes or revises the plan. */
  readonly plan: Prompt<AriadneSection>;
  /** Chooses the action: ReAct, the reason before the action. */
  readonly act: Prompt<AriadneSection>;
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

const GO_TO =
  `- "go to <place>", where it is offered, walks the whole known way to that place in one step: use it for places more than one room away, and a single direction for the room next door.
`;

const CHOOSE_ACTION = "Pick the one possible action that does most for the plan.";

/** How the actor chooses; without `goTo` there is no word of the macro. */
const howToAct = (goTo: boolean): string =>
  `How to choose
- Serve the first sub-goal that can be advanced now, and through it the main goal. If one action achieves any sub-goal at once, such as taking a thing that lies here, take that action first.
- Read notes, recipes and hints that you find as soon as you can.
${
    goTo
      ? GO_TO
      : ""
  }- When something has to be found, go where you have not been: prefer exits that have not been taken and rooms that have not been seen. What has been visited is shown in the history and in what is recalled from memory.
- An action that changed nothing will change nothing again. If you are stuck, do something else, or explore.

Choose exactly one of the possible actions and copy it letter by letter. Answer with JSON alone, exactly in this form:
{"reason_for_action": "...", "action_to_take": "..."}`;

const TITLES = {
  goal: "Main goal",
  lessons: "Lessons from earlier trials",
  history: "History of observations and actions",
  observation: "Current observation",
  exits: "Unexplored exits",
  plan: "Current plan",
  actions: "Possible actions",
} as const;

const inPaperOrder = (
  { plan }: { readonly plan: string },
): Pick<Prompt<AriadneSection>, "sections" | "memoryBefore"> => {
  const { goal, history, observation, lessons, exits, actions } = TITLES;
  return {
    sections: { goal, history, observation, lessons, plan, exits, actions },
    memoryBefore: "lessons",
  };
};

const inPaperOrderWith = (goTo: boolean): AriadnePrompts => ({
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

${howToAct(goTo)}`,
    ...inPaperOrder({ plan: TITLES.plan }),
  },
});

/** What planner and actor share: all but the closing line, and what only the actor is shown. */
const shared = (
  goTo: boolean,
): Pick<
  Prompt<AriadneSection>,
  "instructions" | "continues" | "memoryBefore" | "repeatedBefore"
> => ({
  instructions:
    `You play a text game in two roles that take turns: the planner keeps the plan, and the actor, who follows the plan, chooses the actions. Both are shown the same situation, in which the last observation of the history is the current one. The last line says which of the two is asked; answer as this one alone.

THE PLANNER
${KEEP_PLAN}

${HOW_TO_PLAN}

THE ACTOR
${CHOOSE_ACTION}

${howToAct(goTo)}`,
  continues: { observation: "history" },
  memoryBefore: "exits",
  repeatedBefore: "plan",
});

/** What is offered in a play. */
export interface Offered {
  /** Whether the actions are the same at every step: the world's forms of action. */
  readonly fixed: boolean;
  /** Whether "go to <place>" may be among them. */
  readonly goTo: boolean;
}

function inCacheableOrder({ fixed, goTo }: Offered): AriadnePrompts {
  const { goal, lessons, observation, exits, actions } = TITLES;
  const changing = {
    lessons,
    history: "History of observations and actions, up to the current one",
    observation,
    exits,
    plan: "Plan",
  };
  const sections = fixed ? { goal, actions, ...changing } : { goal, ...changing, actions };
  const asked = (who: string): string => `### Asked now\n${who}`;
  return {
    plan: { ...planReply, ...shared(goTo), sections, closing: asked("The planner.") },
    act: { ...actReply, ...shared(goTo), sections, closing: asked("The actor.") },
  };
}

/**
 * The prompts of a play: in an order, and with what is offered in it.
 *
 * @example
 * ```ts
 * import { ariadnePrompts } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const { plan, act } = ariadnePrompts("paper", { fixed: false, goTo: true });
 * assert.deepEqual([plan.role, act.role], ["ariadne/plan", "ariadne/act"]);
 * ```
 */
export function ariadnePrompts(order: PromptOrder, offered: Offered): AriadnePrompts {
  const { fixed, goTo } = offered;
  return PROMPTS[order][fixed ? "fixed" : "listed"][goTo ? "goTo" : "noGoTo"];
}

const PROMPTS = {
  paper: both(({ goTo }) => inPaperOrderWith(goTo)),
  cacheable: both(inCacheableOrder),
};

function both(
  make: (offered: Offered) => AriadnePrompts,
): Record<"fixed" | "listed", Record<"goTo" | "noGoTo", AriadnePrompts>> {
  const of = (fixed: boolean): Record<"goTo" | "noGoTo", AriadnePrompts> => ({
    goTo: make({ fixed, goTo: true }),
    noGoTo: make({ fixed, goTo: false }),
  });
  return { fixed: of(true), listed: of(false) };
}

export const ALL_ARIADNE_PROMPTS: readonly Prompt[] = Object.values(PROMPTS)
  .flatMap(({ listed }) => Object.values(listed)).flatMap(({ plan, act }) => [plan, act]);
