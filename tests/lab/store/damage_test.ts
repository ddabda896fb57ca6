import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { episodeRows } from "../../../lib/report/frame.ts";
import { putArtefact } from "../../../lib/lab/store/artefacts.ts";
import { closeLeftAttempts, listAttempts } from "../../../lib/lab/store/attempts.ts";
import { defineUnpacked } from "../../../lib/lab/store/bodies.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";
import { excludeBroken } from "../../../lib/lab/store/damage.ts";
import { endEpisode, eraseRecord, listEpisodes, startEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { repairStore } from "../../../lib/lab/store/repair.ts";
import { getReply } from "../../../lib/lab/store/replies.ts";
import { rowHash } from "../../../lib/lab/store/row-hash.ts";
import { MIGRATIONS } from "../../../lib/lab/store/schema.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { listTurns, putTurn } from "../../../lib/lab/store/turns.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import { call, numbersOf, PASS, replyRow, STUDY, withFile } from "./filled.ts";
import { sampleTurn } from "./samples.ts";

Deno.test("excludeBroken() names a changed row, and the episode counts as failed and has no rows", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update packed_turns set score = 5 where episode = 'bbbb' and step = 6");
    const { broken, rows } = numbersOf(store);
    assert.match(broken.join(), /^the episode bbbb is not as it was recorded \(turns 0\.6 is not .*--retry.*\.\/lab repair$/);
    assert.deepEqual(listEpisodes(store).map(({ status, failureKind }) => failureKind ?? status), [
      "completed",
      "damaged",
      "completed",
      "running",
    ]);
    assert.equal(rows.length, 4);
    assert.deepEqual(listTurns(store, "bbbb"), []);
    eraseRecord(store, "bbbb");
    startEpisode(store, "bbbb", 3);
    putTurn(store, sampleTurn({ episode: "bbbb" }));
    endEpisode(store, "bbbb", { status: "completed", passes: [PASS] }, 4);
    assert.equal(listTurns(store, "bbbb").length, 1, "played anew, it is shown again");
    assert.deepEqual(excludeBroken(store, STUDY), []);
  }));

Deno.test("excludeBroken() holds an episode that has lost its hash against its seal", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update episodes set hash = null, score = 9 where id = 'bbbb'");
    assert.match(excludeBroken(store, STUDY).join("\n"), /^the episode bbbb is not as it was recorded \(its rows are not those .*$/);
  }));

Deno.test("verifyStore() finds whole, open, broken and unsealed episodes, and a call after the end keeps the seal", () =>
  withFile((path) => {
    using store = openStore(path);
    putCall(store, call("aaaa", 9));
    store.database.exec("delete from graph_changes where episode = 'bbbb' and step = 3");
    store.database.exec("update episodes set hash = null where id = 'cccc'; delete from seals where episode = 'cccc'");
    const { episodes, problems, replies } = verifyStore(store);
    assert.deepEqual(episodes.map(({ state }) => state), ["whole", "broken", "unsealed", "open"]);
    assert.equal(episodes[1]?.problem, "6 of 7 rows of graph_changes are there");
    assert.deepEqual([problems, replies], [[], { whole: 20, broken: 0 }]);
  }));

Deno.test("excludeBroken() refuses a store whose episodes, studies or seals are not as they were recorded", () => {
  for (
    const damage of [
      "update episodes set study = 'other' where id = 'aaaa'",
      "update studies set created_at = 7",
      "update studies set hash = null, spec = '{}'",
      "delete from episodes where id = 'aaaa'",
      "delete from studies",
      "drop table seals",
    ]
  ) {
    withFile((path) => {
      using store = openStore(path);
      store.database.exec(`pragma foreign_keys = off; insert into studies (id, spec, created_at) values ('other', '{}', 2); ${damage}`);
      assert.throws(() => excludeBroken(store, STUDY), { name: "StoreError", kind: "damaged", message: /is damaged .*\.\/lab repair/ });
    });
  }
});

Deno.test("repairStore() keeps a study that has lost its hash, and says so", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update studies set hash = null");
    const into = path.replace("lab", "repaired");
    assert.deepEqual(repairStore(store, into).lost, ["the hash of the study study, whose description is kept as it was found"]);
    using made = openStore(into);
    assert.deepEqual([verifyStore(made).problems, excludeBroken(made, STUDY)], [[], []]);
  }));

