/**
 * ReasonPlanner's trajectory, T = ⟨s_t, a_t, r_t, s_t+1, …⟩: what has happened, and what is
 * predicted after it (Pham-Dinh et al. 2024, arXiv 2410.09252, §3.3).
 */

import type { Turn } from "../env/environment.ts";
import type { Command, PredictedState } from "./reasonplanner.prompts.ts";

/** The task as every role sees it. */
export interface Situation {
  /** The task in the world's words. */
  readonly task: string;
  /** The present sub-task; empty where it is the task itself. */
  readonly subtask: string;
  /** R, compressed; empty where nothing has deviated yet. */
  readonly reflections: string;
}

/** An action that was taken. */
export interface DoneStep {
  /** The state in which it was taken. */
  readonly before: PredictedState;
  /** The command that was carried out; the fallback where the world refused another one. */
  readonly action: string;
  /** The world's answer to it. */
  readonly response: string;
  /** After it, in the world's own units. */
  readonly score: number;
}

/** An action that is planned. */
export interface PlannedStep {
  /** In the planner's words; it may take several commands. */
  readonly action: string;
  /** The world's answer to it. */
  readonly response: string;
  /** The predicted state after it, ŝ; absent while it is not predicted, or could not be read. */
  readonly state?: PredictedState;
  /** Whether the task is then predicted to be over, d. */
  readonly done?: boolean;
}

/** The state s_t = (o_t, i_t) that a world shows. */
export function stateOf({ observation, sections }: Turn): PredictedState {
  return {
    observation: (sections["look"] ?? observation).trim(),
    inventory: (sections["inventory"] ?? "").trim(),
  };
}

const LONGEST_RESPONSE = 300;

/** Formats the steps taken, the present state in full (D10) and the predicted steps. */
export function formatTrajectory(
  done: readonly DoneStep[],
  now: PredictedState,
  planned: readonly PlannedStep[],
): string {
  return [
    "What has happened:",
    ...(done.length === 0
      ? ["nothing yet"]
      : done.map(({ action, response }, i) => `${i + 1}. ${action} -> ${oneLine(response)}`)),
    "",
    "Present state:",
    formatState(now),
    ...(planned.length === 0 ? [] : ["", "Predicted:"]),
    ...planned.flatMap(({ action, response, state }, i) => [
      `${done.length + i + 1}. ${action} -> ${oneLine(response)}`,
      ...(state ? [`State: ${oneLine(formatState(state))}`] : []),
    ]),
  ].join("\n");
}

/**
 * The trajectory as the paper passes it: ⟨s, a, r, s, …⟩, every state, action and response as they
 * are (D10).
 */
export function formatWholeTrajectory(
  done: readonly DoneStep[],
  now: PredictedState,
  planned: readonly PlannedStep[],
): string {
  const line = (at: number, action: string, response: string): string =>
    `${at + 1}. ${action} -> ${response.trim()}`;
  return [
    "What has happened:",
    ...done.flatMap((
      { before, action, response },
      i,
    ) => [`State: ${formatState(before)}`, line(i, action, response)]),
    "",
    "Present state:",
    formatState(now),
    ...(planned.length === 0 ? [] : ["", "Predicted:"]),
    ...planned.flatMap(({ action, response, state }, i) => [
      line(done.length + i, action, response),
      ...(state ? [`State: ${formatState(state)}`] : []),
    ]),
  ].join("\n");
}

/** The state as text: what is seen, then what is carried. */
export function formatState({ observation, inventory }: PredictedState): string {
  return inventory === "" ? observation : `${observation}\n${inventory}`;
}

/** The text on one line of at most 300 characters. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST_RESPONSE ? `${line.slice(0, LONGEST_RESPONSE - 1)}…` : line;
}

/** A command that was carried out, and what came of it. */
export interface Transition {
  /** What was planned. */
  readonly planned: PlannedStep;
  /** What was sent. */
  readonly command: Command;
  /** Whether it is the last one of the planned action, whose response is predicted. */
  readonly isLast: boolean;
  /** The turns before and after it. */
  readonly before: Turn;
  /** The turn after it. */
  readonly after: Turn;
}

/**
 * Formats what is predicted of a command: the state after it, and of the last one of a planned
 * action the world's answer.
 */
export function formatExpected(
  { planned, command, isLast }: Pick<Transition, "planned" | "command" | "isLast">,
): string {
  const predicted = isLast && planned.state ? formatState(planned.state) : "not predicted";
  const state = `State: ${command.state || predicted}`;
  return isLast ? `Response: ${planned.response}\n${state}` : state;
}

/** Formats the predicted and the actual outcome of a command, side by side. */
export function formatTransition(
  { before, after, ...predicted }: Transition,
): { readonly expected: string; readonly actual: string } {
  return {
    expected: `Command: ${predicted.command.command}\n${formatExpected(predicted)}`,
    actual: [
      `Response: ${after.observation}`,
      `Score: ${before.score} before, ${after.score} now`,
      `State: ${formatState(stateOf(after))}`,
    ].join("\n"),
  };
}
