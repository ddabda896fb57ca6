import { WorldError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { unlessAborted } from "../platform.ts";
import { type Caller, Connection } from "./connection.ts";
import type { Environment, EnvSpec, MeasuredEnvironment, Turn } from "./environment.ts";
import type { Ok } from "./protocol.ts";
import { openWorkerLine } from "./worker-line.ts";

export interface SessionOptions {
  readonly signal?: () => AbortSignal | undefined;
  readonly closed?: (session: MeasuredEnvironment) => void;
  /**
   * Whether calls may go straight to the session's worker, which must be on this machine.
   * @default {false}
   */
  readonly direct?: boolean;
}

interface OpenedOptions extends SessionOptions {
  readonly line?: Caller & { close(): void };
}

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
    const { ok } = await unlessAborted(opening, signal);
    const line = options.direct
      ? await unlessAborted(openWorkerLine(connection, ok.session), signal)
      : undefined;
    return new Session(connection, ok, { ...options, line });
  } catch (error) {
    opening.then(({ ok }) => connection.call("close", { session: ok.session })).catch(() => {}); // nobody is left to tell
    throw error;
  }
}

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

interface Move {
  readonly id: string;
  readonly step: number;
  readonly action?: string;
}

/**
 * A session of the server. Calls are carried out in the order in which they are made. An
 * interrupted reset or step may have happened: the same call is sent again under the same id, so
 * that it happens once; before any other call it is completed.
 */
class Session implements MeasuredEnvironment {
  readonly spec: EnvSpec;
  readonly #caller: Caller;
  readonly #session: string;
  readonly #options: OpenedOptions;
  #steps = 0;
  #unsettled: Move | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, opened: Ok<"open">, options: OpenedOptions) {
    this.#caller = options.line ?? connection;
    this.#session = opened.session;
    this.spec = opened.spec;
    this.#options = options;
  }

  reset(): Promise<Turn> {
    return this.#inTurn((signal) => {
      const again = this.#unsettled?.step === 0 ? this.#unsettled : undefined;
      return this.#move(again ?? { id: Connection.id(), step: 0 }, signal);
    });
  }

  step(text: string): Promise<Turn> {
    // half of a surrogate pair is no character, and its escape no JSON: the world is to refuse the
    // action, not the message
    const action = text.toWellFormed();
    return this.#inTurn(async (signal) => {
      if (this.#unsettled?.action !== action) await this.#settle(signal);
      return await this.#move(
        this.#unsettled ?? { id: Connection.id(), step: this.#steps + 1, action },
        signal,
      );
    });
  }

  validActions(): Promise<readonly string[] | undefined> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#caller.call("validActions", { session: this.#session }, { signal })).ok
        .actions ?? undefined;
    });
  }

  truth(): Promise<Readonly<Record<string, unknown>>> {
    return this.#inTurn(async (signal) => {
      await this.#settle(signal);
      return (await this.#caller.call("truth", { session: this.#session }, { signal })).ok.truth;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#caller.call("close", { session: this.#session })
      .then(() => {}, (error: unknown) => {
        const gone = error instanceof WorldError &&
          ["unknown-session", "worker-died", "unreachable"].includes(error.kind);
        if (!gone) throw error;
      })
      .finally(() => {
        this.#options.line?.close();
        this.#options.closed?.(this);
      });
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

  /** Makes a move, and remembers it until it is known to have happened or to have been refused. */
  async #move(move: Move, signal: AbortSignal | undefined): Promise<Turn> {
    const { id, step, action } = move;
    const session = this.#session;
    this.#unsettled = move;
    try {
      const { ok, images } = action === undefined
        ? await this.#caller.call("reset", { session }, { signal, id })
        : await this.#caller.call("step", { session, step, action }, { signal, id });
      this.#steps = step;
      const turn = readTurn(ok, images);
      this.#unsettled = undefined;
      return turn;
    } catch (error) {
      if (isRefusal(error)) this.#unsettled = undefined;
      throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof WorldError && error.kind !== "unreachable";
}

function readTurn(
  { image, end, frames, ...rest }: Ok<"step">,
  images: readonly Uint8Array[],
): Turn {
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
