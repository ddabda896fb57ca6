/**
 * A player that never does anything: no score, no step, no token; and one that always does all
 * there is. Claims must not take them for any paper's result.
 */

import assert from "node:assert/strict";
import { conditionOf, idOf, type Study } from "../../lib/lab/study.ts";
import { PAPERS } from "../../lib/papers/parts.ts";
import { testClaims, type TestedClaim } from "../../lib/papers/claims.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { slowTest } from "../slow.ts";

/** Records every episode of a study as played to the same score in no step. */
function playTo(score: 0 | 1, store: Store, { id: study, chains }: Study): void {
  putStudy(store, { id: study, spec: { chains: [] }, createdAt: 0 });
  for (const { id: chain, episodes } of chains) {
    for (const [ordinal, episode] of episodes.entries()) {
      const { world, params = {}, label, method, memory, options, attempt, seed } = episode;
      const id = `${study} ${chain} ${ordinal}`;
      const of = (value: typeof method | typeof memory, own: unknown): object => ({
        id: value && idOf(value),
        options: own ?? {},
      });
      putEpisode(store, {
        ...{
          id,
          study,
          chain,
          ordinal,
          world,
          worldParams: params,
          label,
          attempt,
          seed,
          backbone: "offline",
        },
        identity: {
          embedder: "lexical",
          method: of(method, options?.method),
          memory: of(memory, options?.memory),
        },
        method: idOf(method),
        memory: memory === undefined ? "none" : idOf(memory),
        condition: conditionOf(episode),
      });
      endEpisode(store, id, {
        status: "completed",
        passes: [{ kind: "only", score, maxScore: 1, steps: 0, end: "limit" }],
      }, 0);
    }
  }
}

for (const paper of Object.keys(PAPERS)) {
  const test = paper === "wese" ? slowTest : Deno.test; // 60,000 episodes
  test(`${paper}: at the papers' n, too, claims take neither a player of zeros nor one of ones for one that tells methods apart`, () => {
    for (const score of [0, 1] as const) {
      using store = openStore(":memory:");
      const parts = PAPERS[paper]?.({ full: true }) ?? [];
      for (const { study } of parts) playTo(score, store, study);
      const tested = testClaims(
        { file: `${paper}_claims` },
        store,
        parts.map(({ study }) => study.id),
      );
      const { length: played } = tested.filter(({ why }) => why !== "not played");
      assert.ok(played >= 5, `only ${played} claims are judged: the player was not read`);
      const isTold = ({ verdict, direction }: TestedClaim): boolean =>
        ["contradicted", "tie", "supported, negligible"].includes(verdict) ||
        (verdict === "supported" && !(score === 1 && direction === "no less")); // who always wins loses nothing
      assert.deepEqual(
        tested.filter(isTold).map(({ id, claim, verdict }) =>
          `${score}: ${id} ${claim}: ${verdict}`
        ),
        [],
      );
    }
  });
}
