import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { hasLocks } from "../../../lib/core/sqlite-locks.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { inFolder } from "../../folder.ts";
import { faultLibrary } from "./faults.ts";

const put = (store: Store, id: string, text = ""): void =>
  putStudy(store, { id, spec: { text }, createdAt: 0 });

/** What a piece of work was refused with: the kind and the line. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof StoreError, `a StoreError, not ${error}`);
    assert.doesNotMatch(error.message, /\n/);
    return `${error.kind}: ${error.message}`;
  }
  return "done";
}

const LOCKLESS = / disk: the store \S+ lies where files cannot be locked or shared .*--store$/;
const FAILED =
  / disk: the store \S+ could not be read or written: its disk is full, failing or was taken away; .*no finished step is lost$/;
const UNOPENED =
  / disk: the store \S+ cannot be opened for writing: check that its folder exists, that you may write there/;
const FAILING = / damaged: the store \S+ is damaged, or its disk is failing: /; // SQLite calls both malformed
const FULL = / disk: the store \S+ could not be written: the disk is full; free some space/;

Deno.test("a store that another process holds is told as locked, and the question whether there are locks leaves nothing behind", () =>
  inFolder((folder) => {
    const path = join(folder, "lab.sqlite");
    using store = openStore(path, { busyTimeout: 1 });
    using other = new DatabaseSync(path);
    other.exec("begin immediate");
    for (
      const work of [
        () => put(store, "a"),
        () => store.transaction(() => put(store, "a")),
        () => openStore(path, { busyTimeout: 1 }),
      ]
    ) {
      const said = refusal(work);
      if (said !== "done") {
        assert.match(said, /^locked: the store \S+ stayed locked by another process: wait/);
      }
    }
    assert.match(refusal(() => put(store, "a")), /^locked: /);
    assert.deepEqual([
      hasLocks(path),
      hasLocks(":memory:"),
      hasLocks(join(folder, "none", "lab.sqlite")),
    ], [true, true, true]);
    assert.deepEqual(readdirSync(folder).sort(), [
      "lab.sqlite",
      "lab.sqlite-shm",
      "lab.sqlite-wal",
    ]);
  }));

Deno.test("a store whose files were taken away while it was open says so, not that the disk is full", () =>
  inFolder(async (folder) => {
    using store = openStore(join(folder, "lab.sqlite"));
    put(store, "a");
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await assert.rejects(store.settled({ durable: true }), {
      kind: "disk",
      message: /was moved or deleted while it was open: put it back/,
    });
  }));

Deno.test("a folder that is taken away, and one that may not be written, are named as what they are", () =>
  inFolder((folder) => {
    const [gone, shut] = [join(folder, "gone"), join(folder, "shut")];
    using store = openStore(join(gone, "lab.sqlite"));
    rmSync(gone, { recursive: true });
    assert.match(
      refusal(() => store.prepare("attach ? as other").run(join(gone, "other.sqlite"))),
      /^disk: .*check that its folder exists/,
    );
    mkdirSync(shut);
    chmodSync(shut, 0o500);
    if (process.getuid?.() === 0) {
      return skipped("a folder that may not be written, since root may write anywhere");
    }
    assert.match(
      refusal(() => openStore(join(shut, "lab.sqlite"))),
      /^disk: .*check that .* you may write there/,
    );
  }));

/** What the children have in common: what a piece of work was refused with, and writing. */
const HEAD = `
import { argv, env } from "node:process";
import { join } from "node:path";
import { mkdtempSync } from "node:fs";
import { openStore } from "LIB/open.ts";
import { lockForRun } from "LIB/lock.ts";
import { putStudy } from "LIB/studies.ts";
const [folder, ...faults] = argv.slice(2);
const said = (work) => {
  try {
    work();
    return "done";
  } catch (error) {
    return (error.kind ?? error.name) + ": " + error.message;
  }
};
const put = (store, id, text = "") => putStudy(store, { id, spec: { text }, createdAt: 0 });
const fill = (store) => {
  for (let i = 0; i < 50; i++) put(store, "x" + i, "x".repeat(100_000));
};
`;

/** For each fault does some things to stores while the calls that it names fail. */
const CHILD = `
console.log(JSON.stringify(faults.map((fault) => {
  const [, name, errno, things] = /^(.*)=(.*):(.*)$/.exec(fault);
  const [one, two] = [1, 2].map(() => join(mkdtempSync(join(folder, "s-")), "lab.sqlite"));
  const store = openStore(one, { busyTimeout: 1 });
  put(store, "before");
  const works = {
    open: () => openStore(two, { busyTimeout: 1 }).close(),
    lock: () => lockForRun(store),
    write: () => fill(store),
    read: () => store.prepare("select sum(length(spec)) from studies").get(),
    sync: () => store.transaction(() => put(store, "z"), { durable: true }),
  };
  if (things === "read") fill(store); // more than SQLite keeps in memory
  env[name] = errno;
  const told = things.split(",").map((thing) => said(works[thing]));
  delete env[name];
  const after = said(() => put(store, "after"));
  store.close();
  return [...told, after];
})));
`;

