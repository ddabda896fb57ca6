/**
 * Ariadne: observe, recall, plan, act, with any memory (Anokhin et al. 2024, arXiv 2407.04363, §3). The paper's baselines are the same planner
 * and actor over another memory.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `Rollout.turn`, `action` |
 * | working memory | the values and extra sections of `planPrompt` and `actPrompt` |
 * | n_prev | `AriadneOptions.nPrev` |
 * | "go to location" | `goTo` in `go-to.ts` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import type { Memory, MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import { formatObservation } from "../memory/observation.ts";
import { formLine } from "./action-forms.ts";
import { actPrompt, formatPlan, parseAct, parsePlan, planPrompt } from "./ariadne.prompts.ts";
import { destinationOf, goTo, goToActions, type GoToResult } from "./go-to.ts";
import { matchAction } from "./ground-action.ts";
import type { Method, MethodEntry } from "./method.ts";
import { createOwnMap } from "./own-map.ts";
import { type Done, type LoopOptions, loopOptions, onePass, optionsWithMemory, type Rollout } from "./rollout.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIADNE_PAPER = {
  /** Observations before the present one that planner and actor are shown (code). */
  nPrev: 5,
  /** Agent steps, where the world names no limit (§4; 60 in Cooking). */
  maxSteps: 150,
  /** Temperature of the actor with a memory that lists unexplored exits, and with any other (code). */
  temperature: { exploring: 0.2, other: 1 },
} as const;

/** Options of the method; absent ones take their defaults. */
export interface AriadneOptions extends LoopOptions {
  /** Makes the memory of an episode. */
  readonly memory: MemoryFactory;
  /** Observations before the present one that planner and actor are shown, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
  /** Whether "go to <place>" is possible. `true` without a memory that can navigate: by a map of the agent's own walks. @default whether the memory can navigate */
  readonly goTo?: boolean;
  /**
   * Whether exits that the agent has seen and not taken are listed at every step, by a map of its own walks; for memories that list none
   * themselves. @default {false}
   */
  readonly exits?: boolean;
  /**
   * What the actor chooses from: the `possible` actions where the world tells them, or any call of the world's `forms` of action, where these
   * are many more than the world would list (NetHack's skills). With forms there is no "go to <place>". @default {"possible"}
   */
  readonly actions?: "possible" | "forms";
  /** Temperature of the actor, 0 … 2. @default 0.2 with a memory that lists unexplored exits, else 1 (D6) */
  readonly temperature?: number;
}

/** The schema of the options without the memory. */
export const ariadneOptions = z.strictObject(
  {
    nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
    goTo: z.boolean().exactOptional(),
    exits: z.boolean().exactOptional(),
    actions: z.enum(["possible", "forms"]).default("possible"),
    temperature: z.number().min(0).max(2).exactOptional(),
    ...loopOptions,
  } satisfies Record<Exclude<keyof AriadneOptions, "memory">, z.ZodType>,
);

/**
 * Ariadne with a memory.
 *
 * It reports `malformed-reply` (a reply that stayed unreadable), `invalid-action` (an action that is not possible), `fallback` (the world's
 * fallback action was taken in its place), `refused-macro`, `stopped-macro`, and whatever the memory reports.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range.
 *
 * @example A lever, pulled
 * ```ts
 * import { createAriadne } from "labyrinth/agent";
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createFullHistory } from "labyrinth/memory";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "Win.", observation: "There is a lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const world = {
 *   spec: { id: "lever", version: "1", parameters: {}, sections: [], actions: [], fallback: "look", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async (action: string) => action === "pull" ? { ...seen, score: 1, end: "won" as const } : seen,
 *   validActions: async () => ["look", "pull"],
 *   close: async () => {},
 * };
 * const model = scripted({
 *   "ariadne/plan": ['{"plan_steps": [{"sub_goal_1": "pull the lever", "reason": "it is all there is"}]}'],
 *   "ariadne/act": ['{"reason_for_action": "as planned", "action_to_take": "pull"}'],
 * });
 * const { passes } = await createAriadne({ memory: createFullHistory() }).run({
 *   world: async () => world,
 *   ask: createAsker({ model }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: async () => {}, event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual(passes, [{ kind: "only", score: 1, maxScore: 1, steps: 1, end: "won" }]);
 * ```
 */
export function createAriadne(options: AriadneOptions): Method {
  const { memory, ...checked } = optionsWithMemory("ariadne", ariadneOptions, options, "arigraph or full-history");
  return onePass("ariadne", { ...checked, usualSteps: ARIADNE_PAPER.maxSteps }, async (rollout) => {
    const left = await playAriadne(rollout, { memory, options: checked });
    return left.save();
  });
}

