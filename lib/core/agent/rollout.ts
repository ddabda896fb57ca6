/**
 * The step kit of all methods: one pass through a world, which counts and records steps, asks
 * prompts, and takes the world's fallback when needed.
 */

import { z } from "zod";
import type { Environment, EnvSpec, Turn } from "../env/environment.ts";
import { stepLimitOf } from "../env/step-limit.ts";
import { WorldError } from "../errors.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Answer, AskOptions } from "../llm/asker.ts";
import type { Prompt, PromptValues } from "../llm/prompt.ts";
import type { Artefact, Memory, MemoryContext, Perception } from "../memory/memory.ts";
import { valueOf } from "../memory/memory-kit.ts";
import type { Episode, Outcome, Pass } from "./method.ts";

/** Options of every loop. */
export interface LoopOptions {
  /**
   * Most agent steps, 1 … 1,000,000; the world's own limit holds besides.
   * @default the world's own limit, else the method's
   */
  readonly maxSteps?: number;
  /** How often a model is asked again after a reply that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

export const loopOptions = {
  maxSteps: z.int().min(1).max(1_000_000).exactOptional(),
  reAsks: z.int().min(0).max(10).default(2),
};

export interface RolloutOptions extends Pick<LoopOptions, "reAsks"> {
  /** 0-based number of the pass within the episode. @default {0} */
  readonly pass?: number;
  /** Most agent steps. @default the world's own limit, else `usualSteps` */
  readonly maxSteps?: StepLimit;
  /** Most agent steps where neither the options nor the world limit them. @default {Infinity} */
  readonly usualSteps?: StepLimit;
}

export type StepLimit = number | ((spec: EnvSpec) => number);

export type FallbackReason = "malformed-reply" | "invalid-action";

export interface Done {
  readonly action: string;
  readonly fallback?: FallbackReason;
}

export async function rollOut<T>(
  episode: Episode,
  options: RolloutOptions,
  play: (rollout: Rollout) => Promise<T>,
): Promise<T> {
  const world = await episode.world();
  try {
    return await play(new Rollout(episode, world, options));
  } finally {
    await world.close().catch(() => {}); // an error of closing must not hide the result
  }
}

export async function artefactOf(memory: Memory): Promise<Artefact> {
  await memory.settle?.();
  return memory.save();
}

export function onePass(
  episode: Episode,
  options: RolloutOptions,
  play: (rollout: Rollout) => Promise<Artefact | undefined | void>,
): Promise<Outcome> {
  return rollOut(episode, options, async (rollout) => {
    const artefact = await play(rollout);
    const passes = [{ kind: "only", ...rollout.result }] as const;
    return artefact ? { passes, artefact } : { passes };
  });
}

/**
 * One pass of a method through a world. A method calls `reset` and `record`; then for each step
 * `beginStep`, `act` and `record`, until `isOver`.
 */
export class Rollout {
  readonly episode: Episode;
  readonly world: Environment;
  readonly pass: number;
  readonly limit: number;
  step = 0;
  turn!: Turn;
  graph?: KnowledgeGraph;
  inherited?: number;
  readonly #reAsks: number | undefined;

  constructor(
    episode: Episode,
    world: Environment,
    { pass = 0, maxSteps, usualSteps = Infinity, reAsks }: RolloutOptions = {},
  ) {
    this.episode = episode;
    this.world = world;
    this.pass = pass;
    const stated = stepLimitOf(world.spec);
    const limit = maxSteps ?? stated ?? usualSteps;
    this.limit = Math.min(
      typeof limit === "function" ? limit(world.spec) : limit,
      stated ?? Infinity,
    );
    this.#reAsks = reAsks;
  }

  get isOver(): boolean {
    return this.turn.end !== undefined || this.step >= this.limit;
  }

  get result(): Omit<Pass, "kind"> {
    const { score, maxScore, end = "limit" } = this.turn;
    return { score, maxScore, steps: this.step, end };
  }

