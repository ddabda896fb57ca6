/**
 * The port to memories: what an agent keeps of what it saw, and what it gets back of it.
 *
 * @module
 */

import type { Frame } from "../env/environment.ts";
import type { Asker } from "../llm/asker.ts";
import type { ToolSpec } from "../llm/chat-model.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Schema } from "../text/json.ts";

/** One thing perceived: the state of the world after a step (or after a reset: step 1, no action). */
export interface Perception {
  /** Agent step, from 1. */
  readonly step: number;
  /** The task's text, the same throughout an episode of most worlds. */
  readonly goal: string;
  /** Text as the world gives it, without the inventory. */
  readonly observation: string;
  /** What the agent carries, where the world tells. */
  readonly inventory?: string;
  /** Where the agent is now, where the world tells. */
  readonly location?: string;
  /** The action that led here. */
  readonly action?: string;
  /** Whether that action was a macro of several primitive steps ("go to …"). */
  readonly macro?: boolean;
  /** Parts that the world also gives apart, by name: `facing`, `door_change`, … */
  readonly sections?: Readonly<Record<string, string>>;
  /** The primitive steps of that action, in order, where the world tells them. */
  readonly frames?: readonly Frame[];
  /** What is seen as a picture (PNG), where the world gives one. */
  readonly image?: Uint8Array;
}

/** What recall starts from. */
export interface Cue {
  /** Agent step, from 1; that of the perception last taken in. */
  readonly step: number;
  /** The task's text. */
  readonly goal: string;
  /** What the agent sees now, without the inventory. */
  readonly observation: string;
  /** What the agent carries, where the world tells. */
  readonly inventory?: string;
  /** Where the agent is now, where the world tells. */
  readonly location?: string;
  /** The plan as it stands (empty before the first). */
  readonly plan: string;
}

/** What a memory gives back. */
export interface Recollection {
  /**
   * Title → text, shown to planner and actor as they stand and in this order, after the prompts' own; an empty text is shown as `(none)`.
   */
  readonly sections: Readonly<Record<string, string>>;
  /** The same for the record, as `./lab show` prints it: kind (`triplets`, `episodes`, …) → lines. Left out, nothing is recorded. */
  readonly recalled?: Readonly<Record<string, readonly string[]>>;
  /** What a planner may ask the memory while it plans; methods without tools leave them alone. */
  readonly tools?: readonly MemoryTool[];
  /** What the memory made of the last perception, for the record and for measuring; no prompt shows it. JSON-able. */
  readonly beliefs?: Readonly<Record<string, unknown>>;
}

/** A question that a memory answers, offered to a model as a function. */
export interface MemoryTool {
  /** How the model is told of it. */
  readonly spec: ToolSpec;
  /** Answers one call. A call that cannot be answered is refused in a line that the model can read; it never throws. */
  call(args: unknown): ToolAnswer;
}

/** What came of a call: `refused` for arguments that do not fit or that name what the memory does not know. */
export interface ToolAnswer {
  /** Whether it was answered. */
  readonly kind: "ok" | "refused";
  /** For the model to read. */
  readonly text: string;
}

/** A known way between places. */
export interface Navigation {
  /** Places that the agent could walk to by what it knows, in normal form, without the present one; in order of the first visit. */
  destinations(): readonly string[];
  /**
   * Primitive moves (`north`, …) on a shortest known way from the present place, empty if the agent is there; `undefined` if none is known.
   */
  route(destination: string): readonly string[] | undefined;
}

/** What a memory keeps, in a form that goes to disk: JSON-able. */
export interface Artefact {
  /** The memory's id: only the same kind can load it. */
  readonly kind: string;
  /** In the memory's own form; must survive `JSON.stringify`. */
  readonly body: unknown;
}

/**
 * A memory of one agent. For each step it is first told what was perceived (`observe`), then asked what bears on it (`recall`). Both may
 * throw what models throw.
 */
export interface Memory {
  /** Kind of memory, e.g. `arigraph`; also the kind of its artefact. */
  readonly id: string;
  /** Takes in what was perceived; steps come in order, each once. It may ask models. */
  observe(perception: Perception): Promise<void>;
  /** What bears on the present situation. It may ask models; the record stays as it is. */
  recall(cue: Cue): Promise<Recollection>;
  /** Its knowledge graph, where it has one: each change is recorded with the step it was made on. */
  readonly graph?: KnowledgeGraph;
  /** What "go to <place>" walks by; absent where the memory knows no ways. */
  readonly navigation?: Navigation;
  /** All that the next episode of the lane should start from. */
  save(): Artefact;
  /** Takes over what an earlier memory left, before the first step. @throws {TypeError} if it is not of the memory's own kind. */
  load(artefact: Artefact): void;
}

/** What a memory is built from. */
export interface MemoryContext {
  /** Puts prompts to the models of the episode; `ask.at({ step })` marks them with the step. */
  readonly ask: Asker;
  /** Turns texts into vectors; the one that the study names. */
  readonly embedder: Embedder;
  /** Told of what is worth counting, such as a reply that could not be read: a short kind, and the particulars in one line. */
  readonly onEvent?: (kind: string, detail: string) => void;
  /** Fires when the run is stopped: ends, with its reason, what the memory asks of others than models; `ask` sees to its own calls. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes a fresh memory; its options are fixed already. */
export type MemoryFactory = (context: MemoryContext) => Memory;

/** How a memory describes itself to studies: its file exports one entry, and `registry.ts` lists it. */
export interface MemoryEntry {
  /** The name that studies choose it by, e.g. `arigraph`. */
  readonly id: string;
  /** What it keeps, in one line without a full stop. */
  readonly description: string;
  /** Raised when its behaviour changes. Id, version, options and prompts are the memory's part of an episode's identity. */
  readonly version: string;
  /** The schema of its options, which fills in their defaults. */
  readonly options: Schema<Record<string, unknown>>;
  /** All of its prompts. */
  readonly prompts: readonly Prompt[];
  /** The prompts that may be asked under these options, as the schema has read them; all prompts where it is absent. */
  asks?(options: object): readonly Prompt[];
  /** Makes a factory; absent options take their defaults. @throws {UsageError} if an option is unknown or out of range. */
  create(options?: object): MemoryFactory;
}
