/**
 * Ariadne: observe, recall, plan, act, with any memory (Anokhin et al. 2024, arXiv 2407.04363, §3). The paper's baselines are the same planner
 * and actor over another memory.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `turn`, `action` |
 * | working memory | the values and extra sections handed to `planPrompt` and `actPrompt` |
 * | n_prev | `AriadneOptions.nPrev` |
 * | "go to location" | `goTo` in `go-to.ts` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import type { Environment, Turn } from "../env/environment.ts";
import { UsageError, WorldError } from "../errors.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import { Navigator } from "../memory/navigator.ts";
import { formatObservation } from "../memory/observation.ts";
import { actPrompt, formatPlan, parseAct, parsePlan, planPrompt } from "./ariadne.prompts.ts";
import { destinationOf, goTo, goToActions } from "./go-to.ts";
import type { Episode, Method, Outcome } from "./method.ts";
import { matchAction } from "./match-action.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIADNE_PAPER = {
  /** Observations before the present one that planner and actor are shown (code). */
  nPrev: 5,
  /** Agent steps, where the world names no limit (§4; 60 in Cooking). */
  maxSteps: 150,
} as const;

/** Options of the method; absent ones take their defaults. */
export interface AriadneOptions {
  /** Makes the memory of an episode. */
  readonly memory: MemoryFactory;
  /** Observations before the present one that planner and actor are shown, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
  /** Whether "go to <place>" is possible. Unless told: if the memory can navigate. `true` without such a memory: by a map of the agent's own walks. */
  readonly goTo?: boolean;
  /** Most agent steps, 1 … 1,000,000. Unless told: the world's parameter `stepLimit`, else 150. The world's own limit holds besides. */
  readonly maxSteps?: number;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them, but for the memory. */
export const ariadneOptions = z.strictObject(
  {
    nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
    goTo: z.boolean().exactOptional(),
    maxSteps: z.int().min(1).max(1_000_000).exactOptional(),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<Exclude<keyof AriadneOptions, "memory">, z.ZodType>,
);

/** All prompts of the method: roles `ariadne/plan` and `ariadne/act`; the memory has its own. */
export const ariadnePrompts: readonly Prompt[] = [planPrompt, actPrompt];

/**
 * Ariadne with a memory.
 *
 * What it reports to the recorder: `malformed-reply` (an answer that stayed unreadable), `invalid-action` (an action that is not possible),
 * `fallback` (the world's fallback action was taken in its place), `refused-macro`, `stopped-macro`, and whatever the memory reports.
 *
 * @throws {UsageError} without a memory; {@linkcode z.ZodError} if an option is unknown or out of range.
 *
 * @example A lever, pulled
 * ```ts
 * import { createAriadne, createAsker, createFullHistory, createLexicalEmbedder, scripted } from "labyrinth";
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
export function createAriadne({ memory, ...options }: AriadneOptions): Method {
  if (typeof memory !== "function") throw new UsageError("ariadne needs a memory: name one, such as arigraph or full-history");
  const checked = ariadneOptions.parse(options);
  return { id: "ariadne", run: (episode) => runIn(episode, (world) => play(world, { episode, memory, options: checked })) };
}

async function runIn(episode: Episode, play: (world: Environment) => Promise<Outcome>): Promise<Outcome> {
  const world = await episode.world();
  try {
    return await play(world);
  } finally {
    await world.close().catch(() => {}); // a world that is gone is closed; what the play came to must not be hidden by that
  }
}

interface Setting {
  readonly episode: Episode;
  readonly memory: MemoryFactory;
  readonly options: z.output<typeof ariadneOptions>;
}

async function play(world: Environment, { episode, memory: createMemory, options }: Setting): Promise<Outcome> {
  const { recorder, signal } = episode;
  let step = 0;
  const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step, kind, detail });
  const memory = createMemory({ ask: episode.ask, embedder: episode.embedder, onEvent: report });
  if (episode.artefact) memory.load(episode.artefact);
  const graph = memory.graph ? { graph: memory.graph } : {};
  const navigation = navigationOf(memory.navigation, options.goTo);
  const limit = options.maxSteps ?? stepLimitOf(world) ?? ARIADNE_PAPER.maxSteps;

  let turn = await world.reset();
  let plan = "";
  let led: { readonly action?: string; readonly macro?: boolean } = {};
  const history: string[] = [];
  await recorder.step({ pass: 0, step, turn, ...graph });

  while (!turn.end && step < limit) {
    signal?.throwIfAborted();
    step += 1;
    const seen = perceive(turn, step);
    await memory.observe({ ...seen, ...led });
    navigation?.follow?.({ ...seen, ...led });
    const { sections, recalled } = await memory.recall({ ...seen, plan });
    const observation = formatObservation({ ...seen, ...led });
    const shown = { goal: turn.goal, history: history.join("\n\n"), observation };

    const ask = episode.ask.at({ step });
    const planned = await ask(planPrompt, { ...shown, plan }, { parse: parsePlan, extra: sections, reAsks: options.reAsks });
    if (planned.kind === "ok") plan = formatPlan(planned.value);
    else report("malformed-reply", `${planPrompt.role}: ${planned.problem}`);

    const valid = await world.validActions();
    const possible = valid && [...new Set([...valid, ...(navigation ? goToActions(navigation) : [])])];
    const acted = await ask(
      actPrompt,
      { ...shown, plan, actions: possible?.join("\n") ?? "(any)" },
      { parse: parseAct, extra: sections, reAsks: options.reAsks },
    );
    if (acted.kind === "malformed") report("malformed-reply", `${actPrompt.role}: ${acted.problem}`);
    const wanted = acted.kind === "ok" ? acted.value.action : undefined;
    const done = await carryOut(wanted, {
      world,
      turn,
      possible,
      report,
      ...(navigation ? { navigation } : {}),
      ...(signal ? { signal } : {}),
    });

    history.push(observation);
    if (history.length > options.nPrev) history.shift();
    led = { action: done.action, ...(done.macro ? { macro: true } : {}) };
    turn = done.turn;
    await recorder.step({
      pass: 0,
      step,
      action: done.action,
      turn,
      ...graph,
      details: {
        plan,
        reason: acted.kind === "ok" ? acted.value.reason : "",
        ...(recalled ? { recalled } : {}),
        ...(done.instead === undefined ? {} : { fallback: done.instead }),
        ...(done.macro ? { macro: done.macro } : {}),
      },
    });
  }
  const end = turn.end ?? "limit";
  return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: step, end }], artefact: memory.save() };
}

interface Situation {
  readonly world: Environment;
  readonly turn: Turn;
  readonly possible: readonly string[] | undefined;
  readonly navigation?: Navigation;
  readonly report: (kind: string, detail: string) => void;
  readonly signal?: AbortSignal;
}

interface Done {
  readonly action: string;
  readonly turn: Turn;
  /** How the macro went, if it was one. */
  readonly macro?: "arrived" | "stopped" | "refused";
  /** Why the fallback was taken. */
  readonly instead?: "malformed-reply" | "invalid-action";
}

/** Carries out what the actor wants: a possible action, a macro (D15, D16), or in the place of anything else the world's fallback (D18, D19). */
async function carryOut(wanted: string | undefined, situation: Situation): Promise<Done> {
  const { world, turn, possible, navigation, report, signal } = situation;
  if (wanted === undefined) return await fallBack("malformed-reply");
  const action = possible ? matchAction(wanted, possible) : wanted;
  const destination = destinationOf(action ?? wanted);
  if (navigation && destination !== undefined) {
    const { kind, turn: next } = await goTo(destination, { world, navigation, turn, ...(signal ? { signal } : {}) });
    if (kind !== "arrived") report(`${kind}-macro`, `${action ?? wanted}: ${kind === "refused" ? next.observation : "on the way"}`);
    return { action: action ?? wanted, turn: next, macro: kind };
  }
  if (action === undefined) return await invalid("it is not among the possible actions");
  try {
    return { action, turn: await world.step(action) };
  } catch (error) {
    if (error instanceof WorldError && error.kind === "bad-action") return await invalid(error.message);
    throw error;
  }

  function invalid(why: string): Promise<Done> {
    report("invalid-action", `${JSON.stringify(wanted?.slice(0, 200))}: ${why}`);
    return fallBack("invalid-action");
  }

  async function fallBack(instead: "malformed-reply" | "invalid-action"): Promise<Done> {
    const { fallback } = world.spec;
    report("fallback", `${fallback}, after ${instead}`);
    return { action: fallback, turn: await world.step(fallback), instead };
  }
}

/** The memory's navigation; or, where it has none and `go to` is wanted all the same, a map of the agent's own walks. */
function navigationOf(
  known: Navigation | undefined,
  wanted: boolean | undefined,
): (Navigation & { follow?(perception: Perception): void }) | undefined {
  if (known) return wanted === false ? undefined : known;
  if (!wanted) return undefined;
  const map = new KnowledgeGraph();
  const navigator = new Navigator(map);
  return {
    destinations: () => navigator.destinations(),
    route: (destination) => navigator.route(destination),
    follow: (perception) => {
      for (const triplet of navigator.arrive(perception.location, perception)) map.add(triplet, perception.step);
    },
  };
}

function perceive(turn: Turn, step: number): Perception {
  const { inventory, location } = turn.sections;
  return {
    step,
    goal: turn.goal,
    observation: turn.observation,
    ...(inventory === undefined ? {} : { inventory }),
    ...(location === undefined ? {} : { location }),
  };
}

function stepLimitOf(world: Environment): number | undefined {
  const limit = world.spec.parameters["stepLimit"];
  return typeof limit === "number" && limit >= 1 ? limit : undefined;
}
