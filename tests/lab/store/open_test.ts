import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { lockForRun } from "../../../lib/lab/store/lock.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listTurns, putTurn } from "../../../lib/lab/store/turns.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan, sampleTurn } from "./samples.ts";
import { inFolder } from "../../folder.ts";
Deno.test("Store.transaction() syncs its commit when durable, and leaves the others to the next one", () =>
  inFolder((folder) => {
    using store = openStore(join(folder, "lab.sqlite"));
    const level = (): unknown => store.database.prepare("pragma synchronous").get()?.synchronous;
    const [NORMAL, FULL] = [1, 2];
    assert.equal(store.transaction(level), NORMAL);
    assert.equal(store.transaction(level, { durable: true }), FULL);
    assert.throws(
      () => store.transaction(() => assert.fail("no work"), { durable: true }),
      /no work/,
    );
    assert.equal(store.transaction(level), NORMAL, "again, after an error too");
  }));

Deno.test("openStore() follows symbolic links: of a folder, of a file, and of one that is to be made", () =>
  inFolder((folder) => {
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "link"));
    symlinkSync(join("link", "lab.sqlite"), join(folder, "lab.sqlite"));
    {
      using store = openStore(join(folder, "lab.sqlite"));
      putStudy(store, { id: "study", spec: {}, createdAt: 0 });
    }
    for (const path of ["lab.sqlite", join("link", "lab.sqlite"), join("real", "lab.sqlite")]) {
      using store = openStore(join(folder, path), { create: false, readOnly: true });
      assert.deepEqual(
        store.prepare("select id from studies").all().map(({ id }) => id),
        ["study"],
        path,
      );
    }
  }));
Deno.test("openStore() throws StoreError for a file that is no store of this version, or no path", () =>
  inFolder((folder) => {
    const newer = join(folder, "newer.sqlite");
    const database = new DatabaseSync(newer);
    database.exec("pragma user_version = 999");
    database.close();
    refuses(() => openStore(newer), "schema", /schema 999.*update Labyrinth/);

    const text = join(folder, "notes.txt");
    writeFileSync(text, "no database at all\n".repeat(100));
    refuses(() => openStore(text), "schema", /no SQLite file.*--store/);
    refuses(
      () => openStore(join(folder, "none.sqlite"), { create: false }),
      "missing",
      /no store at .*none\.sqlite/,
    );
    writeFileSync(join(folder, "cut.sqlite"), "");
    refuses(
      () => openStore(join(folder, "cut.sqlite"), { create: false }),
      "missing",
      /cut\.sqlite is empty/,
    );
    refuses(() => openStore(join(text, "lab.sqlite")), "disk", /--store/);
    refuses(() => openStore(folder), "missing", /is a folder.*--store/);
    refuses(() => openStore("/dev/null"), "missing", /is a device or a pipe.*--store/);
    refuses(() => openStore(""), "missing", /path of a file.*--store/);

    const foreign = join(folder, "foreign.sqlite");
    const other = new DatabaseSync(foreign);
    other.exec("create table studies (name text)");
    refuses(() => openStore(foreign), "schema", /made by another program.*--store/);
    assert.deepEqual(other.prepare("select name from sqlite_schema").all().map((row) => row.name), [
      "studies",
    ], "and is left as it was");
    other.close();
  }));

Deno.test("transaction() rolls back after an error, and throws disk when the disk is full", () =>
  inFolder((folder) => {
    using store = openStore(join(folder, "lab.sqlite"));
    putStudy(store, { id: "s", spec: {}, createdAt: 1 });
    putEpisode(store, samplePlan({ id: "e", study: "s" }));
    putTurn(store, sampleTurn({ episode: "e", step: 0 }));
    assert.throws(() =>
      store.transaction(() => {
        putTurn(store, sampleTurn({ episode: "e", step: 1 }));
        throw new TypeError("broken on the way");
      }), TypeError);
    assert.deepEqual(listTurns(store, "e").map((turn) => turn.step), [0]);

    const pages = Number(store.database.prepare("pragma page_count").get()?.page_count);
    store.database.exec(`pragma max_page_count = ${pages}`);
    refuses(
      () =>
        putTurn(store, sampleTurn({ episode: "e", step: 1, observation: "x".repeat(1_000_000) })),
      "disk",
      /disk is full.*free some space.*no finished step is lost/,
    );
    assert.deepEqual(listTurns(store, "e").map((turn) => turn.step), [0]);
    store.database.exec("pragma max_page_count = 1000000");
    putTurn(store, sampleTurn({ episode: "e", step: 1 }));
    assert.deepEqual(listTurns(store, "e").map((turn) => turn.step), [0, 1]);
  }));

Deno.test("lockForRun() throws for a second run, admits readers, and is released", () =>
  inFolder((folder) => {
    using store = openStore(join(folder, "lab.sqlite"));
    {
      using _run = lockForRun(store);
      using reader = openStore(store.path);
      assert.equal(reader.prepare("select count(*) as n from episodes").get()?.n, 0);
      refuses(() => lockForRun(reader), "locked", /another run.*--store/);
    }
    lockForRun(store)[Symbol.dispose]();
  }));

Deno.test("lockForRun() is released when its process is killed", () =>
  inFolder(async (folder) => {
    const path = join(folder, "lab.sqlite");
    const script = join(folder, "hold.ts");
    const lib = new URL("../../../lib/lab/store/", import.meta.url).href;
    writeFileSync(
      script,
      `import { openStore } from "${lib}open.ts";
       import { lockForRun } from "${lib}lock.ts";
       globalThis.held = lockForRun(openStore(${JSON.stringify(path)}));
       console.log("held");
       setInterval(() => {}, 1000);`,
    );
    const holder = spawn(process.execPath, [
      "run",
      "-A",
      "--no-check",
      "--config",
      `${checkoutRoot()}deno.json`,
      script,
    ], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(holder.stdout, "data");
      using store = openStore(path);
      refuses(() => lockForRun(store), "locked", /another run/);
      holder.kill("SIGKILL");
      await once(holder, "exit");
      lockForRun(store)[Symbol.dispose]();
    } finally {
      holder.kill("SIGKILL");
    }
  }));

function refuses(action: () => unknown, kind: StoreError["kind"], message: RegExp): void {
  assert.throws(action, (error: unknown) => {
    assert.ok(error instanceof StoreError, `a StoreError, not ${error}`);
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}
