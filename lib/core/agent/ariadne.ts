/**
 * Ariadne: observe, recall, plan, act, with any memory (Anokhin et al. 2024, arXiv 2407.04363, §3).
 * The paper's baselines are the same planner and actor over another memory.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `Rollout.turn`, `action` |
 * | working memory | the values and extra sections of `AriadnePrompts` |
 * | n_prev | `AriadneOptions.nPrev` |
 * | "go to location" | `goTo` in `go-to.ts` |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import type { z } from "zod";
import type { Memory, MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import {
  formatObservation,
  ObservationWindow,
  slideOf,
  splitObservations,
  withActionTaken,
} from "../memory/observation.ts";
import { ALL_ARIADNE_PROMPTS, ariadnePrompts } from "./ariadne.prompts.ts";
import { actForm, formatPlan, parseAct, parsePlan, type Plan } from "./ariadne-replies.ts";
import { destinationOf, goTo, goToActions, type GoToResult } from "./go-to.ts";
import { formLine, matchAction } from "./ground-action.ts";
import { replyText } from "../text/reply-text.ts";
import type { MethodMaker } from "./method.ts";
import { createOwnMap } from "./own-map.ts";
import { artefactOf, type Done, onePass, type Rollout } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import {
  ARIADNE_PAPER,
  type ariadneFields,
  type AriadneOptions,
  ariadneOptions,
} from "./ariadne-options.ts";

/**
 * Ariadne with a memory. It reports `malformed-reply`, `dropped-entries` (of a plan),
 * `invalid-action` (not among the possible ones), `fallback` (the world's fallback action was
 * taken), `refused-macro`, `stopped-macro`, and what the memory reports.
 * @throws {UsageError} without a memory, or for an invalid option.
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
export const createAriadne: MethodMaker<AriadneOptions> = methodEntry(
  {
    id: "ariadne",
    description: "observe, recall, plan, act, with a memory (Ariadne)",
    version: "4",
    options: ariadneOptions,
    prompts: ALL_ARIADNE_PROMPTS,
    memories: "arigraph or full-history",
  },
  (episode, { memory, ...options }) =>
    onePass(episode, { ...options, usualSteps: ARIADNE_PAPER.maxSteps }, async (rollout) => {
      const left = await playAriadne(rollout, { memory, options });
      return await artefactOf(left);
    }),
);

export interface AriadnePlay {
  readonly memory: MemoryFactory;
  readonly options: z.output<typeof ariadneFields>;
  /**
   * Lessons from earlier trials, shown to planner and actor at every step; absent where there are
   * none.
   */
  readonly lessons?: string;
  /** Whether the memory starts from the episode's artefact. @default {true} */
  readonly loadsArtefact?: boolean;
  readonly onStep?: (seen: Perception) => void;
}

/**
 * Plays a world once: observe, recall, plan, act, until it ends or the steps are used up. Gives
 * back the memory as the play left it.
 */
