/**
 * One DEALER socket that is polled, since awaiting a message hangs under Deno (denoland/deno issue
 * 36317). It is polled only while an answer is pending, so that an idle process can exit.
 */

import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import type { Dealer } from "zeromq";
import { UsageError } from "../errors.ts";
import { loadModule } from "../platform.ts";

/** Keys of a CURVE client, each 40 characters of Z85. */
export interface CurveKeys {
  readonly serverKey: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface WireClient {
  receive(frames: readonly Uint8Array[]): void;
  /**
   * Called between two polls; `now` is monotonic, in ms.
   *
   * @returns the number of pending answers, and the recent time of an answer in ms. The wire stops
   *   polling at 0 pending answers.
   */
  waiting(now: number): { readonly calls: number; readonly usual: number };
  broken(cause: unknown): void;
}

/** Time of quiet during which the wire polls without a pause, in ms. */
const SPIN = 0.5;
/**
 * Pause between two polls, as a share of the quiet so far: the most that polling adds to the time
 * of a call.
 */
const SHARE = 1 / 8;
/** Shortest pause when all processors have work, as a share of an answer's recent time. */
const SHARE_OF_USUAL = 1 / 16;
/**
 * With this many pending calls the worlds need all processors, and polling without a pause would
 * take one from them.
 */
const PROCESSORS = availableParallelism();
/** Longest pause between two polls, in ms. */
const MAX_PAUSE = 10;
/** Time of an answer, in ms, above which the pause stops growing. */
export const LONG_ANSWER = MAX_PAUSE / SHARE_OF_USUAL;

/**
 * Sends and polls for one client. Messages leave in the order of `queue`; those that cannot leave
 * yet can be dropped.
 */
export class Wire {
  readonly #socket: Dealer;
  readonly #client: WireClient;
  readonly #outbox = new Map<string, Uint8Array>();
  #running = false;
  #closed = false;
  #quietSince = 0;
  #wake: () => void = () => {};

  constructor(endpoint: string, keys: CurveKeys | undefined, client: WireClient) {
    this.#client = client;
    // `immediate`: ZeroMQ queues nothing for an absent server, so that an abandoned request is
    // never carried out later
    const zeromq = loadModule<typeof import("zeromq")>("zeromq"); // not before a world is opened: it is native code
    this.#socket = new zeromq.Dealer({
      receiveTimeout: 0,
      sendTimeout: 0,
      linger: 0,
      immediate: true,
      reconnectInterval: 50,
      reconnectMaxInterval: 1000,
    });
    try {
      if (keys) {
        this.#socket.curveServerKey = keys.serverKey;
        this.#socket.curvePublicKey = keys.publicKey;
        this.#socket.curveSecretKey = keys.secretKey;
      }
      this.#socket.connect(endpoint);
    } catch (cause) {
      this.#socket.close();
      const wanted = "an endpoint looks like tcp://host:port";
      throw new UsageError(
        `cannot connect to the world server at "${endpoint}"; ${wanted}${
          keys ? ", keys are 40 characters of Z85" : ""
        }`,
        { cause },
      );
    }
  }

  queue(id: string, message: Uint8Array): void {
    this.#outbox.set(id, message);
    this.#quietSince = performance.now();
    this.#wake();
    if (!this.#running) void this.#poll();
  }

  drop(id: string): void {
    this.#outbox.delete(id);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake();
    this.#socket.close();
  }

  async #poll(): Promise<void> {
    this.#running = true;
    try {
      while (!this.#closed) {
        if (await this.#exchange()) this.#quietSince = performance.now();
        const now = performance.now();
        const { calls, usual } = this.#client.waiting(now);
        if (calls === 0) break;
        await this.#pause(now - this.#quietSince, calls < PROCESSORS ? 0 : usual);
      }
    } catch (error) {
      this.#client.broken(error);
    } finally {
      this.#running = false;
    }
  }

  async #exchange(): Promise<boolean> {
    let busy = false;
    for (const [id, message] of this.#outbox) {
      if (!await this.#succeeds(async () => await this.#socket.send(message))) break;
      this.#outbox.delete(id);
      busy = true;
    }
    // `readable` is asked first: an exception for each poll would be most of its cost
    while (
      !this.#closed && this.#socket.readable &&
      await this.#succeeds(async () => this.#client.receive(await this.#socket.receive()))
    ) {
      busy = true;
    }
    return busy;
  }

  async #succeeds(call: () => Promise<void>): Promise<boolean> {
    if (this.#closed) return false;
    try {
      await call();
      return true;
    } catch (error) {
      if (this.#closed || (error as { code?: string }).code === "EAGAIN") return false;
      throw error;
    }
  }

  /**
   * Pauses in proportion to the time of quiet: not at all at first, unless `usual` asks for a
   * longer pause.
   */
  async #pause(quiet: number, usual: number): Promise<void> {
    if (quiet < SPIN && usual === 0) return await setImmediate();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(
      resolve,
      Math.min(Math.max(quiet * SHARE, usual * SHARE_OF_USUAL, 1), MAX_PAUSE),
    );
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
