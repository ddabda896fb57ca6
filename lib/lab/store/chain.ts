/** The chain of a study: the traces of its completed episodes in order, closed by one hash, its head. */

import { createHash } from "node:crypto";
import type { Store } from "./open.ts";
import { checkEpisode, sealsRows } from "./verify.ts";

/** An episode in the chain of its study. */
export interface ChainLink {
  /** Id of the episode. */
  readonly episode: string;
  /** SHA-256 over what was played: its identity, its result and the hashes of its steps, without times. */
  readonly trace: string;
}

/** Lists the completed episodes of a study with their traces, by lane and ordinal; call `excludeBroken` before, so that broken ones are left out. */
export function chainOf(store: Store, study: string): ChainLink[] {
  const ids = store.prepare("select id from episodes where study = ? and status = 'completed' order by lane, ordinal").all(study);
  const sealed = sealsRows(store) ? store.prepare("select trace from main.seals where episode = ?") : undefined;
  return ids.map(({ id }) => {
    const episode = String(id);
    return { episode, trace: String(sealed?.get(episode)?.["trace"] ?? checkEpisode(store, episode)?.trace) };
  });
}

/** Computes the head of a chain: SHA-256 over its episodes and their traces, a line each. Equal plays have equal heads, on any machine. */
export function headOf(chain: readonly ChainLink[]): string {
  return createHash("sha256").update(chain.map(({ episode, trace }) => `${episode} ${trace}\n`).join("")).digest("hex");
}
