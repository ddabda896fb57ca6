/** One connection to a world server. It multiplexes many calls over one socket by their ids. */

import { randomUUID } from "node:crypto";
import { WorldError } from "../errors.ts";
import { type Answer, encodeRequest, readReply } from "./messages.ts";
import type { Method, Params } from "./protocol.ts";
import { type CurveKeys, LONG_ANSWER, Wire } from "./wire.ts";

export interface ConnectionOptions {
  readonly endpoint: string;
  readonly keys?: CurveKeys;
  /**
   * Milliseconds without a message after which the server counts as gone; a busy server answers
   * pings.
   * @default {10000}
   */
  readonly silence?: number;
  /** Longest time of one call, in ms. @default {600000} */
  readonly timeout?: number;
}

export interface CallOptions {
  readonly id?: string;
  /**
   * Ends the call with the signal's reason, whether or not the server has carried it out. The
   * connection stays usable.
   */
  readonly signal?: AbortSignal;
}

export interface Caller {
  /**
   * Calls a method.
   * @throws {WorldError} the server's own error; `unreachable` if it did not answer; `version` if
   *   its answer cannot be read
   */
  call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Answer<M>>;
}

interface Call {
  readonly method: Method;
  readonly message: Uint8Array;
  readonly asked: number;
  readonly deadline: number;
  readonly resolve: (answer: Answer<Method>) => void;
  readonly reject: (error: unknown) => void;
}

const BEATS = 5;
const NEWEST = 1 / 8;

/**
 * A connection. While no call is pending it holds no timer and keeps no process alive. A call whose
 * answer was lost is sent again.
 */
export class Connection implements Caller {
  readonly #options: ConnectionOptions;
  readonly #beat: number;
  readonly #calls = new Map<string, Call>();
  #wire: Wire | undefined;
  #ended: WorldError | undefined;
  /** Pings since the last message of the server; a pause of this process counts as one at most. */
  #silentBeats = 0;
  #nextBeat = 0;
  #usual = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#beat = (options.silence ?? 10_000) / BEATS;
  }

  get endpoint(): string {
    return this.#options.endpoint;
  }

  static id(): string {
    return randomUUID();
  }

  call<M extends Method>(
    method: M,
    params: Params<M>,
    { id = Connection.id(), signal }: CallOptions = {},
  ): Promise<Answer<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const message = encodeRequest(id, method, params);
    const now = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Method>>();
    const abort = (): void => this.#settle(id)?.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (this.#calls.size === 0) {
      this.#silentBeats = 0;
      this.#nextBeat = now + this.#beat;
    }
    this.#calls.set(id, {
      method,
      message,
      asked: now,
      deadline: now + (this.#options.timeout ?? 600_000),
      resolve,
      reject,
    });
    try {
      this.#open().queue(id, message);
    } catch (error) {
      this.#settle(id)?.reject(error);
    }
    return promise.finally(() => signal?.removeEventListener("abort", abort)) as Promise<Answer<M>>;
  }

  close(
    error: WorldError = new WorldError(
      "unreachable",
      `the connection to ${this.#options.endpoint} has been closed; connect again`,
    ),
  ): void {
    this.#ended ??= error;
    this.#dropAll(this.#ended);
  }

  #open(): Wire {
    this.#wire ??= new Wire(this.#options.endpoint, this.#options.keys, {
      receive: (frames) => this.#receive(frames),
      waiting: (now) => this.#waiting(now),
      broken: (cause) =>
        this.#dropAll(
          new WorldError(
            "unreachable",
            `the connection to ${this.#options.endpoint} broke: ${cause}`,
            { cause },
          ),
        ),
    });
    return this.#wire;
  }

  #receive(frames: readonly Uint8Array[]): void {
    this.#silentBeats = 0;
    const reply = readReply(frames, this.#options.endpoint);
    const call = reply.id === undefined ? undefined : this.#settle(reply.id);
    // Answers to abandoned calls, second answers to calls sent twice, and pings end here.
    if (!call) return;
    this.#usual += (Math.min(performance.now() - call.asked, LONG_ANSWER) - this.#usual) * NEWEST;
    try {
      call.resolve(reply.answer(call.method));
    } catch (error) {
      call.reject(error);
    }
  }

  #waiting(now: number): { calls: number; usual: number } {
    for (const [id, call] of this.#calls) {
      if (now >= call.deadline) {
        this.#settle(id)?.reject(
          this.#unreachable(
            `gave no answer to ${call.method} in ${this.#options.timeout ?? 600_000} ms`,
          ),
        );
      }
    }
    if (this.#calls.size > 0 && now >= this.#nextBeat) this.#pulse(now);
    return { calls: this.#calls.size, usual: this.#usual };
  }

  #pulse(now: number): void {
    if (this.#silentBeats >= BEATS) {
      return this.#dropAll(this.#unreachable("gives no sign of life"));
    }
    this.#silentBeats += 1;
    this.#nextBeat = now + this.#beat;
    for (const [id, call] of this.#calls) this.#wire?.queue(id, call.message);
    this.#wire?.queue("ping", encodeRequest(Connection.id(), "ping", {}));
  }

  #dropAll(error: WorldError): void {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#wire?.close();
    this.#wire = undefined;
    for (const call of calls) call.reject(error);
  }

  #settle(id: string): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#wire?.drop(id);
    return call;
  }

  #unreachable(what: string): WorldError {
    const { endpoint, keys } = this.#options;
    const remedy = keys
      ? "check that it runs there and knows this client's key (to a wrong key it is as silent as if it were not there)"
      : "check that it runs there and asks for no keys (else set LAB_WORLDS_KEYS)";
    return new WorldError("unreachable", `the world server at ${endpoint} ${what}; ${remedy}`);
  }
}
