/**
 * Shards: the parts of a study that machines play apart, each in a store of its own, before
 * `mergeStore` joins them.
 */

import type { EpisodeChain } from "./study.ts";

/** One of the parts that a study is divided into. */
export interface Shard {
  /** Which part, from 1 to `count`. */
  readonly part: number;
  /** Number of parts, ≥ 1. */
  readonly count: number;
}

/**
 * Lists the chains of a shard. Chains that are joined by `after` stay together; each such group goes,
 * in the order of the study, to the shard that has the fewest episodes so far, so that the same
 * study is divided in the same way everywhere. A shard of a small study may have no chain.
 */
export function chainsOfShard(
  chains: readonly EpisodeChain[],
  { part, count }: Shard,
): EpisodeChain[] {
  const first = new Map<string, string>(); // chain → the chain that its chain begins with
  for (const { id, after } of chains) {
    first.set(id, after === undefined ? id : first.get(after) ?? after);
  }
  const sizes = new Array<number>(count).fill(0);
  const chosen = new Set<string>();
  for (const [id, group] of Map.groupBy(chains, ({ id }) => first.get(id) ?? id)) {
    const shard = sizes.indexOf(Math.min(...sizes));
    sizes[shard] = (sizes[shard] ?? 0) +
      group.reduce((sum, { episodes }) => sum + episodes.length, 0);
    if (shard + 1 === part) chosen.add(id);
  }
  return chains.filter(({ id }) => chosen.has(first.get(id) ?? id));
}
