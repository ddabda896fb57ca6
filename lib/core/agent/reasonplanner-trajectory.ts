/**
 * ReasonPlanner's trajectory, T = ⟨s_t, a_t, r_t, s_t+1, …⟩: what has happened, and what is predicted after it (Pham-Dinh et al. 2024, arXiv
 * 2410.09252, §3.3).
 */

import type { Turn } from "../env/environment.ts";
import type { Command, PredictedState } from "./reasonplanner.prompts.ts";

export interface Situation {
  /** The task in the world's words. */
  readonly task: string;
  readonly subtask: string;
  readonly reflections: string;
}

export interface DoneStep {
  readonly before: PredictedState;
  /** The command that was carried out; the fallback where the world refused another one. */
  readonly action: string;
  /** The world's answer to it. */
  readonly response: string;
  readonly score: number;
}

export interface PlannedStep {
  /** In the planner's words; it may take several commands. */
  readonly action: string;
  readonly response: string;
  /** The predicted state after it, ŝ; absent while it is not predicted, or could not be read. */
  readonly state?: PredictedState;
  readonly done?: boolean;
}

export function stateOf({ observation, sections }: Turn): PredictedState {
  return { observation: (sections["look"] ?? observation).trim(), inventory: (sections["inventory"] ?? "").trim() };
}

/** Longest response of an earlier step that is shown, in characters. */
const LONGEST_RESPONSE = 300;

/** Formats the steps taken, the present state in full (D10) and the predicted steps. */
export function formatTrajectory(done: readonly DoneStep[], now: PredictedState, planned: readonly PlannedStep[]): string {
  return [
    "What has happened:",
    ...(done.length === 0 ? ["nothing yet"] : done.map(({ action, response }, i) => `${i + 1}. ${action} -> ${oneLine(response)}`)),
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

/** The trajectory as the paper passes it: ⟨s, a, r, s, …⟩, every state, action and response as they are (D10). */
export function formatWholeTrajectory(done: readonly DoneStep[], now: PredictedState, planned: readonly PlannedStep[]): string {
  const line = (at: number, action: string, response: string): string => `${at + 1}. ${action} -> ${response.trim()}`;
  return [
    "What has happened:",
    ...done.flatMap(({ before, action, response }, i) => [`State: ${formatState(before)}`, line(i, action, response)]),
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

export function formatState({ observation, inventory }: PredictedState): string {
  return inventory === "" ? observation : `${observation}\n${inventory}`;
}

export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST_RESPONSE ? `${line.slice(0, LONGEST_RESPONSE - 1)}…` : line;
}

export interface Transition {
  /** What was planned. */
  readonly planned: PlannedStep;
  /** What was sent. */
  readonly command: Command;
  readonly before: Turn;
  /** The turn after it. */
  readonly after: Turn;
}

export function formatExpected(planned: PlannedStep, command: Command): string {
  const state = command.state || (planned.state ? formatState(planned.state) : "not predicted");
  return `Response: ${planned.response}\nState: ${state}`;
}

export function formatTransition({ planned, command, before, after }: Transition): { readonly expected: string; readonly actual: string } {
  return {
    expected: `Command: ${command.command}\n${formatExpected(planned, command)}`,
    actual: [
      `Response: ${after.observation}`,
      `Score: ${before.score} before, ${after.score} now`,
      `State: ${formatState(stateOf(after))}`,
    ].join("\n"),
  };
}