/**
 * Runs a child below some command, with some variables: what it prints, or why there is nothing.
 */
function answers(
  body: string,
  folder: string,
  rest: readonly string[],
  { below = [] as readonly string[], env = {} } = {},
): string[][] | string {
  const script = join(tmpdir(), `labyrinth-child-${process.pid}.ts`);
  writeFileSync(
    script,
    HEAD.replaceAll("LIB", new URL("../../../lib/lab/store", import.meta.url).href) + body,
  );
  try {
    const own = [
      process.execPath,
      "run",
      "-A",
      "--no-check",
      "--quiet",
      "--config",
      `${checkoutRoot()}deno.json`,
      script,
      folder,
      ...rest,
    ];
    const [command = "", ...words] = [...below, ...own];
    const { status, stdout, stderr, error } = spawnSync(command, words, {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    return status === 0
      ? JSON.parse(stdout) as string[][]
      : (error?.message ?? stderr).trim().replaceAll("\n", " ");
  } finally {
    rmSync(script);
  }
}

const { EACCES, EDQUOT, EINVAL, EIO, ENODEV, ENOLCK, ENOSPC, ENOSYS, EOPNOTSUPP, EPERM, ESTALE } =
  constants.errno;

/** Fault, what is done meanwhile, and how it is refused each time. */
const FAULTS: readonly [string, string, readonly RegExp[]][] = [
  ...[ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL, EACCES].map((errno) =>
    fault(`FAULT_LOCK=${errno}`, { open: LOCKLESS, lock: LOCKLESS })
  ),
  ...[ENOLCK, EOPNOTSUPP].map((errno) => fault(`FAULT_SHARED_LOCK=${errno}`, { open: LOCKLESS })),
  fault(`FAULT_MAP=${ENODEV}`, { open: LOCKLESS }),
  fault(`FAULT_LOCK=${EPERM}`, { open: UNOPENED, lock: UNOPENED }),
  fault(`FAULT_WRITE=${ENOSPC}`, { open: FULL, write: FULL, sync: FULL }),
  ...[EIO, EDQUOT].map((errno) => fault(`FAULT_WRITE=${errno}`, { open: FAILED, write: FAILED })),
  fault(`FAULT_SYNC=${EIO}`, { sync: FAILED }),
  fault(`FAULT_READ=${EIO}`, { open: FAILED }),
  fault(`FAULT_READ=${ESTALE}`, { read: FAILED }),
  fault(`FAULT_READ=${EIO}`, { read: FAILING }),
];

function fault(
  name: string,
  told: Readonly<Record<string, RegExp>>,
): [string, string, readonly RegExp[]] {
  return [name, Object.keys(told).join(), [...Object.values(told), / done$/]];
}

Deno.test("each failure of a file system is told as what it is: no locks, a failing disk, a full one; and the store goes on after it", () =>
  inFolder((folder) => {
    const library = faultLibrary(folder);
    if (library === undefined) return;
    const told = answers(CHILD, folder, FAULTS.map(([name, things]) => `${name}:${things}`), {
      env: { LD_PRELOAD: library },
    });
    if (typeof told === "string") assert.fail(told);
    for (const [index, [name, things, wanted]] of FAULTS.entries()) {
      for (const [at, pattern] of wanted.entries()) {
        assert.match(`${name}:${things} ${told[index]?.[at]}`, pattern);
      }
    }
  }));

Deno.test("a file system that is really full, and one that is mounted for reading, are told as what they are", () =>
  inFolder((folder) => {
    const [place, path] = [join(folder, "place"), join(folder, "lab.sqlite")];
    mkdirSync(place);
    openStore(path).close();
    const mount = (
      script: string,
    ): readonly string[] => ["unshare", "-rm", "sh", "-c", `${script} && exec "$@"`, place];
    const full = answers(CHILD, place, ["NONE=0:write,open"], {
      below: mount('mount -t tmpfs -o size=2m none "$0"'),
    });
    if (typeof full === "string" && /unshare|mount/.test(full)) {
      return skipped(`full file systems, which cannot be mounted here: ${full}`);
    }
    for (const said of full[0]?.slice(0, 2) ?? []) {
      assert.match(` ${said}`, FULL, JSON.stringify(full));
    }
    const shut = answers(
      `const open = (name) => openStore(join(folder, name));
       console.log(JSON.stringify([[() => open("new.sqlite"), () => put(open("lab.sqlite"), "x"), () => lockForRun(open("lab.sqlite"))].map(said)]));`,
      place,
      [],
      { below: mount(`mount -t tmpfs none "$0" && cp ${path} "$0" && mount -o remount,ro "$0"`) },
    );
    for (const said of shut[0] ?? []) assert.match(` ${said}`, UNOPENED, JSON.stringify(shut));
    assert.deepEqual([full[0]?.length, shut[0]?.length], [3, 3]);
  }));

function skipped(what: string): void {
  process.stdout.write(`skipped: ${what}\n`);
}
