/**
 * The port to memories: what an agent keeps of what it saw, and what it gets back of it.
 *
 * @module
 */

import type { Asker } from "../llm/asker.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";

/** One thing perceived: the state of the world after a step (or after a reset: step 1, no action). */
export interface Perception {
  /** Agent step, from 1. */
  readonly step: number;
  readonly goal: string;
  /** The observation, without the inventory. */
  readonly observation: string;
  /** What the agent carries, where the world tells. */
  readonly inventory?: string;
  /** Where the agent is now, where the world tells. */
  readonly location?: string;
  /** The action that led here. */
  readonly action?: string;
  /** Whether that action was a macro of several primitive steps ("go to …"). */
  readonly macro?: boolean;
}

/** What recall starts from. */
export interface Cue {
  readonly step: number;
  readonly goal: string;
  readonly observation: string;
  readonly inventory?: string;
  readonly location?: string;
  /** The plan as it stands (empty before the first). */
  readonly plan: string;
}

/**
 * What the memory gives back. `sections` (title → text) go into the prompts of planner and actor as they stand, in order;
 * `recalled` is the same for the record: triplets, episodes, whatever the memory wants shown by `./lab show`.
 */
export interface Recollection {
  readonly sections: Readonly<Record<string, string>>;
  readonly recalled?: Readonly<Record<string, readonly string[]>>;
}

/** A known way between places. */
export interface Navigation {
  /** Places that the agent could walk to by what it knows, without the present one. */
  destinations(): readonly string[];
  /** Primitive moves on a shortest known way from the present place; `undefined` if none is known. */
  route(destination: string): readonly string[] | undefined;
}

/** What a memory keeps, in a form that goes to disk: JSON-able. */
export interface Artefact {
  /** The memory's id: only the same kind can load it. */
  readonly kind: string;
  readonly body: unknown;
}

/** A memory. */
export interface Memory {
  readonly id: string;
  /** Takes in what was perceived (may ask models). */
  observe(perception: Perception): Promise<void>;
  recall(cue: Cue): Promise<Recollection>;
  readonly graph?: KnowledgeGraph;
  readonly navigation?: Navigation;
  save(): Artefact;
  load(artefact: Artefact): void;
}

/** What a memory is built from. */
export interface MemoryContext {
  readonly ask: Asker;
  readonly embedder: Embedder;
  /** Told of what is worth counting, such as a reply that could not be read: a short kind, and the particulars in one line. */
  readonly onEvent?: (kind: string, detail: string) => void;
}

/** Makes one fresh memory; the options of each kind are closed over. */
export type MemoryFactory = (context: MemoryContext) => Memory;
