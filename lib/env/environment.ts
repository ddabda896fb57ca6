/**
 * The port to worlds. What a method is handed has no access to the ground truth: that is asked for by the recorder alone.
 *
 * @module
 */

/** A primitive step inside a macro ("go to", a skill). */
export interface Frame {
  readonly action: string;
  readonly observation: string;
  readonly sections: Readonly<Record<string, string>>;
  readonly image?: Uint8Array;
}

/** One paragraph of a question. */
export interface Document {
  readonly title: string;
  readonly text: string;
}

/** What the world shows after a reset or a step. */
export interface Turn {
  /** The task's text. */
  readonly goal: string;
  /** Text as the environment gives it. */
  readonly observation: string;
  /** Parts that a world also gives apart, named in its spec: `inventory`, `location`, … */
  readonly sections: Readonly<Record<string, string>>;
  readonly documents?: readonly Document[];
  /** PNG. */
  readonly image?: Uint8Array;
  readonly frames: readonly Frame[];
  /** In the environment's own units, cumulative. */
  readonly score: number;
  readonly maxScore: number;
  /** Set once the episode is over, and then it stays. */
  readonly end?: "won" | "lost" | "limit";
}

/** One form of action. */
export interface ActionSpec {
  /** With its parameters in braces: `take {object} from {place}`. */
  readonly name: string;
  readonly params: readonly string[];
  readonly description: string;
  /** Whether it can uncover new parts of the world. */
  readonly explores: boolean;
}

/** What a session is: with the actions taken it decides everything that the world shows. JSON-able. */
export interface EnvSpec {
  readonly id: string;
  readonly version: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly sections: readonly string[];
  readonly actions: readonly ActionSpec[];
  /** What a method does when a model's answer names no action. */
  readonly fallback: string;
  /** SHA-256 (hex) of the game's content. */
  readonly identity: string;
}

/** A world in play. Every method may throw `WorldError`. */
export interface Environment {
  readonly spec: EnvSpec;
  /** Starts the episode anew. */
  reset(): Promise<Turn>;
  /** One agent step. After the end it throws `WorldError` of kind `ended`. */
  step(action: string): Promise<Turn>;
  /** The admissible actions, in the world's own order; `undefined` where text is free. Asked for only when needed: it can be dear. */
  validActions(): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

/** A world that can be measured: what the lab opens and hands on to a method without `truth`. */
export interface MeasuredEnvironment extends Environment {
  truth(): Promise<Readonly<Record<string, unknown>>>;
}
