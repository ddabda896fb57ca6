/** What was played of a study, as one hash. */

import { createHash } from "node:crypto";
import type { Store } from "./store/open.ts";

/**
 * SHA-256, as 64 hex digits, over the completed episodes of a study in the order of their ids: each
 * with its outcome, and with the action and score of every step. Equal plays have equal digests, on
 * any machine and at any time.
 */
export function digestOf(store: Store, study: string): string {
  const hash = createHash("sha256");
  const episodes = store.prepare(`select id, score, max_score, steps, ended from episodes
    where study = ? and status = 'completed' order by id`).all(study);
  const turns = store.prepare(
    "select pass, step, action, score from turns where episode = ? order by pass, step",
  );
  for (const { id, ...outcome } of episodes) {
    hash.update(
      JSON.stringify([
        id,
        ...Object.values(outcome),
        turns.all(String(id)).map((turn) => Object.values(turn)),
      ]),
    );
  }
  return hash.digest("hex");
}
