/**
 * The queue of the worlds that are to be opened: a few at once, and none while their server takes
 * no more sessions.
 */

import { WorldError } from "../errors.ts";
import { type Clock, systemClock } from "../platform.ts";
import { createSemaphore } from "../semaphore.ts";

export interface OpeningQueueOptions {
  readonly held: () => number;
  readonly signal: () => AbortSignal | undefined;
  readonly onDelay?: (what: string) => void;
  /** Waits between two attempts. @default the system clock */
  readonly clock?: Clock;
}

export interface OpeningQueue {
  /**
   * Opens a world in its turn; where the server takes no more sessions, once one of this client's
   * is closed, or another client's.
   */
  run<Opened>(open: () => Promise<Opened>): Promise<Opened>;
  closed(): void;
}

/**
 * Worlds that are opened at once at most: a study may open hundreds, and the time of each is
 * limited.
 */
const OPENED_AT_ONCE = 8;
/**
 * Milliseconds after which a full server is asked again, and those after which one that other
 * clients keep full is given up.
 */
const [WAIT_MS, PATIENCE_MS] = [1000, 600_000];

/**
 * Creates the queue of a client.
 * @throws {WorldError} `too-many-sessions` from `run`, where others fill the server for ten minutes
 */
export function createOpeningQueue(
  { held, signal, onDelay, clock = systemClock }: OpeningQueueOptions,
): OpeningQueue {
  const openings = createSemaphore(OPENED_AT_ONCE);
  let next = Promise.withResolvers<void>();

  async function wait(stop: AbortSignal | undefined): Promise<void> {
    const woken = new AbortController();
    const either = stop ? AbortSignal.any([stop, woken.signal]) : woken.signal;
    await Promise.race([next.promise, clock.sleep(WAIT_MS, either).catch(() => {})]);
    woken.abort();
    stop?.throwIfAborted();
  }

  async function openInTurn<Opened>(
    open: () => Promise<Opened>,
    stop: AbortSignal | undefined,
  ): Promise<Opened> {
    for (let waited = 0;; waited += WAIT_MS) {
      try {
        return await open();
      } catch (error) {
        const isFull = error instanceof WorldError && error.kind === "too-many-sessions";
        if (!isFull || (held() === 0 && waited >= PATIENCE_MS)) throw error;
        if (waited === 0) onDelay?.(`${error.message}; waiting until one is closed`);
        await wait(stop);
      }
    }
  }

  return {
    run: (open) => {
      const stop = signal();
      return openings.run(() => openInTurn(open, stop), stop);
    },
    closed: () => {
      next.resolve();
      next = Promise.withResolvers();
    },
  };
}
