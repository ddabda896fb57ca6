/**
 * The few error classes that callers tell apart. Every message is one line: what was tried, what was wanted, what came, the remedy.
 *
 * @module
 */

/** Bad input of a person: an unknown id, an option out of range. The command line prints its message and exits with 2. */
export class UsageError extends Error {
  /** Always `UsageError`: what tells it apart where `instanceof` cannot, as across a kernel's border. */
  override readonly name = "UsageError";
}

/** Why a world refused or was lost; the codes are those of the world server's protocol, plus the client's own. */
export type WorldErrorKind =
  | "bad-request"
  | "version"
  | "unknown-world"
  | "bad-parameter"
  | "bad-game"
  | "unknown-session"
  | "bad-action"
  | "ended"
  | "out-of-order"
  | "worker-died"
  | "too-many-sessions"
  | "disk"
  | "internal"
  /** No answer in time: server gone, address wrong, or a key that the server does not know. */
  | "unreachable"
  /** The server could not be started (no Python environment, busy port). */
  | "not-started"
  /** The replayed world differs from the recorded one. */
  | "diverged";

/** A typed refusal or loss of a world. */
export class WorldError extends Error {
  /** Always `WorldError`. */
  override readonly name = "WorldError";
  /** `kind` says what to do about it; `message` names action, wanted, actual and remedy in one line. */
  constructor(readonly kind: WorldErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Why a model gave no reply. */
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
  /** The endpoint broke its own protocol: cut stream, malformed JSON, no choices. */
  | "protocol"
  /** In replay mode: the request is not among the recorded ones. */
  | "cache-miss"
  /** A role that the role map does not bind. */
  | "unknown-role"
  /** A scripted model whose replies ran out. */
  | "exhausted";

/** What a model's failure may carry beside its message. */
export interface ModelErrorOptions extends ErrorOptions {
  /** How long the endpoint asks to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Tokens that the failed attempt cost all the same. */
  readonly usage?: { readonly prompt: number; readonly cached: number; readonly completion: number; readonly reasoning: number };
}

/** A model's typed failure; it parks or fails an episode and never becomes a score. */
export class ModelError extends Error {
  /** Always `ModelError`. */
  override readonly name = "ModelError";
  /** How long the endpoint asks to wait before the next attempt, in ms, ≥ 0; absent where it did not say. */
  readonly retryAfterMs?: number;
  /** Tokens that the failed attempt cost all the same; absent where the endpoint named none. */
  readonly usage?: NonNullable<ModelErrorOptions["usage"]>;
  /** `kind` decides whether another attempt is made; `message` is one line and never holds a key. */
  constructor(readonly kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super(message, options);
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.usage) this.usage = options.usage;
  }
}

/** The study's cap in dollars or tokens is reached; the episode parks and can be resumed with a higher cap. */
export class BudgetError extends Error {
  /** Always `BudgetError`. */
  override readonly name = "BudgetError";
}

/** The store cannot be used: locked by another run, a full disk, a newer schema, a study edited under its recorded episodes. */
export class StoreError extends Error {
  /** Always `StoreError`. */
  override readonly name = "StoreError";
  /**
   * `kind`: `locked` by another process or run; `disk` full, failing or not writable; `schema` of no or of a newer Labyrinth; `conflict`
   * with what is recorded; `missing` file or row.
   */
  constructor(readonly kind: "locked" | "disk" | "schema" | "conflict" | "missing", message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
