/**
 * The port to worlds, after Gymnasium's `Env`: `reset`, then `step` until the turn has an `end`.
 *
 * A method receives an {@linkcode Environment}, which cannot show the ground truth. Only the
 * recorder holds the {@linkcode MeasuredEnvironment}.
 */

/** A primitive step inside a macro action, without its picture. */
export interface FrameRow {
  /** The primitive action that was sent, e.g. `go north`. */
  readonly action: string;
  /** The world's answer to it. */
  readonly observation: string;
  /** Parts of the observation that the world reports by name, e.g. `location`. */
  readonly sections: Readonly<Record<string, string>>;
}

/** A primitive step inside a macro action ("go to", a skill), with its picture. */
export interface Frame extends FrameRow {
  /** A picture of the world as PNG, if the world has one. */
  readonly image?: Uint8Array;
}

/** One paragraph of a question. */
export interface Document {
  /** Title of the article that the paragraph is from. */
  readonly title: string;
  /** Text of the paragraph. */
  readonly text: string;
}

/** What the world shows after a reset or a step. */
export interface Turn {
  /** The task in words; the same in every turn of an episode. */
  readonly goal: string;
  /** The world's answer to it. */
  readonly observation: string;
  /**
   * Parts of the observation that the world also gives on their own (`inventory`, `location`, …);
   * the spec lists their names.
   */
  readonly sections: Readonly<Record<string, string>>;
  /** The paragraphs that a question is asked about. */
  readonly documents?: readonly Document[];
  /** A picture of the world as PNG, if the world has one. */
  readonly image?: Uint8Array;
  /** The primitive steps of a macro action, in order; empty after a primitive action. */
  readonly frames: readonly Frame[];
  /** Cumulative score, in the environment's own units. */
  readonly score: number;
  /** The highest score that the episode can reach, in the same units. */
  readonly maxScore: number;
  /**
   * How the episode ended: in the task's terms (`won`, `lost`), or by a limit of steps (`limit`).
   * Absent while it goes on.
   */
  readonly end?: "won" | "lost" | "limit";
}

/** One form of action that the world understands. */
export interface ActionSpec {
  /** The form, with its parameters in braces: `take {object} from {place}`. */
  readonly name: string;
  /** Names of the parameters, in order. */
  readonly params: readonly string[];
  /** One line that describes the action in a prompt. */
  readonly description: string;
  /** Whether the action can uncover new parts of the world. */
  readonly explores: boolean;
}

/**
 * The description of an opened world. Together with the actions taken it determines every turn. It
 * is JSON.
 */
export interface EnvSpec {
  /** Id of the world in the catalogue. */
  readonly id: string;
  /** Version of the world's rules and of the packages that it stands on. */
  readonly version: string;
  /** All parameters, with defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names that the sections of a turn may have. */
  readonly sections: readonly string[];
  /** The forms of action. */
  readonly actions: readonly ActionSpec[];
  /** The action that a method takes when a model's reply names none. */
  readonly fallback: string;
  /** SHA-256 (hex) of the game's content. */
  readonly identity: string;
}

/** A world in play. Every method may throw `WorldError`. */
export interface Environment {
  /** The description of the world. */
  readonly spec: EnvSpec;
  /** Starts a new episode and returns its first turn. */
  reset(): Promise<Turn>;
  /**
   * Takes one agent step and returns the turn that follows.
   * @throws {WorldError} `out-of-order` before a reset, `ended` after the end.
   */
  step(action: string): Promise<Turn>;
  /**
   * The admissible actions in the world's own order, or `undefined` if the world takes free text.
   * May cost as much as a step.
   */
  validActions(): Promise<readonly string[] | undefined>;
  /** Releases the environment. Idempotent. */
  close(): Promise<void>;
}

/**
 * An environment that also shows its ground truth. The lab opens it and gives methods the same
 * world without `truth`.
 */
export interface MeasuredEnvironment extends Environment {
  /** The ground truth that measures need, as JSON. */
  truth(): Promise<Readonly<Record<string, unknown>>>;
}

/** One line of the catalogue. */
export interface WorldEntry {
  /** Id of the world, e.g. `textworld/hunt`. */
  readonly id: string;
  /** Description in one line. */
  readonly doc: string;
  /** All parameters, with defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Why the world cannot be opened here; absent if it can. */
  readonly problem?: string;
}
