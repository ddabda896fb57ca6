/**
 * Reflexion: several trials of one task, with the lesson of each failed trial in the next (Shinn et
 * al. 2023, arXiv 2303.11366, §3 and §4).
 * `reflexion` is Ariadne over trials, as AriGraph compares with it (arXiv 2407.04363, §4);
 * `react-reflexion` is ReAct over trials, the baseline of ReasonPlanner (arXiv 2410.09252, §4.2.2).
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `playAriadne`, or `playText` with ReAct's prompt |
 * | Evaluator | the world: a trial that did not reach the highest score has failed |
 * | Self-reflection, sr_t | `reflectPrompt`, a lesson |
 * | long-term memory, Ω | `TrialLimits.lessons` |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import { z } from "zod";
import { withVariant } from "../text/registry.ts";
import type { Perception } from "../memory/memory.ts";
import { formatObservation } from "../memory/observation.ts";
import { playAriadne } from "./ariadne.ts";
import {
  ARIADNE_AUTHORS,
  ARIADNE_PAPER,
  ariadneFields,
  type AriadneOptions,
} from "./ariadne-options.ts";
import { ALL_ARIADNE_PROMPTS } from "./ariadne.prompts.ts";
import { withExamples } from "./examples.ts";
import type { Episode, MethodMaker, Outcome, Pass } from "./method.ts";
import { parseLesson, reflectPrompt } from "./reflexion.prompts.ts";
import { type Rollout, rollOut, type StepLimit } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import { playText, usualSteps } from "./text-agent.ts";
import { type TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";
import { textPrompt } from "./text-agent.prompts.ts";
import { withShortAction } from "./text-history.ts";

/** Constants of Shinn et al. and, where they depend on the task, ours. */
export const REFLEXION_PAPER = {
  /** Ω: lessons that are shown, the last ones (Shinn et al. §3: 1 to 3). */
  lessons: 3,
  /** Trials. AriGraph (§5) speaks of a second try and of later ones and gives no number. */
  trials: 3,
} as const;

/** Options of every method that plays trials. */
export interface TrialLimits {
  /** The most trials, 1 … 20; one that reaches the highest score is the last. @default {3} */
  readonly trials?: number;
  /** Lessons that are shown, the last ones, 1 … 20. @default {3} */
  readonly lessons?: number;
}

/**
 * Options of `reflexion`: those of Ariadne, which hold for each trial, and how many trials there
 * are.
 */
export interface ReflexionOptions extends AriadneOptions, TrialLimits {}

/**
 * Options of `react-reflexion`: those of every text agent, which hold for each trial, and these.
 */
export interface ReactReflexionOptions extends TextAgentOptions, TrialLimits {
  /**
   * Which trial's score is the episode's: the best one (SwiftSage's evaluation) or the last.
   * @default {"best"}
   */
  readonly counts?: "best" | "last";
}

const trialLimits = z.strictObject({
  trials: z.int().min(1).max(20).default(REFLEXION_PAPER.trials),
  lessons: z.int().min(1).max(20).default(REFLEXION_PAPER.lessons),
});

const reflexionOptions = withVariant(
  z.strictObject({ ...ariadneFields.shape, ...trialLimits.shape }),
  { authors: ARIADNE_AUTHORS },
);

const reactReflexionOptions = z.strictObject({
  ...textAgentOptions.shape,
  ...trialLimits.shape,
  counts: z.enum(["best", "last"]).default("best"),
});

const reactPrompt = textPrompt({ role: "react-reflexion/act", thoughts: true });

/**
 * Reflexion over Ariadne, with a memory that starts empty in each trial (`rag` in the paper's
 * baseline). Each trial is a pass of kind `trial`; the lessons go to the next episode of the chain.
 * It reports what Ariadne reports, each `lesson`, and `malformed-reply` if none could be read.
 * @throws {UsageError} without a memory, or for an invalid option.
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
export const createReflexion: MethodMaker<ReflexionOptions> = methodEntry(
  {
    id: "reflexion",
    description:
      "Ariadne over several trials, with the lesson of each failed trial in the next, with a memory (Reflexion)",
    version: "4",
    options: reflexionOptions,
    prompts: [...ALL_ARIADNE_PROMPTS, reflectPrompt],
    memories: "rag",
  },
  (episode, { memory, ...options }) =>
    playTrials(
      "reflexion",
      { episode, rules: options, usualSteps: ARIADNE_PAPER.maxSteps },
      async (rollout, extra) => {
        const record: string[] = [];
        const onStep = (seen: Perception): void => void record.push(formatObservation(seen));
        const lessons = extra?.[reflectPrompt.sections.lessons];
        await playAriadne(rollout, { memory, options, loadsArtefact: false, lessons, onStep });
        const { observation, sections: { inventory } } = rollout.turn;
        return [...record, formatObservation({ step: rollout.step + 1, observation, inventory })];
      },
    ),
);

/**
 * Reflexion over ReAct. Each trial is a pass of kind `trial` in a fresh world; the one that counts
 * is marked. It reports what ReAct reports, each `lesson`, and `malformed-reply`.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createReactReflexion, SWIFTSAGE_RULES } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReactReflexion({ ...SWIFTSAGE_RULES, trials: 10 }).id, "react-reflexion");
 * assert.throws(() => createReactReflexion({ trials: 0 }), /trials/);
 * ```
 */
