/**
 * What NetPlay asks a model, and how it reads the answers. Fields follow NetPlay (Jeurissen et al.
 * 2024, arXiv 2403.00690, §3); the wording is ours.
 */

import { z } from "zod";
import type { ActionSpec } from "../env/environment.ts";
import type { Prompt } from "../llm/prompt.ts";
import { fillForm, headOf } from "./ground-action.ts";
import { jsonOf, parseJson, type Schema } from "../text/json.ts";
import { readCall, type WrittenCall } from "../text/read-calls.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

export const skillPrompt: Prompt<"task" | "history" | "observation" | "skills"> = {
  role: "netplay/skill",
  instructions:
    `You play the dungeon game NetHack. You do not press keys yourself: you call skills, one at a time, and each carries out many keys.

How to play
- Read the current situation: what the last skill came to, what the game said, what is around you, what you carry, how you are.
- A skill ends when it is done, when it fails, or when something interrupts it: something comes into view, the level changes, your health gets low. After an interruption decide whether to call the same skill again or another one.
- A skill that failed will fail again as long as nothing has changed. Do something else then.
- Coordinates are (x, y): x grows to the east, y to the south. Use only coordinates, room numbers and inventory letters that you have been shown.
- If the game asks something, answer it first: only the skills that press keys or type a text answer questions.
- Serve the task, and stay alive: a dead adventurer reaches nothing more.

Answer with JSON alone, exactly in this form. "skill" holds the name of one skill and, beside it, its parameters by name; one that is marked "?" may be left out:
{
  "thoughts": {"observations": "what matters now", "reasoning": "what to do about it, and why", "speak": "one sentence for a spectator"},
  "skill": {"name": "...", "some parameter": "its value"}
}`,
  sections: {
    task: "Task",
    history: "What has happened so far",
    observation: "Current situation",
    skills: "Skills",
  },
  sampling: { temperature: 0, maxTokens: 500 },
};

export interface SkillChoice {
  readonly thoughts: {
    readonly observations: string;
    readonly reasoning: string;
    readonly speak: string;
  };
  readonly call: string;
}

export function formatSkills(skills: readonly ActionSpec[]): string {
  return skills.map((skill) => `- ${headOf(skill)}: ${skill.description}`).join("\n");
}

const value = z.union([z.string().max(80), z.int(), z.boolean(), z.null()]);

/**
 * The form of a choice: one of the skills with all of its parameters, and thoughts of bounded
 * length.
 */
export function skillForm(skills: readonly ActionSpec[]): Schema<unknown> {
  const calls = skills.map((skill) =>
    z.object({
      name: z.literal(headOf(skill)),
      ...Object.fromEntries(skill.params.map((key) => [key, value])),
    })
  );
  const thoughts = z.object({
    observations: z.string().max(250),
    reasoning: z.string().max(350),
    speak: z.string().max(120),
  });
  return z.object({ thoughts, skill: z.union(calls) });
}

const words = z.string().catch("");
const readChoice = parseJson(z.looseObject({
  thoughts: z.object({ observations: words, reasoning: words, speak: words }).catch({
    observations: "",
    reasoning: "",
    speak: "",
  }),
  skill: z.union([z.string(), z.record(z.string(), z.unknown())]),
}));

/**
 * Reads a choice of skill: an object with the parameters in it or in an object of their own, or
 * `move_to(12, 5)`. Unknown parameters are left out and counted.
 */
export function parseSkill(skills: readonly ActionSpec[]): ReplyParser<SkillChoice> {
  return refined(readChoice, ({ skill: chosen, thoughts, ...beside }) => {
    const isName = typeof chosen === "string" && !/[[({]/.test(chosen);
    const skill = isName ? { ...beside, name: chosen } : chosen;
    const call = readCall(skill);
    if (!call) return { kind: "malformed", problem: '"skill" has no name' };
    const params = skills.find((form) => headOf(form) === call.name)?.params ?? [];
    if (
      typeof skill === "string" && params.length > 0 &&
      Object.keys(call.given).length > params.length
    ) {
      return {
        kind: "malformed",
        problem: `${call.name} has too many parameters; write them by name`,
      };
    }
    const filled = fillForm(skills, call.name, valuesOf(call, params));
    return filled.kind === "malformed"
      ? filled
      : { kind: "ok", value: { thoughts, call: filled.call } };
  });
}

/** The parameters of a call: by name, also as `x=12`, or in the order of the skill's own. */
function valuesOf({ given }: WrittenCall, params: readonly string[]): Record<string, unknown> {
  if (!Array.isArray(given)) return given as Record<string, unknown>;
  return Object.fromEntries(given.map((value: unknown, at): [string, unknown] => {
    const [, key = params[at] ?? `parameter ${at + 1}`, text = value] = typeof value === "string"
      ? /^(?:(\w+)\s*[=:]\s*)?'?(.*?)'?$/s.exec(value) ?? []
      : [];
    return [key, typeof text === "string" ? jsonOf(text, text) : text];
  }));
}
