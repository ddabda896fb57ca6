/**
 * GraphMind's prompts. Fields, answer formats and the order of the sections follow Shin et al.
 * 2026, App. A.2; the wording is ours.
 */

import type { PromptOrder } from "../memory/observation.ts";
import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { cacheable } from "../memory/room-graph.prompts.ts";
import { LIMITS } from "./graphmind-replies.ts";

/**
 * A rationale, bounded generously: Table 6 has 103 tokens a plan and 161 a verdict, all fields
 * together.
 */
const RATIONALE = z.string().max(600);

const RULES =
  `The world is made of rooms, each with walls around it and doors in its walls. The agent sees part of the room that it is in.
- An observation is a grid of cells, one line for each row, cells parted by ";". The agent is the cell Agent in the middle of the last row and looks towards the first row. Cells that cannot be seen are Unseen, free floor is Empty. Walls and doors hide what is behind them, open doors too.
- A closed door can be opened by anyone. A locked door opens only for who carries the key of its colour; the key is kept.
- The agent carries one thing at a time. To take another, it must first put down the one it has.
- A door has to be opened and gone through to see the room behind it.`;

/** The sections of the planner. */
export type PlanSection =
  | "goal"
  | "memory"
  | "target"
  | "plan"
  | "inventory"
  | "lastPlan"
  | "completion"
  | "observation"
  | "dsl";

export const planPrompt: Prompt<PlanSection> = {
  role: "graphmind/plan",
  pictures: "view",
  instructions:
    `You plan for an agent that has a mission to fulfil. Someone else carries out your plan, one instruction after the other.

${RULES}`,
  sections: {
    goal: "Mission",
    memory: "Memory",
    target: "How to choose the target",
    plan: "How to plan",
    inventory: "Inventory",
    lastPlan: "Last plan",
    completion: "Last plan completion",
    observation: "Observation",
    dsl: "DSL list",
  },
  texts: {
    target:
      "The target is the one entity that this plan is about, by colour and type (red key): the thing to fetch next or the door to go through next, not an instruction.",
    plan:
      `- Write the instructions that lead to the target, in order, in the form of the DSL list, names filled in, no numbers after names: pass_door(blue door). An instruction can only deal with what is in the room that the agent is then in; pass_door is the one that changes the room.
- If you know where things are, plan the whole way. If you do not, plan only as far as you can see, and look for what is missing: doors that nobody has gone through yet lead to rooms that nobody has seen.
- What is needed but not found yet (a key, a thing of the mission) is worth exploring for. Do not go back and forth between rooms that hold nothing of use.
- If the last plan failed, do not repeat it as it was.
- Where functions are offered, call them for what you need to know about other rooms: which rooms lie next to this one, where an entity was seen, where a door waits that nobody has gone through. Then answer.

Answer with JSON alone, exactly in this form, with at least one instruction:
{"subplan_target_entity_rationale": "...", "subplan_target_entity": "...", "subplans_rationale": "...", "subplans": ["..."]}`,
  },
  sampling: { maxTokens: 1000 },
  form: z.object({
    subplan_target_entity_rationale: RATIONALE,
    subplan_target_entity: z.string().max(60),
    subplans_rationale: RATIONALE,
    subplans: z.array(z.string().max(100)).min(1).max(LIMITS.instructions),
  }),
};

/** The sections of the verifier. */
export type CompletionSection =
  | ("graph" | "inventory" | "passedDoor" | "observation" | "dsl" | "checks")
  | ("previousPlans" | "lastPlan" | "repeats" | "result" | "verdict");

