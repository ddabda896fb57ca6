/** The port to memories: what an agent keeps of its observations, and what it gets back of them. */

import type { Frame } from "../env/environment.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Asker } from "../llm/asker.ts";
import type { ChatModel, Sample, ToolSpec } from "../llm/chat-model.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { Schema } from "../text/json.ts";

/** The situation of an agent, as the world reports it. */
export interface Situation {
  /** Agent step, from 1. */
  readonly step: number;
  /** The task; in most worlds the same throughout an episode. */
  readonly goal: string;
  /** The observation as the world words it, without the inventory. */
  readonly observation: string;
  /** The inventory; absent where the world does not tell. */
  readonly inventory?: string;
  /** The place that the agent is in; absent where the world does not tell. */
  readonly location?: string;
}

/**
 * What an agent perceives after an action, or after the reset: then it is step 1, and there is no
 * action.
 */
export interface Perception extends Situation {
  /** The action that led here. */
  readonly action?: string;
  /** Whether that action was a macro of several primitive steps ("go to …"). */
  readonly macro?: boolean;
  /** Parts of the observation that the world also gives by name: `facing`, `door_change`, … */
  readonly sections?: Readonly<Record<string, string>>;
  /** The primitive steps of the action, in order, where the world tells them. */
  readonly frames?: readonly Frame[];
  /** The view as a picture (PNG), where the world gives one. */
  readonly image?: Uint8Array;
}

/** The cue of a recall: the situation of the last perception, and the plan. */
export interface Cue extends Situation {
  /** The current plan; empty before the first. */
  readonly plan: string;
  /**
   * Past observations that the method shows beyond the last `nPrev`, which need not be recalled
   * either.
   * @default {0}
   */
  readonly surplus?: number;
}

/** The result of a recall. */
export interface Recollection {
  /**
   * Title → text. Planner and actor are shown these sections unchanged, in this order, before the
   * plan; `(none)` for an empty text.
   */
  readonly sections: Readonly<Record<string, string>>;
  /**
   * One line on where the agent is believed to be, for roles that are not shown the memory;
   * GraphMind's verifier is told it.
   */
  readonly status?: string;
  /**
   * Whether the sections are the whole history: planner and actor are shown it once, in place of
   * the last observations.
   * @default {false}
   */
  readonly isHistory?: boolean;
  /**
   * Exits seen and not taken, a line `place: exit, exit` each, shown after the plan. Empty if the
   * plan does not call for exploring; absent if the memory never lists any.
   */
  readonly exits?: readonly string[];
  /**
   * The same for the record, as `./lab show` prints it: kind (`triplets`, `episodes`, …) → lines.
   */
  readonly recalled?: Readonly<Record<string, readonly string[]>>;
  /** Questions that a planner may ask the memory; methods without tools ignore them. */
  readonly tools?: readonly MemoryTool[];
  /**
   * The memory's beliefs after the last perception, for the record and for measures; no prompt
   * shows them. They must be JSON-able.
   */
  readonly beliefs?: Readonly<Record<string, unknown>>;
}

/** A question that a memory answers, offered to a model as a function. */
export interface MemoryTool {
  /** The function as the model is told of it. */
  readonly spec: ToolSpec;
  /**
   * Answers one call. It never throws: a call that cannot be answered is refused in a line that the
   * model can read.
   */
  call(args: unknown): ToolAnswer;
}

/**
 * The answer to a call; it is refused where the arguments do not fit or name something unknown to
 * the memory.
 */
export interface ToolAnswer {
  /** Whether the call was answered. */
  readonly kind: "ok" | "refused";
  /** The text that the model reads. */
  readonly text: string;
}

/** The known paths between places. */
export interface Navigation {
  /**
   * The places that known paths reach from the present one, in order of the first visit; or all
   * `known` places, the present one included.
   * @default {"reachable"}
   */
  destinations(which?: "reachable" | "known"): readonly string[];
  /**
   * The primitive moves (`north`, …) on a shortest known path from the present place; `undefined`
   * if none is known.
   */
  route(destination: string): readonly string[] | undefined;
}

/** A memory in a form that can be stored. */
export interface Artefact {
  /** The memory's id; only a memory of the same id can load it. */
  readonly kind: string;
  /** The content, in the memory's own form; it must survive `JSON.stringify`. */
  readonly body: unknown;
}

/**
 * A memory of one agent. On each step it first observes, then recalls. Both may ask models, whose
 * errors propagate.
 */