Deno.test("repairStore() copies what is whole beside the old store and names the rest", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update packed_turns set goal = 'other' where episode = 'bbbb' and step = 2");
    store.database.exec(`update packed_replies set reply = '{}', reply_body = null where key = '${replyRow(3).key}'`);
    store.database.exec(`update packed_replies set key = 'z' where key = '${replyRow(4).key}'`); // no hash begins so
    const into = path.replace("lab", "repaired");
    const { saved, lost } = repairStore(store, into);
    assert.deepEqual(saved, { studies: 1, episodes: 3, replies: 18, artefacts: 0 });
    assert.deepEqual(lost, [
      "the episode bbbb of study, hunt/arigraph/1, 1: turns 0.2 is not as it was recorded",
      "2 replies, which are not as they were recorded",
    ]);
    using made = openStore(into);
    assert.deepEqual(verifyStore(made).episodes.map(({ episode, state }) => `${episode} ${state}`), [
      "aaaa whole",
      "cccc whole",
      "dddd open",
    ]);
    assert.deepEqual(listTurns(made, "aaaa"), listTurns(store, "aaaa"));
    assert.throws(() => repairStore(store, into), { name: "StoreError", kind: "conflict" });
  }));

Deno.test("repairStore() leaves out an episode whose artefact is damaged, so that it is played again", () =>
  withFile((path) => {
    using store = openStore(path);
    const artefactOut = putArtefact(store, { kind: "arigraph", body: { triplets: [1, 2] } });
    endEpisode(store, "cccc", { status: "completed", passes: [PASS], artefactOut }, 2);
    store.database.exec("update artefacts set kind = 'other'");
    const into = path.replace("lab", "repaired");
    const { saved, lost } = repairStore(store, into);
    assert.deepEqual([saved.episodes, saved.artefacts], [3, 0]);
    assert.match(lost.join("\n"), /the episode cccc of .*: the artefact [0-9a-f]{16}, which it saved, is lost$/);
    using made = openStore(into);
    assert.deepEqual(verifyStore(made).problems, []);
    assert.deepEqual(listEpisodes(made).map(({ id }) => id), ["aaaa", "bbbb", "dddd"]);
  }));

Deno.test("repairStore() that was killed leaves no store under the new name, and the next one makes it", () =>
  withFile((path) => {
    const into = path.replace("lab", "repaired");
    const [repair, open] = ["repair", "open"].map((name) => new URL(`../../../lib/lab/store/${name}.ts`, import.meta.url).href);
    const child = `
      const [{ repairStore }, { openStore }] = [await import("${repair}"), await import("${open}")];
      const store = openStore(${JSON.stringify(path)});
      const prepare = (sql) => sql.includes("main.replies") ? process.kill(process.pid, "SIGKILL") : store.prepare(sql);
      repairStore({ ...store, prepare }, ${JSON.stringify(into)});`;
    assert.equal(spawnSync(process.execPath, ["eval", child], { cwd: checkoutRoot() }).signal, "SIGKILL");
    assert.ok(!existsSync(into), "a half-made store has the name of a whole one");
    using store = openStore(path);
    assert.deepEqual(repairStore(store, into), {
      store: into,
      saved: { studies: 1, episodes: 4, replies: 20, artefacts: 0 },
      unsealed: 0,
      lost: [],
    });
    assert.deepEqual(readdirSync(dirname(into)).filter((name) => name.includes(".part")), []);
  }));

Deno.test("repairStore() saves episodes and replies where a page of the file cannot be read", () =>
  withFile((path) => {
    const bytes = readFileSync(path);
    const size = bytes.readUInt16BE(16);
    const copy = `${path}.damaged`;
    let saved = 0;
    for (let page = 2; page < bytes.length / size; page += 3) {
      copyFileSync(path, copy);
      const damaged = Uint8Array.from(bytes);
      damaged.fill(0, page * size, (page + 1) * size);
      writeFileSync(copy, damaged);
      try {
        using store = openStore(copy);
        const result = repairStore(store, `${path}.${page}`);
        saved += result.saved.episodes;
      } catch (error) {
        assert.ok(error instanceof StoreError, `${(error as Error).stack}`);
      }
    }
    assert.ok(saved > 0);
  }));

