import assert from "node:assert/strict";
import { commitTogether } from "../../lib/store/group-commit.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";

/** The store with a list of its transactions: of each whether it is durable. */
function watched(store: Store): { readonly store: Store; readonly durable: (boolean | undefined)[] } {
  const durable: (boolean | undefined)[] = [];
  const transaction: Store["transaction"] = (work, options) => {
    durable.push(options?.durable);
    return store.transaction(work, options);
  };
  return { store: { ...store, transaction }, durable };
}

Deno.test("commitTogether() commits what comes at the same time once, durably and in order, and returns each result", async () => {
  using opened = openStore(":memory:");
  const { store, durable } = watched(opened);
  const put = (id: string) => (): string => {
    putStudy(opened, { id, spec: {}, createdAt: 0 });
    return id;
  };
  assert.deepEqual(await Promise.all(["b", "a", "c"].map((id) => commitTogether(store, put(id)))), ["b", "a", "c"]);
  assert.deepEqual(durable, [true]);
  assert.equal(await commitTogether(store, put("d")), "d");
  assert.deepEqual(durable, [true, true], "what comes later has a commit of its own");
});

Deno.test("commitTogether() commits nothing of a group in which some work fails, and tells all of it", async () => {
  using store = openStore(":memory:");
  const whole = commitTogether(store, () => putStudy(store, { id: "a", spec: {}, createdAt: 0 }));
  const broken = commitTogether(store, () => assert.fail("no work"));
  const ends = await Promise.allSettled([whole, broken]);
  assert.deepEqual(ends.map((end) => end.status === "rejected" && end.reason.message), ["no work", "no work"]);
  assert.equal(store.prepare("select count(*) as n from studies").get()?.["n"], 0);
  assert.equal(await commitTogether(store, () => 1), 1, "the next group is another one");
});
