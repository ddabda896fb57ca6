/** Plays chains side by side, as many as there is room for. */

import type { ChainCount } from "./run-options.ts";

/**
 * Plays chains side by side, in order as they are ready.
 * @throws the first error of a chain, once all have ended
 */
export async function playAll<EpisodeChain>(
  all: readonly EpisodeChain[],
  play: (chain: EpisodeChain) => Promise<void>,
  { chains, isReady, isOver, failed }: {
    readonly chains: ChainCount;
    readonly isReady: (chain: EpisodeChain) => boolean;
    readonly isOver: () => boolean;
    readonly failed: (error: unknown) => void;
  },
): Promise<void> {
  const waiting = [...all];
  const errors: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;

  function start(): void {
    while (running < chains.now() && !isOver()) {
      const at = waiting.findIndex(isReady);
      const [chain] = at < 0 ? [] : waiting.splice(at, 1);
      if (chain === undefined) break;
      running++;
      void play(chain).catch((error) => {
        errors.push(error);
        failed(error);
      }).finally(() => {
        running--;
        start();
      });
    }
    if (running === 0) resolve();
  }

  const stop = chains.onGrowth(start);
  start();
  await promise.finally(stop);
  if (errors.length > 0) throw errors[0];
}