export interface Memory {
  /** The kind of memory, e.g. `arigraph`; also the kind of its artefact. */
  readonly id: string;
  /** Takes in a perception. Steps come in order, each once. */
  observe(perception: Perception): Promise<void>;
  /** Recalls what bears on a cue. It leaves the content of the memory as it is. */
  recall(cue: Cue): Promise<Recollection>;
  /**
   * The knowledge graph, where the memory has one. The recorder stores its changes with their
   * steps.
   */
  readonly graph?: KnowledgeGraph;
  /** The paths that "go to <place>" takes; absent where the memory knows none. */
  readonly navigation?: Navigation;
  /**
   * Called at the end of an episode before `save`, of a memory whose content is in another process.
   */
  settle?(): Promise<void>;
  /** Everything that the next episode of the chain starts from. */
  save(): Artefact;
  /**
   * Replaces the content by what an earlier memory saved. Called before the first step.
   * @throws {TypeError} if the kinds differ.
   */
  load(artefact: Artefact): void;
}

/** The context that a memory is built in. */
export interface MemoryContext {
  /** Puts prompts to the models of the episode; `ask.at({ step })` marks them with the step. */
  readonly ask: Asker;
  /** Turns texts into vectors; the study names it. */
  readonly embedder: Embedder;
  /**
   * Receives events that are worth counting, such as a malformed reply: a short kind, and the
   * particulars in one line.
   */
  readonly onEvent?: (kind: string, detail: string) => void;
  /** Aborts requests to anything but models when the run is stopped; `ask` handles its own. */
  readonly signal?: AbortSignal;
  /** What the lab does for a memory in another process; absent outside of a study. */
  readonly host?: MemoryHost;
}

/** What an episode does for a memory in another process. */
export interface MemoryHost {
  /** Opens an OpenAI-compatible address that leads to the models of the study in a role. */
  meter(role: string): Promise<ForeignMeter>;
  /** Calls back when the episode has ended, however it ended. */
  onEnd(end: () => void): void;
}

/** An OpenAI-compatible address for one memory. */
export interface ForeignMeter {
  /** `OPENAI_BASE_URL` and `OPENAI_API_KEY`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Says where in the episode the memory is; between its calls it may ask nothing. */
  at(sample: Sample | undefined): void;
  /** The first error of a model that was asked, or `undefined`. */
  failure(): unknown;
  /** Why requests were refused since the last time, each reason once. */
  refused(): readonly string[];
  /** Milliseconds in which the memory has waited for models, all its questions together. */
  waited(): number;
}

/** What a memory needs in a cell, without a study; by default no model, and the lexical embedder. */
export type MemoryByHand = Partial<MemoryContext> & { readonly model?: ChatModel };

/** Makes a fresh memory; its options are fixed already. */
export type MemoryFactory = (context: MemoryContext) => Memory;

/**
 * How a memory or a method describes itself to studies: its file exports one entry, and the list of
 * its folder names it.
 */
export interface Entry {
  /** The name that studies choose it by, e.g. `arigraph`. */
  readonly id: string;
  /** What it keeps or how it works, in one line without a full stop. */
  readonly description: string;
  /**
   * Raised when its behaviour changes. Id, version, options and prompts are its part of an
   * episode's identity.
   */
  readonly version: string;
  /**
   * The schema of its options, which fills in their defaults. The memory of a method is none of
   * them.
   */
  readonly options: Schema<Record<string, unknown>>;
  /** All of its prompts; a method's memory has its own. */
  readonly prompts: readonly Prompt[];
}

/** A memory as studies name it (`memory-list.ts`). */
export interface MemoryEntry extends Entry {
  /**
   * Why the next episode of a chain cannot start from it, in one line that says what it does,
   * without a full stop; absent where it can.
   */
  readonly notCarried?: string;
  /**
   * The prompts that may be asked under these options, as the schema has read them; all prompts
   * where it is absent.
   */
  asks?(options: object): readonly Prompt[];
  /**
   * Makes a factory; absent options take their defaults.
   * @throws {UsageError} if an option is unknown or out of range.
   */
  create(options?: object): MemoryFactory;
}

/** A memory's factories under typed options; the same function is the `create` of its entry. */
export interface MemoryMaker<Options extends object> extends MemoryEntry {
  /** Makes a factory, as {@linkcode MemoryEntry.create} does. */
  (options?: Options): (context: MemoryByHand) => Memory;
}
