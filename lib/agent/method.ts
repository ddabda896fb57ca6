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

/** What a method tells the record after each agent step (and after the reset: step 1, action undefined… the turn that it answers). */
export interface StepRecord {
  /** 0-based pass (WESE's exploration and exploitation, Reflexion's trials). */
  readonly pass: number;
  /** Agent step from 1; the record of step t holds the action taken at t and the turn it led to. Step 0 is the reset. */
  readonly step: number;
  readonly action?: string;
  readonly turn: Turn;
  /** Graph whose changes since the last record belong to this step. */
  readonly graph?: KnowledgeGraph;
  /** Whatever helps to understand the step: plan, reason, recalled triplets, fallback taken. JSON-able. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Something worth counting: a malformed reply, an invalid action, a fallback taken. */
export interface EpisodeEvent {
  readonly pass: number;
  readonly step: number;
  /** Short and closed per method, e.g. `malformed-reply`, `invalid-action`, `fallback`. */
  readonly kind: string;
  readonly detail: string;
}

/** Where a method reports; the lab writes it to the store. */
export interface Recorder {
  step(record: StepRecord): Promise<void>;
  event(event: EpisodeEvent): void;
}

/** All that one run of a method is given. */
export interface Episode {
  /** Opens a fresh copy of the world. The caller closes it. */
  world(): Promise<Environment>;
  readonly ask: Asker;
  readonly embedder: Embedder;
  readonly recorder: Recorder;
  /** For everything random in the method. */
  readonly seed: number;
  /** Gold actions, only in a lane marked `gold`. */
  readonly goldPath?: readonly string[];
  /** What the lane's previous episode left. */
  readonly artefact?: Artefact;
  readonly signal?: AbortSignal;
}

/** What one pass reached, in the world's own units. */
export interface Pass {
  readonly kind: "explore" | "exploit" | "trial" | "only";
  readonly score: number;
  readonly maxScore: number;
  /** Agent steps taken. */
  readonly steps: number;
  readonly end?: "won" | "lost" | "limit";
}

/** What a run gives back. */
export interface Outcome {
  readonly passes: readonly Pass[];
  readonly artefact?: Artefact;
}

/** A whole way of working. */
export interface Method {
  readonly id: string;
  run(episode: Episode): Promise<Outcome>;
}
