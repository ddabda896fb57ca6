/**
 * A semaphore: so many tasks run at once, the others wait in order.
 *
 * @module
 */

export interface Limiter {
  /**
   * Runs a task once the limits allow it. Rejects with the signal's reason if it is aborted while
   * waiting.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface Semaphore extends Limiter {
  resize(permits: number): void;
  readonly waiting: number;
}

/**
 * Creates a semaphore: at most `permits` (≥ 1) tasks run at once, the others wait in order. A
 * failing task releases its permit.
 */
export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let [all, free] = [permits, permits];

  async function acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) return void free--;
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const stop = (): void => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      waiting.push(start);
    });
  }

  return {
    get waiting() {
      return waiting.length;
    },
    run: async (work, signal) => {
      await acquire(signal);
      try {
        return await work();
      } finally {
        const next = free < 0 ? undefined : waiting.shift();
        if (next) next(); // the permit passes to the next task without becoming free
        else free++;
      }
    },
    resize: (wanted) => {
      free += wanted - all;
      all = wanted;
      for (let next; free > 0 && (next = waiting.shift()); free--) next();
    },
  };
}