export const completionPrompt: Prompt<CompletionSection> = {
  role: "graphmind/verify-completion",
  pictures: "view",
  instructions: `You check whether an agent has done what an instruction told it to do.

${RULES}`,
  sections: {
    graph: "Graph information",
    inventory: "Inventory",
    passedDoor: "Passed door",
    observation: "Observation",
    dsl: "DSL list",
    checks: "How to check",
    previousPlans: "Previous plans",
    lastPlan: "Last plan",
    repeats: "Times the last plan was tried",
    result: "Actor's report",
    verdict: "What to answer",
  },
  texts: {
    checks: `- find_door: a door is in view.
- pass_door(x): the agent has gone through door x; what it went through stands under "Passed door".
- go_to_entity(x): x is on the cell straight ahead of the agent.
- pick_up_entity(x): x is in the inventory.
- drop_entity(x): x is no longer in the inventory.
- drop_next_to_entity(x, y): x is no longer in the inventory, and lies beside y.
Of any other instruction: what you are shown.`,
    verdict: `- is_complete: true if the instruction has been carried out.
- need_to_adjust: true if the plan should be given up for another one: the instruction cannot be carried out as things are, or it has been tried again and again in vain. If another try may do, false. If it is complete, false.

Answer with JSON alone, exactly in this form:
{"is_complete_rationale": "...", "is_complete": false, "need_to_adjust_rationale": "...", "need_to_adjust": false}`,
  },
  sampling: { maxTokens: 1000 },
  form: z.object({
    is_complete_rationale: RATIONALE,
    is_complete: z.boolean(),
    need_to_adjust_rationale: RATIONALE,
    need_to_adjust: z.boolean(),
  }),
};

/** The sections of the actor. */
export type ExecuteSection =
  | "actions"
  | "goal"
  | "memory"
  | "subplan"
  | "observation"
  | "inventory"
  | "move";

export const executePrompt: Prompt<ExecuteSection> = {
  role: "graphmind/execute",
  pictures: "view",
  instructions: `You steer an agent step by step and carry out one instruction.

${RULES}`,
  sections: {
    actions: "Actions",
    goal: "Mission",
    memory: "Memory",
    subplan: "Instruction",
    observation: "Observation",
    inventory: "Inventory",
    move: "How the agent moves",
  },
  texts: {
    move:
      `- forward goes to the cell ahead, which must be Empty or an open door. Anything else ahead stops it: open a door first, walk around a thing; if there is no way around, pick it up, turn to a free cell and drop it there.
- left and right turn it by a quarter on the spot; what was to its left or right is then ahead.
- pickup, drop and toggle deal with the cell ahead alone: stand beside a thing and face it. drop needs an Empty cell ahead.
- To go through a door: face it, toggle it if it is closed, go forward onto its cell and forward again.
- What is not in view may be behind you or beyond the sides: turn to look for it.

Give the next primitive actions, in order, at most ${LIMITS.primitives}; you will see what has come of them before you give more.
Answer with JSON alone, exactly in this form:
{"actions_rationale": "...", "actions": ["..."]}`,
  },
  sampling: { maxTokens: 1000 },
  form: z.object({
    actions_rationale: RATIONALE,
    actions: z.array(z.string().max(40)).min(1).max(LIMITS.primitives),
  }),
};

/** The method's prompts in the order that the paper prints, and with what changes least first. */
export const GRAPHMIND_PROMPTS: Readonly<
  Record<
    PromptOrder,
    {
      readonly plan: Prompt<PlanSection>;
      readonly verify: Prompt<CompletionSection>;
      readonly execute: Prompt<ExecuteSection>;
    }
  >
> = {
  paper: { plan: planPrompt, verify: completionPrompt, execute: executePrompt },
  cacheable: {
    plan: cacheable(planPrompt, [
      ...(["goal", "dsl", "memory", "inventory"] as const),
      ...(["lastPlan", "completion", "observation"] as const),
    ]),
    verify: cacheable(completionPrompt, [
      ...(["dsl", "graph", "previousPlans", "lastPlan", "repeats"] as const),
      ...(["result", "inventory", "passedDoor", "observation"] as const),
    ]),
    execute: cacheable(executePrompt, [
      "actions",
      "goal",
      "memory",
      "subplan",
      "inventory",
      "observation",
    ]),
  },
};

/**
 * The form of the actor's answer where these primitive actions are known.
 *
 * @param actions at least one
 */
export function executeForm(actions: readonly string[]): z.ZodType {
  return z.object({
    actions_rationale: RATIONALE,
    actions: z.array(z.enum(actions)).min(1).max(LIMITS.primitives),
  });
}