export async function playAriadne(rollout: Rollout, play: AriadnePlay): Promise<Memory> {
  const { options, lessons, loadsArtefact } = play;
  const { nPrev, order, goToPlaces } = options;
  const { world } = rollout;
  const memory = rollout.remember(play.memory, { loadsArtefact });
  const ownMap = createOwnMap();
  const wantsMap = options.goTo === true && !memory.navigation || options.exits === true;
  const forms = options.actions === "forms"
    ? world.spec.actions.map(formLine).join("\n")
    : undefined;
  const navigation = options.goTo === false || forms !== undefined
    ? undefined
    : memory.navigation ?? (options.goTo ? ownMap : undefined);
  const history = new ObservationWindow({ nPrev, slide: options.slide ?? slideOf(order, nPrev) });
  const showsTaken = (options.actionLine ?? (order === "paper" ? "after" : "before")) === "after" &&
    nPrev > 0;
  let lastAction: Pick<Perception, "action" | "macro"> = {};

  await rollout.reset();
  await rollout.record();
  let plan = formatPlan(firstPlan(rollout.turn.goal), order);
  while (!rollout.isOver) {
    rollout.beginStep();
    const seen = { ...rollout.perceive(), ...lastAction };
    await memory.observe(seen);
    const valid = forms === undefined ? await world.validActions() : undefined;
    if (wantsMap) ownMap.follow(seen, valid ?? []);
    const { sections, recalled, isHistory, exits } = await memory.recall({
      ...rollout.perceive(),
      plan,
      surplus: history.surplus,
    });
    const untaken = exits ?? (options.exits ? ownMap.exits() : []);
    const observation = formatObservation(
      showsTaken && !isHistory ? { ...seen, action: undefined } : seen,
    );
    const macros = navigation ? goToActions(navigation, goToPlaces) : [];
    const possible = valid && [...new Set([...valid, ...macros])];
    const actions = possible?.join("\n") ?? forms ?? "(any)";
    const prompts = ariadnePrompts(order, {
      fixed: forms !== undefined,
      goTo: order === "paper" ? macros.length > 0 : navigation !== undefined,
    });
    const working = {
      goal: seen.goal,
      lessons,
      history: isHistory ? Object.values(sections).flatMap(splitObservations) : history.texts,
      observation,
      exits: untaken.length > 0 ? untaken.join("\n") : undefined,
      actions: order === "paper" ? undefined : forms,
    };
    const extra = isHistory ? {} : sections;

    const planned = await rollout.answer(prompts.plan, { ...working, plan }, {
      parse: parsePlan,
      extra,
    });
    const read = rollout.read(prompts.plan, planned);
    if (read) plan = formatPlan(read, order);
    else if (options.unreadablePlan === "used") plan = replyText(planned.text).text || plan;
    const { exploring, other } = ARIADNE_PAPER.temperature;
    const sampling = {
      ...prompts.act.sampling,
      temperature: options.temperature ?? (exits ? exploring : other),
    };
    const form = order === "paper" && possible ? actForm(possible) : undefined;
    const decision = await rollout.ask(
      { ...prompts.act, sampling },
      { ...working, plan, actions },
      { parse: parseAct, form, extra },
    );
    const { action, fallback, macro } = await carryOut(decision?.action, {
      rollout,
      possible,
      navigation,
      options,
    });

    play.onStep?.(seen);
    history.add(showsTaken ? withActionTaken(observation, action) : observation);
    lastAction = { action, macro: macro && true };
    await rollout.record(action, {
      plan,
      reason: decision?.reason ?? "",
      recalled,
      fallback,
      macro,
    });
  }
  return memory;
}

/** The plan before the first one, as the authors' code begins (D21). */
function firstPlan(mainGoal: string): Plan {
  return {
    mainGoal,
    steps: [{ subGoal: "Start the game", reason: "" }],
    emotion: { current: "", reason: "" },
  };
}

interface Situation {
  readonly rollout: Rollout;
  readonly possible?: readonly string[];
  /** The paths that "go to <place>" takes; absent where it is not possible. */
  readonly navigation?: Navigation;
  readonly options: Pick<z.output<typeof ariadneFields>, "stopsAtDoors" | "impossible">;
}

/**
 * Carries out a possible action, a macro (D15, D16), or anything else as it stands (D19). If the
 * world refuses it, the world's fallback is taken, and the observation says so.
 */
async function carryOut(
  wanted: string | undefined,
  situation: Situation,
): Promise<Done & { readonly macro?: GoToResult }> {
  const { rollout, possible, navigation, options } = situation;
  if (wanted === undefined) return await rollout.act(undefined);
  const action = possible ? matchAction(wanted, possible) : wanted;
  const destination = destinationOf(action ?? wanted);
  if (navigation && destination !== undefined) {
    const macro = await goTo(destination, { rollout, navigation, ...options });
    const { observation } = rollout.turn;
    if (macro !== "arrived") {
      rollout.report(
        `${macro}-macro`,
        `${action ?? wanted}: ${macro === "refused" ? observation : "on the way"}`,
      );
    }
    return { action: action ?? wanted, macro };
  }
  if (action !== undefined) return await rollout.act(action, wanted);
  const why = "it is not among the possible actions";
  if (options.impossible === "fallback") return await rollout.refuse(wanted, why);
  const refusal = await rollout.attempt(wanted);
  if (refusal !== undefined) return await rollout.refuse(wanted, refusal);
  rollout.report(
    "invalid-action",
    `${JSON.stringify(wanted.slice(0, 200))}: ${why}; it was sent as it stands`,
  );
  return { action: wanted };
}
