/**
 * One session of a world server as an environment.
 *
 * @module
 */

import { WorldError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { unlessAborted } from "../platform.ts";
import { type Answer, Connection } from "./connection.ts";
import type { Environment, EnvSpec, MeasuredEnvironment, Turn } from "./environment.ts";
import type { Ok } from "./protocol.ts";

/** How a session is opened. */
export interface SessionOptions {
  /** Returns, at every call, the signal that ends the call. */
  readonly signal?: () => AbortSignal | undefined;
  /** Called once, when the session is closed. */
  readonly closed?: (session: MeasuredEnvironment) => void;
}

/** Opens a world on a server. If the signal ends the opening, the session is closed as soon as the server has answered. */
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

/** The same world without its ground truth, for a method. */
export function withoutTruth(env: Environment): Environment {
  return {
    spec: env.spec,
    reset: () => env.reset(),
    step: (action) => env.step(action),
    validActions: () => env.validActions(),
    close: () => env.close(),
  };
}

/**
 * The same world with safe text (see `safeText`) in all that it says.
 *
 * @param heard gets each turn as it came, without pictures, where that differs
 */
export function withSafeText(env: MeasuredEnvironment, heard: unknown[]): MeasuredEnvironment {
  function safe(turn: Turn): Turn {
    const { image: _image, ...said } = turn;
    const safer = safeValue(said);
    if (safer === said) return turn;
    heard.push({ ...said, frames: said.frames.map(({ image: _image, ...frame }) => frame) });
    return { ...turn, ...safer };
  }
  return {
    spec: safeValue(env.spec),
    reset: async () => safe(await env.reset()),
    step: async (action) => safe(await env.step(action)),
    validActions: async () => safeValue(await env.validActions()),
    truth: async () => safeValue(await env.truth()),
    close: () => env.close(),
  };
}

/** A reset (step 0, no action) or a step that has been sent under an id. */
interface Move {
  readonly id: string;
  readonly step: number;
  readonly action?: string;
}

/**
 * A session of the server. Calls are carried out one after the other, in the order in which they are made.
 *
 * A reset or step that was interrupted, or had no answer, may have happened. The same call made again is sent under the same id, so that it
 * happens once; before any other call it is completed.
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
    return this.#inTurn((signal) => {
      const again = this.#unsettled?.action === undefined ? this.#unsettled : undefined;
      return this.#move(again ?? { id: Connection.id(), step: 0 }, signal);
    });
  }

  step(text: string): Promise<Turn> {
    // half of a surrogate pair is no character, and its escape no JSON: the world is to refuse the action, not the message
    const action = text.toWellFormed();
    return this.#inTurn(async (signal) => {
      if (this.#unsettled?.action !== action) await this.#settle(signal);
      return await this.#move(this.#unsettled ?? { id: Connection.id(), step: this.#steps + 1, action }, signal);
    });
  }

  validActions(): Promise<readonly string[] | undefined> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#connection.call("validActions", { session: this.#session }, { signal })).ok.actions ?? undefined;
    });
  }

  truth(): Promise<Readonly<Record<string, unknown>>> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#connection.call("truth", { session: this.#session }, { signal })).ok.truth;
    });
  }

  /** Closes the session without waiting for other calls; no signal ends it. A session that the server no longer has counts as closed. */
  close(): Promise<void> {
    this.#closing ??= this.#connection.call("close", { session: this.#session })
      .then(() => {}, (error: unknown) => {
        const gone = error instanceof WorldError && ["unknown-session", "worker-died", "unreachable"].includes(error.kind);
        if (!gone) throw error;
      })
      .finally(() => this.#options.closed?.(this));
    return this.#closing;
  }

  #inTurn<T>(call: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    const signal = this.#options.signal?.();
    const result = this.#last.then(() => call(signal));
    this.#last = result.catch(() => {});
    return result;
  }

  async #settle(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#unsettled) return;
    try {
      await this.#move(this.#unsettled, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  async #move(move: Move, signal: AbortSignal | undefined): Promise<Turn> {
    const { id, step, action } = move;
    const session = this.#session;
    this.#unsettled = move;
    try {
      const answer = action === undefined
        ? await this.#connection.call("reset", { session }, { signal, id })
        : await this.#connection.call("step", { session, step, action }, { signal, id });
      this.#unsettled = undefined;
      this.#steps = step;
      return readTurn(answer);
    } catch (error) {
      if (isRefusal(error)) this.#unsettled = undefined;
      throw error;
    }
  }
}

/** Whether the server refused the call: then it has not been carried out and will not be. */
function isRefusal(error: unknown): boolean {
  return error instanceof WorldError && error.kind !== "unreachable";
}

function readTurn({ ok, images }: Answer<"reset" | "step">): Turn {
  const { image, end, frames, ...rest } = ok;
  return {
    ...rest,
    frames: frames.map(({ image, ...frame }) => ({ ...frame, image: pictureAt(image, images) })),
    image: pictureAt(image, images),
    end: end ?? undefined,
  };
}

function pictureAt(index: number | null, images: readonly Uint8Array[]): Uint8Array | undefined {
  const image = images[index ?? -1];
  if (image || index === null) return image;
  const count = `the answer speaks of picture ${index} and brings ${images.length}`;
  throw new WorldError("version", `${count}; bring client and server to the same release`);
}
