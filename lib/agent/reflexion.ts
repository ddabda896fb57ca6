/**
 * Reflexion: Ariadne over several trials of one game, with the lesson of each failed trial in the next (AriGraph, arXiv 2407.04363, §4, after
 * Shinn et al. 2023, arXiv 2303.11366).
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `playAriadne` |
 * | Evaluator | the game: a trial that was not won has failed |
 * | Self-reflection, sr_t | `reflectPrompt`, a lesson |
 * | long-term memory, Ω | `ReflexionOptions.lessons` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { formatObservation } from "../memory/observation.ts";
import { inWorld, playAriadne } from "./ariadne-loop.ts";
import { type AriadneOptions, ariadneOptions } from "./ariadne-options.ts";
import { actPrompt, planPrompt } from "./ariadne.prompts.ts";
import type { Episode, Method, Outcome, Pass } from "./method.ts";
import { parseLesson, reflectPrompt } from "./reflexion.prompts.ts";

/** Constants of Shinn et al. and, where they depend on the task, ours. */
export const REFLEXION_PAPER = {
  /** Ω: lessons that are shown, the last ones (Shinn et al. §3: 1 to 3). */
  lessons: 3,
  /** Trials. AriGraph (§5) speaks of a second try and of later ones and says no number. */
  trials: 3,
} as const;

/** Options of the method: those of Ariadne, which hold for each trial, and these. */
export interface ReflexionOptions extends AriadneOptions {
  /** The most trials, 1 … 20; a trial that wins is the last. @default {3} */
  readonly trials?: number;
  /** Lessons that are shown, the last ones, 1 … 20. @default {3} */
  readonly lessons?: number;
}

/** Reads the options, as a study gives them, but for the memory. */
export const reflexionOptions = z.strictObject({
  ...ariadneOptions.shape,
  trials: z.int().min(1).max(20).default(REFLEXION_PAPER.trials),
  lessons: z.int().min(1).max(20).default(REFLEXION_PAPER.lessons),
});

/** All prompts of the method: those of Ariadne and role `reflexion/reflect`; the memory has its own. */
export const reflexionPrompts: readonly Prompt[] = [planPrompt, actPrompt, reflectPrompt];

/**
 * Reflexion with a memory, which starts empty in each trial; in the paper's baseline it is `rag`. Each trial is a pass of kind `trial`. The
 * lessons are what an episode leaves to the next of its lane.
 *
 * What it reports to the recorder: what Ariadne reports, each `lesson`, and `malformed-reply` where none could be read.
 *
 * @throws {UsageError} without a memory; {@linkcode z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createRag, createReflexion } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReflexion({ memory: createRag(), trials: 2 }).id, "reflexion");
 * assert.throws(() => createReflexion({ memory: createRag(), trials: 0 }), /trials/);
 * ```
 */
export function createReflexion({ memory, ...options }: ReflexionOptions): Method {
  if (typeof memory !== "function") throw new UsageError("reflexion needs a memory: name one, such as rag");
  const checked = reflexionOptions.parse(options);
  return { id: ID, run: (episode) => run(episode, { ...checked, memory }) };
}

const ID = "reflexion";

async function run(episode: Episode, options: z.output<typeof reflexionOptions> & Pick<AriadneOptions, "memory">): Promise<Outcome> {
  const lessons = lessonsOf(episode);
  const passes: Pass[] = [];
  for (let trial = 0; trial < options.trials; trial++) {
    const shown = lessons.slice(-options.lessons).join("\n\n");
    const record: string[] = [];
    const { pass, turn } = await inWorld(episode, (world) =>
      playAriadne(world, {
        episode,
        memory: options.memory,
        options,
        pass: trial,
        carriesOver: false,
        ...(shown === "" ? {} : { extra: { [reflectPrompt.sections.lessons]: shown } }),
        onStep: (seen) => record.push(formatObservation(seen)),
      }));
    passes.push({ kind: "trial", ...pass });
    if (pass.end === "won" || trial + 1 === options.trials) break;

    const { inventory } = turn.sections;
    const last = { step: pass.steps + 1, observation: turn.observation, ...(inventory === undefined ? {} : { inventory }) };
    const lesson = await episode.ask.at({ pass: trial, step: last.step })(reflectPrompt, {
      goal: turn.goal,
      result: `${pass.score} of ${pass.maxScore} points after ${pass.steps} steps: ${ENDS[pass.end ?? "limit"]}`,
      trial: [...record, formatObservation(last)].join("\n\n"),
      lessons: shown,
    }, { parse: parseLesson, reAsks: options.reAsks });
    const report = (kind: string, detail: string): void => episode.recorder.event({ pass: trial, step: pass.steps, kind, detail });
    if (lesson.kind === "ok") {
      lessons.push(lesson.value);
      report("lesson", lesson.value.replaceAll(/\s*\n\s*/g, " / "));
    } else report("malformed-reply", `${reflectPrompt.role}: ${lesson.problem}`);
  }
  return { passes, artefact: { kind: ID, body: { lessons } } };
}

const ENDS = { won: "the game was won", lost: "the game was lost", limit: "the steps were used up" } as const;

/** The lessons that the lane's previous episode left. */
function lessonsOf({ artefact }: Episode): string[] {
  if (!artefact) return [];
  const parsed = z.strictObject({ lessons: z.array(z.string()) }).safeParse(artefact.body);
  if (artefact.kind !== ID || !parsed.success) {
    throw new TypeError(
      `cannot go on from what was left: wanted the lessons of ${ID}, got ${JSON.stringify(artefact.kind)}; start from none`,
    );
  }
  return [...parsed.data.lessons];
}
