/**
 * The error classes that callers distinguish. Every message is one line: action, wanted, actual,
 * remedy.
 *
 * @module
 */

/**
 * Invalid input of a user: an unknown id, an option out of range. The command line prints the
 * message and exits with 2.
 */
export class UsageError extends Error {
  /** Always `UsageError`; it identifies the class where `instanceof` cannot, as between realms. */
  override readonly name = "UsageError";
}

/** The error codes of the world server's protocol. */
export const WORLD_SERVER_ERRORS = [
  "bad-request",
  "version",
  "unknown-world",
  "bad-parameter",
  "bad-game",
  "unknown-session",
  "bad-action",
  "ended",
  "out-of-order",
  "worker-died",
  "too-many-sessions",
  "disk",
  "internal",
] as const;

/**
 * The reason of a world's failure: a code of the world server's protocol, or one of the client's
 * own.
 */
export type WorldErrorKind =
  | typeof WORLD_SERVER_ERRORS[number]
  /**
   * No answer in time: the server is gone, the address is wrong, or the server does not know the
   * key.
   */
  | "unreachable"
  /** The server could not be started (no Python environment, busy port). */
  | "not-started"
  /** The replayed world differs from the recorded one. */
  | "diverged";

/** The failure of a world. */
export class WorldError extends Error {
  /** Always `WorldError`. */
  override readonly name = "WorldError";
  /** `kind` determines the reaction; `message` is one line. */
  constructor(readonly kind: WorldErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The reason of a model's failure. */
export type ModelErrorKind =
  | "no-endpoint"
  | "authentication"
  | "quota"
  | "rate-limit"
  | "server"
  | "timeout"
  | "refused"
  | "context-length"
  | "bad-request"
  /** The endpoint violated its protocol: cut stream, malformed JSON, no choices. */
  | "protocol"
  /** In replay mode: the request is not among the recorded ones. */
  | "cache-miss"
  /** The role map does not bind the role. */
  | "unknown-role"
  /** The replies of a scripted model ran out. */
  | "exhausted";

/** Further data of a model's failure. */
export interface ModelErrorOptions extends ErrorOptions {
  /**
   * The wait before the next attempt that the endpoint asks for, in milliseconds, ≥ 0.
   * @default none is named
   */
  readonly retryAfterMs?: number;
  /**
   * Tokens charged for the failed attempt: zeros where the endpoint refused it.
   * @default unknown
   */
  readonly usage?:
    & Readonly<Record<"prompt" | "cached" | "completion" | "reasoning", number>>
    & { readonly written?: number };
}

/** The failure of a model; it parks or fails an episode and never becomes a score. */
export class ModelError extends Error {
  /** Always `ModelError`. */
  override readonly name = "ModelError";
  /** As in {@linkcode ModelErrorOptions}. */
  readonly retryAfterMs?: number;
  /** As in {@linkcode ModelErrorOptions}. */
  readonly usage?: NonNullable<ModelErrorOptions["usage"]>;
  /**
   * `kind` determines whether another attempt is made; `message` is one line and never contains a
   * key.
   */
  constructor(readonly kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super(message, options);
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.usage) this.usage = options.usage;
  }
}

/** The reason of the failure of a memory in another process. */
export type MemoryErrorKind =
  /** It did not start, or its process has ended. */
  | "memory-died"
  /** Its own code raised an error. */
  | "memory-raised"
  /** It gave no answer in its time. */
  | "memory-timeout"
  /** It answered with what is no recollection, or with too much. */
  | "memory-reply";

/** The failure of a memory in another process; it fails an episode and never becomes a score. */
export class MemoryError extends Error {
  /** Always `MemoryError`. */
  override readonly name = "MemoryError";
  /** `message` is one line. */
  constructor(readonly kind: MemoryErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/**
 * The study's budget in dollars or tokens is exhausted; the episode parks and can be resumed with a
 * higher budget.
 */
export class BudgetError extends Error {
  /** Always `BudgetError`. */
  override readonly name = "BudgetError";
  /**
   * Tokens of an answer that did not fit into what was left; absent where nothing was sent, or the
   * endpoint does not report them.
   */
  readonly usage?: ModelErrorOptions["usage"];
  /** `usage`: see the field of this name. */
  constructor(message: string, options: ErrorOptions & Pick<ModelErrorOptions, "usage"> = {}) {
    super(message, options);
    if (options.usage) this.usage = options.usage;
  }
}

/**
 * The store cannot be used: locked by another run, a full disk, a newer schema, a damaged file, a
 * study edited under its recorded episodes.
 */
export class StoreError extends Error {
  /** Always `StoreError`. */
  override readonly name = "StoreError";
  /**
   * `kind`: `locked` by another process or run; `disk` full, failing, without locks or not
   * writable; `schema` of no or of a newer Labyrinth; `conflict` with the record; `missing` file or
   * row; `damaged` file.
   */
  constructor(
    readonly kind: "locked" | "disk" | "schema" | "conflict" | "missing" | "damaged",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
