/** A player that never does anything: no score, no step, no token. Ledgers and claims must not take it for any paper's result. */

import assert from "node:assert/strict";
import { conditionOf, idOf, type Study } from "../../lib/lab/study.ts";
import { PAPERS, USUAL_PAPERS } from "../../lib/papers/studies.ts";
import { testClaims } from "../../lib/report/claims.ts";
import { reportOf } from "../../lib/report/study-report.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";

/** Records every episode of a study as played to nothing. */
function playNothing(store: Store, { id: study, lanes }: Study): void {
  putStudy(store, { id: study, spec: { lanes: [] }, createdAt: 0 });
  for (const { id: lane, episodes } of lanes) {
    for (const [ordinal, episode] of episodes.entries()) {
      const { world, params = {}, label, method, memory, options, attempt, seed } = episode;
      const id = `${study} ${lane} ${ordinal}`;
      const of = (value: typeof method | typeof memory, own: unknown): object => ({ id: value && idOf(value), options: own ?? {} });
      putEpisode(store, {
        ...{ id, study, lane, ordinal, world, worldParams: params, label, attempt, seed, backbone: "offline" },
        identity: { embedder: "lexical", method: of(method, options?.method), memory: of(memory, options?.memory) },
        method: idOf(method),
        memory: memory === undefined ? "none" : idOf(memory),
        condition: conditionOf(episode),
      });
      endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 1, steps: 0, end: "limit" }] }, 0);
    }
  }
}

for (const paper of USUAL_PAPERS) {
  Deno.test(`${paper}: a player of zeros agrees with nothing but zeros, and supports no claim of an advantage`, () => {
    using store = openStore(":memory:");
    const parts = PAPERS[paper]?.({}) ?? [];
    for (const { study } of parts) playNothing(store, study);
    const [first] = parts;
    assert.ok(first);
    const { ledger = [] } = reportOf(first.report, store, first.study.id);
    const judged = ledger.filter(({ ours }) => ours !== undefined);
    assert.ok(judged.length >= 20, `only ${judged.length} numbers are judged: the player was not read`);
    const wrong = ledger.filter(({ verdict, printed, bound }) => verdict === "agrees" && Number(printed) !== 0 && !bound);
    assert.deepEqual(wrong.map(({ source, row, column, printed, why }) => [source, row, column, printed, why].join(" | ")), []);
    const claims = first.report.ledger?.claims ? testClaims(first.report.ledger.claims, store, parts.map(({ study }) => study.id)) : [];
    assert.deepEqual(claims.filter(({ verdict }) => verdict === "supported").map(({ id, claim }) => `${id} ${claim}`), []);
  });
}
