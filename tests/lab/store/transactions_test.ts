import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { StoreError } from "../../../lib/core/errors.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { ownFolder } from "../../folder.ts";

const put = (store: Store, id: string): string => {
  putStudy(store, { id, spec: {}, createdAt: 0 });
  return id;
};

/** Runs `work` with a store on the disk, and with what another connection finds in it. */
async function withFile(
  work: (store: Store, found: () => string[]) => Promise<void>,
): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  using store = openStore(join(folder, "lab.sqlite"));
  using other = new DatabaseSync(store.path, { readOnly: true });
  await work(
    store,
    () => other.prepare("select id from studies order by rowid").all().map(({ id }) => String(id)),
  );
}

Deno.test("Store.write() commits what is written in one turn of the event loop together, when it turns", () =>
  withFile(async (store, found) => {
    assert.deepEqual(["b", "a"].map((id) => store.write(() => put(store, id))), ["b", "a"]);
    assert.deepEqual([found(), store.prepare("select count(*) as n from studies").get()?.["n"]], [
      [],
      2,
    ], "it is seen here before");
    await Promise.resolve();
    assert.deepEqual(found(), []);
    await store.settled();
    assert.deepEqual(found(), ["b", "a"]);
    store.write(() => put(store, "c"));
    await setImmediate();
    assert.deepEqual(found(), ["b", "a", "c"], "whether or not somebody waits for it");
  }));

Deno.test("Store.write() keeps nothing of work that fails, and the rest of its turn", () =>
  withFile(async (store, found) => {
    const fails = (): void =>
      assert.throws(() => store.write(() => assert.fail(put(store, "b"))), /^AssertionError.*: b$/);
    fails();
    store.write(() => put(store, "a"));
    fails();
    store.write(() => store.transaction(() => put(store, "c"))); // a part of it
    await store.settled({ durable: true });
    assert.deepEqual(found(), ["a", "c"]);
  }));
Deno.test("Store.settled() syncs once for all that ask before it begins", () =>
  withFile(async (store) => {
    let turns = 0;
    const waits = Array.from({ length: 50 }, async (_, index) => {
      store.write(() => put(store, `${index}`));
      await store.settled({ durable: true });
      return turns;
    });
    void (async () => {
      for (; turns < 1000; turns++) await setImmediate();
    })();
    const ends = await Promise.all(waits);
    assert.equal(new Set(ends).size, 1, "one sync");
  }));

Deno.test("a commit that fails is told to all who wait for it, and nothing more is written until the store is started anew", () =>
  withFile(async (store, found) => {
    store.write(() => put(store, "a"));
    await store.settled();
    const pages = Number(store.database.prepare("pragma page_count").get()?.["page_count"]);
    store.database.exec(`pragma max_page_count = ${pages}`); // the disk is full
    const spec = { text: "x".repeat(1_000_000) };
    const waiting = (async (): Promise<void> => {
      store.write(() => put(store, "b"));
      await store.settled({ durable: true });
    })();
    assert.throws(
      () => store.write(() => putStudy(store, { id: "c", spec, createdAt: 0 })),
      isFull,
    );
    await assert.rejects(waiting, isFull);
    assert.throws(() => store.write(() => put(store, "d")), isFull);
    assert.throws(() => store.transaction(() => put(store, "d")), isFull);
    await assert.rejects(store.settled(), isFull);
    store.database.exec("pragma max_page_count = 1000000");
    store.startAnew();
    store.write(() => put(store, "e"));
    await store.settled();
    assert.deepEqual(found(), ["a", "e"]);
  }));

function isFull(error: unknown): boolean {
  return error instanceof StoreError && error.kind === "disk";
}