Deno.test("openStore() reads a store that cannot be written, and one of an older version", () =>
  withFile((path) => {
    using store = openStore(path, { readOnly: true });
    assert.equal(store.readOnly, true);
    assert.deepEqual(excludeBroken(store, STUDY), []);
    assert.equal(episodeRows(store, STUDY).length, 4);
    assert.throws(() => putStudy(store, { id: "x", spec: {}, createdAt: 1 }), { name: "StoreError", kind: "disk" });

    const older = `${path}.older`;
    {
      using made = new DatabaseSync(older);
      defineUnpacked(made);
      made.exec(
        `${
          MIGRATIONS[0]
        }; pragma user_version = 1; attach '${path}' as new; insert into studies select id, spec, created_at from new.studies;`,
      );
      for (const table of ["episodes", "turns", "graph_changes", "events", "truths", "calls", "replies"]) {
        const columns = made.prepare(`select name from pragma_table_info('${table}', 'main')`).all().map(({ name }) => name).join();
        made.exec(`insert into ${table} (${columns}) select ${columns} from new.${table}`);
      }
    }
    for (const readOnly of [true, false]) {
      using old = openStore(older, { readOnly });
      assert.deepEqual(excludeBroken(old, STUDY), []);
      assert.deepEqual(episodeRows(old, STUDY), episodeRows(store, STUDY));
      assert.deepEqual(getReply(old, replyRow(1).key), getReply(store, replyRow(1).key));
      const { episodes, problems } = verifyStore(old);
      assert.deepEqual([episodes.map(({ state }) => state), problems], [["unsealed", "unsealed", "unsealed", "open"], []]);
    }
    using migrated = openStore(older);
    endEpisode(migrated, "dddd", { status: "completed", passes: [PASS] }, 9);
    assert.equal(verifyStore(migrated).episodes[3]?.state, "whole", "its rows are hashed when it ends");
    assert.deepEqual(repairStore(migrated, `${path}.saved`).unsealed, 3);
  }));

Deno.test("openStore() migrates a sealed store whose attempts were not kept; one that was left open is closed", () =>
  withFile((path) => {
    const older = `${path}.older`;
    {
      using made = new DatabaseSync(older);
      defineUnpacked(made);
      made.exec(`${MIGRATIONS.slice(0, 3).join(";")}; pragma user_version = 3; pragma foreign_keys = off; attach '${path}' as new`);
      for (const table of ["studies", "episodes", "turns", "graph_changes", "events", "truths", "calls", "replies", "seals"]) {
        const columns = made.prepare(`select name from pragma_table_info('${table}', 'main')`).all().map(({ name }) => name).join();
        made.exec(`insert into main.${table} (${columns}) select ${columns} from new.${table}`);
      }
      for (const { hash: _, ...seal } of made.prepare("select * from main.seals").all()) {
        const { attempts: __, ...counts } = JSON.parse(String(seal["rows"]));
        const rows = JSON.stringify(counts);
        made.prepare("update main.seals set rows = ?, hash = ? where episode = ?")
          .run(rows, rowHash("seals", { ...seal, rows }), seal["episode"] as string);
      }
      made.exec("insert into attempts (episode, role, model, key, bound_tokens, at) values ('aaaa', 'r', 'm', 'k', 9, 1)");
    }
    const states = (store: Store): unknown[] => {
      const { problems, episodes } = verifyStore(store);
      return [...problems, ...excludeBroken(store, STUDY), ...episodes.map(({ state }) => state)];
    };
    for (const readOnly of [true, false]) {
      using store = openStore(older, { readOnly });
      assert.deepEqual(states(store), ["whole", "whole", "whole", "open"]);
    }
    using store = openStore(older);
    assert.equal(closeLeftAttempts(store, 5), 1);
    assert.deepEqual(listAttempts(store, "aaaa").map(({ outcome, calls }) => [outcome, calls]), [["unknown", 1]]);
    assert.deepEqual(states(store), ["whole", "whole", "whole", "open"]);
  }));
