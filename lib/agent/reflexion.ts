/**
 * Reflexion: several trials of one task, with the lesson of each failed trial in the next (Shinn et al. 2023, arXiv 2303.11366, §3 and §4).
 * `reflexion` is Ariadne over trials, as AriGraph compares with it (arXiv 2407.04363, §4); `react-reflexion` is ReAct over trials, the baseline of
 * ReasonPlanner (arXiv 2410.09252, §4.2.2).
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `playAriadne`, or `playText` with ReAct's prompt |
 * | Evaluator | the world: a trial that did not reach the highest score has failed |
 * | Self-reflection, sr_t | `reflectPrompt`, a lesson |
 * | long-term memory, Ω | `TrialLimits.lessons` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import type { Perception } from "../memory/memory.ts";
import { formatObservation } from "../memory/observation.ts";
import { ARIADNE_PAPER, type AriadneOptions, ariadneOptions, playAriadne } from "./ariadne.ts";
import { actPrompt, planPrompt } from "./ariadne.prompts.ts";
import { withExamples } from "./examples.ts";
import type { Episode, Method, MethodEntry, Outcome, Pass } from "./method.ts";
import { parseLesson, reflectPrompt } from "./reflexion.prompts.ts";
import { optionsWithMemory, rollOut } from "./rollout.ts";
import { checkTextOptions, playText, type TextAgentOptions, textAgentOptions, usualSteps } from "./text-agent.ts";
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

/** Options of `reflexion`: those of Ariadne, which hold for each trial, and how many trials there are. */
export interface ReflexionOptions extends AriadneOptions, TrialLimits {}

/** Options of `react-reflexion`: those of every text agent, which hold for each trial, and these. */
export interface ReactReflexionOptions extends TextAgentOptions, TrialLimits {
  /** Which trial's score is the episode's: the best one (SwiftSage's evaluation) or the last. @default {"best"} */
  readonly counts?: "best" | "last";
}

const trialLimits = z.strictObject({
  trials: z.int().min(1).max(20).default(REFLEXION_PAPER.trials),
  lessons: z.int().min(1).max(20).default(REFLEXION_PAPER.lessons),
});

const reflexionOptions = z.strictObject({ ...ariadneOptions.shape, ...trialLimits.shape });

const reactReflexionOptions = z.strictObject({
  ...textAgentOptions.shape,
  ...trialLimits.shape,
  counts: z.enum(["best", "last"]).default("best"),
});

const reactPrompt = textPrompt({ role: "react-reflexion/act", thoughts: true });

/**
 * Reflexion over Ariadne, with a memory that starts empty in each trial; in the paper's baseline it is `rag`. Each trial is a pass of kind `trial`.
 * The lessons are what an episode leaves to the next of its lane.
 *
 * It reports what Ariadne reports, each `lesson`, and `malformed-reply` where none could be read.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createRag } from "labyrinth/memory";
 * import { createReflexion } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReflexion({ memory: createRag(), trials: 2 }).id, "reflexion");
 * assert.throws(() => createReflexion({ memory: createRag(), trials: 0 }), /trials/);
 * ```
 */
export function createReflexion(options: ReflexionOptions): Method {
  const { memory, ...checked } = optionsWithMemory("reflexion", reflexionOptions, options, "rag");
  const limits = { ...checked, usualSteps: ARIADNE_PAPER.maxSteps };
  return trialsOf("reflexion", checked, (episode, pass, extra) =>
    rollOut(episode, { ...limits, pass }, async (rollout) => {
      const record: string[] = [];
      const onStep = (seen: Perception): void => void record.push(formatObservation(seen));
      await playAriadne(rollout, { memory, options: checked, loadsArtefact: false, extra, onStep });
      const { goal, observation, sections: { inventory } } = rollout.turn;
      record.push(formatObservation({ step: rollout.step + 1, observation, inventory }));
      return { pass: rollout.result, goal, record };
    }));
}

/**
 * Reflexion over ReAct. Each trial is a pass of kind `trial` in a fresh world; the one that counts is marked. It reports what ReAct reports,
 * each `lesson`, and `malformed-reply` where none could be read.
 *
 * @throws {UsageError} if an option is unknown or out of range.
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
export function createReactReflexion(options: ReactReflexionOptions = {}): Method {
  const checked = checkTextOptions("react-reflexion", reactReflexionOptions, options);
  return trialsOf(
    "react-reflexion",
    checked,
    (episode, pass, extra) =>
      rollOut(episode, { ...checked, pass, usualSteps }, async (rollout) => {
        const { opening, entries } = await playText(rollout, { options: checked, prompt: reactPrompt, extra });
        const steps = [{ observation: opening }, ...entries.map(withShortAction)]; // as every other record shows them
        const record = steps.map((step, i) => formatObservation({ step: i + 1, ...step }));
        return { pass: rollout.result, goal: rollout.turn.goal, record };
      }),
  );
}

/** Reflexion over Ariadne as studies name it. */
export const reflexion: MethodEntry = {
  id: "reflexion",
  description: "Ariadne over several trials, with the lesson of each failed trial in the next, with a memory (Reflexion)",
  version: "2",
  options: reflexionOptions,
  prompts: [planPrompt, actPrompt, reflectPrompt],
  takesMemory: true,
  create: createReflexion,
};

