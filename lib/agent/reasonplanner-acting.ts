/**
 * ReasonPlanner's actor and critic (Pham-Dinh et al. 2024, arXiv 2410.09252, §3.5).
 *
 * | paper §3.5 | here |
 * |---|---|
 * | R_a, the actor: from a planned action to commands, with the states between them | `decompose` |
 * | R_c, the critic: real score, response and state against the predicted ones | `criticise` |
 * | a new reflection, merged with the previous ones, and an updated sub-task | `reflect` |
 *
 * @module
 */

import type { Turn } from "../env/environment.ts";
import {
  actorPrompt,
  type Command,
  criticPrompt,
  parseCommands,
  parseReflection,
  parseVerdict,
  type Reflection,
  reflectPrompt,
  type Verdict,
} from "./reasonplanner.prompts.ts";
import { type DoneStep, formatState, formatTrajectory, type PlannedStep, type Situation, stateOf } from "./reasonplanner-trajectory.ts";
import type { Rollout } from "./rollout.ts";

/** What actor and critic work with. */
export interface ActingInput {
  readonly situation: Situation;
  /** The world's forms of command, a line each. */
  readonly commands: string;
  readonly rollout: Rollout;
}

/** A command that was carried out, and what came of it. */
export interface Transition {
  readonly planned: PlannedStep;
  readonly command: Command;
  /** What the world showed before it, and after. */
  readonly before: Turn;
  readonly after: Turn;
}

/** The actor: commands for a planned action, or the number that answers what the world has asked; none where its reply stays unreadable. */
export async function decompose(planned: PlannedStep, done: readonly DoneStep[], input: ActingInput): Promise<Command[]> {
  const { situation, commands, rollout } = input;
  const { turn, step } = rollout;
  const pending = asksBack(turn) ? `\n\nThe world has asked:\n${turn.observation}` : "";
  const trajectory = formatTrajectory(done, stateOf(turn), []) + pending;
  const action = planned.response === "" ? planned.action : `${planned.action}\nPredicted response: ${planned.response}`;
  const values = { ...situation, trajectory, action, commands };
  return await rollout.ask(actorPrompt, values, { parse: parseCommands }, step + 1) ?? [];
}

/** The critic: whether to plan anew; `undefined` where its reply stays unreadable. */
export async function criticise(transition: Transition, { situation, commands, rollout }: ActingInput): Promise<Verdict | undefined> {
  return await rollout.ask(criticPrompt, { ...situation, ...comparison(transition), commands }, { parse: parseVerdict });
}

/** What is learnt of a deviation, merged into R, and the sub-task from here; `undefined` where the reply stays unreadable. */
export async function reflect(transition: Transition, reason: string, input: ActingInput): Promise<Reflection | undefined> {
  const { situation, rollout } = input;
  return await rollout.ask(reflectPrompt, { ...situation, ...comparison(transition), reason }, { parse: parseReflection });
}

/** Whether the world wants to know which of several things was meant (ScienceWorld's ambiguous requests). */
export function asksBack({ observation, end }: Turn): boolean {
  return end === undefined && /\bplease enter the number\b/i.test(observation);
}

function comparison({ planned, command, before, after }: Transition): { readonly expected: string; readonly actual: string } {
  const state = command.state || (planned.state ? formatState(planned.state) : "not predicted");
  return {
    expected: [`Command: ${command.command}`, `Response: ${planned.response}`, `State: ${state}`].join("\n"),
    actual: [
      `Response: ${after.observation}`,
      `Score: ${before.score} before, ${after.score} now`,
      `State: ${formatState(stateOf(after))}`,
    ].join("\n"),
  };
}
