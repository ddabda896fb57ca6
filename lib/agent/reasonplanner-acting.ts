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
import type { Answer, Asker } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
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
import { type DoneStep, formatState, formatTrajectory, type PlannedStep, stateOf } from "./reasonplanner-trajectory.ts";

/** What the agent works at, and how it asks. */
export interface ActingInput {
  readonly task: string;
  readonly subtask: string;
  /** R, compressed. */
  readonly reflections: string;
  /** The world's forms of command, a line each. */
  readonly commands: string;
  readonly ask: Asker;
  readonly reAsks: number;
  readonly report: (kind: string, detail: string) => void;
}

/** A command that was carried out, and what came of it. */
export interface Outturn {
  readonly planned: PlannedStep;
  readonly command: Command;
  /** What the world showed before it, and after. */
  readonly before: Turn;
  readonly after: Turn;
}

/** The actor: commands for a planned action, or the number that answers what the world has asked; none where its answer stays unreadable. */
export async function decompose(planned: PlannedStep, done: readonly DoneStep[], turn: Turn, input: ActingInput): Promise<Command[]> {
  const pending = asksBack(turn) ? `\n\nThe world has asked:\n${turn.observation}` : "";
  const trajectory = formatTrajectory(done, stateOf(turn), []) + pending;
  const action = planned.response === "" ? planned.action : `${planned.action}\nPredicted response: ${planned.response}`;
  const values = { ...situation(input), trajectory, action, commands: input.commands };
  return read(actorPrompt, await input.ask(actorPrompt, values, { parse: parseCommands, reAsks: input.reAsks }), input) ?? [];
}

/** The critic: whether to plan anew; `undefined` where its answer stays unreadable. */
export async function criticise(outturn: Outturn, input: ActingInput): Promise<Verdict | undefined> {
  const values = { ...situation(input), ...shown(outturn), commands: input.commands };
  return read(criticPrompt, await input.ask(criticPrompt, values, { parse: parseVerdict, reAsks: input.reAsks }), input);
}

/** What is learnt of a deviation, merged into R, and the sub-task from here; `undefined` where the answer stays unreadable. */
export async function reflect(outturn: Outturn, reason: string, input: ActingInput): Promise<Reflection | undefined> {
  const values = { ...situation(input), ...shown(outturn), reason };
  return read(reflectPrompt, await input.ask(reflectPrompt, values, { parse: parseReflection, reAsks: input.reAsks }), input);
}

/** Whether the world wants to know which of several things was meant (ScienceWorld's ambiguous requests). */
export function asksBack({ observation, end }: Turn): boolean {
  return end === undefined && /\bplease enter the number\b/i.test(observation);
}

function situation({ task, subtask, reflections }: ActingInput): Pick<ActingInput, "task" | "subtask" | "reflections"> {
  return { task, subtask, reflections };
}

function shown({ planned, command, before, after }: Outturn): { readonly expected: string; readonly actual: string } {
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

function read<T>(prompt: Prompt, answer: Answer<T>, { report }: ActingInput): T | undefined {
  if (answer.kind === "ok") return answer.value;
  report("malformed-reply", `${prompt.role}: ${answer.problem}`);
  return undefined;
}
