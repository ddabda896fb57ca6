/** What of a study is written into exported files: the traces of its completed episodes in order, closed by one hash, its head. */

import { sha256 } from "../../core/text/canonical.ts";
import type { Store } from "./open.ts";
import { checkEpisode } from "./verify.ts";

/** A completed episode of a study. */
export interface ChainLink {
  /** Id of the episode. */
  readonly episode: string;
  /** SHA-256 over what was played: see `CheckedEpisode`. */
  readonly trace: string;
}

/** Lists the completed episodes of a study with their traces, by lane and ordinal; call `excludeBroken` before, so that broken ones are left out. */
export function chainOf(store: Store, study: string): ChainLink[] {
  const ids = store.prepare("select id from episodes where study = ? and status = 'completed' order by lane, ordinal").all(study);
  return ids.map(({ id }) => ({ episode: String(id), trace: checkEpisode(store, String(id))?.trace ?? "" }));
}

/** Computes the head of a chain: SHA-256 over its episodes and their traces, a line each. Equal plays have equal heads, on any machine. */
export function headOf(chain: readonly ChainLink[]): string {
  return sha256(chain.map(({ episode, trace }) => `${episode} ${trace}\n`).join(""));
}
