/**
 * The port to methods: a whole way of working in a world. A method owns its loop, because the papers differ there.
 *
 * @module
 */

import type { Environment, Turn } from "../env/environment.ts";
import type { Asker } from "../llm/asker.ts";
import type { Artefact } from "../memory/memory.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";

/** What a method tells the record: once after the reset, as step 0, and once after each agent step. */
export interface StepRecord {
  /** 0-based pass (WESE's exploration and exploitation, Reflexion's trials). */
  readonly pass: number;
  /** Agent step from 1; the record of step t holds the action taken at t and the turn it led to. Step 0 is the reset. */
  readonly step: number;
  /** What the method did, in its own words for a macro: `go to kitchen`; absent at the reset. */
  readonly action?: string;
  /** What the world showed after it; of a macro the last turn, with the primitive steps as frames. */
  readonly turn: Turn;
  /** Graph whose changes since the last record belong to this step. */
  readonly graph?: KnowledgeGraph;
  /** How many of the graph's changes, from the first, came with the artefact: they are those of earlier episodes. @default {0} */
  readonly inherited?: number;
  /** Whatever helps to understand the step: plan, reason, recalled triplets, fallback taken. JSON-able. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Something worth counting: a malformed reply, an invalid action, a fallback taken. */
export interface EpisodeEvent {
  /** 0-based, as in `StepRecord`. */
  readonly pass: number;
  /** The agent step under way, from 1; 0 before the first. */
  readonly step: number;
  /** Short and closed per method, e.g. `malformed-reply`, `invalid-action`, `fallback`. */
  readonly kind: string;
  /** The particulars, in one line. */
  readonly detail: string;
}

/** Where a method reports; the lab writes it to the store. */
export interface Recorder {
  /** Keeps a step. Steps come in order, each once. @throws {WorldError} `diverged`, where a resumed run leaves its recorded course. */
  step(record: StepRecord): Promise<void>;
  /** Keeps an event; it is written with the next step, or at the end. */
  event(event: EpisodeEvent): void;
}

/** All that one run of a method is given. */
export interface Episode {
  /** Opens a fresh copy of the world. The caller closes it. */
  world(): Promise<Environment>;
  /** Puts prompts to the models; `ask.at({ step })` marks them with the step. */
  readonly ask: Asker;
  /** For the memory, and for a method that compares texts itself. */
  readonly embedder: Embedder;
  /** Where the method reports each step. */
  readonly recorder: Recorder;
  /** Whole number; everything random in the method is drawn from it. */
  readonly seed: number;
  /** Gold actions, only in a lane marked `gold`. */
  readonly goldPath?: readonly string[];
  /** What the lane's previous episode left. */
  readonly artefact?: Artefact;
  /** Fires when the run is stopped: the method then throws its reason before the next step. */
  readonly signal?: AbortSignal;
}

/** What one pass reached, in the world's own units. */
export interface Pass {
  /** WESE's two passes, a trial of Reflexion, or the only pass of a method without any. */
  readonly kind: "explore" | "exploit" | "trial" | "only";
  /** At its end, cumulative, in the world's own units. */
  readonly score: number;
  /** The highest score that it could reach, in the same units, > 0. */
  readonly maxScore: number;
  /** Agent steps taken, ≥ 0; a macro is one. */
  readonly steps: number;
  /** As the world says; `limit` also for the method's own limit. Absent where the method stopped of itself. */
  readonly end?: "won" | "lost" | "limit";
  /** Marks the pass that is the episode's result, where that is not the last one (the best of several trials). */
  readonly counts?: true;
}

/** What a run gives back. */
export interface Outcome {
  /** In order, at least one; the result of the episode is the marked one (`counts`), else the last. */
  readonly passes: readonly Pass[];
  /** What the next episode of the lane should start from; absent where nothing is kept. */
  readonly artefact?: Artefact;
}

/** A whole way of working. */
export interface Method {
  /** Named in studies and tables, e.g. `ariadne`. */
  readonly id: string;
  /** Plays one episode to its end. What worlds and models throw it lets through: the laboratory makes of it a failure, never a score. */
  run(episode: Episode): Promise<Outcome>;
}
