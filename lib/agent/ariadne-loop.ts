/**
 * Ariadne's loop: one play of a world from reset to end (Anokhin et al. 2024, arXiv 2407.04363, §3), for every method that plays by it.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `turn`, `action` |
 * | working memory | the values and extra sections handed to `planPrompt` and `actPrompt` |
 * | n_prev | `LoopOptions.nPrev` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import type { Environment, Turn } from "../env/environment.ts";
import { stepLimitOf } from "../env/step-limit.ts";
import { WorldError } from "../errors.ts";
import type { Memory, MemoryFactory, Navigation, Perception } from "../memory/memory.ts";
import { formatObservation } from "../memory/observation.ts";
import { formLine } from "./action-forms.ts";
import { ARIADNE_PAPER, type LoopOptions } from "./ariadne-options.ts";
import { actPrompt, formatPlan, parseAct, parsePlan, planPrompt } from "./ariadne.prompts.ts";
import { destinationOf, goTo, goToActions } from "./go-to.ts";
import { matchAction } from "./match-action.ts";
import type { Episode, Pass } from "./method.ts";
import { createOwnMap } from "./own-map.ts";
import { perceive } from "./perceive.ts";

/** What one play is given. */
export interface PlaySetting {
  /** Its models, embedder and recorder are used; its artefact too, on pass 0 of the method that says so. */
  readonly episode: Episode;
  /** Makes the memory of this play. */
  readonly memory: MemoryFactory;
  readonly options: LoopOptions;
  /** 0-based number of the play within the episode. @default {0} */
  readonly pass?: number;
  /** Titled texts shown to planner and actor at every step, after what the memory recalls. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Whether the memory starts from the episode's artefact. @default {true} */
  readonly carriesOver?: boolean;
  /** Told of each step as the agent saw it: what it perceived and the action that it then took. */
  readonly onStep?: (seen: Perception, action: string) => void;
}

/** What one play came to. */
export interface Played {
  readonly pass: Omit<Pass, "kind">;
  /** The memory as the play left it. */
  readonly memory: Memory;
  /** What the world showed last. */
  readonly turn: Turn;
}

/** Opens a fresh world for some work, and closes it whatever comes. */
export async function inWorld<T>(episode: Episode, work: (world: Environment) => Promise<T>): Promise<T> {
  const world = await episode.world();
  try {
    return await work(world);
  } finally {
    await world.close().catch(() => {}); // a world that is gone is closed; what the play came to must not be hidden by that
  }
}

/** Plays a world once: observe, recall, plan, act, until it ends or the steps are used up. */
export async function playAriadne(world: Environment, setting: PlaySetting): Promise<Played> {
  const { episode, memory: createMemory, options, pass = 0, extra = {}, carriesOver = true, onStep } = setting;
  const { recorder, signal } = episode;
  let step = 0;
  const report = (kind: string, detail: string): void => recorder.event({ pass, step, kind, detail });
  const memory = createMemory({ ask: episode.ask.at({ pass }), embedder: episode.embedder, onEvent: report, signal });
  if (episode.artefact && carriesOver) memory.load(episode.artefact);
  const graph = memory.graph ? { graph: memory.graph } : {};
  const ownMap = createOwnMap();
  const wantsMap = options.goTo === true && !memory.navigation || options.exits === true;
  const forms = options.actions === "forms" ? world.spec.actions.map(formLine).join("\n") : undefined;
  const navigation = options.goTo === false || forms !== undefined ? undefined : memory.navigation ?? (options.goTo ? ownMap : undefined);
  const limit = options.maxSteps ?? stepLimitOf(world.spec) ?? ARIADNE_PAPER.maxSteps;

  let turn = await world.reset();
  let plan = "";
  let led: { readonly action?: string; readonly macro?: boolean } = {};
  const history: string[] = [];
  await recorder.step({ pass, step, turn, ...graph });

  while (!turn.end && step < limit) {
    signal?.throwIfAborted();
    step += 1;
    const seen = { ...perceive(turn, step), ...led };
    await memory.observe(seen);
    const valid = forms === undefined ? await world.validActions() : undefined;
    if (wantsMap) ownMap.follow(seen, valid ?? []);
    const { sections, recalled } = await memory.recall({ ...perceive(turn, step), plan });
    const shown = { ...(options.exits ? ownMap.section() : {}), ...sections, ...extra };
    const observation = formatObservation(seen);
    const working = { goal: turn.goal, history: history.join("\n\n"), observation };

    const ask = episode.ask.at({ pass, step });
    const planned = await ask(planPrompt, { ...working, plan }, { parse: parsePlan, extra: shown, reAsks: options.reAsks });
    if (planned.kind === "ok") plan = formatPlan(planned.value);
    else report("malformed-reply", `${planPrompt.role}: ${planned.problem}`);

    const possible = valid && [...new Set([...valid, ...(navigation ? goToActions(navigation) : [])])];
    const acted = await ask(
      actPrompt,
      { ...working, plan, actions: possible?.join("\n") ?? forms ?? "(any)" },
      { parse: parseAct, extra: shown, reAsks: options.reAsks },
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

    onStep?.(seen, done.action);
    history.push(observation);
    if (history.length > options.nPrev) history.shift();
    led = { action: done.action, ...(done.macro ? { macro: true } : {}) };
    turn = done.turn;
    await recorder.step({
      pass,
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
  return { pass: { score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" }, memory, turn };
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