/** The method as studies name it. */
export const ariadne: MethodEntry = {
  id: "ariadne",
  description: "observe, recall, plan, act, with a memory (Ariadne)",
  version: "2",
  options: ariadneOptions,
  prompts: [planPrompt, actPrompt],
  takesMemory: true,
  create: createAriadne,
};

/** What one play is given. */
export interface AriadnePlay {
  /** Makes the memory of this play. */
  readonly memory: MemoryFactory;
  readonly options: z.output<typeof ariadneOptions>;
  /** Titled texts shown to planner and actor at every step, after what the memory recalls. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Whether the memory starts from the episode's artefact. @default {true} */
  readonly loadsArtefact?: boolean;
  /** Called at each step with what the agent perceived. */
  readonly onStep?: (seen: Perception) => void;
}

/** Plays a world once: observe, recall, plan, act, until it ends or the steps are used up. Gives back the memory as the play left it. */
export async function playAriadne(rollout: Rollout, play: AriadnePlay): Promise<Memory> {
  const { options, extra, loadsArtefact } = play;
  const { world } = rollout;
  const memory = rollout.remember(play.memory, { loadsArtefact });
  const ownMap = createOwnMap();
  const wantsMap = options.goTo === true && !memory.navigation || options.exits === true;
  const forms = options.actions === "forms" ? world.spec.actions.map(formLine).join("\n") : undefined;
  const navigation = options.goTo === false || forms !== undefined ? undefined : memory.navigation ?? (options.goTo ? ownMap : undefined);
  let plan = "";
  let lastAction: Pick<Perception, "action" | "macro"> = {};
  const history: string[] = [];

  await rollout.reset();
  await rollout.record();
  while (!rollout.isOver) {
    rollout.beginStep();
    const seen = { ...rollout.perceive(), ...lastAction };
    await memory.observe(seen);
    const valid = forms === undefined ? await world.validActions() : undefined;
    if (wantsMap) ownMap.follow(seen, valid ?? []);
    const { sections, recalled, isHistory, exits } = await memory.recall({ ...rollout.perceive(), plan });
    const past = isHistory ? Object.values(sections) : history;
    const shown = { ...(isHistory ? {} : sections), ...extra };
    const untaken = exits ?? (options.exits ? ownMap.exits() : []);
    const observation = formatObservation(seen);
    const working = {
      goal: seen.goal,
      history: past.join("\n\n"),
      observation,
      exits: untaken.length > 0 ? untaken.join("\n") : undefined,
    };

    const planned = await rollout.ask(planPrompt, { ...working, plan }, { parse: parsePlan, extra: shown });
    if (planned) plan = formatPlan(planned);
    const possible = valid && [...new Set([...valid, ...(navigation ? goToActions(navigation) : [])])];
    const actions = possible?.join("\n") ?? forms ?? "(any)";
    const { exploring, other } = ARIADNE_PAPER.temperature;
    const sampling = { temperature: options.temperature ?? (exits ? exploring : other) };
    const decision = await rollout.ask({ ...actPrompt, sampling }, { ...working, plan, actions }, { parse: parseAct, extra: shown });
    const { action, fallback, macro } = await carryOut(decision?.action, { rollout, possible, navigation });

    play.onStep?.(seen);
    history.push(observation);
    if (history.length > options.nPrev) history.shift();
    lastAction = { action, macro: macro && true };
    await rollout.record(action, { plan, reason: decision?.reason ?? "", recalled, fallback, macro });
  }
  return memory;
}

interface Situation {
  readonly rollout: Rollout;
  /** The possible actions, where the world tells them. */
  readonly possible?: readonly string[];
  /** What "go to <place>" walks by, where that is possible. */
  readonly navigation?: Navigation;
}

/** Carries out what the actor wants: a possible action, a macro (D15, D16), or in the place of anything else the world's fallback (D18, D19). */
async function carryOut(wanted: string | undefined, situation: Situation): Promise<Done & { readonly macro?: GoToResult }> {
  const { rollout, possible, navigation } = situation;
  if (wanted === undefined) return await rollout.act(undefined);
  const action = possible ? matchAction(wanted, possible) : wanted;
  const destination = destinationOf(action ?? wanted);
  if (navigation && destination !== undefined) {
    const macro = await goTo(destination, rollout, navigation);
    const { observation } = rollout.turn;
    if (macro !== "arrived") rollout.report(`${macro}-macro`, `${action ?? wanted}: ${macro === "refused" ? observation : "on the way"}`);
    return { action: action ?? wanted, macro };
  }
  if (action === undefined) return await rollout.refuse(wanted, "it is not among the possible actions");
  return await rollout.act(action, wanted);
}
