/**
 * What NetPlay asks a model, and how it reads the answers. Fields follow NetPlay (Jeurissen et al. 2024, arXiv 2403.00690, §3); the wording is
 * ours.
 */

import { z } from "zod";
import type { ActionSpec } from "../env/environment.ts";
import type { Prompt } from "../llm/prompt.ts";
import { fillForm, headOf } from "./ground-action.ts";
import { parseJson } from "../text/json.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

/** Chooses the next skill. */
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
  sections: { task: "Task", history: "What has happened so far", observation: "Current situation", skills: "Skills" },
  sampling: { temperature: 0, maxTokens: 500 },
};

/** The skill that the model chose, and why. */
export interface SkillChoice {
  readonly thoughts: { readonly observations: string; readonly reasoning: string; readonly speak: string };
  /** The call as the world takes it: `move_to(x=12, y=5)`. */
  readonly call: string;
}

/** The skills as the prompt lists them: `- move_to: walk to a cell (x: integer, y: integer)`. */
export function formatSkills(skills: readonly ActionSpec[]): string {
  return skills.map((skill) => `- ${headOf(skill)}: ${skill.description}`).join("\n");
}

const words = z.string().catch("");
const readChoice = parseJson(z.object({
  thoughts: z.object({ observations: words, reasoning: words, speak: words }).catch({ observations: "", reasoning: "", speak: "" }),
  skill: z.record(z.string(), z.unknown()).and(z.object({ name: z.string().trim().min(1) })),
}));

/** Reads a choice among the given skills; parameters may also stand in an object of their own. */
export function parseSkill(skills: readonly ActionSpec[]): ReplyParser<SkillChoice> {
  return refined(readChoice, ({ skill, thoughts }) => {
    const { name, ...rest } = skill;
    const { params, parameters, ...given } = rest;
    const filled = fillForm(skills, name, { ...given, ...objectOf(params), ...objectOf(parameters) });
    return filled.kind === "malformed" ? filled : { kind: "ok", value: { thoughts, call: filled.call } };
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
}
