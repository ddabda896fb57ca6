/** The text that the published runs print around that of the world. */

import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import type { Attempt } from "./steps.ts";

/** Whether the attempt prints observations with the game's prompt and status line. */
export function isUncut(attempt: Attempt): boolean {
  return attempt.steps.some(({ observation }) => /\n> +-=/.test(observation));
}

/** Removes the step's number, which some versions print before the observation. */
export function textAfterStep(observation: string, step: number): string {
  return observation.replace(new RegExp(`^(?:\\n?Game step #${step}\\n|Step: ${step}\\n)`), "");
}

/** The turn's text in the form in which the attempt prints it. */
export function worldText(turn: Turn, uncut: boolean): string {
  return uncut ? turn.sections["raw"] ?? "" : turn.observation;
}

export function isCooking(world: MeasuredEnvironment): boolean {
  return world.spec.actions.some(({ name }) => name.startsWith("fry "));
}

/** The names in the room headers (`-= Kitchen =-`) of a text; "Livingroom" as the agent saw it. */
export function headersIn(text: string): string[] {
  return [...text.matchAll(/-= (.+?) =-/g)].map(([, name = ""]) =>
    name.replace(/^([Ll])ivingroom$/, "$1iving room")
  );
}

export function withoutLastBreaks(text: string): string {
  return text.replace(/\n+$/, "");
}

/** The text that the authors' agent got instead of an observation when a macro was refused. */
export const REFUSALS = {
  "already there": "You are already there",
  "no way": "You can't navigate now through 'go to', please, use actions like north or west",
} as const;

/** Returns a cooking command as the authors show it: "cook" is replaced wherever it occurs. */
export function asShown(command: string): string {
  const verb = Object.entries(VERBS).find(([, place]) => command.includes(place))?.[0];
  return verb === undefined ? command : command.replaceAll("cook", verb);
}

/** Returns a cooking command as the game knows it. */
export function asSent(command: string): string {
  return command.replaceAll(/fry|roast|grill/g, "cook");
}

const VERBS: Readonly<Record<string, string>> = { fry: "stove", roast: "oven", grill: "BBQ" };