export const createReactReflexion: MethodMaker<ReactReflexionOptions> = withExamples(methodEntry(
  {
    id: "react-reflexion",
    description:
      "ReAct over several trials, with the lesson of each failed trial in the next (Reflexion)",
    version: "2",
    options: reactReflexionOptions,
    prompts: [reactPrompt, reflectPrompt],
  },
  (episode, options) =>
    playTrials(
      "react-reflexion",
      { episode, rules: options, usualSteps },
      async (rollout, extra) => {
        const { opening, entries } = await playText(rollout, {
          options,
          prompt: reactPrompt,
          extra,
        });
        const steps = [{ observation: opening }, ...entries.map(withShortAction)]; // as every other record shows them
        return steps.map((step, i) => formatObservation({ step: i + 1, ...step }));
      },
    ),
));

interface Trials {
  readonly episode: Episode;
  readonly rules: Required<TrialLimits> & {
    readonly maxSteps?: number;
    readonly reAsks: number;
    readonly counts?: "best" | "last";
  };
  readonly usualSteps: StepLimit;
}

/**
 * Plays trials in fresh worlds until one reaches the highest score.
 * @param play plays one trial; `extra` is the section of the lessons so far; returns what was seen
 * and done, step by step, the last turn included
 */
async function playTrials(
  id: string,
  { episode, rules, usualSteps }: Trials,
  play: (
    rollout: Rollout,
    extra: Readonly<Record<string, string>> | undefined,
  ) => Promise<readonly string[]>,
): Promise<Outcome> {
  const lessons = lessonsOf(episode, id);
  const passes: Pass[] = [];
  let over = false;
  for (let pass = 0; !over; pass++) {
    const shown = lessons.slice(-rules.lessons).join("\n\n");
    await rollOut(episode, { ...rules, pass, usualSteps }, async (rollout) => {
      const record = await play(
        rollout,
        shown === "" ? undefined : { [reflectPrompt.sections.lessons]: shown },
      );
      const { result } = rollout;
      passes.push({ kind: "trial", ...result });
      over = result.end === "won" || result.score >= result.maxScore ||
        passes.length === rules.trials;
      const lesson = over ? undefined : await reflectOn(rollout, record, shown);
      if (lesson !== undefined) lessons.push(lesson);
    });
  }
  return {
    passes: rules.counts === "best" ? markBest(passes) : passes,
    artefact: { kind: id, body: { lessons } },
  };
}

const ENDS = {
  won: "the game was won",
  lost: "the game was lost",
  limit: "the steps were used up",
} as const;

async function reflectOn(
  rollout: Rollout,
  record: readonly string[],
  lessons: string,
): Promise<string | undefined> {
  const { score, maxScore, steps, end = "limit" } = rollout.result;
  const result = `${score} of ${maxScore} points after ${steps} steps: ${ENDS[end]}`;
  const values = { goal: rollout.turn.goal, result, trial: record.join("\n\n"), lessons };
  const lesson = await rollout.ask(reflectPrompt, values, { parse: parseLesson }, steps + 1);
  if (lesson !== undefined) rollout.report("lesson", lesson.replaceAll(/\s*\n\s*/g, " / "));
  return lesson;
}

function markBest(passes: readonly Pass[]): Pass[] {
  const most = Math.max(...passes.map(({ score }) => score));
  const best = passes.findIndex(({ score }) => score === most);
  return passes.map((pass, i) => i === best ? { ...pass, counts: true } : pass);
}

function lessonsOf({ artefact }: Episode, id: string): string[] {
  if (!artefact) return [];
  const parsed = z.strictObject({ lessons: z.array(z.string()) }).safeParse(artefact.body);
  if (artefact.kind === id && parsed.success) return parsed.data.lessons;
  throw new TypeError(
    `cannot load this artefact: wanted the lessons of ${id}, got ${
      JSON.stringify(artefact.kind)
    }; start from none`,
  );
}
