/**
 * Reflexion's frame: several trials of one task, with the lesson of each failed trial in the next (Shinn et al. 2023, arXiv 2303.11366, §3). What
 * plays a trial is the method's own.
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `TrialsOptions.play` |
 * | Evaluator | the world: a trial that did not reach the highest score has failed |
 * | Self-reflection, sr_t | `reflectPrompt`, a lesson |
 * | long-term memory, Ω | `TrialsOptions.lessons` |
 *
 * @module
 */

import { z } from "zod";
import type { Episode, Outcome, Pass } from "./method.ts";
import { parseLesson, reflectPrompt } from "./reflexion.prompts.ts";

/** Constants of Shinn et al. and, where they depend on the task, ours. */
export const REFLEXION_PAPER = {
  /** Ω: lessons that are shown, the last ones (Shinn et al. §3: 1 to 3). */
  lessons: 3,
  /** Trials. AriGraph (§5) speaks of a second try and of later ones and says no number. */
  trials: 3,
} as const;

/** Options of every method that plays trials. */
export interface TrialLimits {
  /** The most trials, 1 … 20; one that reaches the highest score is the last. @default {3} */
  readonly trials?: number;
  /** Lessons that are shown, the last ones, 1 … 20. @default {3} */
  readonly lessons?: number;
}

/** Reads them, as a study gives them. */
export const trialLimits = z.strictObject({
  trials: z.int().min(1).max(20).default(REFLEXION_PAPER.trials),
  lessons: z.int().min(1).max(20).default(REFLEXION_PAPER.lessons),
});

/** One trial, played. */
export interface Trial {
  readonly pass: Omit<Pass, "kind">;
  readonly goal: string;
  /** What was seen and done, step by step, the last turn included. */
  readonly record: readonly string[];
}

/** What the trials of an episode are given. */
export interface TrialsOptions {
  /** Of the method: also the kind of its artefact. */
  readonly id: string;
  /** The most trials, ≥ 1. */
  readonly trials: number;
  /** Lessons that are shown, the last ones. */
  readonly lessons: number;
  readonly reAsks: number;
  /** Which trial's score is the episode's. @default {"last"} */
  readonly counts?: "last" | "best";
  /** Plays trial `trial` (from 0) in a fresh world, with the lessons so far (empty before the first). */
  readonly play: (trial: number, lessons: string) => Promise<Trial>;
}

/**
 * Plays trial after trial until one reaches the highest score. The lessons are what the episode leaves to the next of its lane. Reports each
 * `lesson`, and `malformed-reply` where none could be read.
 */
export async function playTrials(episode: Episode, options: TrialsOptions): Promise<Outcome> {
  const { id, trials, counts = "last" } = options;
  const lessons = lessonsOf(episode, id);
  const passes: Pass[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const shown = lessons.slice(-options.lessons).join("\n\n");
    const { pass, goal, record } = await options.play(trial, shown);
    passes.push({ kind: "trial", ...pass });
    if (pass.end === "won" || pass.score >= pass.maxScore || trial + 1 === trials) break;

    const lesson = await episode.ask.at({ pass: trial, step: pass.steps + 1 })(reflectPrompt, {
      goal,
      result: `${pass.score} of ${pass.maxScore} points after ${pass.steps} steps: ${ENDS[pass.end ?? "limit"]}`,
      trial: record.join("\n\n"),
      lessons: shown,
    }, { parse: parseLesson, reAsks: options.reAsks });
    const report = (kind: string, detail: string): void => episode.recorder.event({ pass: trial, step: pass.steps, kind, detail });
    if (lesson.kind === "ok") {
      lessons.push(lesson.value);
      report("lesson", lesson.value.replaceAll(/\s*\n\s*/g, " / "));
    } else report("malformed-reply", `${reflectPrompt.role}: ${lesson.problem}`);
  }
  return { passes: counts === "best" ? markBest(passes) : passes, artefact: { kind: id, body: { lessons } } };
}

const ENDS = { won: "the game was won", lost: "the game was lost", limit: "the steps were used up" } as const;

/** The first of those with the highest score counts. */
function markBest(passes: readonly Pass[]): Pass[] {
  const most = Math.max(...passes.map(({ score }) => score));
  const best = passes.findIndex(({ score }) => score === most);
  return passes.map((pass, i) => i === best ? { ...pass, counts: true } : pass);
}

/** The lessons that the lane's previous episode left. */
function lessonsOf({ artefact }: Episode, id: string): string[] {
  if (!artefact) return [];
  const parsed = z.strictObject({ lessons: z.array(z.string()) }).safeParse(artefact.body);
  if (artefact.kind !== id || !parsed.success) {
    throw new TypeError(
      `cannot go on from what was left: wanted the lessons of ${id}, got ${JSON.stringify(artefact.kind)}; start from none`,
    );
  }
  return [...parsed.data.lessons];
}
