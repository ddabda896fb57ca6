import assert from "node:assert/strict";
import { openStore } from "../../../lib/lab/store/open.ts";
import { createTable, json, rounded, sortedJson } from "../../../lib/lab/store/table.ts";
import { insertRow } from "../../../lib/lab/store/texts.ts";

interface Row {
  readonly id: string;
  readonly maxScore?: number;
  readonly price: number | null;
  readonly asWritten: unknown;
  readonly sorted?: unknown;
  readonly at: number;
}

const table = createTable<Row>("sample", {
  price: { nullable: true },
  asWritten: json,
  sorted: sortedJson,
  at: rounded,
});

Deno.test("createTable() gives a row back as it was, with absent fields absent and null kept", () => {
  using store = openStore(":memory:");
  store.database.exec(
    "create table sample (id text primary key, max_score real, price real, as_written text, sorted text, at integer) strict",
  );
  const full: Row = {
    id: "a",
    maxScore: 2.5,
    price: 0.5,
    asWritten: { z: 1, a: 2 },
    sorted: { z: 1, a: 2 },
    at: 1.6,
  };
  const bare: Row = { id: "b", maxScore: undefined, price: null, asWritten: "", at: 0 };
  for (const row of [full, bare]) insertRow(store, "sample", table.write(row));
  const columns = store.prepare("select * from sample order by id").all();
  assert.deepEqual(columns.map(({ as_written, sorted, at }) => [as_written, sorted, at]), [[
    '{"z":1,"a":2}',
    '{"a":2,"z":1}',
    2,
  ], [
    '""',
    null,
    0,
  ]]);
  assert.deepEqual(columns.map(table.read), [{ ...full, at: 2 }, {
    id: "b",
    price: null,
    asWritten: "",
    at: 0,
  }]);
});

Deno.test("insertRow() throws, keeps or replaces where the key is taken, as its caller says", () => {
  using store = openStore(":memory:");
  store.database.exec(
    "create table sample (id text primary key, max_score real, price real, as_written text, sorted text, at integer) strict",
  );
  const first: Row = { id: "a", price: 1, asWritten: 1, at: 1 };
  const second = { ...first, price: 2 };
  const price = (): unknown => store.prepare("select price from sample").get()?.price;
  const insert = (row: Row, conflict?: "or ignore" | "or replace") =>
    insertRow(store, "sample", table.write(row), conflict);
  insert(first);
  assert.throws(() => insert(second), /UNIQUE/);
  insert(second, "or ignore");
  assert.equal(price(), 1);
  insert(second, "or replace");
  assert.equal(price(), 2);
});