/** Reflexion over ReAct as studies name it. */
export const reactReflexion: MethodEntry = withExamples({
  id: "react-reflexion",
  description: "ReAct over several trials, with the lesson of each failed trial in the next (Reflexion)",
  version: "1",
  options: reactReflexionOptions,
  prompts: [reactPrompt, reflectPrompt],
  create: createReactReflexion,
});

/** One trial, played. */
interface Trial {
  readonly pass: Omit<Pass, "kind">;
  readonly goal: string;
  /** What was seen and done, step by step, the last turn included. */
  readonly record: readonly string[];
}

/** Plays trial `pass` (from 0) in a fresh world; `extra` is the section of the lessons so far, where there are any. */
type TrialPlayer = (episode: Episode, pass: number, extra: Readonly<Record<string, string>> | undefined) => Promise<Trial>;

interface TrialRules extends Required<TrialLimits> {
  readonly reAsks: number;
  readonly counts?: "best" | "last";
}

/** Plays trial after trial until one reaches the highest score. The lessons are what the episode leaves to the next of its lane. */
function trialsOf(id: string, rules: TrialRules, play: TrialPlayer): Method {
  return {
    id,
    async run(episode): Promise<Outcome> {
      const lessons = lessonsOf(episode, id);
      const passes: Pass[] = [];
      for (let trial = 0; trial < rules.trials; trial++) {
        const shown = lessons.slice(-rules.lessons).join("\n\n");
        const played = await play(episode, trial, shown === "" ? undefined : { [reflectPrompt.sections.lessons]: shown });
        const { pass } = played;
        passes.push({ kind: "trial", ...pass });
        if (pass.end === "won" || pass.score >= pass.maxScore || trial + 1 === rules.trials) break;
        const lesson = await reflectOn(played, { episode, trial, lessons: shown, reAsks: rules.reAsks });
        if (lesson !== undefined) lessons.push(lesson);
      }
      return { passes: rules.counts === "best" ? markBest(passes) : passes, artefact: { kind: id, body: { lessons } } };
    },
  };
}

const ENDS = { won: "the game was won", lost: "the game was lost", limit: "the steps were used up" } as const;

/** The lesson of a failed trial, reported as `lesson`; where none could be read, `malformed-reply` is reported. */
async function reflectOn(
  { pass, goal, record }: Trial,
  at: { readonly episode: Episode; readonly trial: number; readonly lessons: string; readonly reAsks: number },
): Promise<string | undefined> {
  const { episode: { ask, recorder }, trial, lessons, reAsks } = at;
  const result = `${pass.score} of ${pass.maxScore} points after ${pass.steps} steps: ${ENDS[pass.end ?? "limit"]}`;
  const values = { goal, result, trial: record.join("\n\n"), lessons };
  const lesson = await ask.at({ pass: trial, step: pass.steps + 1 })(reflectPrompt, values, { parse: parseLesson, reAsks });
  const report = (kind: string, detail: string): void => recorder.event({ pass: trial, step: pass.steps, kind, detail });
  if (lesson.kind === "ok") report("lesson", lesson.value.replaceAll(/\s*\n\s*/g, " / "));
  else report("malformed-reply", `${reflectPrompt.role}: ${lesson.problem}`);
  return lesson.kind === "ok" ? lesson.value : undefined;
}

/** Marks the first of the passes with the highest score. */
function markBest(passes: readonly Pass[]): Pass[] {
  const most = Math.max(...passes.map(({ score }) => score));
  const best = passes.findIndex(({ score }) => score === most);
  return passes.map((pass, i) => i === best ? { ...pass, counts: true } : pass);
}

/** The lessons that the lane's previous episode left. */
function lessonsOf({ artefact }: Episode, id: string): string[] {
  if (!artefact) return [];
  const parsed = z.strictObject({ lessons: z.array(z.string()) }).safeParse(artefact.body);
  if (artefact.kind === id && parsed.success) return parsed.data.lessons;
  throw new TypeError(`cannot load this artefact: wanted the lessons of ${id}, got ${JSON.stringify(artefact.kind)}; start from none`);
}
