/**
 * What Ariadne asks a model, and how it reads the answers. Fields and answer formats follow
 * AriGraph (Anokhin et al. 2024, arXiv 2407.04363), App. E; the wording is ours. In the authors'
 * order the sections are goal, history, observation, what the memory recalls under its own titles,
 * plan, exits, and the possible actions; in the order that a server can cache (D60) they stand by
 * how long they stay the same, and planner and actor share everything up to the plan.
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { parseJson, type Schema } from "../text/json.ts";
import { keepSound, soundText } from "../text/read-lists.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

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

/**
 * Most sub-goals of a plan in the form that endpoints enforce; of 795 plans of the published logs
 * 90 % have no more.
 */
const MAX_SUB_GOALS = 6;

const planReply = {
  role: "ariadne/plan",
  sampling: { temperature: 0.2, maxTokens: 1000 },
  form: z.object({
    main_goal: z.string().max(200),
    plan_steps: z.array(z.object({ sub_goal: z.string().max(120), reason: z.string().max(200) }))
      .min(1).max(MAX_SUB_GOALS),
    your_emotion: z.object({
      your_current_emotion: z.string().max(40),
      reason_behind_emotion: z.string().max(120),
    }),
  }),
} as const;

/**
 * Possible actions, and characters of them, that a form lists at most: what OpenAI's strict mode
 * takes.
 */
const MAX_LISTED = { actions: 250, characters: 12_000 } as const;

/**
 * The form of a decision among these actions; of any, where there are none or too many to list.
 *
 * @example
 * ```ts
 * import { actForm } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const decision = { reason_for_action: "It is locked.", action_to_take: "open box" };
 * assert.ok(!actForm(["unlock box with key"]).safeParse(decision).success);
 * ```
 */
export function actForm(possible: readonly string[]): Schema<unknown> {
  const { actions, characters } = MAX_LISTED;
  const [first, ...others] = possible;
  const isShort = possible.length <= actions && possible.join("").length <= characters;
  const action = first !== undefined && isShort ? z.enum([first, ...others]) : z.string().max(200);
  return z.object({ reason_for_action: z.string().max(300), action_to_take: action });
}

const actReply = {
  role: "ariadne/act",
  sampling: { temperature: 0.2, maxTokens: 200 },
  form: actForm([]),
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

/** A plan as it was read. */
export interface Plan {
  /** What the plan is for. */
  readonly mainGoal: string;
  /** In order; at least one. */
  readonly steps: readonly { readonly subGoal: string; readonly reason: string }[];
  /** The emotion that the paper's format asks for, and why. */
  readonly emotion: { readonly current: string; readonly reason: string };
}

/**
 * A plan as it is shown in prompts: the planner's own format, sub-goals numbered from 1, without
 * line breaks unless in the paper's order.
 *
 * @example
 * ```ts
 * import { formatPlan } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const steps = [{ subGoal: "find the key", reason: "the box is locked" }];
 * const text = formatPlan({ mainGoal: "open the box", steps, emotion: { current: "", reason: "" } });
 * assert.equal(JSON.parse(text).plan_steps[0].sub_goal_1, "find the key");
 * ```
 */
export function formatPlan(plan: Plan, order: PromptOrder = "paper"): string {
  return JSON.stringify(
    {
      main_goal: plan.mainGoal,
      plan_steps: plan.steps.map(({ subGoal, reason }, i) => ({
        [`sub_goal_${i + 1}`]: subGoal,
        reason,
      })),
      your_emotion: {
        your_current_emotion: plan.emotion.current,
        reason_behind_emotion: plan.emotion.reason,
      },
    },
    null,
    order === "paper" ? 2 : 0,
  );
}

const words = z.string().catch("");
const subGoalText = z.preprocess(
  (value) => typeof value === "string" ? value : undefined,
  soundText,
);
/**
 * An entry of a plan: an object with one or several sub-goals, however their keys are spelt, or a
 * sub-goal alone.
 */
const planStep = z.union([
  subGoalText.transform((subGoal) => [{ subGoal, reason: "" }]),
  z.record(z.string(), z.unknown()).transform(({ reason, ...step }, problems) => {
    const goals = Object.entries(step).flatMap(([key, value]) => {
      const read = /^sub[\s_-]*goal/i.test(key) ? subGoalText.safeParse(value) : undefined;
      return read?.success
        ? [{ subGoal: read.data, reason: typeof reason === "string" ? reason : "" }]
        : [];
    });
    if (goals.length === 0) {
      problems.addIssue({ code: "custom", message: 'it has no "sub_goal_1", "sub_goal_2", …' });
    }
    return goals;
  }),
]);
const readPlan = parseJson(z.object({
  main_goal: words,
  plan_steps: keepSound(planStep),
  your_emotion: z.object({ your_current_emotion: words, reason_behind_emotion: words })
    .catch({ your_current_emotion: "", reason_behind_emotion: "" }),
}));

/**
 * Reads a plan, which must have a sub-goal; entries without one are left out. Fields that nothing
 * depends on may be absent.
 */
export const parsePlan: ReplyParser<Plan> = refined(
  readPlan,
  ({ main_goal, plan_steps, your_emotion }) => {
    const steps = plan_steps.flat();
    if (steps.length === 0) return { kind: "malformed", problem: '"plan_steps" is empty' };
    const emotion = {
      current: your_emotion.your_current_emotion,
      reason: your_emotion.reason_behind_emotion,
    };
    return { kind: "ok", value: { mainGoal: main_goal, steps, emotion } };
  },
);

/**
 * Reads a decision: the reason, and the action as the model wrote it, without white space at its
 * ends.
 */
export const parseAct: ReplyParser<{ readonly reason: string; readonly action: string }> =
  parseJson(
    z.object({ reason_for_action: words, action_to_take: z.string().trim().min(1).max(4000) })
      .transform(({ reason_for_action: reason, action_to_take: action }) => ({ reason, action })),
  );
