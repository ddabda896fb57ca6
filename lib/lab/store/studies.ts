/** Studies as rows: their id, their description and when they were first entered. */

import { insertDigested, updateDigested } from "./digest.ts";
import type { Store } from "./open.ts";

/**
 * Enters a study, or replaces its description. The first `createdAt`, milliseconds since 1970, is
 * kept.
 */
export function putStudy(
  store: Store,
  study: { id: string; spec: unknown; createdAt: number },
): void {
  store.transaction(() => {
    const spec = JSON.stringify(study.spec);
    if (updateDigested(store, "studies", "spec = ?", study.id, spec)) return;
    insertDigested(store, "studies", {
      id: study.id,
      spec,
      created_at: Math.round(study.createdAt),
    });
  });
}

/**
 * Finds the description of a study as it was last run; `undefined` if the store does not hold it.
 */
export function getStudy(store: Store, id: string): unknown {
  const row = store.prepare("select spec from studies where id = ?").get(id);
  return row === undefined ? undefined : JSON.parse(String(row.spec));
}

/**
 * Lists the ids of the studies, oldest first.
 *
 * @example
 * ```ts
 * import { listStudies, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no study yet
 * assert.deepEqual(listStudies(store), []);
 * ```
 */
export function listStudies(store: Store): string[] {
  return store.prepare("select id from studies order by created_at, id").all().map((row) =>
    String(row.id)
  );
}

/** Brings a study's rows into the order of its plan, the order of `rowid`. */
export function orderAsPlanned(store: Store, study: string): void {
  const { chains = [] } = (getStudy(store, study) ?? {}) as {
    readonly chains?: readonly { readonly id: string }[];
  };
  const place = new Map(chains.map(({ id }, index) => [id, index]));
  const rows = store.prepare(
    "select id, chain, ordinal from main.episodes where study = ? order by rowid",
  ).all(study)
    .map(({ id, chain, ordinal }) => ({
      id: String(id),
      place: place.get(String(chain)) ?? chains.length,
      ordinal: Number(ordinal),
    }));
  const wanted = rows.toSorted((a, b) => a.place - b.place || a.ordinal - b.ordinal);
  if (wanted.every((row, index) => row === rows[index])) return;
  store.transaction(() => {
    const move = store.prepare(
      "update main.episodes set rowid = (select max(rowid) + 1 from main.episodes) where id = ?",
    );
    for (const { id } of wanted) move.run(id);
  });
}
