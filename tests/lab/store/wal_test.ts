/** The write-ahead log that a killed process leaves: what is damaged in it is named, what was under way is no damage. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { endEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { repairStore } from "../../../lib/lab/store/repair.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import { afterKill, FRAME, numbersOf, PASS } from "./filled.ts";

const NAMED = { name: "StoreError", kind: "damaged", message: /^the store \S+ is damaged \(the log \S+-wal [^\n]*\.\/lab repair[^\n]*$/ };

for (const isRestarted of [false, true]) {
  const log = isRestarted ? "a log that was begun anew" : "a log";
  Deno.test(`openStore() names each byte of ${log} that is damaged, also when asked again, with and without the index beside it`, () =>
    afterKill({ isRestarted }, ({ path, restore, frames }) => {
      restore();
      const whole = readFileSync(`${path}-wal`);
      const heads = [0, 3, 6, 9, 13, 17, 21, 25, 31];
      const places = heads.concat(
        [0, 1, Math.floor(frames / 2), frames - 2, frames - 1].flatMap((frame) =>
          [0, 5, 9, 14, 18, 22, 24, 1000, FRAME - 1].map((at) => 32 + FRAME * frame + at)
        ),
      );
      for (const hasIndex of [true, false]) {
        restore(hasIndex);
        openStore(path).close();
        for (const at of places) {
          restore(hasIndex);
          const bytes = Uint8Array.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ 16;
          writeFileSync(`${path}-wal`, bytes);
          for (const options of [{}, { readOnly: true }]) assert.throws(() => openStore(path, options), NAMED, `byte ${at}, ${hasIndex}`);
        }
      }
    }));
}

Deno.test("openStore() names a log that was cut off or taken away after a kill", () =>
  afterKill({}, ({ path, restore, frames }) => {
    for (const length of [0, 1, 31, 32, 32 + FRAME, 32 + FRAME * frames - 1]) {
      restore();
      truncateSync(`${path}-wal`, length);
      assert.throws(() => openStore(path), NAMED, `${length}`);
    }
    restore();
    rmSync(`${path}-wal`);
    assert.throws(() => openStore(path), NAMED);
    restore();
    truncateSync(path, 0);
    assert.throws(() => openStore(path), NAMED);
  }));

Deno.test("openStore() takes a log whose last transaction was never committed, cut anywhere in it", () =>
  afterKill({ hasUnfinished: true }, ({ path, restore, frames, length }) => {
    assert.ok(length > 32 + FRAME * (frames + 2), "frames of an unfinished transaction");
    let wanted: unknown;
    for (const end of [length, length - 1, length - FRAME - 30, 32 + FRAME * frames + 10, 32 + FRAME * frames]) {
      for (const hasIndex of [true, false]) {
        restore(hasIndex);
        truncateSync(`${path}-wal`, end);
        using store = openStore(path);
        const { broken, rows } = numbersOf(store);
        wanted ??= rows;
        assert.deepEqual([broken, rows], [[], wanted], `${end} of ${length}`);
      }
    }
  }));

Deno.test("openStore() reads beside a process that writes, begins its log anew and dies amid a commit", () =>
  afterKill({ hasUnfinished: true }, ({ path, restore }) => {
    restore();
    for (let n = 0; n < 30; n++) {
      using writer = openStore(path);
      putStudy(writer, { id: `s${n}`, spec: { n }, createdAt: n }); // shorter than what the kill left, which stays behind it
      openStore(path, { readOnly: true }).close();
      if (n % 7 === 0) writer.database.exec("pragma wal_checkpoint(restart)");
      endEpisode(writer, "dddd", { status: "completed", passes: [PASS] }, n);
      openStore(path).close();
    }
  }));

Deno.test("repairStore() saves what a damaged log still has, leaves the old store as it was, and says so", () =>
  afterKill({}, ({ path, restore, frames }) => {
    restore();
    const bytes = readFileSync(`${path}-wal`);
    bytes[32 + FRAME * (frames - 5) + 500] = (bytes[32 + FRAME * (frames - 5) + 500] ?? 0) ^ 1;
    writeFileSync(`${path}-wal`, bytes);
    using store = openStore(path, { salvage: true });
    assert.match(
      verifyStore(store).problems[0] ?? "",
      new RegExp(`^the log \\S+-wal is damaged at frame ${frames - 4} of ${frames}, so that`),
    );
    const { saved, lost } = repairStore(store, `${path}.new`);
    assert.ok(saved.episodes >= 2 && saved.replies >= 19, JSON.stringify(saved));
    assert.match(lost[0] ?? "", /^the log /);
    assert.deepEqual(readFileSync(`${path}-wal`), bytes);
    assert.throws(() => openStore(path), NAMED);
    using made = openStore(`${path}.new`);
    assert.deepEqual(verifyStore(made).problems, []);
  }));
