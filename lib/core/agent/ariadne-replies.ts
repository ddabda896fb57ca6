/** The forms of Ariadne's answers, and how they are read (arXiv 2407.04363, App. E). */

import { z } from "zod";
import type { PromptOrder } from "../memory/observation.ts";
import { parseJson, type Schema } from "../text/json.ts";
import { keepSound, soundText } from "../text/read-lists.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

/**
 * Most sub-goals of a plan in the form that endpoints enforce; of 795 plans of the published logs
 * 90 % have no more.
 */
const MAX_SUB_GOALS = 6;

export const planReply = {
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
 * The form of a decision among these actions; of any action if there are none or too many.
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

export const actReply = {
  role: "ariadne/act",
  sampling: { temperature: 0.2, maxTokens: 200 },
  form: actForm([]),
} as const;

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
    z.object({ reason_for_action: words, action_to_take: subGoalText.pipe(z.string().max(4000)) })
      .transform(({ reason_for_action: reason, action_to_take: action }) => ({ reason, action })),
  );
