/**
 * What a row of any table can suffer: deleted, doubled, moved to another episode, changed places.
 * Each is named, or harmless.
 */

import assert from "node:assert/strict";
import type { SQLOutputValue } from "node:sqlite";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { putArtefact } from "../../../lib/lab/store/artefacts.ts";
import { closeLeftAttempts, openAttempt } from "../../../lib/lab/store/attempts.ts";
import { endEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import { ask, optionsFor } from "../../core/llm/asking.ts";
import { completion, startFakeEndpoint } from "../../core/llm/fake-endpoint.ts";
import { fill, PASS } from "./filled.ts";

/** A store with every kind of row, also of an episode that is not over (`dddd`) and of none. */
async function audited(): Promise<Store> {
  const store = openStore(":memory:");
  fill(store);
  // Replies and calls that no endpoint gave cost nothing and can be had again.
  store.database.exec("delete from packed_replies");
  const artefactOut = putArtefact(store, { kind: "arigraph", body: { triplets: [1, 2] } });
  endEpisode(store, "bbbb", { status: "completed", passes: [PASS], artefactOut }, 3);
  await using endpoint = startFakeEndpoint();
  endpoint.behave(({ body }) =>
    body["n"] === 3
      ? completion("", { choices: [1, 2, 3].map((n) => ({ message: { content: `${n}` } })) })
      : completion("a")
  );
  for (const episode of ["aaaa", "dddd", undefined]) {
    const model = createModels(optionsFor(store, endpoint.baseUrl, { episode }));
    const png = Uint8Array.from([1, 2, episode?.charCodeAt(0) ?? 0]);
    const picture = [{ role: "user" as const, content: [{ kind: "image" as const, png }] }];
    await model.chat({ ...ask(1), messages: picture, sample: { step: 1, pass: episode ? 1 : 2 } });
    await model.chat({ ...ask(2), sample: { step: 2 + (episode?.charCodeAt(0) ?? 0) }, n: 3 });
    openAttempt(store, { episode, role: "demo/act", model: "m", key: "k", boundTokens: 9, at: 1 });
  }
  closeLeftAttempts(store, 1e12);
  return store;
}

/** What is wrong with a store, one line each. */
function findings(store: Store): string[] {
  const { problems, episodes, replies, artefacts } = verifyStore(store);
  const broken = episodes.flatMap(({ episode, state, problem }) =>
    state === "broken" ? [`${episode}: ${problem}`] : []
  );
  return [
    ...problems,
    ...broken,
    ...[replies, artefacts].flatMap(({ broken }) => broken > 0 ? [`${broken} broken`] : []),
  ];
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * A damage as SQL with the values that it takes; `undefined` where a row has nothing to suffer it.
 */
type Damage = (
  table: string,
  row: Row,
  next: Row | undefined,
  key: readonly string[],
) => readonly [string, ...SQLOutputValue[]] | undefined;

const where = (key: readonly string[]): string => key.map((name) => `${name} is ?`).join(" and ");

const DAMAGES: Readonly<Record<string, Damage>> = {
  deleted: (
    table,
    row,
    _,
    key,
  ) => [`delete from ${table} where ${where(key)}`, ...key.map((name) => row[name] ?? null)],
  doubled: (table, row) => {
    const names = Object.keys(row).filter((name) =>
      name !== "id" || !["calls", "attempts"].includes(table)
    );
    return [
      `insert into ${table} (${names}) values (${names.map(() => "?")})`,
      ...names.map((name) => row[name] ?? null),
    ];
  },
  moved: (table, row, _, key) => {
    const column = "episode" in row ? "episode" : "study" in row ? "study" : undefined;
    if (column === undefined) return undefined;
    return [
      `update ${table} set ${column} = ? where ${where(key)}`,
      row[column] === "cccc" ? "bbbb" : "cccc",
      ...key.map((name) => row[name] ?? null),
    ];
  },
  // All that tells the place of a row changes with the next one's.
  swapped: (table, row, next, key) => {
    const others = Object.keys(row).filter((name) => !key.includes(name));
    if (!next || others.every((name) => `${row[name]}` === `${next[name]}`)) return undefined;
    const set = others.map((name) => `${name} = case when ${where(key)} then ? else ? end`).join(
      ", ",
    );
    const [own, its] = [row, next].map((of) => key.map((name) => of[name] ?? null)) as [
      SQLOutputValue[],
      SQLOutputValue[],
    ];
    const values = others.flatMap((name) => [...own, next[name] ?? null, row[name] ?? null]);
    return [
      `update ${table} set ${set} where (${where(key)}) or (${where(key)})`,
      ...values,
      ...own,
      ...its,
    ];
  },
};

/** Damage that nothing names, and why it does no harm. */
const HARMLESS: readonly (readonly [tables: RegExp, damage: string, why: string])[] = [
  [/^(calls|attempts)$/, "swapped", "their order tells nothing: each has its time"],
];

/** The tables of a store. */
function tablesOf(store: Store): string[] {
  return store.prepare("select name from sqlite_schema where type = 'table'").all().map((
    { name },
  ) => String(name));
}

Deno.test("verifyStore() names a row of any table that is deleted, doubled, moved or swapped, but where it is harmless", async () => {
  using store = await audited();
  assert.deepEqual(findings(store), []);
  store.database.exec("pragma foreign_keys = off");
  const tried = new Map<string, number>();
  for (const table of tablesOf(store)) {
    const key = store.prepare("select name from pragma_table_info(?) where pk > 0 order by pk").all(
      table,
    ).map(({ name }) => String(name));
    const rows: Row[] = store.prepare(`select * from ${table}`).all();
    assert.ok(rows.length > 0, `${table} is empty`);
    for (const [index, row] of rows.entries()) {
      if (rows.length > 25 && index % 3 > 0 && "step" in row && table !== "calls") continue; // steps are much alike
      for (const [name, damage] of Object.entries(DAMAGES)) {
        const sql = damage(table, row, rows[index + 1], key);
        if (!sql) continue;
        const [statement, ...values] = sql;
        store.database.exec("begin");
        try {
          store.database.prepare(statement).run(...values);
          const found = findings(store);
          const harmless = HARMLESS.some(([of, how]) => of.test(table) && how === name);
          if (!harmless) {
            assert.ok(
              found.length > 0,
              `${table} ${key.map((one) => row[one])} ${name}: nothing is named: ${
                JSON.stringify(row)
              }`,
            );
          }
          tried.set(name, 1 + (tried.get(name) ?? 0));
        } catch (error) {
          if (!/constraint failed/.test((error as Error).message)) throw error; // what the schema refuses does not happen
        }
        store.database.exec("rollback");
      }
    }
  }
  for (const name of Object.keys(DAMAGES)) {
    assert.ok((tried.get(name) ?? 0) > 10, `${name}: ${tried.get(name)}`);
  }
});

Deno.test("verifyStore() names a change in any column of a row of any table", async () => {
  using store = await audited();
  store.database.exec("pragma foreign_keys = off");
  const changed = (value: SQLOutputValue): SQLOutputValue =>
    value === null
      ? 7
      : value instanceof Uint8Array
      ? value.map((byte, at) => at === Math.min(9, value.length - 1) ? byte ^ 1 : byte)
      : typeof value === "string"
      ? `${value}1`
      : Number(value) + 1;
  let tried = 0;
  for (const name of tablesOf(store)) {
    const rows: Row[] = store.prepare(`select * from ${name}`).all();
    // One row of each kind: of an episode that has ended, of one that is not over, and of none.
    const kinds = Map.groupBy(
      rows,
      ({ episode, id }) =>
        episode === null ? "none" : (episode ?? id) === "dddd" ? "open" : "ended",
    );
    for (const row of [...kinds.values()].map((of) => of[0] as Row)) {
      const key = store.prepare("select name from pragma_table_info(?) where pk > 0 order by pk")
        .all(String(name)).map(({ name }) => String(name));
      for (const [column, value] of Object.entries(row)) {
        store.database.exec("begin");
        try {
          const values = [changed(value), ...key.map((one) => row[one] ?? null)];
          store.database.prepare(`update ${name} set ${column} = ? where ${where(key)}`).run(
            ...values,
          );
          const isRowId = column === "id" && (name === "calls" || name === "attempts");
          if (!isRowId) {
            assert.ok(
              findings(store).length > 0,
              `${name}.${column} of ${JSON.stringify(row)} is changed, and nothing is named`,
            );
          }
          tried++;
        } catch (error) {
          if (!/constraint failed|cannot store/.test((error as Error).message)) throw error;
        }
        store.database.exec("rollback");
      }
    }
  }
  assert.ok(tried > 100, `${tried}`);
});

Deno.test("verifyStore() names the reply, the picture and the artefact that are lost", async () => {
  using store = await audited();
  store.database.exec("pragma foreign_keys = off");
  const one = (sql: string): string => String(Object.values(store.prepare(sql).get() ?? {})[0]);
  const lost = {
    reply: one("select key from replies where reply like '%\"2\"%'"),
    artefact: one("select hash from artefacts where kind <> 'picture'"),
    picture: one("select hash from artefacts where kind = 'picture'"),
  };
  store.prepare("delete from packed_replies where key = ?").run(lost.reply);
  store.prepare("delete from artefacts where hash in (?, ?)").run(lost.artefact, lost.picture);
  const found = findings(store).join("\n");
  const named = [
    `the reply ${lost.reply.slice(0, 16)} (demo/act`,
    `the artefact ${lost.artefact.slice(0, 16)}, the artefact of the episode bbbb,`,
    `the artefact ${lost.picture.slice(0, 16)}, the picture that`,
  ];
  for (const line of named) assert.ok(found.includes(line), `${line} in ${found}`);
});
