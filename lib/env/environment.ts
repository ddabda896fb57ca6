/**
 * The port to worlds. What a method is handed has no access to the ground truth: that is asked for by the recorder alone.
 *
 * @module
 */

/** A primitive step inside a macro ("go to", a skill). */
export interface Frame {
  /** What was sent. */
  readonly action: string;
  /** What came back. */
  readonly observation: string;
  /** Its parts, as in `Turn`. */
  readonly sections: Readonly<Record<string, string>>;
  /** PNG. */
  readonly image?: Uint8Array;
}

/** One paragraph of a question. */
export interface Document {
  /** Of the article. */
  readonly title: string;
  /** Of the paragraph. */
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
  /** Paragraphs that a question is asked about. */
  readonly documents?: readonly Document[];
  /** PNG. */
  readonly image?: Uint8Array;
  /** The primitive steps of a macro, in order; empty for a plain step. */
  readonly frames: readonly Frame[];
  /** In the environment's own units, cumulative. */
  readonly score: number;
  /** The highest score that the episode can reach. */
  readonly maxScore: number;
  /** Set once the episode is over, and then it stays. */
  readonly end?: "won" | "lost" | "limit";
}

/** One form of action. */
export interface ActionSpec {
  /** With its parameters in braces: `take {object} from {place}`. */
  readonly name: string;
  /** The names in braces, in order. */
  readonly params: readonly string[];
  /** One line for a prompt. */
  readonly description: string;
  /** Whether it can uncover new parts of the world. */
  readonly explores: boolean;
}

/** What a session is: with the actions taken it decides everything that the world shows. JSON-able. */
export interface EnvSpec {
  /** The world's id in the catalogue. */
  readonly id: string;
  /** Of the world's own rules and of the packages below it. */
  readonly version: string;
  /** All of them, defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names that a turn's sections may have. */
  readonly sections: readonly string[];
  /** The forms of action. */
  readonly actions: readonly ActionSpec[];
  /** What a method does when a model's answer names no action. */
  readonly fallback: string;
  /** SHA-256 (hex) of the game's content. */
  readonly identity: string;
}

/** A world in play. Every method may throw `WorldError`. */
export interface Environment {
  /** What was opened. */
  readonly spec: EnvSpec;
  /** Starts the episode anew. */
  reset(): Promise<Turn>;
  /** One agent step. After the end it throws `WorldError` of kind `ended`. */
  step(action: string): Promise<Turn>;
  /** The admissible actions, in the world's own order; `undefined` where text is free. Asked for only when needed: it can be dear. */
  validActions(): Promise<readonly string[] | undefined>;
  /** Lets the world go; closing it again is no error. */
  close(): Promise<void>;
}

/** A world that can be measured: what the lab opens and hands on to a method without `truth`. */
export interface MeasuredEnvironment extends Environment {
  /** Ground truth for measuring; JSON-able. */
  truth(): Promise<Readonly<Record<string, unknown>>>;
}