  remember<M extends { readonly graph?: KnowledgeGraph; load(artefact: Artefact): void }>(
    create: (context: MemoryContext) => M,
    { loadsArtefact = true, onEvent = this.report }: {
      readonly loadsArtefact?: boolean;
      readonly onEvent?: MemoryContext["onEvent"];
    } = {},
  ): M {
    const { ask, embedder, artefact, signal } = this.episode;
    const memory = create({ ask: ask.at({ pass: this.pass }), embedder, onEvent, signal });
    if (artefact && loadsArtefact) memory.load(artefact);
    this.graph = memory.graph;
    return memory;
  }

  async reset(): Promise<Turn> {
    this.episode.signal?.throwIfAborted();
    return this.turn = await this.world.reset();
  }

  beginStep(): void {
    this.episode.signal?.throwIfAborted();
    this.step += 1;
  }

  readonly report = (kind: string, detail: string): void => {
    this.episode.recorder.event({ pass: this.pass, step: this.step, kind, detail });
  };

  record(action?: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { pass, step, turn, graph, inherited } = this;
    const known = Object.fromEntries(
      Object.entries(details).filter(([, value]) => value !== undefined),
    );
    return this.episode.recorder.step({
      pass,
      step,
      action,
      turn,
      graph,
      inherited,
      details: known,
    });
  }

  answer<Name extends string, T>(
    prompt: Prompt<Name>,
    values: PromptValues<Name>,
    options: AskOptions<T>,
    step: number = this.step,
  ): Promise<Answer<T>> {
    return this.episode.ask.at({ pass: this.pass, step })(prompt, values, {
      reAsks: this.#reAsks,
      ...options,
    });
  }

  /**
   * The value of an answer; `undefined`, reported as `malformed-reply`, where it stayed unreadable.
   */
  read<T>(prompt: Prompt, answer: Answer<T>): T | undefined {
    return valueOf({ onEvent: this.report }, prompt, answer);
  }

  async ask<Name extends string, T>(
    prompt: Prompt<Name>,
    values: PromptValues<Name>,
    options: AskOptions<T>,
    step: number = this.step,
  ): Promise<T | undefined> {
    return this.read(prompt, await this.answer(prompt, values, options, step));
  }

  /**
   * The turn as a memory perceives it. An inventory that the observation shows under a heading of
   * its own is not given a second time.
   */
  perceive(step: number = this.step): Perception {
    const { goal, observation, sections, frames, image } = this.turn;
    const { location, inventory } = sections;
    const alreadyInObservation = inventory !== undefined &&
      observation.includes(`Inventory:\n${inventory}`);
    return {
      step,
      goal,
      observation,
      inventory: alreadyInObservation ? undefined : inventory,
      location,
      sections,
      frames: frames.length > 0 ? frames : undefined,
      image,
    };
  }

  async send(action: string): Promise<Turn> {
    return this.turn = await this.world.step(action);
  }

  async attempt(action: string): Promise<string | undefined> {
    try {
      await this.send(action);
      return undefined;
    } catch (error) {
      if (error instanceof WorldError && error.kind === "bad-action") return error.message;
      throw error;
    }
  }

  /**
   * Takes an action, or the world's fallback if there is none or the world refuses it.
   * @param wanted the action as the model wrote it, for the report
   */
  async act(action: string | undefined, wanted = action): Promise<Done> {
    if (action === undefined) return await this.fallBack("malformed-reply");
    const refusal = await this.attempt(action);
    return refusal === undefined ? { action } : await this.refuse(wanted ?? action, refusal);
  }

  /**
   * Reports an action as `invalid-action` and takes the world's fallback in its place. The
   * observation then begins with a line that says so.
   */
  async refuse(wanted: string, why: string): Promise<Done> {
    const quoted = JSON.stringify(wanted.slice(0, 200));
    this.report("invalid-action", `${quoted}: ${why}`);
    const done = await this.fallBack("invalid-action");
    const note = `${quoted} was not possible: ${why}. "${done.action}" was done in its place.`;
    this.turn = { ...this.turn, observation: `${note}\n${this.turn.observation}` };
    return done;
  }

  async fallBack(fallback: FallbackReason): Promise<Done> {
    const action = this.world.spec.fallback;
    this.report("fallback", `${action}, after ${fallback}`);
    await this.send(action);
    return { action, fallback };
  }
}
