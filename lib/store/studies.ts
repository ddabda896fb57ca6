/**
 * Studies as typed rows.
 *
 * @module
 */

import type { Store } from "./open.ts";

/**
 * Writes the study's plan; a later one takes the earlier one's place.
 *
 * @param study `spec` is kept as JSON; `createdAt` in milliseconds since 1970 (the first one stays).
 * @throws {StoreError} `disk` if it cannot be written.
 *
 * @example
 * ```ts
 * import { getStudy, openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: { title: "first" }, createdAt: 0 });
 * putStudy(store, { id: "mine", spec: { title: "second" }, createdAt: 1 });
 * assert.deepEqual(getStudy(store, "mine"), { title: "second" });
 * ```
 */
export function putStudy(store: Store, study: { id: string; spec: unknown; createdAt: number }): void {
  store.transaction(() =>
    store.prepare("insert into studies (id, spec, created_at) values (?, ?, ?) on conflict (id) do update set spec = excluded.spec")
      .run(study.id, JSON.stringify(study.spec), Math.round(study.createdAt))
  );
}

/**
 * The plan of a study as it was last run, or `undefined`.
 *
 * @example
 * ```ts
 * import { getStudy, openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: { title: "My study", lanes: [] }, createdAt: 0 });
 * assert.deepEqual(getStudy(store, "mine"), { title: "My study", lanes: [] });
 * assert.equal(getStudy(store, "another"), undefined);
 * ```
 */
export function getStudy(store: Store, id: string): unknown {
  const row = store.prepare("select spec from studies where id = ?").get(id);
  return row === undefined ? undefined : JSON.parse(String(row.spec));
}

/**
 * Ids of the studies, in order of their making.
 *
 * @example
 * ```ts
 * import { listStudies, openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "younger", spec: {}, createdAt: 2 });
 * putStudy(store, { id: "older", spec: {}, createdAt: 1 });
 * assert.deepEqual(listStudies(store), ["older", "younger"]);
 * ```
 */
export function listStudies(store: Store): string[] {
  return store.prepare("select id from studies order by created_at, id").all().map((row) => String(row.id));
}
