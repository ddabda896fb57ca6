/**
 * One DEALER socket, polled. Awaiting a message hangs under Deno (its shim of uv_poll is at fault), so the socket never waits: it is asked
 * again and again, but only while somebody waits for an answer. An idle process therefore burns nothing and can exit.
 *
 * @module
 */

import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import type { Dealer } from "zeromq";
import { UsageError } from "../errors.ts";

/** Keys of a CURVE client, each 40 characters of Z85. */
export interface CurveKeys {
  readonly serverKey: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

/** Whom the wire serves. */
export interface WireClient {
  /** One message has come; its first frame is JSON. */
  receive(frames: readonly Uint8Array[]): void;
  /**
   * Called between two polls; `now` is monotonic, in ms.
   *
   * @returns For how many answers somebody waits, and how long one takes of late, in ms. The wire rests where nobody waits.
   */
  waiting(now: number): { readonly calls: number; readonly usual: number };
  /** The socket failed for a reason of its own; no more will come. */
  broken(cause: unknown): void;
}

/** How long the wire asks without a pause, in ms. */
const SPIN = 0.5;
/** Part of the quiet so far that a pause may last: what polling adds to a call's time at most. */
const SHARE = 1 / 8;
/** Part of an answer's usual time that a pause lasts at least where all processors have work. */
const SHARE_OF_USUAL = 1 / 16;
/** With as many calls under way the worlds need them all, and asking without a pause would take one from them. */
const PROCESSORS = availableParallelism();
/** Longest pause between two polls, in ms. */
const MAX_PAUSE = 10;
/** From here on a longer answer makes no longer pause, in ms. */
export const LONG_ANSWER = MAX_PAUSE / SHARE_OF_USUAL;

/** Sends and polls for one client. Messages leave in the order of `queue`; those that cannot leave yet stay here and can be dropped. */
export class Wire {
  readonly #socket: Dealer;
  readonly #client: WireClient;
  readonly #outbox = new Map<string, Uint8Array>();
  #running = false;
  #closed = false;
  /** Monotonic time of the last traffic, from which the pauses grow. */
  #quietSince = 0;
  #wake: () => void = () => {};

  constructor(endpoint: string, keys: CurveKeys | undefined, client: WireClient) {
    this.#client = client;
    // `immediate`: nothing is queued inside ZeroMQ for a server that is not there, so that a request given up is never carried out later.
    const zeromq = createRequire(import.meta.url)("zeromq") as typeof import("zeromq"); // not before a world is opened: it is native code
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
        `cannot connect to the world server at "${endpoint}"; ${wanted}${keys ? ", keys are 40 characters of Z85" : ""}`,
        { cause },
      );
    }
  }

  /** Sends a message as soon as it can leave; one still here under the same id is replaced. */
  queue(id: string, message: Uint8Array): void {
    this.#outbox.set(id, message);
    this.#quietSince = performance.now();
    this.#wake();
    if (!this.#running) void this.#poll();
  }

  /** Takes back a message that has not left. */
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

  /** Sends and receives all that goes without waiting; returns whether anything went. */
  async #exchange(): Promise<boolean> {
    let busy = false;
    for (const [id, message] of this.#outbox) {
      if (!await this.#goes(async () => await this.#socket.send(message))) break;
      this.#outbox.delete(id);
      busy = true;
    }
    // Asked first whether there is one: an error for each poll would be most of its cost.
    while (!this.#closed && this.#socket.readable && await this.#goes(async () => this.#client.receive(await this.#socket.receive()))) {
      busy = true;
    }
    return busy;
  }

  /** Whether a socket call went through; false where it would have had to wait, or where the wire has been closed. */
  async #goes(call: () => Promise<void>): Promise<boolean> {
    if (this.#closed) return false;
    try {
      await call();
      return true;
    } catch (error) {
      if (this.#closed || (error as { code?: string }).code === "EAGAIN") return false;
      throw error;
    }
  }

  /** First no pause, then one that grows with the quiet; with `usual`, at once one that lasts. */
  async #pause(quiet: number, usual: number): Promise<void> {
    if (quiet < SPIN && usual === 0) return await setImmediate();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(Math.max(quiet * SHARE, usual * SHARE_OF_USUAL, 1), MAX_PAUSE));
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
