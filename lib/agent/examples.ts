/**
 * Examples for the prompts of text agents, all of our own making: plays of our own games, and of training variations by their gold paths, with
 * thoughts added by us. They are data: `data/examples/*.json`.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { EnvSpec } from "../env/environment.ts";
import { projectRoot } from "../platform.ts";
import { hashOf } from "../store/canonical.ts";

const exampleSchema = z.strictObject({
  /** Beginning of the ids of the worlds that it is an example for. */
  world: z.string(),
  /** Values that the world's parameters must have. */
  where: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** Pattern of the tasks that it is an example for, any case. */
  like: z.string().default(""),
  goal: z.string(),
  opening: z.string(),
  steps: z.array(z.strictObject({ thought: z.string().exactOptional(), action: z.string(), observation: z.string() })),
});

/** One play of another task. */
export interface Example {
  /** Its opening, then each step as the history shows steps; thoughts with their own steps or left out. */
  lines(thoughts: boolean): readonly string[];
}

/**
 * The examples for a task in a world, those first that name its parameters or its kind of task; at most `most`.
 *
 * @throws {Error} if a file of examples is broken.
 */
export function examplesFor({ id, parameters }: EnvSpec, goal: string, most: number): readonly Example[] {
  return allExamples()
    .filter(({ world }) => id.startsWith(world))
    .filter(({ where }) => Object.entries(where).every(([name, value]) => parameters[name] === value))
    .filter(({ like }) => new RegExp(like, "i").test(goal))
    .sort((a, b) => exactness(b) - exactness(a))
    .slice(0, most)
    .map(({ goal, opening, steps }) => ({
      lines: (thoughts) => [
        `Task: ${goal}\n${opening}`,
        ...steps.map(({ thought, action, observation }) =>
          `${thoughts && thought !== undefined ? `> think: ${thought}\nOK.\n` : ""}> ${action}\n${observation}`
        ),
      ],
    }));
}

/** SHA-256 (16 hex digits) of all examples: part of the version of the methods that show them. */
export function examplesHash(): string {
  return hashOf(allExamples()).slice(0, 16);
}

type StoredExample = z.output<typeof exampleSchema>;

let loaded: readonly StoredExample[] | undefined;

function allExamples(): readonly StoredExample[] {
  return loaded ??= readdirSync(FOLDER).filter((file) => file.endsWith(".json")).sort()
    .flatMap((file) => z.array(exampleSchema).parse(JSON.parse(readFileSync(join(FOLDER, file), "utf8"))));
}

const FOLDER = join(projectRoot, "data", "examples");

function exactness({ where, like }: StoredExample): number {
  return Object.keys(where).length + (like === "" ? 0 : 1);
}
