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
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 */

import { z } from "zod";
import { type OptionsOf, withVariant } from "../text/registry.ts";
import type { Memory, MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import {
  formatObservation,
  ObservationWindow,
  type PromptOrder,
  slideOf,
  splitObservations,
  withActionTaken,
} from "../memory/observation.ts";
import {
  actForm,
  ALL_ARIADNE_PROMPTS,
  ariadnePrompts,
  formatPlan,
  parseAct,
  parsePlan,
  type Plan,
} from "./ariadne.prompts.ts";
import { destinationOf, goTo, goToActions, type GoToResult } from "./go-to.ts";
import { formLine, matchAction } from "./ground-action.ts";
import { replyText } from "../text/reply-text.ts";
import type { MethodMaker } from "./method.ts";
import { createOwnMap } from "./own-map.ts";
import {
  type Done,
  type LoopOptions,
  loopOptions,
  methodEntry,
  onePass,
  type Rollout,
} from "./rollout.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIADNE_PAPER = {
  /** Observations before the present one that planner and actor are shown (code). */
  nPrev: 5,
  /** Agent steps, where the world names no limit (§4; 60 in Cooking). */
  maxSteps: 150,
  /**
   * Temperature of the actor with a memory that lists unexplored exits, and with any other (code).
   */
  temperature: { exploring: 0.2, other: 1 },
} as const;

/** Options of the method. */
export interface AriadneOptions extends LoopOptions {
  /** Makes the memory of an episode. */
  readonly memory: MemoryFactory;
  /**
   * Observations before the present one that planner and actor are shown, 0 … 10,000.
   * @default {5}
   */
  readonly nPrev?: number;
  /**
   * Whether "go to <place>" is possible. `true` without a memory that can navigate: by a map of the
   * agent's own walks.
   * @default whether the memory can navigate
   */
  readonly goTo?: boolean;
  /**
   * Whether exits that the agent has seen and not taken are listed at every step, by a map of its
   * own walks; for memories that list none themselves. @default {false}
   */
  readonly exits?: boolean;
  /**
   * What the actor chooses from: the `possible` actions where the world tells them, or any call of
   * the world's `forms` of action, where these are many more than the world would list (NetHack's
   * skills). With forms there is no "go to <place>". @default {"possible"}
   */
  readonly actions?: "possible" | "forms";
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable` by servers that keep what they
   * computed for a prefix (D60).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
  /**
   * Observations by which the window of past observations moves at once, 1 … 10,000: it shows
   * `nPrev` to nPrev + slide − 1 of them (D61).
   * @default 1; in the order that a server can cache `nPrev`, at least 1
   */
  readonly slide?: number;
  /**
   * Which action a past observation is shown with: the one taken `after` it, or the one that led to
   * it, `before`, then also with the present one (D22). A memory that is the whole history is shown
   * with the latter. @default {"after"}; in the order that a server can cache `before`
   */
  readonly actionLine?: "after" | "before";
  /**
   * The places that "go to" is offered for: those with a known path, or all `known` ones, as the
   * authors do (D15).
   * @default {"reachable"}
   */
  readonly goToPlaces?: "reachable" | "known";
  /**
   * Whether a "go to" ends at the first move that changes nothing, in place of sending all of its
   * moves (D16).
   * @default {false}
   */
  readonly stopsAtDoors?: boolean;
  /**
   * What becomes of an action that is not possible: it is `sent` as it stands, or the world's
   * `fallback` is taken (D19).
   * @default {"sent"}
   */
  readonly impossible?: "sent" | "fallback";
  /**
   * What becomes of a plan that stays unreadable: it is `used` as it stands, as the authors do, or
   * the plan before it `stays` (D20).
   * @default {"used"}
   */
  readonly unreadablePlan?: "stays" | "used";
  /**
   * Temperature of the actor, 0 … 2.
   * @default 0.2 with a memory that lists unexplored exits, else 1 (D6)
   */
  readonly temperature?: number;
  /**
   * Whose form it has: `authors` stands for `ARIADNE_AUTHORS`; options next to it hold over these.
   * @default {"paper"}
   */
  readonly variant?: "paper" | "authors";
}

/**
 * What the authors' code does otherwise than their paper, or where we ask again for safety (D38).
 */
export const ARIADNE_AUTHORS = { goToPlaces: "known", reAsks: 0 } as const;

export const ariadneFields = z.strictObject({
  variant: z.enum(["paper", "authors"]).default("paper"),
  nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
  goTo: z.boolean().exactOptional(),
  exits: z.boolean().exactOptional(),
  actions: z.enum(["possible", "forms"]).default("possible"),
  order: z.enum(["cacheable", "paper"]).default("paper"),
  slide: z.int().min(1).max(10_000).exactOptional(),
  actionLine: z.enum(["after", "before"]).exactOptional(),
  goToPlaces: z.enum(["reachable", "known"]).default("reachable"),
  stopsAtDoors: z.boolean().default(false),
  impossible: z.enum(["sent", "fallback"]).default("sent"),
  unreadablePlan: z.enum(["stays", "used"]).default("used"),
  temperature: z.number().min(0).max(2).exactOptional(),
  ...loopOptions,
}) satisfies OptionsOf<Omit<AriadneOptions, "memory">>;

const ariadneOptions = withVariant(ariadneFields, { authors: ARIADNE_AUTHORS });

/**
 * Ariadne with a memory.
 *
 * It reports `malformed-reply` (a reply that stayed unreadable), `dropped-entries` (of a plan),
 * `invalid-action` (an action that is not among the possible ones), `fallback` (the world's
 * fallback action was taken in its place), `refused-macro`, `stopped-macro`, and whatever the
 * memory reports.
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
      return left.save();
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
 * Carries out what the actor wants: a possible action, a macro (D15, D16), or anything else as it
 * stands (D19). Where the world refuses it, or is not to be asked, the world's fallback is taken,
 * and the observation says that the action was not possible.
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
