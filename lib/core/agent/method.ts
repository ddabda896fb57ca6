/**
 * The port to methods. A method owns its loop, because the papers differ there; what the loops
 * share is in `rollout.ts`.
 */

import type { Environment, Turn } from "../env/environment.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Asker } from "../llm/asker.ts";
import type { Artefact, Entry, MemoryFactory } from "../memory/memory.ts";
import type { Embedder } from "../retrieval/embedder.ts";

/**
 * One agent step as a method reports it: once after the reset, as step 0, and once after each step.
 */
export interface StepRecord {
  /** 0-based pass (WESE's exploration and exploitation, Reflexion's trials). */
  readonly pass: number;
  /**
   * Agent step from 1; the record of step t holds the action taken at t and the turn that it led
   * to. Step 0 is the reset.
   */
  readonly step: number;
  /** The action taken; a macro stands under its own name (`go to kitchen`). Absent at the reset. */
  readonly action?: string;
  /** The turn that it led to; after a macro the last turn, with the primitive steps as frames. */
  readonly turn: Turn;
  /** The graph whose changes since the last record belong to this step. */
  readonly graph?: KnowledgeGraph;
  /**
   * Number of the graph's first changes that came with the artefact: they belong to earlier
   * episodes.
   * @default {0}
   */
  readonly inherited?: number;
  /** Details that explain the step: plan, reason, recalled triplets, fallback taken. JSON-able. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An event that is counted: a malformed reply, an invalid action, a fallback. */
export interface EpisodeEvent {
  /** 0-based, as in `StepRecord`. */
  readonly pass: number;
  /** The agent step under way, from 1; 0 before the first. */
  readonly step: number;
  /**
   * One of a few short names that each method lists, e.g. `malformed-reply`, `invalid-action`,
   * `fallback`.
   */
  readonly kind: string;
  /** The particulars, in one line. */
  readonly detail: string;
}

/** Receives the steps and events of a method; the lab writes them to the store. */
export interface Recorder {
  /**
   * Records a step. Steps come in order, each once.
   * @throws {WorldError} `diverged`, where a resumed run leaves its recorded course.
   */
  step(record: StepRecord): Promise<void>;
  /** Records an event; it is written with the next step, or at the end. */
  event(event: EpisodeEvent): void;
}

/** The inputs of a method for one episode. */
export interface Episode {
  /** Opens a fresh copy of the world. The caller closes it. */
  world(): Promise<Environment>;
  /** Puts prompts to the models; `ask.at({ step })` marks them with the step. */
  readonly ask: Asker;
  /** Turns texts into vectors, for the memory and for methods that compare texts themselves. */
  readonly embedder: Embedder;
  /** Receives each step. */
  readonly recorder: Recorder;
  /** Whole number; everything random in the method is drawn from it. */
  readonly seed: number;
  /** Gold actions; only a chain marked `gold` has them. */
  readonly goldPath?: readonly string[];
  /** The artefact of the chain's previous episode. */
  readonly artefact?: Artefact;
  /** Fires when the run is stopped: the method then throws its reason before the next step. */
  readonly signal?: AbortSignal;
}

/** The result of one pass through a world, in the world's own units. */
export interface Pass {
  /** One of WESE's two passes, a trial of Reflexion, or the only pass of the method. */
  readonly kind: "explore" | "exploit" | "trial" | "only";
  /** The score at its end, cumulative. */
  readonly score: number;
  /** The highest score that it could reach, > 0. */
  readonly maxScore: number;
  /** Agent steps taken, ≥ 0; a macro is one. */
  readonly steps: number;
  /**
   * As the world says; `limit` also for the method's own limit. Absent where the method stopped of
   * itself.
   */
  readonly end?: "won" | "lost" | "limit";
  /**
   * Marks the pass that is the episode's result, where that is not the last one (the best of
   * several trials).
   */
  readonly counts?: true;
}

/** The result of one episode. */
export interface Outcome {
  /**
   * In order, at least one; the result of the episode is the marked one (`counts`), else the last.
   */
  readonly passes: readonly Pass[];
  /** The artefact that the chain's next episode starts from; absent where nothing is kept. */
  readonly artefact?: Artefact;
}

/** A method: a whole way of working in a world. */
export interface Method {
  /** The name in studies and tables, e.g. `ariadne`. */
  readonly id: string;
  /**
   * Plays one episode to its end. Errors from worlds and models propagate; the runner records them
   * as failures, never as scores.
   */
  run(episode: Episode): Promise<Outcome>;
}

/** What a method needs in a cell, without a study; by default no model, seed 0, and no record. */
export type EpisodeByHand =
  & Pick<Episode, "world">
  & Partial<Episode>
  & { readonly model?: ChatModel };

/** A method that also plays in a cell: `run({ world: () => worlds.open(id), model })`. */
export interface MethodByHand extends Method {
  /** Plays one episode to its end; errors from worlds and models propagate. */
  run(episode: EpisodeByHand): Promise<Outcome>;
}

/** A method as studies name it (`method-list.ts`). */
export interface MethodEntry extends Entry {
  /** Whether it works with a memory of the user's choice. @default {false} */
  readonly takesMemory?: boolean;
  /**
   * Makes the method; absent options take their defaults.
   * @throws {UsageError} if an option is unknown or out of range, or a memory is missing.
   */
  create(options?: object & { readonly memory?: MemoryFactory }): MethodByHand;
}

/** A method under typed options; the same function is the `create` of its entry. */
export interface MethodMaker<Options extends object> extends MethodEntry {
  /** Makes the method, as {@linkcode MethodEntry.create} does. */
  (
    ...options: Partial<Options> extends Options ? [options?: Options] : [options: Options]
  ): MethodByHand;
}
