/** Cuts and flips of a store: each is harmless or named, and none changes a number. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { StoreError } from "../../lib/core/errors.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { getReply } from "../../lib/lab/store/replies.ts";
import { afterKill, numbersOf, replyRow, withFile } from "../lab/store/filled.ts";
import { chaosDraw, damage, FULL } from "./generators.ts";

/**
 * What came of a damaged file: `same` numbers, or a problem that was `named`. Anything else is an
 * error of the test, but that a damaged log may leave the store at an `earlier` state, in which
 * what has ended has the same numbers.
 */
function held(
  path: string,
  wanted: readonly unknown[],
  replies: readonly unknown[],
  mayBeEarlier = false,
): "same" | "named" | "earlier" {
  try {
    using store = openStore(path);
    const { broken, rows } = numbersOf(store);
    const found = replies.map((_, n) => getReply(store, replyRow(n).key));
    for (const [n, reply] of found.entries()) {
      if (reply !== undefined) assert.deepEqual(reply, replies[n], "a reply differs silently");
    }
    if (mayBeEarlier && broken.length === 0 && JSON.stringify(rows) !== JSON.stringify(wanted)) {
      for (const row of rows) {
        const [{ episode, status }] = row as [{ episode: string; status: string }];
        const then = wanted.find((one) => (one as [{ episode: string }])[0].episode === episode);
        if (status === "completed") assert.deepEqual(row, then, "a number differs silently");
      }
      return "earlier";
    }
    if (broken.length === 0) {
      assert.deepEqual(rows, wanted, "a number differs silently");
      return "same";
    }
    const ids = broken.map((line) => line.match(/^the episode (\w+) /)?.[1]);
    for (const [index, row] of rows.entries()) {
      const [{ episode, status, raw_score }] = row as [
        { episode: string; status: string; raw_score: number | null },
      ];
      if (ids.includes(episode)) assert.deepEqual([status, raw_score], ["failed", null]);
      else assert.deepEqual(row, wanted[index], "a number beside the broken one differs");
    }
    assert.ok(mayBeEarlier || rows.length === wanted.length);
    return "named";
  } catch (error) {
    assert.ok(error instanceof StoreError, `a StoreError, not ${(error as Error).stack}`);
    assert.doesNotMatch(error.message, /\n/);
    assert.match(error.message, /\.\/lab (verify|merge)|--store|update Labyrinth/);
    return "named";
  }
}

const DAMAGES = FULL ? 12_000 : 150;

Deno.test("chaos: no cut, flip or overwritten run of a store changes a number without a word", () =>
  withFile((path) => {
    const whole = readFileSync(path);
    let wanted: readonly unknown[];
    let replies: unknown[];
    {
      using store = openStore(path);
      wanted = numbersOf(store).rows;
      replies = Array.from({ length: 20 }, (_, n) => getReply(store, replyRow(n).key));
    }
    const draw = chaosDraw("damage");
    const counts = { same: 0, named: 0, earlier: 0 };
    for (let n = 0; n < DAMAGES; n++) {
      const { bytes, what } = damage(whole, draw);
      if (bytes.length === 0) continue; // an empty file is a store that holds nothing yet
      writeFileSync(path, bytes);
      for (const more of ["-wal", "-shm"]) rmSync(path + more, { force: true });
      try {
        counts[held(path, wanted, replies)]++;
      } catch (error) {
        throw new Error(`${what}, of ${whole.length} bytes`, { cause: error });
      }
    }
    console.log(`  ${counts.same} harmless, ${counts.named} named`);
    assert.ok(counts.same > 0 && counts.named > 0);
  }));

for (
  const [what, options] of Object.entries({
    "": {},
    " that began its log anew": { isRestarted: true },
  })
) {
  Deno.test(`chaos: no cut, flip or overwritten run of the files of a killed lab${what} changes a number without a word`, () =>
    afterKill(options, ({ path, restore }) => {
      restore();
      const files = [path, `${path}-wal`, `${path}-shm`].map((file) => ({
        file,
        whole: readFileSync(file),
      }));
      let wanted: readonly unknown[];
      let replies: unknown[];
      {
        using store = openStore(path);
        wanted = numbersOf(store).rows;
        replies = Array.from({ length: 20 }, (_, n) => getReply(store, replyRow(n).key));
      }
      const draw = chaosDraw(`damage after a kill${what}`);
      const counts = { same: 0, named: 0, earlier: 0 };
      for (let n = 0; n < (FULL ? 1500 : 30); n++) {
        // The log is all but a few pages of what there is to lose.
        const hasIndex = draw.next() < 0.7;
        const { file, whole } =
          files[draw.next() < 0.6 ? 1 : draw.next() < 0.5 ? 0 : hasIndex ? 2 : 1] as typeof files[
            number
          ];
        const { bytes, what: how } = damage(whole, draw);
        restore(hasIndex);
        writeFileSync(file, bytes);
        try {
          counts[held(path, wanted, replies, true)]++;
        } catch (error) {
          throw new Error(`${how}, of ${whole.length} bytes of ${file}, ${hasIndex}`, {
            cause: error,
          });
        }
      }
      console.log(
        `  ${counts.same} harmless, ${counts.named} named, ${counts.earlier} at an earlier state`,
      );
      assert.ok(counts.same > 0 && counts.earlier > 0);
    }));
}
