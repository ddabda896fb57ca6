/**
 * Examples for the prompts of text agents: plays of our own games and gold paths of training
 * variations, with thoughts of ours, from `data/examples/*.json`.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { EnvSpec } from "../env/environment.ts";
import { checkoutRoot } from "../platform.ts";
import { hashOf } from "../text/canonical.ts";
import type { MethodEntry } from "./method.ts";

const exampleSchema = z.strictObject({
  /** The example is for worlds whose id begins like this. */
  world: z.string(),
  where: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** Regular expression of the goals it is for; case does not matter. */
  like: z.string().default(""),
  goal: z.string(),
  opening: z.string(),
  steps: z.array(
    z.strictObject({
      thought: z.string().exactOptional(),
      action: z.string(),
      observation: z.string(),
    }),
  ),
});

type StoredExample = z.output<typeof exampleSchema>;

/** One play of another task. */
export interface Example {
  /** Its opening, then each step as the history shows steps, with its thoughts or without. */
  lines(thoughts: boolean): readonly string[];
}

/**
 * Examples that ReAct's prompts show: six questions of HotpotQA, three claims of FEVER, two games
 * of ALFWorld (Yao et al. 2023, App. C).
 */
function usualExamples(goal: string): number {
  return /^question:/i.test(goal) ? 6 : /^claim:/i.test(goal) ? 3 : 2;
}

/**
 * At most `most` examples for a task in a world; those of its parameters or kind of task come
 * first.
 * @throws {Error} if a file of examples is broken.
 *
 * @example
 * ```ts
 * import { examplesFor } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const world = { id: "wiki/hotpotqa", parameters: {} };
 * const examples = examplesFor(world, "Question: Who built it?");
 * assert.ok(examples.every((one) => one.lines(false)[0]?.startsWith("Task: Question:")));
 * ```
 */
export function examplesFor(
  { id, parameters }: Pick<EnvSpec, "id" | "parameters">,
  goal: string,
  most: number = usualExamples(goal),
): readonly Example[] {
  return allExamples()
    .filter(({ world }) => id.startsWith(world))
    .filter(({ where }) =>
      Object.entries(where).every(([name, value]) => parameters[name] === value)
    )
    .filter(({ like }) => new RegExp(like, "i").test(goal))
    .sort((a, b) => exactness(b) - exactness(a))
    .slice(0, most)
    .map(({ goal, opening, steps }) => ({
      lines: (thoughts) => [
        `Task: ${goal}\n${opening}`,
        ...steps.map(({ thought, action, observation }) =>
          `${
            thoughts && thought !== undefined ? `> think: ${thought}\nOK.\n` : ""
          }> ${action}\n${observation}`
        ),
      ],
    }));
}

/**
 * The entry of a method that shows examples; its version ends in 16 hex digits of the SHA-256 of
 * all examples.
 */
export function withExamples<Entry extends MethodEntry>(entry: Entry): Entry {
  const { version } = entry;
  return Object.defineProperty(entry, "version", {
    get: () => `${version} (examples ${(hash ??= hashOf(allExamples())).slice(0, 16)})`,
    enumerable: true,
  });
}

let loaded: readonly StoredExample[] | undefined;
let hash: string | undefined;

function allExamples(): readonly StoredExample[] {
  if (loaded) return loaded;
  const folder = join(checkoutRoot(), "data", "examples");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json")).sort();
  return loaded = files.flatMap((file) =>
    z.array(exampleSchema).parse(JSON.parse(readFileSync(join(folder, file), "utf8")))
  );
}

function exactness({ where, like }: StoredExample): number {
  return Object.keys(where).length + (like === "" ? 0 : 1);
}
