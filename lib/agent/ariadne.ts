/**
 * Ariadne: observe, recall, plan, act, with any memory (Anokhin et al. 2024, arXiv 2407.04363, §3). The paper's baselines are the same planner
 * and actor over another memory.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `Rollout.turn`, `action` |
 * | working memory | the values and extra sections of `AriadnePrompts` |
 * | n_prev | `AriadneOptions.nPrev` |
 * | "go to location" | `goTo` in `go-to.ts` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { Memory, MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import { formatObservation, ObservationWindow, type PromptOrder, slideOf, splitObservations } from "../memory/observation.ts";
import { ALL_ARIADNE_PROMPTS, ariadnePrompts, formatPlan, parseAct, parsePlan } from "./ariadne.prompts.ts";
import { destinationOf, goTo, goToActions, type GoToResult } from "./go-to.ts";
import { formLine, matchAction } from "./ground-action.ts";
import type { MethodMaker } from "./method.ts";
import { createOwnMap } from "./own-map.ts";
import { type Done, type LoopOptions, loopOptions, methodEntry, onePass, type Rollout } from "./rollout.ts";

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
  /** The layout of the prompts: `cacheable` by servers that keep what they computed for a prefix, or the `paper`'s (D60). @default {"cacheable"} */
  readonly order?: PromptOrder;
  /**
   * Observations by which the window of past observations moves at once, 1 … 10,000: it shows `nPrev` to nPrev + slide − 1 of them (D61).
   * @default `nPrev`, at least 1; in the paper's order 1
   */
  readonly slide?: number;
  /** Temperature of the actor, 0 … 2. @default 0.2 with a memory that lists unexplored exits, else 1 (D6) */
  readonly temperature?: number;
}

/** The schema of the options without the memory. */
export const ariadneOptions = z.strictObject({
  nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
  goTo: z.boolean().exactOptional(),
  exits: z.boolean().exactOptional(),
  actions: z.enum(["possible", "forms"]).default("possible"),
  order: z.enum(["cacheable", "paper"]).default("cacheable"),
  slide: z.int().min(1).max(10_000).exactOptional(),
  temperature: z.number().min(0).max(2).exactOptional(),
  ...loopOptions,
}) satisfies OptionsOf<Omit<AriadneOptions, "memory">>;

/**
 * Ariadne with a memory.
 *
 * It reports `malformed-reply` (a reply that stayed unreadable), `invalid-action` (an action that is not possible), `fallback` (the world's
 * fallback action was taken in its place), `refused-macro`, `stopped-macro`, and whatever the memory reports.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAriadne, createAriGraph } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createAriadne({ memory: createAriGraph(), nPrev: 3 }).id, "ariadne");
 * assert.throws(() => createAriadne({ memory: createAriGraph(), nPrev: -1 }), /nPrev/);
 * ```
 */
export const createAriadne: MethodMaker<AriadneOptions> = methodEntry({
  id: "ariadne",
  description: "observe, recall, plan, act, with a memory (Ariadne)",
  version: "3",
  options: ariadneOptions,
  prompts: ALL_ARIADNE_PROMPTS,
  memories: "arigraph or full-history",
}, (episode, { memory, ...options }) =>
  onePass(episode, { ...options, usualSteps: ARIADNE_PAPER.maxSteps }, async (rollout) => {
    const left = await playAriadne(rollout, { memory, options });
    return left.save();
  }));

/** The inputs of one play. */
export interface AriadnePlay {
  /** Makes the memory of this play. */
  readonly memory: MemoryFactory;
  readonly options: z.output<typeof ariadneOptions>;
  /** Lessons from earlier trials, shown to planner and actor at every step; absent where there are none. */
  readonly lessons?: string;
  /** Whether the memory starts from the episode's artefact. @default {true} */
  readonly loadsArtefact?: boolean;
  /** Called at each step with what the agent perceived. */
  readonly onStep?: (seen: Perception) => void;
}

/** Plays a world once: observe, recall, plan, act, until it ends or the steps are used up. Gives back the memory as the play left it. */
export async function playAriadne(rollout: Rollout, play: AriadnePlay): Promise<Memory> {
  const { options, lessons, loadsArtefact } = play;
  const { nPrev, order } = options;
  const prompts = ariadnePrompts(order, options.actions);
  const { world } = rollout;
  const memory = rollout.remember(play.memory, { loadsArtefact });
  const ownMap = createOwnMap();
  const wantsMap = options.goTo === true && !memory.navigation || options.exits === true;
  const forms = options.actions === "forms" ? world.spec.actions.map(formLine).join("\n") : undefined;
  const navigation = options.goTo === false || forms !== undefined ? undefined : memory.navigation ?? (options.goTo ? ownMap : undefined);
  let plan = "";
  let lastAction: Pick<Perception, "action" | "macro"> = {};
  const history = new ObservationWindow({ nPrev, slide: options.slide ?? slideOf(order, nPrev) });

  await rollout.reset();
  await rollout.record();
  while (!rollout.isOver) {
    rollout.beginStep();
    const seen = { ...rollout.perceive(), ...lastAction };
    await memory.observe(seen);
    const valid = forms === undefined ? await world.validActions() : undefined;
    if (wantsMap) ownMap.follow(seen, valid ?? []);
    const { sections, recalled, isHistory, exits } = await memory.recall({ ...rollout.perceive(), plan, surplus: history.surplus });
    const past = isHistory ? Object.values(sections).flatMap(splitObservations) : history.texts;
    const shown = isHistory ? {} : sections;
    const untaken = exits ?? (options.exits ? ownMap.exits() : []);
    const observation = formatObservation(seen);
    const working = {
      goal: seen.goal,
      lessons,
      history: past,
      observation,
      exits: untaken.length > 0 ? untaken.join("\n") : undefined,
      actions: order === "paper" ? undefined : forms,
    };

    const planned = await rollout.ask(prompts.plan, { ...working, plan }, { parse: parsePlan, extra: shown });
    if (planned) plan = formatPlan(planned, order);
    const possible = valid && [...new Set([...valid, ...(navigation ? goToActions(navigation) : [])])];
    const actions = possible?.join("\n") ?? forms ?? "(any)";
    const { exploring, other } = ARIADNE_PAPER.temperature;
    const sampling = { ...prompts.act.sampling, temperature: options.temperature ?? (exits ? exploring : other) };
    const decision = await rollout.ask({ ...prompts.act, sampling }, { ...working, plan, actions }, { parse: parseAct, extra: shown });
    const { action, fallback, macro } = await carryOut(decision?.action, { rollout, possible, navigation });

    play.onStep?.(seen);
    history.add(observation);
    lastAction = { action, macro: macro && true };
    await rollout.record(action, { plan, reason: decision?.reason ?? "", recalled, fallback, macro });
  }
  return memory;
}

interface Situation {
  readonly rollout: Rollout;
  /** The possible actions, where the world tells them. */
  readonly possible?: readonly string[];
  /** The paths that "go to <place>" takes; absent where it is not possible. */
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
