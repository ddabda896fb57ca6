/**
 * One session of a world server as an environment.
 *
 * @module
 */

import { WorldError } from "../errors.ts";
import { unlessAborted } from "./abort.ts";
import { type Answer, Connection } from "./connection.ts";
import type { Environment, EnvSpec, Frame, MeasuredEnvironment, Turn } from "./environment.ts";
import type { Ok } from "./protocol.ts";

/** What a session needs of those who open it. */
export interface SessionOptions {
  /** Asked at every call for the signal that ends it. */
  readonly signal?: () => AbortSignal | undefined;
  /** Told once, when the session is closed. */
  readonly closed?: (session: MeasuredEnvironment) => void;
}

/** Opens a world on a server. An opening that is cut off is closed as soon as the server has answered. */
export async function openSession(
  connection: Connection,
  world: string,
  params: Readonly<Record<string, unknown>>,
  options: SessionOptions = {},
): Promise<MeasuredEnvironment> {
  const signal = options.signal?.();
  signal?.throwIfAborted();
  const opening = connection.call("open", { world, params: { ...params } });
  try {
    return new Session(connection, (await unlessAborted(opening, signal)).ok, options);
  } catch (error) {
    opening.then(({ ok }) => connection.call("close", { session: ok.session })).catch(() => {}); // nobody is left to tell
    throw error;
  }
}

/**
 * The same world without its ground truth: what a method is handed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withoutTruth } from "labyrinth/env";
 *
 * const spec = { id: "toy", version: "1", parameters: {}, sections: [], actions: [], fallback: "look", identity: "0".repeat(64) };
 * const turn = { goal: "Win.", observation: "You won.", sections: {}, frames: [], score: 1, maxScore: 1, end: "won" as const };
 * const toy = { spec, reset: async () => turn, step: async () => turn, validActions: async () => ["look"], truth: async () => ({}), close: async () => {} };
 * const blind = withoutTruth(toy);
 * assert.equal("truth" in blind, false);
 * assert.equal((await blind.step("look")).end, "won");
 * ```
 */
export function withoutTruth(env: Environment): Environment {
  return {
    spec: env.spec,
    reset: () => env.reset(),
    step: (action) => env.step(action),
    validActions: () => env.validActions(),
    close: () => env.close(),
  };
}

/** A reset (step 0, no action) or a step that has been asked for under an id. */
interface Move {
  readonly id: string;
  readonly step: number;
  readonly action?: string;
}

/**
 * Calls are carried out one after the other, in the order in which they are made.
 *
 * A reset or step that was cut off, or had no answer, may have happened. Made again with the same action it is the same one, and happens once;
 * before any other call it is brought to its end.
 */
class Session implements MeasuredEnvironment {
  readonly spec: EnvSpec;
  readonly #connection: Connection;
  readonly #session: string;
  readonly #options: SessionOptions;
  #steps = 0;
  #unsettled: Move | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, opened: Ok<"open">, options: SessionOptions) {
    this.#connection = connection;
    this.#session = opened.session;
    this.spec = opened.spec;
    this.#options = options;
  }

  reset(): Promise<Turn> {
    return this.#inTurn(async (signal) => {
      const again = this.#unsettled && this.#unsettled.action === undefined;
      return await this.#move(again && this.#unsettled || { id: Connection.id(), step: 0 }, signal);
    });
  }

  step(text: string): Promise<Turn> {
    // Half of a surrogate pair is no character, and its escape no JSON: the world is to refuse the action, not the message.
    const action = text.toWellFormed();
    return this.#inTurn(async (signal) => {
      if (this.#unsettled?.action !== action) await this.#settle(signal);
      return await this.#move(this.#unsettled ?? { id: Connection.id(), step: this.#steps + 1, action }, signal);
    });
  }

  validActions(): Promise<readonly string[] | undefined> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#connection.call("validActions", { session: this.#session }, signal)).ok.actions ?? undefined;
    });
  }

  truth(): Promise<Readonly<Record<string, unknown>>> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#connection.call("truth", { session: this.#session }, signal)).ok.truth;
    });
  }

  /** Waits for no other call, and is not cut off: what is closed is gone, and so is a session that the server no longer has. */
  close(): Promise<void> {
    this.#closing ??= this.#connection.call("close", { session: this.#session })
      .then(() => {}, (error: unknown) => {
        const gone = error instanceof WorldError && ["unknown-session", "worker-died", "unreachable"].includes(error.kind);
        if (!gone) throw error;
      })
      .finally(() => this.#options.closed?.(this));
    return this.#closing;
  }

  #inTurn<T>(call: (options: { signal?: AbortSignal }) => Promise<T>): Promise<T> {
    const signal = this.#options.signal?.();
    const result = this.#last.then(() => call(signal ? { signal } : {}));
    this.#last = result.catch(() => {});
    return result;
  }

  async #settle(options: { signal?: AbortSignal }): Promise<void> {
    if (!this.#unsettled) return;
    try {
      await this.#move(this.#unsettled, options);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  async #move(move: Move, options: { signal?: AbortSignal }): Promise<Turn> {
    const { id, step, action } = move;
    const session = this.#session;
    this.#unsettled = move;
    try {
      const answer = action === undefined
        ? await this.#connection.call("reset", { session }, { ...options, id })
        : await this.#connection.call("step", { session, step, action }, { ...options, id });
      this.#unsettled = undefined;
      this.#steps = step;
      return readTurn(answer);
    } catch (error) {
      if (isRefusal(error)) this.#unsettled = undefined;
      throw error;
    }
  }
}

/** Whether the world's answer was no: the call did not happen and will not. */
function isRefusal(error: unknown): boolean {
  return error instanceof WorldError && error.kind !== "unreachable";
}

function readTurn({ ok, images }: Answer<"reset" | "step">): Turn {
  const { image, end, frames, ...rest } = ok;
  return { ...rest, frames: frames.map((frame) => readFrame(frame, images)), ...picture(image, images), ...(end ? { end } : {}) };
}

function readFrame({ image, ...rest }: Ok<"step">["frames"][number], images: readonly Uint8Array[]): Frame {
  return { ...rest, ...picture(image, images) };
}

function picture(index: number | null, images: readonly Uint8Array[]): { image?: Uint8Array } {
  if (index === null) return {};
  const image = images[index];
  if (!image) {
    throw new WorldError(
      "version",
      `the answer speaks of picture ${index} and brings ${images.length}; bring client and server to the same release`,
    );
  }
  return { image };
}
