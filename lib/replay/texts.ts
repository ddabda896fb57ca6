/**
 * What the published runs print around the text of the world.
 *
 * @module
 */

import type { MeasuredEnvironment, Turn } from "../env/environment.ts";
import type { Attempt } from "./steps.ts";

/** How an attempt prints observations. */
export interface TextRules {
  /** Whether prompt and status line were left on. */
  readonly uncut: boolean;
}

/** Told by the attempt's own text. */
export function textRulesOf(attempt: Attempt): TextRules {
  return { uncut: attempt.steps.some(({ observation }) => /\n> +-=/.test(observation)) };
}

/** The observation without the step's number, which stands before it in four ways or not at all. */
export function textAfterStep(observation: string, step: number): string {
  return observation.replace(new RegExp(`^(?:\\n?Game step #${step}\\n|Step: ${step}\\n)`), "");
}

/** What the world shows, as the attempt prints it. */
export function worldText(turn: Turn, { uncut }: TextRules): string {
  return uncut ? turn.sections["raw"] ?? "" : turn.observation;
}

/** Whether food is cooked in the world. */
export function isCooking(world: MeasuredEnvironment): boolean {
  return world.spec.actions.some(({ name }) => name.startsWith("fry "));
}

/** The names in the room headers (`-= Kitchen =-`) of a text, in order; the game's raw name "Livingroom" is read as the agent was shown it. */
export function headersIn(text: string): string[] {
  return [...text.matchAll(/-= (.+?) =-/g)].map(([, name = ""]) => name.replace(/^([Ll])ivingroom$/, "$1iving room"));
}

/** Text without line breaks at its end, which the logs put after the last one of a block. */
export function withoutLastBreaks(text: string): string {
  return text.replace(/\n+$/, "");
}

/** What the authors' agent was told instead of an observation when a macro took no step. */
export const REFUSALS = {
  "already there": "You are already there",
  "no way": "You can't navigate now through 'go to', please, use actions like north or west",
} as const;

/** A cooking command as the authors show it: the word is replaced wherever it stands. */
export function asShown(command: string): string {
  const verb = Object.entries(VERBS).find(([, place]) => command.includes(place))?.[0];
  return verb === undefined ? command : command.replaceAll("cook", verb);
}

/** A cooking command as the game knows it. */
export function asSent(command: string): string {
  return command.replaceAll(/fry|roast|grill/g, "cook");
}

const VERBS: Readonly<Record<string, string>> = { fry: "stove", roast: "oven", grill: "BBQ" };
