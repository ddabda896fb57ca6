/** A store that the version before wrote (`version-4.sqlite.zst`: the rows of `fill`, and three votes on each of 40 growing prompts). */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { requestBytes } from "../../../lib/lab/store/bodies.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { repairStore } from "../../../lib/lab/store/repair.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import { numbersOf } from "./filled.ts";

/** Everything that the store tells, by the names of its tables. */
function contentOf(store: Store): unknown {
  const rows = (table: string): unknown[] => store.prepare(`select * from ${table} order by 1, 2, 3`).all().map((row) => ({ ...row }));
  const replies = rows("replies") as { request: Uint8Array }[];
  const { store: _, ...verified } = verifyStore(store);
  return {
    verified,
    numbers: numbersOf(store),
    replies: replies.map((row) => ({ ...row, request: new TextDecoder().decode(requestBytes(row.request)) })),
    steps: ["turns", "truths", "graph_changes", "calls", "seals", "episodes"].map(rows),
  };
}

function withOlder(work: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-packing-"));
  try {
    const path = join(folder, "lab.sqlite");
    writeFileSync(path, zstdDecompressSync(readFileSync(new URL("version-4.sqlite.zst", import.meta.url))));
    work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contentAt(path: string, readOnly: boolean): unknown {
  using store = openStore(path, { readOnly });
  return contentOf(store);
}

function isPacked(path: string): boolean {
  using store = openStore(path, { readOnly: true });
  return Number(store.prepare("select count(*) as n from packing").get()?.n) === 0;
}

Deno.test("openStore() packs an older store, its prompts and details to a tenth of their bytes, and no row, hash or number of it changes", () =>
  withOlder((path) => {
    const before = contentAt(path, true) as { verified: { replies: unknown; episodes: { state: string }[] } };
    assert.deepEqual(before.verified.episodes.map(({ state }) => state), ["whole", "whole", "whole", "open"]);
    assert.deepEqual(before.verified.replies, { whole: 140, broken: 0 });
    const size = statSync(path).size;
    assert.deepEqual(contentAt(path, false), before);
    assert.deepEqual(contentAt(path, true), before);
    assert.ok(isPacked(path));
    assert.ok(statSync(path).size <= 0.6 * size, `${statSync(path).size} of ${size} bytes`); // 100 kB of both are tables with a row or none
    using store = openStore(path);
    const bytes = (sql: string): number => Number(Object.values(store.prepare(sql).get() ?? {})[0]);
    const raw = bytes(
      "select (select total(length(request)) + total(length(reply)) from replies) + (select total(length(truth)) from truths)",
    );
    assert.ok(bytes("select total(length(body)) from bodies") < raw / 10, `of ${raw} bytes`);
    assert.deepEqual(repairStore(store, `${path}.saved`).lost, []);
    using saved = openStore(`${path}.saved`);
    assert.deepEqual((contentOf(saved) as typeof before).verified.replies, before.verified.replies);
  }));

Deno.test("a damaged older store is verified and repaired as it is, and read but for what is damaged", () =>
  withOlder((path) => {
    const older = new DatabaseSync(path);
    older.exec("update replies set request = x'78da0011' where key = (select min(key) from replies)");
    older.close();
    const whole = readFileSync(path);
    {
      using store = openStore(path, { salvage: true });
      assert.equal(verifyStore(store).replies.broken, 1);
      assert.equal(repairStore(store, `${path}.saved`).saved.replies, 139);
    }
    assert.deepEqual(readFileSync(path), whole, "nothing was migrated");
    assert.equal(existsSync(`${path}-wal`), false);
    {
      using store = openStore(path);
      assert.equal(verifyStore(store).replies.broken, 1);
    }
    assert.ok(isPacked(path));

    writeFileSync(path, whole.fill(7, whole.length / 2, whole.length / 2 + 4096)); // a page that cannot be read
    using store = openStore(path, { salvage: true });
    assert.ok(verifyStore(store).problems.length > 0);
    assert.ok(repairStore(store, `${path}.more`).saved.episodes > 0);

    const schema = readFileSync(`${path}.saved`);
    schema[schema.indexOf("unpacked(q.body") + 5] = "s".charCodeAt(0);
    writeFileSync(`${path}.schema`, schema);
    using other = openStore(`${path}.schema`, { salvage: true });
    assert.throws(() => repairStore(other, `${path}.none`), { kind: "damaged" });

    writeFileSync(`${path}.cut`, whole.subarray(0, whole.length - 5000));
    assert.throws(() => openStore(`${path}.cut`, { salvage: true }), { kind: "damaged", message: /nothing can be read: move it away/ });
  }));

Deno.test("openStore() goes on where a process that packed a store was killed", () =>
  withOlder((path) => {
    const before = contentAt(path, true);
    const lib = new URL("../../../lib/lab/store/", import.meta.url).href;
    for (const killedIn of [1, 3, 6]) {
      const script = `
        import { DatabaseSync } from "node:sqlite";
        import process from "node:process";
        import { defineUnpacked } from "${lib}bodies.ts";
        import { packOlderRows } from "${lib}packing.ts";
        import { MIGRATIONS } from "${lib}schema.ts";
        const path = ${JSON.stringify(path)};
        const database = new DatabaseSync(path);
        defineUnpacked(database);
        if (database.prepare("pragma user_version").get().user_version === 4) {
          database.exec("begin; " + MIGRATIONS[4] + "; pragma user_version = 5; commit");
        }
        let pieces = 0;
        function transaction(work) {
          database.exec("begin immediate");
          work();
          if (++pieces === ${killedIn}) process.kill(process.pid, "SIGKILL");
          database.exec("commit");
        }
        packOlderRows({ path, database, transaction, prepare: (sql) => database.prepare(sql) });`;
      writeFileSync(`${path}.ts`, script);
      const config = ["--config", `${checkoutRoot()}deno.json`];
      const { signal, stderr } = spawnSync(process.execPath, ["run", "-A", "--no-check", ...config, `${path}.ts`], { encoding: "utf8" });
      assert.equal(signal, "SIGKILL", stderr);
      assert.equal(isPacked(path), false);
      assert.deepEqual(contentAt(path, true), before, `killed in piece ${killedIn}`);
    }
    assert.deepEqual(contentAt(path, false), before);
    assert.ok(isPacked(path));
  }));
